// swift-format-ignore-file: NoLeadingUnderscores

@_spi(Faces) public import KennelCore

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
  ///   what the closure throws. The object does not exist then, and no delete rule is applied to
  ///   what it linked to. In a draft, everything else that the closure did is undone, too; in a
  ///   write transaction, changes to other objects stay, unless it is rolled back.
  @inlinable
  @discardableResult
  public func create<M: Model>(
    _ model: M.Type,
    _ edit: (Editor<M>) throws -> Void = { _ in }
  ) throws -> Object<M> {
    let session = _session
    let scope = try session.scope(model)
    if let pending = session.pendingObject(scope.binding) {
      try session.edit(Editor(scope, ObjectKey(rawValue: 0), pending), edit, undoing: pending)
      return Object(scope, pending.createdKey)
    }
    let object = try session.create(scope.classKey)
    do {
      try session.edit(Editor(scope, object.key), edit)
    } catch {
      session.withdraw(object)
      throw error
    }
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
  ///   - value: The value.
  ///   - edit: Sets other properties.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the property is neither, or as ``create(_:_:)`` and ``edit(_:_:)`` do.
  @inlinable
  @discardableResult
  public func upsert<M: Model, V: Scalar>(
    _ path: KeyPath<M, Property<V>>,
    _ value: V,
    _ edit: (Editor<M>) throws -> Void = { _ in }
  ) throws -> Object<M> {
    if let object = try find(path, value) {
      try self.edit(object, edit)
      return object
    }
    return try create(M.self) { editor in
      try editor.assign(value, path)
      try edit(editor)
    }
  }

  /// Edits the object that has a value of an optional unique property, or creates it.
  ///
  /// - Parameters:
  ///   - path: An optional property of a model that is unique.
  ///   - value: The value.
  ///   - edit: Sets other properties.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the property is not unique, or as ``create(_:_:)`` and ``edit(_:_:)``
  ///   do.
  @discardableResult
  public func upsert<M: Model, V: Scalar>(
    _ path: KeyPath<M, Property<V?>>,
    _ value: V,
    _ edit: (Editor<M>) throws -> Void = { _ in }
  ) throws -> Object<M> {
    if let object = try find(path, value) {
      try self.edit(object, edit)
      return object
    }
    return try create(M.self) { editor in
      try editor.assign(value, path)
      try edit(editor)
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
    _ edit: (Editor<M>) throws -> Void
  ) throws {
    let session = _session
    if object.scope.session === session {
      try session.edit(Editor(object.scope, object.key), edit)
    } else {
      try session.require(object)
      try session.edit(Editor(session.scope(M.self), object.key), edit)
    }
  }

  /// Deletes objects and applies their delete rules.
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

  /// Deletes objects and applies their delete rules.
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

extension Session {
  /// What stands for a new object until it is created; `nil` if it can be created at once, since its class
  /// has neither a primary key nor unique properties, and no draft has to know what its closure does.
  @usableFromInline
  @inline(never)
  internal func pendingObject(_ binding: AnyBinding) -> PendingObject? {
    if transaction != nil {
      return binding.primaryKey != nil || binding.hasUnique ? PendingObject(self, binding) : nil
    }
    return pendingObjectOfDraft(binding)
  }

  @inline(never)
  private func pendingObjectOfDraft(_ binding: AnyBinding) -> PendingObject {
    let pending = PendingObject(self, binding, start: nextOperation)
    // What fails is tried again when the object is needed, and thrown then.
    if binding.primaryKey == nil, !binding.hasUnique { try? pending.make() }
    creations.removeAll { $0.object == nil }
    creations.append(WeakReference(object: pending))
    return pending
  }

  @usableFromInline
  internal func create(_ classKey: ClassKey) throws(DatabaseError) -> ObjectIdentity {
    if let transaction, isOwned { return try transaction.create(classKey) }
    return try change { (editing, _) throws(DatabaseError) in try editing.create(classKey, [:]) }
  }

  /// Runs the closure of an object that is created when its primary key is known.
  @inlinable
  internal func edit<M: Model>(
    _ editor: Editor<M>,
    _ edit: (Editor<M>) throws -> Void,
    undoing pending: PendingObject
  ) throws {
    do {
      try self.edit(editor) { editor in
        try edit(editor)
        try pending.make()
      }
    } catch {
      withdraw(pending)
      throw error
    }
  }

  @usableFromInline
  @inline(never)
  internal func withdraw(_ pending: PendingObject) {
    guard case .draft(let draft) = kind else {
      if let key = pending.key { withdraw(ObjectIdentity(pending.classKey, key)) }
      return
    }
    // If that fails, the draft has lost no other operations.
    try? locked { () throws(DatabaseError) in try draft.takeBack(since: pending.start) }
    for case let other as PendingObject in creations.map(\.object) {
      other.forget(since: pending.start)
    }
  }

  /// Takes an object whose closure failed out of a transaction.
  ///
  /// No delete rule is applied, since its links may lead to objects that were there before. If that
  /// fails, the file is damaged, and the transaction has failed as a whole.
  @usableFromInline
  @inline(never)
  internal func withdraw(_ object: ObjectIdentity) {
    if let transaction, isOwned { try? transaction.withdraw(object) }
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
