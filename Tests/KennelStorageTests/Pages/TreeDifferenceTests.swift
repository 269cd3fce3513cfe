import KennelLMDB
import KennelStorage
import Testing

/// The difference of two snapshots against the difference of two dictionaries.
struct TreeDifferenceTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `every pair of snapshots differs as their dictionaries do`(seed: UInt64) throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var dice = Dice(seed)
    var model: [UInt64: [UInt8]] = [:]
    var history: [(pin: ReadPin, model: [UInt64: [UInt8]])] = []
    let keySpace = seed.isMultiple(of: 2) ? UInt64(3_000) : 1 << 50
    history.append((try environment.beginRead(), model))
    for commit in 0..<8 {
      let transaction = try environment.beginWrite()
      let steps = [2_000, 1, 400, 1, 3_000, 5, 0, 1][commit]
      for _ in 0..<steps {
        let isRemoval = Int.random(in: 0..<10, using: &dice) < (commit == 4 ? 9 : 3)
        if isRemoval, let victim = model.keys.randomElement(using: &dice) {
          model[victim] = nil
          try transaction.delete(.chunks, victim)
        } else {
          let key = UInt64.random(in: 0..<keySpace, using: &dice)
          let size = Int.random(in: 0..<20, using: &dice) == 0 ? 5_000 : 20
          let value = [UInt8](repeating: UInt8(truncatingIfNeeded: dice.next()), count: size)
          model[key] = value
          try transaction.put(.chunks, key, value)
        }
      }
      if commit == 6 {
        for key in model.keys { try transaction.delete(.chunks, key) }
        model = [:]
      }
      try transaction.commit()
      history.append((try environment.beginRead(), model))
    }
    for older in history {
      for newer in history where newer.pin.transactionID >= older.pin.transactionID {
        let changes = try changes(
          from: PageSource(older.pin).tree(.chunks),
          to: PageSource(newer.pin).tree(.chunks)
        )
        #expect(changes == expected(from: older.model, to: newer.model))
      }
    }
    for entry in history { entry.pin.release() }
  }

  struct Change: Equatable {
    let key: UInt64
    let old: [UInt8]?
    let new: [UInt8]?
  }

  private func changes(from old: TreeReader, to new: TreeReader) throws -> [Change] {
    var changes: [Change] = []
    try unsafe TreeDifference.forEach(from: old, to: new) { change in
      unsafe changes.append(
        Change(
          key: change.integerKey,
          old: change.old.map { unsafe Array($0) },
          new: unsafe change.new.map { unsafe Array($0) }
        )
      )
      return true
    }
    return changes
  }

  private func expected(from old: [UInt64: [UInt8]], to new: [UInt64: [UInt8]]) -> [Change] {
    Set(old.keys).union(new.keys).sorted().compactMap { key in
      old[key] == new[key] ? nil : Change(key: key, old: old[key], new: new[key])
    }
  }

  @Test func `byte keys differ in their order`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    for number in UInt8(0)..<200 { try transaction.put(.indexes, [5, number], [1]) }
    try transaction.commit()
    let old = try environment.beginRead()
    transaction = try environment.beginWrite()
    try transaction.put(.indexes, [5], [2])
    _ = try transaction.delete(.indexes, [5, 77])
    try transaction.put(.indexes, [5, 199], [2])
    try transaction.put(.indexes, [5, 199, 0], [2])
    try transaction.commit()
    let new = try environment.beginRead()
    var keys: [[UInt8]] = []
    try unsafe TreeDifference.forEach(
      from: PageSource(old).tree(.indexes),
      to: PageSource(new).tree(.indexes)
    ) { change in
      unsafe keys.append(Array(change.key))
      return true
    }
    #expect(keys == [[5], [5, 77], [5, 199], [5, 199, 0]])
  }

  @Test func `one change among many entries touches few pages`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    for key in UInt64(0)..<50_000 {
      try transaction.put(.chunks, key, [UInt8](repeating: 1, count: 40), append: true)
    }
    try transaction.commit()
    let old = PageSource(try environment.beginRead())
    transaction = try environment.beginWrite()
    try transaction.put(.chunks, 31_000, [2])
    try transaction.commit()
    let new = PageSource(try environment.beginRead())
    let readers = (try old.tree(.chunks), try new.tree(.chunks))
    let before = old.touchedPageCount + new.touchedPageCount
    #expect(try changes(from: readers.0, to: readers.1).map(\.key) == [31_000])
    #expect(old.touchedPageCount + new.touchedPageCount - before <= 2 * readers.0.root.depth)
  }

  @Test func `the walk ends when the body says so`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    let old = PageSource(try environment.beginRead())
    let transaction = try environment.beginWrite()
    for key in UInt64(0)..<100 { try transaction.put(.chunks, key, [1]) }
    try transaction.commit()
    let new = PageSource(try environment.beginRead())
    var count = 0
    try unsafe TreeDifference.forEach(from: old.tree(.chunks), to: new.tree(.chunks)) { _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }
}
