import KennelPages
import Testing

@Suite("A damaged file")
struct DamageTests {
  /// Versions of a file: after each of some commits.
  private static func versions(
    _ form: FileForm = .open
  ) throws -> (files: [[UInt8]], model: Model) {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 77)
    let store = try PageStore.open(path: folder.file, create: true, key: form.key)
    defer { store.close() }
    var model = try store.commitChanges(400, Model(), &random)
    var files: [[UInt8]] = []
    for _ in 0..<6 {
      files.append(folder.read())
      model = try store.commitChanges(30, model, &random)
    }
    files.append(folder.read())
    return (files, model)
  }

  @Test(arguments: 0..<6, FileForm.allCases)
  func `whatever the damage, what is read is right or an error says where`(
    kind: Int,
    form: FileForm
  ) throws {
    let (files, model) = try Self.versions(form)
    let sound = files[6]
    let older = files[5]
    let pages = sound.count / 4096
    var random = SeededNumbers(seed: UInt64(kind))
    let folder = TestFolder()
    var found = 0
    let rounds = 150 * repetitions
    for _ in 0..<rounds {
      var bytes = sound
      let page = Int.random(in: 0..<pages, using: &random)
      let other = Int.random(in: 0..<pages, using: &random)
      let range = page * 4096..<(page + 1) * 4096
      switch kind {
      case 0:
        let bit = Int.random(in: 0..<sound.count * 8, using: &random)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      case 1:
        let sector = Int.random(in: 0..<sound.count / 512, using: &random)
        for index in 0..<512 { bytes[sector * 512 + index] = .random(in: 0...255, using: &random) }
      case 2: bytes.replaceSubrange(range, with: sound[other * 4096..<(other + 1) * 4096])
      case 3: bytes.replaceSubrange(range, with: repeatElement(0, count: 4096))
      case 4:
        let from = files[Int.random(in: 0..<6, using: &random)]
        guard range.upperBound <= from.count else { continue }
        bytes.replaceSubrange(range, with: from[range])
      default: bytes.removeLast(Int.random(in: 1..<sound.count, using: &random))
      }
      folder.write(bytes)
      Tally.count(.damages)
      switch read(folder, form) {
      case .success(let contents):
        // A meta page that is zero, or was put back, leads to the commit before.
        let isRight = contents == model
        if !isRight {
          #expect(contents == Self.before(older, form), "kind \(kind), page \(page)")
        }
      case .failure:
        found += 1
        Tally.count(.refusals)
      }
    }
    // Many a page is the same in an older version.
    #expect(found > rounds / 20)
  }

  private static func before(_ bytes: [UInt8], _ form: FileForm) -> Model? {
    let folder = TestFolder()
    folder.write(bytes)
    guard let store = try? PageStore.open(path: folder.file, key: form.key) else { return nil }
    defer { store.close() }
    return try? Model(try store.snapshot())
  }

  private func read(_ folder: TestFolder, _ form: FileForm) -> Result<Model, any Error> {
    Result {
      let store = try PageStore.open(path: folder.file, key: form.key)
      defer { store.close() }
      let model = try Model(try store.snapshot())
      // A writer stops too, or does it right.
      var random = SeededNumbers(seed: 3)
      let before = model
      if let after = try? store.commitChanges(10, before, &random) {
        #expect(try Model(try store.snapshot()) == after)
      }
      return model
    }
  }

  @Test(arguments: ["exchanged", "the same"])
  func `meta pages in the place of each other are named`(kind: String) throws {
    let sound = try #require(try Self.versions().files.last)
    let folder = TestFolder()
    let pages = [Array(sound[..<4096]), Array(sound[4096..<8192])]
    folder.write((kind == "exchanged" ? pages[1] + pages[0] : pages[0] + pages[0]) + sound[8192...])
    let defect = "the two meta pages are exchanged, or one was copied over the other"
    let error = PageStoreError(.damaged(in: "the file header", defect), .open, path: folder.file)
    #expect(throws: error) { try PageStore.open(path: folder.file) }
    #expect(throws: PageStoreError.self) { try PageStore.openAlone(folder.file) }
  }

  @Test
  func `other files are refused by what they are`() throws {
    let folder = TestFolder()
    func problem(_ bytes: [UInt8], create: Bool = false) -> PageStoreError.Problem? {
      folder.write(bytes)
      do throws(PageStoreError) {
        try PageStore.open(path: folder.file, create: create).close()
        return nil
      } catch {
        return error.problem
      }
    }
    #expect(problem([]) == .empty)
    #expect(problem([], create: true) == nil)
    #expect(problem(Array("some text".utf8), create: true) == .notAPageFile)
    #expect(problem(Array(repeating: 7, count: 100_000), create: true) == .notAPageFile)
    var random = SeededNumbers(seed: 4)
    let store = try PageStore.open(path: folder.path + "/new", create: true)
    _ = try store.commitChanges(5, Model(), &random)
    store.close()
    var newer = TestFolder.read(folder.path + "/new")
    newer[8] = 9
    newer[4096 + 8] = 9
    #expect(problem(newer) == .newerVersion(9))
    newer[8] = 1
    newer[40] ^= 1
    #expect(problem(newer, create: true) == .newerVersion(9))
    newer[4096 + 8] = 1
    newer[4096 + 40] ^= 1
    #expect(
      problem(newer, create: true) == .damaged(in: "the file header", "no meta page is sound")
    )
  }
}
