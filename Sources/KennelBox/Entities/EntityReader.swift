public import KennelCore

/// Reads the properties of an object; generated code calls it.
///
/// ```swift
/// func read(from reader: inout EntityReader) throws -> Note {
///   let note = Note()
///   note.id = reader.id
///   note.title = try reader.read(at: 1)
///   return note
/// }
/// ```
public struct EntityReader {
  @usableFromInline let store: Store
  @usableFromInline let map: EntityMap
  @usableFromInline let reader: DatabaseReader
  @usableFromInline var object: ObjectIdentity

  @inlinable
  init(_ store: Store, _ map: EntityMap, _ reader: DatabaseReader) {
    self.store = store
    self.map = map
    self.reader = reader
    object = ObjectIdentity(map.classKey, ObjectKey(rawValue: 0))
  }

  /// The id of the object.
  public var id: Id { object.key.rawValue }

  /// Returns the value of a property.
  ///
  /// - Parameter number: The number of the property.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if the file is damaged, or has a value that the type cannot hold.
  @inlinable
  @inline(__always)
  public func read<V: EntityPropertyValue>(at number: Int) throws -> V {
    try V._read(object, map.columns[number], in: reader)
  }
}

extension EntityReader {
  /// Reads the object with an id, which must exist.
  @inlinable
  mutating func object<E: EntityInspectable>(
    _ id: Id,
    _ entity: E.Type
  ) throws -> E.EntityBindingType.EntityType {
    object = ObjectIdentity(map.classKey, ObjectKey(rawValue: id))
    return try E.entityBinding.read(from: &self)
  }

  /// The id of the target of a to-one relation; 0 for none.
  @usableFromInline
  func targetId(_ number: Int) throws(DatabaseError) -> Id {
    let none = ClassKey(rawValue: 0)
    let target = try ObjectIdentity._readNullable(object, map.columns[number], none, in: reader)
    return target?.key.rawValue ?? 0
  }
}

extension Store {
  /// Reads the object with an id; `nil` if there is none.
  @inlinable
  func object<E: EntityInspectable>(
    _ id: Id,
    _ entity: E.Type,
    _ map: EntityMap
  ) throws -> E.EntityBindingType.EntityType? {
    try read { reader in
      let object = ObjectIdentity(map.classKey, ObjectKey(rawValue: id))
      guard try reader.contains(object) else { return nil }
      map.prefetch(object, in: reader)
      var entities = EntityReader(self, map, reader)
      return try entities.object(id, E.self)
    }
  }
}

/// Writes the properties of an object; generated code calls it.
///
/// ```swift
/// func write(_ note: Note, to writer: inout EntityWriter) throws {
///   try writer.write(note.title, at: 1)
/// }
/// ```
public struct EntityWriter {
  @usableFromInline let map: EntityMap
  @usableFromInline let storeTransaction: StoreTransaction
  @usableFromInline let transaction: WriteTransaction
  @usableFromInline var object: ObjectIdentity
  /// Whether the object is new and its properties have no values.
  @usableFromInline var isBlank = false
  /// Where `write` collects the values by number, instead of storing them.
  @usableFromInline var collected: [Int: Value]?

  /// - Throws: ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read-only transaction.
  @usableFromInline
  init(_ map: EntityMap, _ storeTransaction: StoreTransaction) throws {
    self.map = map
    self.storeTransaction = storeTransaction
    transaction = try storeTransaction.requireWriter()
    object = ObjectIdentity(map.classKey, ObjectKey(rawValue: 0))
  }

  /// Writes the value of a property.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - number: The number of the property.
  /// - Throws: `DatabaseError` if the file is damaged or the disk is full.
  @inlinable
  @inline(__always)
  public mutating func write<V: EntityPropertyValue>(_ value: V, at number: Int) throws {
    if isCollecting {
      collected?[number] = value._storedValue
      return
    }
    try V._write(value, object, map.columns[number], isBlank: isBlank, in: transaction)
  }

  /// Sets a to-one link; 0 is the id of no target.
  ///
  /// A target that the program did not set, and that was removed since it was read, is none.
  @usableFromInline
  func setLink(_ id: Id, _ targetMap: EntityMap, isChanged: Bool, at number: Int) throws {
    let column = map.columns[number]
    if isBlank {
      if id == 0 { return }
    } else {
      let none = ClassKey(rawValue: 0)
      let old = try ObjectIdentity._readNullable(object, column, none, in: transaction)
      if old?.key.rawValue ?? 0 == id { return }
    }
    var target = id == 0 ? nil : ObjectIdentity(targetMap.classKey, ObjectKey(rawValue: id))
    if let found = target, try !transaction.contains(found) {
      guard !isChanged else {
        throw ObjectBoxError.notFound(
          message: "\(map.info.name).\(map.info.properties[number].name) cannot lead to "
            + "\(targetMap.info.name) \(id), which does not exist; put it first, or set the target to "
            + "nil"
        )
      }
      target = nil
    }
    try ObjectIdentity._setNullable(target, object, column, in: transaction)
  }
}

/// Connects the relations of an object with the store; generated code calls it.
///
/// ```swift
/// func attach(_ note: Note, to connector: RelationConnector) throws {
///   try connector.attach(note.author, at: 4)
/// }
/// ```
public struct RelationConnector {
  @usableFromInline let map: EntityMap
  @usableFromInline let transaction: StoreTransaction
  @usableFromInline let id: Id
  /// Whether the object is new in the database.
  @usableFromInline let isNew: Bool

  @inlinable
  init(_ map: EntityMap, _ transaction: StoreTransaction, _ id: Id, isNew: Bool) {
    self.map = map
    self.transaction = transaction
    self.id = id
    self.isNew = isNew
  }
}

extension EntityWriter {
  @inlinable var isCollecting: Bool { if case .some = collected { true } else { false } }

  /// The connector of the relations of the object that was written.
  @inlinable
  func connector(isNew: Bool) -> RelationConnector {
    RelationConnector(map, storeTransaction, object.key.rawValue, isNew: isNew)
  }
}
