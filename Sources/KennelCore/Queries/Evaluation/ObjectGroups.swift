public import KennelStorage

/// Objects in groups: those that have the same value at a path.
///
/// The groups are in the order of their values, null first.
@_spi(Faces)
public struct ObjectGroups: Sendable {
  /// The value of each group.
  public let values: [Value]
  /// The number of objects in each group.
  public let counts: [Int]
  /// The objects, in the order in which they were given.
  let objects: Objects
  /// The group of each object.
  let places: [UInt32]

  /// All objects as one group.
  ///
  /// - Parameter objects: The objects.
  public init(all objects: Objects) {
    self.init(values: [.null], objects, Array(repeating: 0, count: objects.count))
  }

  init(values: [Value], _ objects: Objects, _ places: [UInt32]) {
    self.values = values
    self.objects = objects
    self.places = places
    var counts = [Int](repeating: 0, count: values.count)
    for place in places { counts[Int(place)] += 1 }
    self.counts = counts
  }

  /// Returns the objects of a group.
  ///
  /// Linear in the number of all objects.
  ///
  /// - Parameter group: The number of the group.
  /// - Returns: The objects, in the order in which they were given.
  public func objects(of group: Int) -> Objects {
    Objects(
      objects.classKey,
      objects.indices.filter { places[$0] == group }.map { objects.keys[$0] }
    )
  }
}

/// Putting objects into groups.
@_spi(Faces)
extension DatabaseReader {
  /// Puts objects into groups by the value at a path.
  ///
  /// Takes some nanoseconds an object if the keys ascend and the path leads to a number or to one of few
  /// texts; as long as ``values(of:at:)`` and a look-up otherwise.
  ///
  /// - Parameters:
  ///   - objects: The objects, which must exist.
  ///   - path: The path, checked for the class in this reader's schema.
  /// - Returns: The groups.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func groups(
    of objects: Objects,
    by path: ValuePath
  ) throws(DatabaseError) -> ObjectGroups {
    let words = try storing { () throws(StorageError) in
      try GatheredPath(self, objects.classKey, path.checked)?.groupingWords(objects.keys)
    }
    guard let words else { return try groupsOfValues(objects, path) }
    var numbers = GroupNumbers<UInt64>()
    let places = numbers.places(of: words)
    // One object of each group says what its value is.
    let firsts = Objects(objects.classKey, numbers.firsts.map { objects.keys[$0] })
    let values = try values(of: firsts, at: path)
    return ObjectGroups.ordered(values, objects, places)
  }

  private func groupsOfValues(
    _ objects: Objects,
    _ path: ValuePath
  ) throws(DatabaseError) -> ObjectGroups {
    var numbers = GroupNumbers<Value>()
    var values: [Value] = []
    let places = try self.values(of: objects, at: path).enumerated().map { index, value in
      let number = numbers.number(of: value, at: index)
      if number == values.count { values.append(value) }
      return number
    }
    return ObjectGroups.ordered(values, objects, places)
  }

  /// Returns an aggregate of the values at a path for each group.
  ///
  /// Takes some nanoseconds an object if the keys ascend and the path leads to a number.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregate, which is defined as that of queries; nulls are left out but by
  ///     `count`.
  ///   - path: The path, checked for the objects' class in this reader's schema.
  ///   - groups: The groups.
  /// - Returns: A value for each group.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func aggregate(
    _ aggregate: Predicate.Aggregate,
    at path: ValuePath,
    in groups: ObjectGroups
  ) throws(DatabaseError) -> [Value] {
    if aggregate == .count { return groups.counts.map { .int(Int64($0)) } }
    let numbers = try storing { () throws(StorageError) in
      try GatheredPath(self, groups.objects.classKey, path.checked)?
        .wholeNumbers(groups.objects.keys)
    }
    if let numbers { return WholeTotals(numbers, groups).values(aggregate) }
    var values = [[Value]](repeating: [], count: groups.values.count)
    for (index, value) in try self.values(of: groups.objects, at: path)
      .enumerated()
    {
      values[Int(groups.places[index])].append(value)
    }
    return values.map { aggregate.value(of: $0) }
  }
}

extension ObjectGroups {
  /// Groups whose values are in no order yet.
  static func ordered(
    _ values: [Value],
    _ objects: Objects,
    _ places: [UInt32]
  ) -> ObjectGroups {
    let order = values.indices.sorted { values[$0].isOrdered(before: values[$1]) }
    guard order != Array(values.indices) else {
      return ObjectGroups(values: values, objects, places)
    }
    var moved = [UInt32](repeating: 0, count: values.count)
    for (place, number) in order.enumerated() { moved[number] = UInt32(place) }
    return ObjectGroups(
      values: order.map { values[$0] },
      objects,
      places.map { moved[Int($0)] }
    )
  }
}

/// The number of each group, in the order in which they were met.
private struct GroupNumbers<Key: Hashable> {
  private var numbers: [Key: UInt32] = [:]
  private var null: UInt32?
  /// The position of the first object of each group.
  private(set) var firsts: [Int] = []
  /// Neighbours often have the same value.
  private var last: (key: Key, number: UInt32)?

  mutating func number(of key: Key, at index: Int) -> UInt32 {
    if let last, last.key == key { return last.number }
    let number = numbers[key] ?? add(index)
    numbers[key] = number
    last = (key, number)
    return number
  }

  mutating func numberOfNull(at index: Int) -> UInt32 {
    let number = null ?? add(index)
    null = number
    return number
  }

  mutating func add(_ index: Int) -> UInt32 {
    firsts.append(index)
    return UInt32(firsts.count - 1)
  }
}

extension GroupNumbers<UInt64> {
  /// Words below this have a table, which takes less time than hashing them.
  private static let few: UInt64 = 1 << 16

  /// The group of each object.
  mutating func places(of found: GatheredWords) -> [UInt32] {
    let words = found.words
    var places: [UInt32] = []
    places.reserveCapacity(words.count)
    let isDense = words.max() ?? 0 < Self.few
    var table = [UInt32](repeating: .max, count: isDense ? Int(Self.few) : 0)
    for index in words.indices {
      if !found.nulls.isEmpty, found.nulls[index] {
        places.append(numberOfNull(at: index))
      } else if !isDense {
        places.append(number(of: words[index], at: index))
      } else if table[Int(words[index])] != .max {
        places.append(table[Int(words[index])])
      } else {
        let number = add(index)
        table[Int(words[index])] = number
        places.append(number)
      }
    }
    return places
  }
}

/// A path that ends in a property of one value, which a scanner reads from many objects.
private struct GatheredPath {
  private let scanner: ColumnScanner
  private let steps: LinkSteps
  private let end: PropertySchema

  init?(_ reader: DatabaseReader, _ classKey: ClassKey, _ path: Condition.Path) {
    guard path.aggregate == nil, let end = LinkSteps.directProperty(path.hops.last),
      let steps = LinkSteps(path.hops.dropLast(), from: classKey)
    else { return nil }
    (scanner, self.steps, self.end) = (reader.view.scanner, steps, end)
  }

  /// Words that are equal where the values are; `nil` where no words say it.
  func groupingWords(_ objects: [ObjectKey]) throws(StorageError) -> GatheredWords? {
    let keys = try steps.targets(of: objects, scanner)
    switch ColumnType(end.type).form {
    case .words:
      var found = try scanner.gatherWords(steps.end, keys, end)
      // A null link is 0, and no object is.
      if end.target != nil { found.nulls = [] }
      return found
    case .cells where end.type.kind != .mixed:
      return try scanner.gatherRanks(steps.end, keys, end)
    case .cells, .pairs, .keys, .collections: return nil
    }
  }

  /// Whole numbers as ranks; `nil` for values of other types.
  func wholeNumbers(_ objects: [ObjectKey]) throws(StorageError) -> GatheredWords? {
    guard end.type.kind == .int else { return nil }
    return try scanner.gatherWords(steps.end, steps.targets(of: objects, scanner), end)
  }
}

/// The aggregates of whole numbers by group.
private struct WholeTotals {
  private var counts: [Int]
  private var sums: [Int128]
  private var least: [Int64]
  private var greatest: [Int64]

  init(_ found: GatheredWords, _ groups: ObjectGroups) {
    counts = Array(repeating: 0, count: groups.values.count)
    sums = Array(repeating: 0, count: groups.values.count)
    least = Array(repeating: .max, count: groups.values.count)
    greatest = Array(repeating: .min, count: groups.values.count)
    for (index, word) in found.words.enumerated() where found.nulls.isEmpty || !found.nulls[index] {
      let number = Int64(bitPattern: word ^ 1 << 63)
      let group = Int(groups.places[index])
      counts[group] += 1
      sums[group] += Int128(number)
      least[group] = min(least[group], number)
      greatest[group] = max(greatest[group], number)
    }
  }

  func values(_ aggregate: Predicate.Aggregate) -> [Value] {
    counts.indices.map { group in
      switch aggregate {
      case .count: .int(Int64(counts[group]))
      case .sum: Int64(exactly: sums[group]).map { .int($0) } ?? .double(Double(sums[group]))
      case .average where counts[group] > 0:
        .double(Double(sums[group]) / Double(counts[group]))
      case .min where counts[group] > 0: .int(least[group])
      case .max where counts[group] > 0: .int(greatest[group])
      case .average, .min, .max: .null
      }
    }
  }
}
