// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A place to change objects in: a ``Transaction`` or a ``Draft``.
///
/// ```swift
/// func age(_ dog: Object<Dog>, in db: some Writing) throws {
///   try db.edit(dog) { $0.age += 1 }
/// }
/// try database.write { db in try age(rex, in: db) }
/// try age(rex, in: database.draft())
/// ```
public protocol Writing: Reading {}

extension Writing {
  /// Creates an object.
  ///
  /// - Parameters:
  ///   - model: A model that is not embedded.
  ///   - edit: Sets properties; the others get their defaults.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if a value does not fit or another object has the primary key, or
  ///   what the closure throws. No object is created then, nor what is embedded in it; what the closure
  ///   did to other objects stays, unless the write transaction is rolled back.
  @inlinable
  @discardableResult
  public func create<M: Model>(
    _ model: M.Type,
    _ edit: (inout Editor<M>) throws -> Void = { _ in }
  ) throws -> Object<M> {
    let scope = try _session.scope(model)
    let object = try scope.session.create(Editor.gather(in: scope, edit), of: scope.classKey)
    return Object(scope, object.key)
  }

  /// Edits the object that has a primary key or the value of a unique property, or creates it.
  ///
  /// ```swift
  /// try database.write { db in
  ///   let ada = try db.upsert(\Person.name, "Ada") { $0.dogs = [rex] }
  ///   print(try ada.name)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The primary key of a model or a unique property, such as `\Person.name`.
  ///   - value: The value; no object is found by null, so that one is created.
  ///   - edit: Sets other properties.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the property is neither, or as ``create(_:_:)`` and ``edit(_:_:)`` do.
  @inlinable
  @discardableResult
  public func upsert<M: Model, V: SingleStorable>(
    _ path: KeyPath<M, Property<V>>,
    _ value: V,
    _ edit: (inout Editor<M>) throws -> Void = { _ in }
  ) throws -> Object<M> {
    if let object = try find(path, value) {
      try self.edit(object, edit)
      return object
    }
    return try create(M.self) { editor in
      try editor.assign(value, path)
      try edit(&editor)
    }
  }

  /// Edits an object.
  ///
  /// - Parameters:
  ///   - object: The object, from any snapshot, write transaction or draft of the file.
  ///   - edit: Reads and sets its properties.
  /// - Throws: `DatabaseError` if the object does not exist any more or a value does not fit, or
  ///   what the closure throws. What could be set stays set, unless the write transaction is rolled
  ///   back. An object that a draft created is known only to that draft.
  @inlinable
  public func edit<M: Model>(
    _ object: Object<M>,
    _ edit: (inout Editor<M>) throws -> Void
  ) throws {
    let session = _session
    if object.scope.session === session {
      try Editor.edit(object.scope, object.key, edit)
    } else {
      try session.require(object)
      try Editor.edit(session.scope(M.self), object.key, edit)
    }
  }

  /// Deletes objects and applies delete and target rules.
  ///
  /// - Parameter objects: The objects, deleted together.
  /// - Returns: The number of deleted objects; ``Reading/blastRadius(deleting:)-(Object<M>...)`` lists
  ///   them beforehand.
  /// - Throws: `DatabaseError` if an object does not exist or is of another database, or with code
  ///   `deletionDenied` if a `deny` rule prevents the deletion. Nothing is deleted then.
  @discardableResult
  public func delete<M: Model>(_ objects: Object<M>...) throws(DatabaseError) -> Int {
    try delete(objects)
  }

  /// Deletes objects and applies delete and target rules.
  ///
  /// - Parameter objects: The objects, deleted together.
  /// - Returns: The number of deleted objects.
  /// - Throws: `DatabaseError` if an object does not exist or is of another database, or with code
  ///   `deletionDenied` if a `deny` rule prevents the deletion. Nothing is deleted then.
  @discardableResult
  public func delete<M: Model>(
    _ objects: some Sequence<Object<M>>
  ) throws(DatabaseError) -> Int {
    let identities = try session.identities(objects)
    return try session.change { (editing, _) throws(DatabaseError) in try editing.delete(identities)
    }
  }
}

/// A write transaction: it sees its own changes, and is committed or rolled back as a whole.
///
/// ```swift
/// try database.write { (db: Transaction) in
///   let rex = try db.create(Dog.self) { $0.name = "Rex" }
///   try db.edit(rex) { $0.age = 3 }
///   print(try db.objects(Dog.self).count)
/// }
/// ```
///
/// `Database.write` begins and ends it. It may be used only on the thread that began it.
public struct Transaction: Writing {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let _session: Session

  internal init(_ session: Session) { _session = session }
}
