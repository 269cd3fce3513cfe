import KennelLMDB
import KennelStorage
import Testing

/// Looking entries of the index tree up by a number, against a dictionary.
struct NumberLookupTests {
  /// What the numbers are and what else is in the tree.
  enum Shape: CaseIterable {
    case dense
    case sparse
    case crowded
    case amongOthers
    case amongLongOthers
    case few
  }

  @Test(arguments: Shape.allCases)
  func `a number is found where it is, and nowhere else`(shape: Shape) throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var dice = Dice(7)
    let numbers = numbers(shape, &dice)
    let classKey = ClassKey(rawValue: 5)
    let property = PropertyKey(rawValue: 2)
    var objects: [Int64: UInt64] = [:]
    var entries: [[UInt8]] = []
    for (index, number) in numbers.enumerated() {
      let key = ObjectKey(rawValue: UInt64(index) * 3 + 1)
      objects[number] = key.rawValue
      entries.append(IndexKey.entry(classKey, property, .int(number), key).bytes)
    }
    if shape == .amongOthers { entries += others(classKey, property) }
    if shape == .amongLongOthers { entries += others(classKey, property).filter { $0.count > 16 } }
    if shape == .dense { entries.sort { $0.lexicographicallyPrecedes($1) } }
    let transaction = try environment.beginWrite()
    for entry in entries {
      try unsafe entry.withUnsafeBytes { key in
        try unsafe [UInt8](repeating: 9, count: 4).withUnsafeBytes {
          try unsafe transaction.put(.indexes, key: key, $0)
        }
      }
    }
    try transaction.commit()
    let pin = try environment.beginRead()
    defer { pin.release() }
    let reader = try PageSource(pin).tree(.indexes)
    var hits = 0
    for number in Set(numbers + numbers.map { $0 &+ 1 } + numbers.map { $0 &- 1 }) {
      let entry = IndexKey.entry(classKey, property, .int(number), ObjectKey(rawValue: 0)).bytes
      let found = try unsafe reader.entry(header: word(entry[..<5]), number: word(entry[5..<13]))
      if let found = unsafe found {
        let key = unsafe IndexKey.objectKey(of: found.key)
        #expect(key?.rawValue == objects[number])
        unsafe #expect(found.value.elementsEqual([9, 9, 9, 9]))
        hits += 1
      } else if shape != .amongOthers, shape != .amongLongOthers {
        #expect(objects[number] == nil, "\(number) is there but was not found at a look")
      }
    }
    #expect(hits > objects.count * 3 / 4)
    for header in [UInt64(0), 5 << 24, .max >> 24] {
      unsafe #expect(try reader.entry(header: header, number: 77) == nil)
    }
  }

  @Test
  func `a page that a commit writes anew is not taken for one with long keys`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    let known = NewestPageCache()
    let (classKey, property) = (ClassKey(rawValue: 5), PropertyKey(rawValue: 2))
    let long = IndexKey.entry(classKey, property, .int(7), ObjectKey(rawValue: 1)).bytes
    // The number alone, which no index has: where it is found a page's keys were taken for long.
    let short = Array(long[..<13])
    let (header, number) = (word(long[..<5]), word(long[5..<13]))
    var longRoots: Set<UInt64> = []
    var knowledge: VerifiedPageCache?
    for round in 0..<40 {
      let transaction = try environment.beginWrite()
      let isLong = round < 20
      _ = try transaction.delete(.indexes, isLong ? short : long)
      try transaction.put(.indexes, isLong ? long : short, [UInt8(round)])
      try transaction.commit()
      if let knowledge {
        let written = try #require(transaction.writtenPages)
        known.advance(knowledge, to: transaction.transactionID, written: written)
      }
      let pin = try environment.beginRead()
      defer { pin.release() }
      let newest = known.knowledge(of: pin)
      knowledge = newest
      let reader = try PageSource(pin, knowing: newest).tree(.indexes)
      unsafe #expect(try (reader.entry(header: header, number: number) != nil) == isLong)
      if isLong { longRoots.insert(reader.root.rootPage) }
      if !isLong, longRoots.contains(reader.root.rootPage) { return }
    }
    Issue.record("no page was used again")
  }

  private func numbers(_ shape: Shape, _ dice: inout Dice) -> [Int64] {
    switch shape {
    case .dense: Array(-3_000..<9_000)
    case .few: [4, 5, 1 << 40]
    case .sparse:
      Array(Set((0..<6_000).map { _ in Int64.random(in: -(1 << 52)...(1 << 52), using: &dice) }))
    case .crowded, .amongOthers, .amongLongOthers:
      Array(Set((0..<6_000).map { _ in Int64.random(in: 0..<9_000, using: &dice) })).shuffled(
        using: &dice
      )
    }
  }

  /// Entries of the same and of other properties, before and after the numbers, short and long.
  private func others(_ classKey: ClassKey, _ property: PropertyKey) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    for number in 0..<700 {
      let key = ObjectKey(rawValue: UInt64(number) + 1)
      let before = PropertyKey(rawValue: property.rawValue - 1)
      let after = PropertyKey(rawValue: property.rawValue + 1)
      entries.append(IndexKey.entry(classKey, property, .null, key).bytes)
      entries.append(IndexKey.entry(classKey, property, .string("text \(number)"), key).bytes)
      entries.append(IndexKey.entry(classKey, before, .int(Int64(number)), key).bytes)
      entries.append(IndexKey.entry(classKey, after, .bool(number % 2 == 0), key).bytes)
    }
    return entries
  }

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
