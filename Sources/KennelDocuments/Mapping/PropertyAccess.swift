import KennelCore

/// How a property of an object is read and set: as a Swift type where that is known, which is much
/// faster than as any value.
struct PropertyAccess {
  private var read: (ObjectIdentity, DatabaseReader) throws(DatabaseError) -> Value
  private var write: (Value, ObjectIdentity, WriteTransaction) throws(DatabaseError) -> Void

  /// The property as any value.
  init(_ key: PropertyKey) {
    read = { (object, reader) throws(DatabaseError) in
      try reader.value(of: object, property: key)
    }
    write = { (value, object, transaction) throws(DatabaseError) in
      try transaction.set(object, property: key, to: value)
    }
  }

  init(_ property: PropertySchema, of classSchema: ClassSchema, in schema: Schema) {
    self.init(property.key)
    if let type = property.type.kind.propertyType { use(type, property, classSchema, schema) }
  }

  private mutating func use<V: ScalarPropertyValue>(
    _ type: V.Type,
    _ property: PropertySchema,
    _ classSchema: ClassSchema,
    _ schema: Schema
  ) {
    let any = write
    if let typed = try? schema.property(property.name, of: classSchema.name, as: V.self) {
      read = { (object, reader) throws(DatabaseError) in try reader[object, typed].value }
      write = { (value, object, transaction) throws(DatabaseError) in
        guard let plain = V(value) else { return try any(value, object, transaction) }
        try transaction.set(object, property: typed, to: plain)
      }
    } else if let typed = try? schema.property(property.name, of: classSchema.name, as: V?.self) {
      read = { (object, reader) throws(DatabaseError) in
        try reader[object, typed]?.value ?? .null
      }
      write = { (value, object, transaction) throws(DatabaseError) in
        guard let plain = V(value) else { return try any(value, object, transaction) }
        try transaction.set(object, property: typed, to: plain)
      }
    }
  }

  /// The value that the property of an object has.
  func value(
    of object: ObjectIdentity,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Value {
    try read(object, reader)
  }

  /// Sets the property of an object.
  func set(
    _ value: Value,
    of object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try write(value, object, transaction)
  }
}
