import KennelPages
import Testing

@Suite("Free pages")
struct FreePageTests {
  @Test
  func `small commits use the same pages again and again`() throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    for number in 0..<20 { try store.store(numbers, UInt64(number), "text") }
    let before = try store.snapshot().pageCount
    for number in 0..<500 { try store.store(numbers, UInt64(number % 20), "text \(number)") }
    #expect(try store.snapshot().pageCount == before)
    _ = try PageStoreCheck.run(try store.snapshot())
  }

  @Test
  func `a snapshot keeps its pages until it ends`() throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    func update(_ commits: Int) throws {
      for number in 0..<commits as Range<Int> {
        let writer = try store.beginWrite()
        for key in 0..<10 as Range<Int> {
          let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1000)
          try writer.put(numbers, UInt64((number * 31 + key * 17) % 300), value)
        }
        try writer.commit()
      }
    }
    try update(60)
    let before = try store.snapshot().pageCount
    var snapshot: PageSnapshot? = try store.snapshot()
    let contents = try snapshot.map { try Model($0) }
    try update(50)
    #expect(try snapshot.map { try Model($0) } == contents)
    #expect(store.readers.map(\.commit) == [60])
    let grown = try store.snapshot().pageCount
    #expect(grown > before + 100)
    snapshot = nil
    #expect(store.readers.isEmpty)
    try update(200)
    #expect(try store.snapshot().pageCount == grown)
    _ = try PageStoreCheck.run(try store.snapshot())
  }

  @Test
  func `the pages of a deleted tree are used by the next`() throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    func fill(_ key: UInt64) throws {
      let writer = try store.beginWrite()
      for number in 0..<20_000 as Range<UInt64> { try writer.put(numbers, key + number, "text") }
      try writer.commit()
    }
    try fill(0)
    let full = try store.snapshot().pageCount
    for round in 1...5 as ClosedRange<UInt64> {
      let writer = try store.beginWrite()
      try writer.deleteRange(numbers, 0 ... .max)
      #expect(writer.entryCount(numbers) == 0)
      try writer.commit()
      for _ in 0..<3 { try store.store(Tree(2, keys: .numbers), round, "x") }
      try fill(round << 40)
      _ = try PageStoreCheck.run(try store.snapshot())
    }
    #expect(try store.snapshot().pageCount < full + full / 8)
  }

  @Test
  func `what a transaction wrote early and changed again is its own to use`() throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    writer.memoryBudgetInBytes = 64 << 10
    for round in 0..<30 as Range<Int> {
      for number in 0..<200 as Range<Int> {
        // Long values have runs of their own; short ones share the pages of the tree.
        let count = number % 2 == 0 ? 3000 : 100 + round
        let value = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: count)
        try writer.put(numbers, UInt64(number * 7919 % 200), value)
      }
    }
    try writer.commit()
    // 200 values take 100 pages of 4 KB and a few; 30 rounds would take 3,000.
    #expect(try store.snapshot().pageCount < 180)
    _ = try PageStoreCheck.run(try store.snapshot())
  }

  @Test
  func `neither of the two newest commits loses a page to the one being written`() throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 9)
    let log = RecordingFile.Log()
    let store = try PageStore.open(path: folder.file, create: true) { RecordingFile($0, log) }
    defer { store.close() }
    var models = [Model()]
    for number in 0..<30 {
      var bytes = folder.read()
      let known = log.events.count
      models.append(try store.commitChanges(20, models[number], &random))
      if number == 0 { continue }
      // The pages are written, the meta page is not, and that of the newest commit is lost.
      let writes = log.events[known...].compactMap { event -> (Int, [UInt8])? in
        guard case .write(let offset, let bytes) = event, offset >= 8192 else { return nil }
        return (offset, bytes)
      }
      #expect(!writes.isEmpty)
      for (offset, piece) in writes {
        let missing = offset + piece.count - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
        bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
      }
      let newest = number % 2 * 4096
      bytes.replaceSubrange(newest..<newest + 4096, with: repeatElement(0, count: 4096))
      let copy = TestFolder()
      copy.write(bytes)
      let older = try PageStore.open(path: copy.file)
      defer { older.close() }
      let snapshot = try older.snapshot()
      #expect(try Model(snapshot) == models[number - 1])
      _ = try PageStoreCheck.run(snapshot)
    }
  }
}
