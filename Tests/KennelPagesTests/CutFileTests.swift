import KennelPages
import Testing

@Suite("A file that was cut off")
struct CutFileTests {
  /// A file with a few commits, while it is open and after it was closed.
  private func files(commits: Int) throws -> (open: [UInt8], closed: [UInt8], models: [Model]) {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 31)
    let store = try PageStore.open(path: folder.file, create: true)
    var models = [Model()]
    for number in 0..<commits {
      models.append(try store.commitChanges(30, models[number], &random))
    }
    let open = folder.read()
    store.close()
    return (open, folder.read(), models)
  }

  /// Every byte of the meta pages, and some of the others.
  private func lengths(_ bytes: [UInt8]) -> [Int] {
    Array(stride(from: 1, to: 9000, by: 61)) + [4095, 4096, 4097, 8191, 8192, 8193]
      + Array(stride(from: 9000, to: bytes.count, by: 1777)) + [bytes.count - 1]
  }

  @Test(arguments: [0, 1, 2, 5])
  func `is damaged, whatever its length`(commits: Int) throws {
    let closed = try files(commits: commits).closed
    let folder = TestFolder()
    for length in lengths(closed) where length < closed.count {
      folder.write(Array(closed.prefix(length)))
      for create in [false, true] {
        let error = #expect(throws: PageStoreError.self, "\(length) bytes") {
          try PageStore.open(path: folder.file, create: create).close()
        }
        if length >= 8, case .damaged? = error?.problem { continue }
        #expect(length < 8, "\(length) bytes: \(String(describing: error))")
      }
    }
    #expect(throws: PageStoreError.self) { try PageStore.openAlone(folder.file) }
  }

  /// Of a program that was killed, nobody knows whether its last commit was synchronized: where it is
  /// cut off, a power failure may have taken it, but not the one before.
  @Test(arguments: [1, 2, 5])
  func `has the commit before, or is damaged, if its last program did not close it`(
    commits: Int
  ) throws {
    let (open, _, models) = try files(commits: commits)
    let folder = TestFolder()
    var recovered = 0
    for length in lengths(open) where length < open.count {
      folder.write(Array(open.prefix(length)))
      guard let store = try? PageStore.open(path: folder.file) else { continue }
      defer { store.close() }
      recovered += 1
      #expect(try Model(store.snapshot()) == models[commits - 1], "\(length) bytes")
      #expect(store.undoneCommit == UInt64(commits))
      _ = try PageStoreCheck.run(store.snapshot())
    }
    #expect(recovered > 0)
  }

  @Test
  func `is damaged while it is open`() throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 4)
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let model = try store.commitChanges(300, Model(), &random)
    let byteCount = folder.read().count
    folder.truncate(to: 20000)
    let defect = PageStoreError.Problem.damaged(
      in: "the file",
      "it has 20000 of \(byteCount) bytes"
    )
    #expect(throws: PageStoreError(defect, .beginRead, path: store.path)) { try store.snapshot() }
    #expect(store.displacement == .overwritten)
    #expect(throws: PageStoreError.self) { try store.beginWrite() }
    folder.truncate(to: 0)
    #expect(throws: PageStoreError.self) { try Model(try store.snapshot()) }
    #expect(throws: PageStoreError.self) { try store.commitChanges(300, model, &random) }
  }
}
