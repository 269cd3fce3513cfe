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
  fileprivate let order: [UInt32]

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

  /// Groups by the number of each object's value.
  init(_ objects: Objects, _ numbers: [UInt32], values: [Value]) {
    let order = values.enumerated().sorted { $0.element.isOrdered(before: $1.element) }
    self.order = order.map { UInt32($0.offset) }
    self.values = order.map(\.element)
    var counts = [Int](repeating: 0, count: values.count)
    for number in numbers { counts[Int(number)] += 1 }
    self.counts = order.map { counts[$0.offset] }
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
  /// Takes some tens of nanoseconds per object if the keys ascend and the path leads to a number, or to
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
    let column = try storing(
      PathColumn(self, objects.classKey, path.checked).column(of: objects.keys, ranks: true)
    )
    let (numbers, samples) = column.numbers(count: objects.count)
    // One object of each group says what its value is.
    let ones = Objects(objects.classKey, samples.map { objects.keys[$0] })
    return ObjectGroups(objects, numbers, values: try values(of: ones, at: path))
  }

  /// Returns an aggregate of the values at a path for each group.
  ///
  /// Takes some tens of nanoseconds an object if the keys ascend and the path leads to a number.
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
    var values = [[Value]](repeating: [], count: groups.numberEnd)
    for (index, value) in try self.values(of: groups.objects, at: path).enumerated() {
      values[Int(groups.numbers[index])].append(value)
    }
    return groups.order.map { aggregate.value(of: values[Int($0)]) }
  }
}

extension SortColumn {
  /// A number for each value, equal ones the same, and a position at which each number stands.
  fileprivate func numbers(count: Int) -> (numbers: [UInt32], samples: [Int]) {
    switch self {
    case .words(let column):
      Self.numbers(count, column.nulls) { column.words[$0] }
    case .pairs(let column):
      Self.numbers(count, column.nulls) { [column.firsts[$0], column.seconds[$0]] }
    case .text(let column):
      Self.numbers(count, column.nulls) {
        column.bytes[Int(column.starts[$0])..<Int(column.starts[$0 + 1])]
      }
    case .values(let values): Self.numbers(count, []) { values[$0] }
    }
  }

  private static func numbers<Key: Hashable>(
    _ count: Int,
    _ nulls: [Bool],
    _ key: (Int) -> Key
  ) -> (numbers: [UInt32], samples: [Int]) {
    var known: [Key?: UInt32] = [:]
    var samples: [Int] = []
    let numbers = (0..<count).map { position in
      let key = !nulls.isEmpty && nulls[position] ? nil : key(position)
      if let number = known[key] { return number }
      known[key] = UInt32(samples.count)
      samples.append(position)
      return UInt32(samples.count - 1)
    }
    return (numbers, samples)
  }
}
