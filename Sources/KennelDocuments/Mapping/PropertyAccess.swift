import KennelCore

/// How a property of an object is read and set: as a Swift type where that is known, which is much
/// faster than as any value.
enum PropertyAccess {
  case bool(Property<Bool>)
  case boolOrNull(Property<Bool?>)
  case int(Property<Int64>)
  case intOrNull(Property<Int64?>)
  case double(Property<Double>)
  case doubleOrNull(Property<Double?>)
  case date(Property<Timestamp>)
  case dateOrNull(Property<Timestamp?>)
  case string(Property<String>)
  case stringOrNull(Property<String?>)
  case any(PropertyKey)

  init(_ property: PropertySchema, of classSchema: ClassSchema, in schema: Schema) {
    func typed<V: PropertyValue>(_ make: (Property<V>) -> PropertyAccess) -> PropertyAccess {
      guard let found = try? schema.property(property.name, of: classSchema.name, as: V.self) else {
        return .any(property.key)
      }
      return make(found)
    }
    let isOptional = property.type.isOptional
    guard property.type.collection == .none else {
      self = .any(property.key)
      return
    }
    self =
      switch property.type.kind {
      case .bool: isOptional ? typed { .boolOrNull($0) } : typed { .bool($0) }
      case .int: isOptional ? typed { .intOrNull($0) } : typed { .int($0) }
      case .double: isOptional ? typed { .doubleOrNull($0) } : typed { .double($0) }
      case .date: isOptional ? typed { .dateOrNull($0) } : typed { .date($0) }
      case .string: isOptional ? typed { .stringOrNull($0) } : typed { .string($0) }
      case .float, .data, .objectId, .uuid, .decimal128, .mixed, .link: .any(property.key)
      }
  }

  /// The property key.
  var key: PropertyKey {
    switch self {
    case .bool(let property): property.key
    case .boolOrNull(let property): property.key
    case .int(let property): property.key
    case .intOrNull(let property): property.key
    case .double(let property): property.key
    case .doubleOrNull(let property): property.key
    case .date(let property): property.key
    case .dateOrNull(let property): property.key
    case .string(let property): property.key
    case .stringOrNull(let property): property.key
    case .any(let key): key
    }
  }

  /// The value that the property of an object has.
  func value(
    of object: ObjectIdentity,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Value {
    switch self {
    case .bool(let property): .bool(try reader[object, property])
    case .boolOrNull(let property): (try reader[object, property]).map { .bool($0) } ?? .null
    case .int(let property): .int(try reader[object, property])
    case .intOrNull(let property): (try reader[object, property]).map { .int($0) } ?? .null
    case .double(let property): .double(try reader[object, property])
    case .doubleOrNull(let property): (try reader[object, property]).map { .double($0) } ?? .null
    case .date(let property): .date(try reader[object, property])
    case .dateOrNull(let property): (try reader[object, property]).map { .date($0) } ?? .null
    case .string(let property): .string(try reader[object, property])
    case .stringOrNull(let property): (try reader[object, property]).map { .string($0) } ?? .null
    case .any(let key): try reader.value(of: object, property: key)
    }
  }

  /// Sets the property of an object.
  func set(
    _ value: Value,
    of object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    switch self {
    case .bool(let property):
      if case .bool(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .boolOrNull(let property):
      if case .bool(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .int(let property):
      if case .int(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .intOrNull(let property):
      if case .int(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .double(let property):
      if case .double(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .doubleOrNull(let property):
      if case .double(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .date(let property):
      if case .date(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .dateOrNull(let property):
      if case .date(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .string(let property):
      if case .string(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .stringOrNull(let property):
      if case .string(let value) = value {
        return try transaction.set(object, property: property, to: value)
      }
    case .any: break
    }
    try transaction.set(object, property: key, to: value)
  }
}
