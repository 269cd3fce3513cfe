public import KennelStorage

/// Objects grouped by their value at a path.
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
  /// The number of each object's value.
  let numbers: [UInt32]
  /// The number of the value of each group.
  private let order: [UInt32]

  /// All objects as one group.
  ///
  /// - Parameter objects: The objects.
  public init(all objects: Objects) {
    values = [.null]
    counts = [objects.count]
    self.objects = objects
    numbers = Array(repeating: 0, count: objects.count)
    order = [0]
  }

  /// Groups of the numbers that any object has.
  init(_ objects: Objects, _ numbers: [UInt32], counts: [Int], values: [UInt32: Value]) {
    let order = values.sorted { $0.value.isOrdered(before: $1.value) }
    self.order = order.map(\.key)
    self.values = order.map(\.value)
    self.counts = order.map { counts[Int($0.key)] }
    self.objects = objects
    self.numbers = numbers
  }

  /// The same groups of other objects.
  init(_ groups: ObjectGroups, _ objects: Objects, _ numbers: [UInt32]) {
    values = groups.values
    order = groups.order
    self.objects = objects
    self.numbers = numbers
    var counts = [Int](repeating: 0, count: groups.numberEnd)
    for number in numbers { counts[Int(number)] += 1 }
    self.counts = order.map { counts[Int($0)] }
  }

  /// One more than the greatest number.
  var numberEnd: Int { Int(order.max() ?? 0) + 1 }

  /// What belongs to each group, of what belongs to each number.
  func arranged<Element>(_ elements: [Element]) -> [Element] { order.map { elements[Int($0)] } }

  /// Returns the objects of a group.
  ///
  /// Linear in the number of all objects.
  ///
  /// - Parameter group: The number of the group.
  /// - Returns: The objects, in the order in which they were given.
  public func objects(of group: Int) -> Objects {
    Objects(
      objects.classKey,
      objects.indices.filter { numbers[$0] == order[group] }.map { objects.keys[$0] }
    )
  }
}

/// Putting objects into groups.
@_spi(Faces)
extension DatabaseReader {
  /// Puts objects into groups by the value at a path.
  ///
  /// Takes a few nanoseconds per object if the keys ascend and the path leads to a number, or to
  /// text with few distinct values. Otherwise it takes the time of ``values(of:at:)`` and one
  /// look-up per object.
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
    let found = try storing { () throws(StorageError) in
      try ScannedPath(self, objects.classKey, path.checked)?.numbers(objects.keys)
    }
    guard let found else { return try groupsOfValues(objects, path) }
    // One object of each group says what its value is.
    let samples = found.samples.enumerated().compactMap { number, position in
      position.map { (UInt32(number), objects.keys[$0]) }
    }
    let values = try values(of: Objects(objects.classKey, samples.map(\.1)), at: path)
    return ObjectGroups(
      objects,
      found.numbers,
      counts: found.counts,
      values: Dictionary(uniqueKeysWithValues: zip(samples.map(\.0), values))
    )
  }

  private func groupsOfValues(
    _ objects: Objects,
    _ path: ValuePath
  ) throws(DatabaseError) -> ObjectGroups {
    var known: [Value: UInt32] = [:]
    var counts: [Int] = []
    let numbers = try values(of: objects, at: path).map { value in
      let number = known[value] ?? UInt32(counts.count)
      if Int(number) == counts.count {
        known[value] = number
        counts.append(0)
      }
      counts[Int(number)] += 1
      return number
    }
    let values = Dictionary(uniqueKeysWithValues: known.map { ($0.value, $0.key) })
    return ObjectGroups(objects, numbers, counts: counts, values: values)
  }

  /// Returns an aggregate of the values at a path for each group.
  ///
  /// Takes some nanoseconds an object if the keys ascend and the path leads to a number.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregate, which is defined as in queries; all but `count` ignore nulls.
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
    let totals = try storing { () throws(StorageError) in
      try ScannedPath(self, groups.objects.classKey, path.checked)?.totals(groups)
    }
    if let totals { return groups.arranged(totals.totals).map { $0.value(aggregate) } }
    var values = [[Value]](repeating: [], count: groups.numberEnd)
    for (index, value) in try self.values(of: groups.objects, at: path).enumerated() {
      values[Int(groups.numbers[index])].append(value)
    }
    return groups.arranged(values).map { aggregate.value(of: $0) }
  }
}

/// A path that ends in a property of one value, which a scanner reads from many objects.
private struct ScannedPath {
  private let scanner: ColumnScanner
  private let steps: LinkSteps
  private let end: PropertySchema

  init?(_ reader: DatabaseReader, _ classKey: ClassKey, _ path: Condition.Path) {
    guard path.aggregate == nil, let end = LinkSteps.directProperty(path.hops.last),
      let steps = LinkSteps(path.hops.dropLast(), from: classKey)
    else { return nil }
    (scanner, self.steps, self.end) = (reader.view.scanner, steps, end)
  }

  /// The number of each object's value; `nil` where values are not numbered.
  func numbers(_ objects: [ObjectKey]) throws(StorageError) -> ValueNumbers? {
    switch ColumnType(end.type).form {
    case .words:
      return try scanner.numberWords(steps.end, steps.targets(of: objects, scanner), end)
    case .cells where end.type.kind != .mixed:
      return try scanner.numberTexts(steps.end, steps.targets(of: objects, scanner), end)
    case .cells, .pairs, .keys, .collections: return nil
    }
  }

  /// What whole numbers add up to; `nil` for values of other types.
  func totals(_ groups: ObjectGroups) throws(StorageError) -> WholeTotals? {
    guard end.type.kind == .int else { return nil }
    return try scanner.addWholeNumbers(
      steps.end,
      steps.targets(of: groups.objects.keys, scanner),
      end,
      by: groups.numbers,
      count: groups.numberEnd
    )
  }
}

extension WholeTotals.Total {
  /// An aggregate of the numbers.
  fileprivate func value(_ aggregate: Predicate.Aggregate) -> Value {
    switch aggregate {
    case .count: .int(Int64(count))
    case .sum: Int64(exactly: sum).map { .int($0) } ?? .double(Double(sum))
    case .average where count > 0: .double(Double(sum) / Double(count))
    case .min where count > 0: .int(least)
    case .max where count > 0: .int(greatest)
    case .average, .min, .max: .null
    }
  }
}
