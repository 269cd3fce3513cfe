import CraftedPages
import KennelPages
import Testing

/// Pages whose checksums are right: those are no secret.
@Suite("A page that lies about itself")
struct CraftedPageTests {
  /// A file with branches and long values, that is closed; its newest commit is in meta page 0.
  private static func sound() throws -> CraftedFile {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    for round in 0..<2 {
      let writer = try store.beginWrite()
      for key in 0..<400 as Range<UInt64> {
        let count = key == 7 ? 9000 : 40
        try writer.put(numbers, key, Array(repeating: UInt8(round), count: count))
        let word = Array("word \(key)".utf8)
        try writer.put(words, key: word, word)
      }
      try writer.commit()
    }
    store.close()
    return CraftedFile(folder.read())
  }

  /// What is wrong with a file, and what says so.
  struct Lie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout CraftedFile) -> Void

    init(_ defect: String, _ change: @escaping @Sendable (inout CraftedFile) -> Void) {
      testDescription = defect
      self.change = change
    }
  }

  /// What no reader and no writer uses.
  static let ofPages: [Lie] = [
    Lie("it has another number of unused bytes than it says") { file in
      file[file.firstLeaf(of: 0) + 20] = UInt32(60_000)
    },
    Lie("it has another number of unused bytes than it says") { file in
      file[file.firstLeaf(of: 1) + 16] = file[file.firstLeaf(of: 1) + 16, UInt32.self] - 1
    },
    Lie("entry 0 leads to a later commit") { file in
      file[file.value(0, of: file.page(at: file.root(of: 0)))] = UInt64.max
    },
    Lie("entry 7 has too long a value") { file in
      file[file.value(7, of: file.firstLeaf(of: 0)) + 16] = UInt64.max
    },
    Lie("entry 7 leads to a later commit") { file in
      file[file.value(7, of: file.firstLeaf(of: 0))] = UInt64.max
    },
    Lie("it lies behind the end of the file") { file in
      file[file.value(7, of: file.firstLeaf(of: 0)) + 16] = UInt64(UInt32.max)
    },
    Lie("entry 0 is too long") { file in
      // The key is longer than one may be, the value as much shorter.
      let leaf = file.firstLeaf(of: 1)
      file[file.slot(0, of: leaf) + 2] = UInt16(600)
      file[file.slot(0, of: leaf)] = UInt16(3000)
    },
    Lie("its keys are out of order") { file in
      let leaf = file.firstLeaf(of: 0)
      file[file.slot(9, of: leaf)] = UInt64(0)
    },
    Lie("its keys are out of order") { file in
      let leaf = file.firstLeaf(of: 1)
      file.bytes[file.value(9, of: leaf) - 1] = 0
    },
    Lie("its heap is elsewhere") { file in
      file[file.firstLeaf(of: 0) + 16] = UInt32(5000)
    },
  ]

  @Test(arguments: ofPages)
  func `is found by a reader, the check and a writer`(lie: Lie) throws {
    let folder = try folder(lie.change)
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let snapshot = try store.snapshot()
    #expect(defect { _ = try Model(snapshot) } == lie.testDescription)
    #expect(defect { _ = try PageStoreCheck.run(snapshot) } == lie.testDescription)
    #expect(defect { _ = try write(store) } == lie.testDescription)
    _ = defect { _ = try PageUsage(snapshot) }
  }

  /// What only a writer cannot use, and the check finds.
  static let ofEntries: [Lie] = [
    Lie("its entries overlap") { file in
      let leaf = file.firstLeaf(of: 0)
      file[file.slot(1, of: leaf) + 8] = file[file.slot(2, of: leaf) + 8, UInt16.self] + 1
    },
    Lie("it has more entries than it says") { file in file[file.root(of: 0) + 16] = UInt64(3) },
  ]

  @Test(arguments: ofEntries)
  func `is found by the check, and by a writer before it writes`(lie: Lie) throws {
    let folder = try folder(lie.change)
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let snapshot = try store.snapshot()
    #expect(throws: PageStoreError.self) { try PageStoreCheck.run(snapshot) }
    #expect(defect { _ = try write(store) } == lie.testDescription)
  }

  /// Numbers of a meta page that count too far.
  static let ofMetaPages: [Lie] = [
    Lie("number of entries") { $0[$0.root(of: 0) + 16] = UInt64.max },
    Lie("level of a root") { $0[$0.root(of: 0) + 24] = UInt32(256) },
    Lie("commit of a root") { $0[$0.root(of: 0)] = UInt64.max },
    Lie("number of the commit") { $0[$0.newestMeta + 32] = UInt64.max - 1 },
  ]

  @Test(arguments: ofMetaPages)
  func `is found when the file is opened, if it is a meta page`(lie: Lie) throws {
    let folder = try folder(lie.change)
    #expect(defect { try PageStore.open(path: folder.file).close() } == "a meta page is not sound")
  }

  @Test
  func `ends no walk that leads to the same page again and again`() throws {
    let folder = try folder { file in
      let root = file.page(at: file.root(of: 0))
      // The last leaf can be reached in two ways.
      let one = file.value(0, of: root)
      let last = file.value(file.entryCount(of: root) - 1, of: root)
      for offset in 0..<16 { file.bytes[one + offset] = file.bytes[last + offset] }
    }
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let snapshot = try store.snapshot()
    #expect(defect { _ = try Model(snapshot) } == "its keys are out of order")
    #expect(throws: PageStoreError.self) { try PageStoreCheck.run(snapshot) }
    var cursor = try snapshot.cursor(numbers)
    #expect(defect { while try cursor.previous() {} } == nil)
    #expect(try cursor.last())
    #expect(defect { while try cursor.previous() {} } == "its keys are out of order")
  }

  @Test
  func `lets a commit follow only where there is a number for it`() throws {
    let folder = try folder { file in
      file[file.newestMeta + 32] = UInt64(1) << 44 - 2
    }
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let next = UInt64(1) << 44 - 1
    #expect(defect { _ = try store.beginWrite() } == nil)
    #expect(store.newestCommit == next - 1)
  }

  @Test
  func `is found where another program writes to the file that is open`() throws {
    let folder = try folder { _ in }
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let snapshot = try store.snapshot()
    _ = try Model(snapshot)
    // The pages were checked; the meta pages stay.
    folder.patch(8192, Array(repeating: 0xA5, count: folder.read().count - 8192))
    #expect(throws: PageStoreError.self) { try write(store) }
    folder.patch(0, Array(repeating: 0xA5, count: 8192))
    #expect(store.displacement == .overwritten)
    #expect(throws: PageStoreError(.overwrittenOnDisk, .beginWrite, path: store.path)) {
      try store.beginWrite()
    }
  }

  // MARK: - Trying

  private func folder(_ change: (inout CraftedFile) -> Void) throws -> TestFolder {
    var file = try Self.sound()
    change(&file)
    file.seal()
    let folder = TestFolder()
    folder.write(file.bytes)
    return folder
  }

  /// What an error says is damaged.
  private func defect(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as PageStoreError {
      if case .damaged(_, let defect) = error.problem { return defect }
      return "\(error)"
    } catch {
      return "\(error)"
    }
  }

  /// Deletes and replaces everything, without a commit.
  private func write(_ store: PageStore) throws {
    let writer = try store.beginWrite()
    defer { writer.abort() }
    for key in 0..<400 as Range<UInt64> where key % 3 != 0 {
      try writer.put(numbers, key, Array(repeating: 1, count: 60))
    }
    for key in 0..<400 as Range<UInt64> {
      try writer.delete(numbers, key)
      try writer.put(words, key: Array("word \(key)".utf8), [1])
      try writer.delete(words, key: Array("word \(key)".utf8))
    }
  }
}
