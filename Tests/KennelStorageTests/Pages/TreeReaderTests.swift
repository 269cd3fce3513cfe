import KennelLMDB
import KennelStorage
import Testing

/// The page reader against a dictionary, over many commits.
struct TreeReaderTests {
  /// Key spaces from crowded to sparse; value sizes from tiny to several pages.
  static let shapes: [(keys: UInt64, sizes: [Int], steps: Int)] = [
    (50, [0, 3, 100], 200),
    (4_000, [0, 8, 20], 3_000),
    (1 << 40, [1, 300, 1_900], 2_000),
    (1_000, [10, 2_020, 2_030, 4_080, 4_081, 20_000], 300),
  ]

  @Test(arguments: 0..<4)
  func `integer keys read like a dictionary, commit after commit`(shape: Int) throws {
    let (keySpace, sizes, steps) = Self.shapes[shape]
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var dice = Dice(UInt64(shape) + 1)
    var model: [UInt64: [UInt8]] = [:]
    for commit in 0..<6 {
      let transaction = try environment.beginWrite()
      for _ in 0..<steps {
        let key = UInt64.random(in: 0..<keySpace, using: &dice)
        let isRemoval = Int.random(in: 0..<10, using: &dice) < (commit >= 4 ? 8 : 3)
        if isRemoval {
          let victim = commit >= 4 ? model.keys.randomElement(using: &dice) ?? key : key
          #expect(
            try transaction.delete(.chunks, victim) == (model.removeValue(forKey: victim) != nil)
          )
        } else {
          let size = sizes.randomElement(using: &dice)!
          let value = [UInt8](repeating: UInt8(truncatingIfNeeded: dice.next()), count: size)
          model[key] = value
          try transaction.put(.chunks, key, value)
          unsafe #expect(try transaction.get(.chunks, key).map { unsafe Array($0) } == value)
        }
      }
      try transaction.commit()
      let pin = try environment.beginRead()
      defer { pin.release() }
      let reader = try PageSource(pin).tree(.chunks)
      try expect(reader, equals: model, keySpace: keySpace, &dice)
    }
  }

  private func expect(
    _ reader: TreeReader,
    equals model: [UInt64: [UInt8]],
    keySpace: UInt64,
    _ dice: inout Dice
  ) throws {
    #expect(reader.entryCount == model.count)
    let sorted = model.keys.sorted()
    for key in sorted { #expect(try reader.bytes(key) == model[key]) }
    var cursor = reader.cursor()
    var seen: [UInt64] = []
    var isFound = try cursor.first()
    while isFound {
      seen.append(cursor.integerKey)
      unsafe #expect(try Array(cursor.value()) == model[cursor.integerKey])
      isFound = try cursor.next()
    }
    #expect(seen == sorted)
    seen = []
    isFound = try cursor.last()
    while isFound {
      seen.append(cursor.integerKey)
      isFound = try cursor.previous()
    }
    #expect(seen == sorted.reversed())
    for _ in 0..<300 {
      let key = UInt64.random(in: 0...keySpace, using: &dice)
      #expect(try reader.bytes(key) == model[key])
      let after = sorted.first { $0 >= key }
      let before = sorted.last { $0 <= key }
      #expect(try (cursor.seek(atOrAfter: key) ? cursor.integerKey : nil) == after)
      #expect(try (cursor.seek(atOrBefore: key) ? cursor.integerKey : nil) == before)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `byte keys read like a dictionary`(seed: UInt64) throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var dice = Dice(seed)
    var model: [[UInt8]: [UInt8]] = [:]
    let longest = seed == 1 ? 511 : 30
    func key() -> [UInt8] {
      (0..<Int.random(in: 1...longest, using: &dice)).map { _ in
        UInt8.random(in: 0...3, using: &dice)
      }
    }
    for _ in 0..<5 {
      let transaction = try environment.beginWrite()
      for _ in 0..<600 {
        if Int.random(in: 0..<3, using: &dice) == 0,
          let victim = model.keys.randomElement(using: &dice)
        {
          model[victim] = nil
          #expect(try transaction.delete(.indexes, victim))
        } else {
          let key = key()
          model[key] = [UInt8(truncatingIfNeeded: model.count)]
          try transaction.put(.indexes, key, model[key]!)
        }
      }
      try transaction.commit()
      let pin = try environment.beginRead()
      defer { pin.release() }
      let reader = try PageSource(pin).tree(.indexes)
      for (key, value) in model { #expect(try reader.bytes(key) == value) }
      for _ in 0..<200 {
        let key = key()
        #expect(try reader.bytes(key) == model[key])
      }
      var seen: [[UInt8]] = []
      var cursor = reader.cursor()
      var isFound = try cursor.last()
      while isFound {
        unsafe seen.append(Array(cursor.key))
        isFound = try cursor.previous()
      }
      #expect(seen == model.keys.sorted { $1.lexicographicallyPrecedes($0) })
    }
  }

  @Test func `a tree that was never made is empty`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    let pin = try environment.beginRead()
    let reader = try PageSource(pin).tree(.pieces)
    #expect(reader.isEmpty)
    unsafe #expect(try reader.get(7) == nil)
    var cursor = reader.cursor()
    #expect(try !cursor.first())
    #expect(try !cursor.seek(atOrBefore: 3))
    pin.release()
  }

  @Test func `an older snapshot stays as it was while others commit`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    for round in UInt8(1)...3 {
      let transaction = try environment.beginWrite()
      for key in UInt64(0)..<500 { try transaction.put(.chunks, key, [round]) }
      try transaction.commit()
    }
    let pin = try environment.beginRead()
    let reader = try PageSource(pin).tree(.chunks)
    for round in UInt8(4)...9 {
      let transaction = try environment.beginWrite()
      for key in UInt64(0)..<500 { try transaction.put(.chunks, key, [round]) }
      try transaction.commit()
    }
    for key in UInt64(0)..<500 { #expect(try reader.bytes(key) == [3]) }
    let newest = try pin.renew()
    #expect(newest.transactionID == environment.latestTransactionID())
    #expect(try PageSource(newest).tree(.chunks).bytes(99) == [9])
    newest.release()
  }
}
