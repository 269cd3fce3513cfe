public import KennelStorage

/// The values of an object that is to be created, with the embedded objects in it.
///
/// ```swift
/// var new = NewObject()
/// new.set(name.key, to: .string("Rex"))
/// let rex = try database.write { transaction in
///   try transaction.create(new, of: dog.key, in: transaction)
/// }
/// print(rex)
/// ```
public struct NewObject: Sendable {
  /// The values, each property once; the others get their defaults.
  public var values: [(property: PropertyKey, value: Value)] = []
  /// The embedded objects, each after those that stand before it in its list.
  @usableFromInline
  internal var embedded: [(property: PropertyKey, at: Slot.Position, object: NewObject)] = []

  /// Creates one without values.
  @inlinable
  public init() {
    // Most objects have few properties: what is set takes one allocation.
    values.reserveCapacity(8)
  }

  /// The value of a property; `nil` for the default.
  public subscript(property: PropertyKey) -> Value? {
    values.first { $0.property == property }?.value
  }

  /// Sets a property; embedded objects in it are not created then.
  ///
  /// - Parameters:
  ///   - property: The key of a property.
  ///   - value: The value.
  @inlinable
  public mutating func set(_ property: PropertyKey, to value: Value) {
    if !embedded.isEmpty { embedded.removeAll { $0.property == property } }
    for index in values.indices where values[index].property == property {
      values[index].value = value
      return
    }
    values.append((property, value))
  }

  /// Appends to a list of links, which is empty if it was not set.
  ///
  /// - Parameters:
  ///   - target: The object to link to.
  ///   - property: The key of a list property.
  public mutating func append(_ target: ObjectIdentity, to property: PropertyKey) {
    guard let index = values.firstIndex(where: { $0.property == property }),
      case .list(var links) = values[index].value
    else { return set(property, to: .list([.link(target)])) }
    // The list is not copied where nothing else holds it.
    values[index].value = .null
    links.append(.link(target))
    values[index].value = .list(links)
  }

  /// Embeds an object; one that was embedded at the same position is not created then.
  ///
  /// - Parameters:
  ///   - object: What the embedded object gets.
  ///   - property: The key of a property with embedded objects.
  ///   - position: The position in it.
  public mutating func embed(
    _ object: NewObject,
    in property: PropertyKey,
    at position: Slot.Position
  ) {
    embedded.removeAll { $0.property == property && $0.at == position }
    embedded.append((property, position, object))
  }

  /// The number of embedded objects in a property.
  ///
  /// - Parameter property: The key of the property.
  /// - Returns: The number.
  public func embeddedCount(in property: PropertyKey) -> Int {
    embedded.count { $0.property == property }
  }
}

extension Editing {
  /// Creates an object with all that it has, or nothing.
  ///
  /// - Parameters:
  ///   - new: What the object has.
  ///   - classKey: A class that is not embedded.
  ///   - reader: The write transaction, or the reader of the draft.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` as ``create(_:_:)`` does.
  public func create(
    _ new: NewObject,
    of classKey: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> ObjectIdentity {
    let transaction = self as? WriteTransaction
    let object: ObjectIdentity
    if let made = try transaction?.createInPlace(new, classKey) {
      object = made
    } else {
      try reader.checkEmbedded(new, classKey, transaction?.pointWriter)
      var values: [PropertyKey: Value] = [:]
      for (property, value) in new.values { values[property] = value }
      object = try create(classKey, values)
    }
    if !new.embedded.isEmpty { try embed(new, in: object, transaction) }
    return object
  }

  /// Creates an embedded object, which replaces the one in its slot, or nothing.
  ///
  /// - Parameters:
  ///   - new: What the object has.
  ///   - slot: The slot.
  ///   - reader: The write transaction, or the reader of the draft.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if a value does not fit, or as ``createEmbedded(at:)`` does.
  @discardableResult
  public func createEmbedded(
    _ new: NewObject,
    at slot: Slot,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> ObjectIdentity {
    let transaction = self as? WriteTransaction
    let writer = transaction?.pointWriter
    try reader.check(new, in: slot.property, of: slot.object.classKey, writer)
    return try fill(slot, with: new, transaction)
  }

  private func embed(
    _ new: NewObject,
    in object: ObjectIdentity,
    _ transaction: WriteTransaction?
  ) throws(DatabaseError) {
    for (property, position, embedded) in new.embedded {
      try fill(Slot(object, property, position), with: embedded, transaction)
    }
  }

  /// Creates an embedded object whose values were checked.
  @discardableResult
  private func fill(
    _ slot: Slot,
    with new: NewObject,
    _ transaction: WriteTransaction?
  ) throws(DatabaseError) -> ObjectIdentity {
    let object =
      if let transaction {
        try transaction.createEmbeddedInPlace(slot)
      } else {
        try createEmbedded(at: slot)
      }
    for (property, value) in new.values
    where transaction?.pointWriter.set(object, property, value) != true {
      try set(object, property: property, to: value)
    }
    try embed(new, in: object, transaction)
    return object
  }
}

extension WriteTransaction {
  /// Creates an object in memory; `nil` where that takes an operation.
  fileprivate func createInPlace(
    _ new: NewObject,
    _ classKey: ClassKey
  ) throws(DatabaseError) -> ObjectIdentity? {
    guard pointWriter.hasRoom(classKey) else { return nil }
    try check(new, classKey, pointWriter)
    let primaryKey = view.intKey(of: classKey)
    let key: ObjectKey?
    if let primaryKey, case .int(let number)? = new[primaryKey] {
      key = pointWriter.create(classKey, primaryKey, number)
    } else {
      key = pointWriter.create(classKey)
    }
    guard let object = key.map({ ObjectIdentity(classKey, $0) }) else { return nil }
    for (property, value) in new.values
    where property != primaryKey && !pointWriter.set(object, property, value) {
      try set(object, property: property, to: value)
    }
    return object
  }

  /// Creates an embedded object; in memory, where its slot is a to-one property.
  fileprivate func createEmbeddedInPlace(_ slot: Slot) throws(DatabaseError) -> ObjectIdentity {
    if case .value = slot.position,
      let target = links.link(slot.object.classKey, slot.property)?.target,
      let key = pointWriter.createEmbedded(in: slot.object, slot.property, target)
    {
      return ObjectIdentity(target, key)
    }
    return try createEmbedded(at: slot)
  }
}

extension DatabaseReader {
  /// Checks all that a new object has, but for what its class says of other objects.
  fileprivate func check(
    _ new: NewObject,
    _ classKey: ClassKey,
    _ writer: PointWriter?
  ) throws(DatabaseError) {
    for (key, value) in new.values where writer?.takes(value, key, classKey) != true {
      try check(value, property(key, of: classKey), classSchema(classKey))
    }
    try checkEmbedded(new, classKey, writer)
  }

  private func check(
    _ value: Value,
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) throws(DatabaseError) {
    if property.takesAnything(like: value) { return }
    let check = ValueCheck(schema: view.schema, className: schema.name, property: property)
    try check.check(value.canonical)
    for target in value.links {
      if property.isEmbedded { throw secondOwner(schema, property, target) }
      if try !contains(target) { throw missing(target) }
    }
  }

  fileprivate func checkEmbedded(
    _ new: NewObject,
    _ classKey: ClassKey,
    _ writer: PointWriter?
  ) throws(DatabaseError) {
    for (property, _, embedded) in new.embedded {
      try check(embedded, in: property, of: classKey, writer)
    }
  }

  fileprivate func check(
    _ new: NewObject,
    in property: PropertyKey,
    of classKey: ClassKey,
    _ writer: PointWriter?
  ) throws(DatabaseError) {
    let target = try embeddedClass(of: self.property(property, of: classKey), classKey)
    try check(new, target, writer)
  }
}
