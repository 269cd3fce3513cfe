import KennelPages
import Testing

@Suite("Random changes of a page store")
struct ModelTests {
  @Test(arguments: 0..<12)
  func `a store contains what a dictionary does, commit after commit`(seed: Int) throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: UInt64(seed))
    let pageSize = seed % 4 == 3 ? 65536 : seed % 4 == 2 ? 8192 : 4096
    let key = FileForm(seed: seed).key
    var store = try PageStore.open(path: folder.file, create: true, pageSize: pageSize, key: key)
    defer { store.close() }
    var model = Model()
    var kept: [(PageSnapshot, Model)] = []
    for _ in 0..<40 {
      let count = Int.random(in: 1...80, using: &random)
      let budget = Bool.random(using: &random) ? Int.max : 40_000
      model = try store.commitChanges(count, model, &random, memoryBudget: budget)
      let snapshot = try store.snapshot()
      #expect(try Model(snapshot) == model)
      _ = try PageStoreCheck.run(snapshot)
      if Int.random(in: 0..<4, using: &random) == 0 { kept.append((snapshot, model)) }
      if kept.count > 3 { kept.remove(at: Int.random(in: 0..<3, using: &random)) }
      for (old, contents) in kept { #expect(try Model(old) == contents) }
      if Int.random(in: 0..<8, using: &random) == 0 {
        kept = []
        _ = consume snapshot
        store.close()
        store = try PageStore.open(path: folder.file, key: key)
      }
    }
  }

  @Test(arguments: 0..<4)
  func `a cursor finds what a sorted list does, in a snapshot and in a writer`(seed: Int) throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: UInt64(seed) + 100)
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    var model = try store.commitChanges(500, Model(), &random)
    let writer = try store.beginWrite()
    for _ in 0..<200 { try model.change(writer, &random) }
    let keys = model.numbers.keys.sorted()
    var inWriter = try writer.cursor(numbers)
    for probe in 0..<420 as Range<UInt64> {
      let after = keys.first { $0 >= probe }
      #expect(try inWriter.seek(atOrAfter: probe) == (after != nil))
      if let after { #expect(inWriter.number == after) }
      let before = keys.last { $0 <= probe }
      #expect(try inWriter.seek(atOrBefore: probe) == (before != nil))
      if let before { #expect(inWriter.number == before) }
    }
    try writer.commit()
    let snapshot = try store.snapshot()
    let sorted = model.words.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var cursor = try snapshot.cursor(words)
    for probe in sorted + [[], [98], [99, 99, 99, 99, 99], [200]] {
      let after = sorted.first { !$0.lexicographicallyPrecedes(probe) }
      let isThere = try unsafe probe.withUnsafeBytes { try unsafe cursor.seek(atOrAfter: $0) }
      #expect(isThere == (after != nil))
      if let after, isThere { #expect(unsafe Array(cursor.bytes) == after) }
    }
  }

  /// Long common beginnings make long separators, so that a branch has a dozen children.
  @Test(arguments: 0..<3)
  func `a tree of many levels stays in order while parts of it go and come`(seed: Int) throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: UInt64(seed) + 900)
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    func key(_ number: Int) -> [UInt8] {
      [UInt8](repeating: 97, count: 300) + [UInt8(number / 256), UInt8(number % 256)]
    }
    var present: Set<Int> = []
    for round in 0..<40 {
      let writer = try store.beginWrite()
      let start = Int.random(in: 0..<4000, using: &random)
      let count = Int.random(in: 1..<1500, using: &random)
      for number in start..<start + count {
        if round % 2 == 0 {
          if Int.random(in: 0..<3, using: &random) == 0 { continue }
          try writer.put(words, key: key(number), [UInt8(number % 7)])
          present.insert(number)
        } else {
          let wasThere = try writer.delete(words, key: key(number))
          #expect(wasThere == (present.remove(number) != nil))
        }
      }
      try writer.commit()
      let snapshot = try store.snapshot()
      let report = try PageStoreCheck.run(snapshot)
      #expect(report.entries[1] == present.count)
      for number in stride(from: 0, to: 5500, by: 7) {
        #expect(try (snapshot.bytes(words, key: key(number)) != nil) == present.contains(number))
      }
    }
  }

  @Test
  func `keys in order fill pages completely`() throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    for key in 0..<10_000 as Range<UInt64> {
      try writer.put(numbers, key, [UInt8](repeating: 1, count: 100))
    }
    try writer.commit()
    let report = try PageStoreCheck.run(try store.snapshot())
    // 36 entries of 112 bytes fit into a page.
    #expect(report.treePages <= 10_000 / 36 + 8)
  }
}
