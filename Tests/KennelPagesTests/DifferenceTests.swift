import KennelPages
import Testing

@Suite("The difference of two snapshots")
struct DifferenceTests {
  @Test(arguments: 0..<6)
  func `it is what the contents of the snapshots say`(seed: Int) throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: UInt64(seed) + 300)
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    var model = Model()
    var kept: [(PageSnapshot, Model)] = [(try store.snapshot(), model)]
    for _ in 0..<15 {
      let count = Int.random(in: 1...60, using: &random)
      model = try store.commitChanges(count, model, &random)
      let newest = try store.snapshot()
      for (old, before) in kept {
        try requireDifference(old, before, newest, model)
        try requireDifference(newest, model, old, before)
      }
      kept.append((newest, model))
      if kept.count > 4 { kept.remove(at: Int.random(in: 0..<4, using: &random)) }
    }
  }

  private func requireDifference(
    _ old: PageSnapshot,
    _ before: Model,
    _ new: PageSnapshot,
    _ after: Model
  ) throws {
    var keys: [UInt64] = []
    var difference = try TreeDifference(numbers, from: old, to: new)
    while let change = try difference.next() {
      keys.append(change.number)
      unsafe #expect(change.old.map { unsafe Array($0) } == before.numbers[change.number])
      unsafe #expect(change.new.map { unsafe Array($0) } == after.numbers[change.number])
    }
    let changed = Set(before.numbers.keys).union(after.numbers.keys)
      .filter { before.numbers[$0] != after.numbers[$0] }
    #expect(keys == changed.sorted())
    var found: [[UInt8]] = []
    var ofWords = try TreeDifference(words, from: old, to: new)
    while let change = try ofWords.next() { unsafe found.append(Array(change.bytes)) }
    let changedWords = Set(before.words.keys).union(after.words.keys)
      .filter { before.words[$0] != after.words[$0] }
    #expect(found == changedWords.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test
  func `it reads what has changed, not what both share`() throws {
    let folder = TestFolder()
    var store = try PageStore.open(path: folder.file, create: true)
    let writer = try store.beginWrite()
    for key in 0..<50_000 as Range<UInt64> { try writer.put(numbers, key, "some text") }
    try writer.commit()
    try store.store(numbers, 777, "other text")
    store.close()
    // Damage of a page that both share is not met.
    var bytes = folder.read()
    for page in 20..<100 { bytes[page * 4096 + 2000] ^= 1 }
    folder.write(bytes)
    store = try PageStore.open(path: folder.file)
    defer { store.close() }
    let old = try store.snapshot()
    try store.store(numbers, 40_000, "other text")
    var difference = try TreeDifference(numbers, from: old, to: try store.snapshot())
    var count = 0
    while let change = try difference.next() {
      #expect(change.number == 40_000)
      count += 1
    }
    #expect(count == 1)
  }
}

@Suite("A copy of a page store")
struct CopyTests {
  @Test
  func `compacting keeps the contents and gives up free pages`() throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 8)
    let store = try PageStore.open(path: folder.file, create: true)
    var model = Model()
    for _ in 0..<20 { model = try store.commitChanges(60, model, &random) }
    for key in model.numbers.keys.sorted().dropLast(5) {
      let writer = try store.beginWrite()
      try writer.delete(numbers, key)
      try writer.commit()
      model.numbers[key] = nil
    }
    // Not while somebody has it open.
    #expect(try PageStore.openAlone(folder.file) == nil)
    #expect(try PageUsage.freePageCount(store.snapshot()) > 0)
    store.close()
    let before = folder.read().count
    let alone = try #require(try folder.openAlone())
    try alone.replaceWithCopy()
    alone.close()
    #expect(folder.read().count < before)
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(again.fileID == store.fileID)
    #expect(try Model(try again.snapshot()) == model)
    #expect(try PageStoreCheck.run(try again.snapshot()).freePages == 0)
    _ = try again.commitChanges(10, model, &random)
  }
}
