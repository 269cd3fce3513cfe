public import KennelStorage

/// A property of a class with the Swift type of its values.
///
/// ```swift
/// let age = try snapshot.schema.property("age", of: "Dog", as: Int64.self)
/// let dogs = try snapshot.schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
/// var sum: Int64 = 0
/// try snapshot.forEachTarget(of: person, property: dogs) { dog in sum += try snapshot[dog, age] }
/// print(sum)
/// ```
///
/// It refers to a property of the file's schema and may be kept. Reading and writing check that it
/// still fits.
public struct TypedProperty<V: PropertyValue>: Hashable, Sendable {
  /// The class.
  public let classKey: ClassKey
  /// The property.
  public let key: PropertyKey
  /// The class that its links point to, 0 if it has none.
  @usableFromInline internal let target: ClassKey
  /// Where objects of that class keep the links from this property.
  @usableFromInline internal let backlinkSlot: UInt16

  internal init(_ classKey: ClassKey, _ property: PropertySchema, backlinkSlot: UInt16?) {
    self.classKey = classKey
    key = property.key
    target = backlinkSlot == nil ? ClassKey(rawValue: 0) : property.target ?? ClassKey(rawValue: 0)
    self.backlinkSlot = backlinkSlot ?? 0
  }
}

extension Schema {
  /// Returns a property by its class name and name.
  ///
  /// Linear in the number of properties; call it once and keep the result.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - className: The class's name.
  ///   - type: The Swift type of its values.
  /// - Returns: The property.
  /// - Throws: `DatabaseError` if there is no such class or property, or its values have another
  ///   type.
  public func property<V: PropertyValue>(
    _ name: String,
    of className: String,
    as type: V.Type = V.self
  ) throws(DatabaseError) -> TypedProperty<V> {
    let (schema, property) = try found(name, of: className)
    guard V.fits(property.type) else {
      let reason = "is a \(property.type): its values are not of type \(V.self)"
      throw schema.error(property, reason, .wrongType)
    }
    let column = property.target.flatMap { target in
      self[target]?.backlinkColumns.first { $0.origin == schema.key && $0.property == property.key }
    }
    return TypedProperty(schema.key, property, backlinkSlot: column?.number)
  }
}
