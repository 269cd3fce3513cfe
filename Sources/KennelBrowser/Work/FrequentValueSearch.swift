internal import KennelCore
internal import KennelReports

/// Looks for the frequent values of a property, in some objects at both ends of its class.
struct FrequentValueSearch: Sendable {
  let property: ValuedProperty

  /// So many objects at each end are looked at, however many there are.
  private static let objects = 2_048
  /// More values than anybody looks through; typing narrows them.
  private static let mostValues = 200
  /// Elements of a collection that are looked at.
  private static let elements = 8
  /// Longer texts are not offered.
  private static let mostBytes = 200

  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [FrequentValue] {
    guard let schema = snapshot.schema.property(property.property, of: property.classKey) else {
      return []
    }
    var keys = try snapshot.objects(of: property.classKey, from: nil, limit: Self.objects).keys
    let last = try snapshot.objects(of: property.classKey, before: nil, limit: Self.objects).keys
    let reached = keys.last?.rawValue ?? 0
    keys += last.reversed().filter { $0.rawValue > reached }
    var counts: [Value: Int] = [:]
    var order: [Value] = []
    for key in keys where !context.isCancelled {
      let object = ObjectIdentity(property.classKey, key)
      for value in try values(of: object, schema, in: snapshot) where !value.isNull {
        if counts[value] == nil { order.append(value) }
        counts[value, default: 0] += 1
      }
    }
    // Equal ones stay in the order of their objects.
    let sorted = order.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }
    var found: [FrequentValue] = []
    for value in sorted.prefix(Self.mostValues) {
      var name = ""
      if case .link(let target) = value {
        name = try snapshot.displayName(of: target, limit: Self.mostBytes)
      }
      found.append(FrequentValue(value: value, count: counts[value] ?? 0, name: name))
    }
    return found
  }

  private func values(
    of object: ObjectIdentity,
    _ schema: PropertySchema,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [Value] {
    let limit = schema.isCollection ? Self.elements : Self.mostBytes
    let preview = try snapshot.preview(of: object, property: property.property, limit: limit)
    if preview.value.isCollection {
      return preview.value.parts.map(\.value).filter { ValueStatistics.size($0) <= Self.mostBytes }
    }
    return preview.isCut ? [] : [preview.value]
  }
}
