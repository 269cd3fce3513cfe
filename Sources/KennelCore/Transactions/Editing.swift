public import KennelStorage

/// Changes objects, in the same way in a write transaction and in a draft.
///
/// ```swift
/// func rename(_ object: ObjectIdentity, in editing: some Editing) throws {
///   try editing.set(object, property: name.key, to: .string("Max"))
/// }
/// try rename(rex, in: transaction)
/// try rename(rex, in: draft)
/// ```
///
/// Backlinks are correct after every change. Embedded objects are created in their slot with
/// ``createEmbedded(at:)``; a slot cannot be set to an embedded object, except to the one that it
/// owns already. A change that fails leaves everything unchanged, unless the file is damaged or the
/// disk is full.
public protocol Editing: AnyObject {
  /// Performs an operation; the other methods call this.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: The outcome.
  /// - Throws: `DatabaseError` if the operation cannot be performed. Nothing is changed then.
  @discardableResult
  func perform(_ operation: Draft.Operation) throws(DatabaseError) -> Draft.Operation.Outcome
}

extension Editing {
  /// Creates an object of a class.
  ///
  /// - Parameters:
  ///   - classKey: A class that is not embedded.
  ///   - values: The values by property. Other properties get their defaults.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if a value does not fit, the primary key is already in use, or the
  ///   class is embedded.
  @discardableResult
  public func create(
    _ classKey: ClassKey,
    _ values: [PropertyKey: Value]
  ) throws(DatabaseError) -> ObjectIdentity {
    try made(perform(.create(classKey, values)))
  }

  /// Creates an embedded object in a slot.
  ///
  /// In a to-one link or a map entry, the new object replaces the old one. In a list, the new
  /// object is inserted at the slot's position, which may be the end.
  ///
  /// - Parameter slot: The slot that owns the new object.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the slot does not hold embedded objects or does not exist.
  @discardableResult
  public func createEmbedded(at slot: Slot) throws(DatabaseError) -> ObjectIdentity {
    try made(perform(.change(slot, .create)))
  }

  /// Sets a property, including all elements of a collection.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  ///   - value: The value.
  /// - Throws: `DatabaseError` if the value does not fit, or there is no such object or property.
  public func set(
    _ object: ObjectIdentity,
    property: PropertyKey,
    to value: Value
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property), .set(value)))
  }

  /// Inserts an element into a list.
  ///
  /// - Parameters:
  ///   - value: The element.
  ///   - index: The position, from 0 to the number of elements.
  ///   - object: The object.
  ///   - property: The key of a list property.
  /// - Throws: `DatabaseError` if the element does not fit or the position does not exist.
  public func insert(
    _ value: Value,
    at index: Int,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property, .index(index)), .insert(value)))
  }

  /// Replaces an element of a list.
  ///
  /// - Parameters:
  ///   - index: The position.
  ///   - value: The new element.
  ///   - object: The object.
  ///   - property: The key of a list property.
  /// - Throws: `DatabaseError` if the element does not fit or the position does not exist.
  public func replace(
    at index: Int,
    with value: Value,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property, .index(index)), .set(value)))
  }

  /// Removes an element of a list and deletes it if it is embedded.
  ///
  /// - Parameters:
  ///   - index: The position.
  ///   - object: The object.
  ///   - property: The key of a list property.
  /// - Throws: `DatabaseError` if there is no such position.
  public func removeElement(
    at index: Int,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property, .index(index)), .remove))
  }

  /// Moves an element within its list.
  ///
  /// - Parameters:
  ///   - source: The old position.
  ///   - destination: The new position.
  ///   - object: The object.
  ///   - property: The key of a list property.
  /// - Throws: `DatabaseError` if there is no such position.
  public func moveElement(
    from source: Int,
    to destination: Int,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property, .index(source)), .move(to: destination)))
  }

  /// Inserts a member into a set.
  ///
  /// - Parameters:
  ///   - value: The member.
  ///   - object: The object.
  ///   - property: The key of a set property.
  /// - Returns: Whether the member was inserted; false if the set already had it.
  /// - Throws: `DatabaseError` if the member does not fit.
  @discardableResult
  public func insertMember(
    _ value: Value,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) -> Bool {
    try perform(.change(Slot(object, property, .member(value)), .add)).didChange
  }

  /// Removes a member from a set.
  ///
  /// - Parameters:
  ///   - value: The member.
  ///   - object: The object.
  ///   - property: The key of a set property.
  /// - Returns: Whether the member was removed; false if the set did not have it.
  /// - Throws: `DatabaseError` if there is no such object or property.
  @discardableResult
  public func removeMember(
    _ value: Value,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) -> Bool {
    try perform(.change(Slot(object, property, .member(value)), .remove)).didChange
  }

  /// Sets or removes an entry of a map; deletes an embedded object that was the old value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; `nil` removes the entry.
  ///   - object: The object.
  ///   - property: The key of a map property.
  /// - Throws: `DatabaseError` if the value does not fit.
  public func setEntry(
    _ key: String,
    to value: Value?,
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) {
    _ = try perform(.change(Slot(object, property, .key(key)), value.map { .set($0) } ?? .remove))
  }

  /// Changes the schema, with the objects that are there.
  ///
  /// Linear in the number of objects of the class if values are converted or deleted.
  ///
  /// - Parameter change: The change.
  /// - Throws: `DatabaseError` if the change is not possible, such as a value that cannot be converted.
  ///   Nothing is changed then.
  public func changeSchema(_ change: SchemaChange) throws(DatabaseError) {
    _ = try perform(.schema(change))
  }

  /// Deletes objects and applies delete and target rules, as one operation.
  ///
  /// - Parameter objects: The objects.
  /// - Returns: The number of deleted objects. `blastRadius(deleting:limit:progress:)` lists them
  ///   beforehand.
  /// - Throws: `DatabaseError` with code `deletionDenied` if a `deny` rule prevents the
  ///   deletion. Nothing is deleted then.
  @discardableResult
  public func delete(_ objects: [ObjectIdentity]) throws(DatabaseError) -> Int {
    try perform(.delete(objects)).deletedCount
  }

  private func made(_ outcome: Draft.Operation.Outcome) throws(DatabaseError) -> ObjectIdentity {
    guard let object = outcome.created else {
      throw DatabaseError(.noSuchObject, "No object was made")
    }
    return object
  }
}
