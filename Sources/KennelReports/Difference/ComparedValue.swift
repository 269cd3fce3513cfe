package import KennelCore

/// The name of an object in reports: its class and its key, and its primary key if it has one.
///
/// In two files, names are equal if the primary keys are; without primary keys, if the keys are.
package struct ObjectName: Hashable, Sendable {
  package let className: String
  package let key: ObjectKey
  /// `nil` if the class has no primary key, or the object's is null.
  package let primaryKey: Value?

  /// - Throws: `DatabaseError` if the file is damaged.
  package init(of object: ObjectIdentity, in reader: DatabaseReader) throws(DatabaseError) {
    let classSchema = reader.schema[object.classKey]
    className = classSchema?.name ?? "#\(object.classKey.rawValue)"
    key = object.key
    guard let property = classSchema?.primaryKey, try reader.contains(object) else {
      primaryKey = nil
      return
    }
    let value = try reader.value(of: object, property: property.key)
    primaryKey = value.isNull ? nil : value
  }

  package static func == (one: Self, other: Self) -> Bool {
    guard one.className.hasSameBytes(as: other.className) else { return false }
    if one.primaryKey != nil || other.primaryKey != nil {
      return one.primaryKey == other.primaryKey
    }
    return one.key == other.key
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(primaryKey)
    if primaryKey == nil { hasher.combine(key) }
  }

  /// As in `Dog/42`, or `Person "ada"` for a primary key.
  package var text: String {
    primaryKey.map { "\(className) \(ValueText.describeMixed($0))" }
      ?? "\(className)/\(key.rawValue)"
  }
}

/// A value that can be compared with one of another file or snapshot.
package indirect enum ComparedValue: Hashable, Sendable {
  case scalar(Value)
  case link(ObjectName)
  /// An embedded object, which is a part of its owner.
  case embedded([Member])
  case list([ComparedValue])
  /// The members in the order of the file.
  case set([ComparedValue])
  case map([Member])

  /// A property of an embedded object, or an entry of a map.
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: ComparedValue

    package static func == (one: Self, other: Self) -> Bool {
      one.name.hasSameBytes(as: other.name) && one.value == other.value
    }
  }

  package static let null = ComparedValue.scalar(.null)

  /// Whether there is nothing: null, or a collection without elements.
  package var isEmpty: Bool {
    switch self {
    case .scalar(let value): value.isNull
    case .link: false
    case .embedded(let members): members.isEmpty
    case .list(let values), .set(let values): values.isEmpty
    case .map(let entries): entries.isEmpty
    }
  }

  /// The value as text.
  package var text: String {
    switch self {
    case .scalar(let value): ValueText.describeMixed(value)
    case .link(let name): "→\(name.text)"
    case .embedded(let members):
      "{" + members.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + "}"
    case .list(let values), .set(let values):
      "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\(ValueText.quote($0.name)): \($0.value.text)" }.joined(separator: ", ")
        + "}"
    }
  }
}

/// Reads values so that they can be compared.
struct ValueComparison {
  /// Embedded objects are compared so deep inside each other.
  private static let deepest = 100

  let reader: DatabaseReader
  /// Whether embedded objects are read as a part of their owner, or only named.
  let includesEmbedded: Bool

  func value(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    depth: Int = 0
  ) throws(DatabaseError) -> ComparedValue {
    try compared(try reader.value(of: object, property: property.key), property, depth: depth)
  }

  /// - Parameters:
  ///   - value: A value.
  ///   - property: The property that has it.
  ///   - depth: In how many embedded objects it is.
  /// - Returns: The value; an embedded object with its own values.
  /// - Throws: `DatabaseError` if the file is damaged, or embedded objects are nested too deep.
  func compared(
    _ value: Value,
    _ property: PropertySchema,
    depth: Int = 0
  ) throws(DatabaseError) -> ComparedValue {
    switch value.shape {
    case .link(let target):
      guard property.isEmbedded, includesEmbedded else {
        return .link(try ObjectName(of: target, in: reader))
      }
      return .embedded(try members(of: target, depth: depth + 1))
    case .list(let values): return .list(try compared(values, property, depth))
    case .set(let values): return .set(try compared(values, property, depth))
    case .map(let entries):
      let values = try compared(entries.map(\.value), property, depth)
      return .map(zip(entries, values).map { ComparedValue.Member(name: $0.key, value: $1) })
    case .null, .scalar: return .scalar(value)
    }
  }

  private func compared(
    _ values: [Value],
    _ property: PropertySchema,
    _ depth: Int
  ) throws(DatabaseError) -> [ComparedValue] {
    var result: [ComparedValue] = []
    result.reserveCapacity(values.count)
    for value in values { result.append(try compared(value, property, depth: depth)) }
    return result
  }

  /// The properties of an object by name.
  func members(
    of object: ObjectIdentity,
    depth: Int = 0
  ) throws(DatabaseError) -> [ComparedValue.Member] {
    guard depth <= Self.deepest else {
      throw DatabaseError(
        .outOfRange,
        "Cannot compare: embedded objects are nested more than \(Self.deepest) deep, as in "
          + reader.describe(object),
        object: object
      )
    }
    var members: [ComparedValue.Member] = []
    for property in reader.schema[object.classKey]?.properties ?? [] {
      members.append(
        .init(name: property.name, value: try value(of: object, property, depth: depth))
      )
    }
    return members
  }
}
