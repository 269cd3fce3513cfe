// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// An object that is being edited: its properties have the names that the model declares, and can
/// be read and set.
///
/// ```swift
/// try database.write { db in
///   let ada = try db.create(Person.self) { $0.name = "Ada" }
///   try db.edit(ada) { person in
///     person.dogs.append(rex)
///     person.favourite = person.dogs.first
///   }
/// }
/// ```
///
/// Setting cannot throw. If a value cannot be set, for example because a number does not fit or
/// another object has the primary key, the `create` or `edit` that the closure was passed to throws
/// the error.
@dynamicMemberLookup
public struct Editor<M: Model> {
  @usableFromInline internal let scope: Scope<M>
  @usableFromInline internal let key: ObjectKey
  /// The object, if it is created when its primary key is known.
  @usableFromInline internal let pending: PendingObject?

  @inlinable
  internal init(_ scope: Scope<M>, _ key: ObjectKey, _ pending: PendingObject? = nil) {
    self.scope = scope
    self.key = key
    self.pending = pending
  }

  /// The object.
  public var itself: Object<M> { Object(scope, currentKey) }

  @usableFromInline internal var currentKey: ObjectKey {
    guard let pending else { return key }
    attempt { () throws(DatabaseError) in try pending.make() }
    return pending.key ?? key
  }

  /// A property.
  @inlinable
  public subscript<V: Storable>(dynamicMember path: KeyPath<M, Property<V>>) -> V.Edited {
    @inline(__always)
    get {
      let key = pending == nil ? self.key : currentKey
      do throws(DatabaseError) {
        return try scope.use(path) { (property) throws(DatabaseError) in
          V._edited(try V.load(key, property, in: scope.session))
        }
      } catch {
        // A value that does not fit the type may be replaced.
        if error.code != .wrongType { fail(error) }
        return V._edited(nil)
      }
    }
    @inline(__always)
    nonmutating set {
      do throws(DatabaseError) {
        try scope.use(path) { (property) throws(DatabaseError) in
          guard let value = V._value(newValue) else { throw nullError(property) }
          try set(value, property)
        }
      } catch {
        fail(error)
      }
    }
  }

  @usableFromInline
  @inline(never)
  internal func nullError(_ property: ModelMember) -> DatabaseError {
    DatabaseError(
      .wrongType,
      "Cannot set \(M.className).\(property.name): it cannot be null",
      className: M.className,
      propertyName: property.name
    )
  }

  /// The objects that link to this one.
  public subscript<Origin: Model>(
    dynamicMember path: KeyPath<M, Backlinks<Origin>>
  ) -> Results<Origin> {
    get throws(DatabaseError) { try itself[dynamicMember: path] }
  }

  /// Sets a property, whatever an editor shows of its type.
  @inlinable
  internal func assign<V: Storable>(
    _ value: V,
    _ path: KeyPath<M, Property<V>>
  ) throws(DatabaseError) {
    try set(value, scope.member(path))
  }

  @inlinable
  internal func set<V: Storable>(
    _ value: V,
    _ property: Property<V>
  ) throws(DatabaseError) {
    guard value._belongs(to: scope.session) else { throw Session.foreign }
    if let transaction = scope.session.transaction, let column = property.column,
      pending?.isMade != false, scope.session.isOwned
    {
      let key = pending?.createdKey ?? key
      try transaction.set(scope.identity(key), property: column, to: value.stored)
    } else {
      try setElsewhere(value, property)
    }
  }

  @usableFromInline
  internal func setElsewhere<V: Storable>(
    _ value: V,
    _ property: Property<V>
  ) throws(DatabaseError) {
    if let pending, pending.key == nil {
      guard let column = property.column else { throw property.unbound() }
      if property.options.contains(.primaryKey), !pending.isWhole {
        if pending.values.isEmpty, let transaction = scope.session.transaction,
          scope.session.isOwned
        {
          pending.setKey(try transaction.create(column, value.stored).key)
        } else {
          try pending.make(value.stored.value(for: property.type))
        }
      } else {
        pending.values[column.key] = try value.stored.value(for: property.type)
      }
      return
    }
    guard let column = property.column else { throw property.unbound() }
    let object = scope.identity(pending?.key ?? key)
    try scope.session.change { (editing, _) throws(DatabaseError) in
      try editing.set(object, property: column.key, to: value.stored.value(for: property.type))
    }
  }

  // MARK: - Lists and embedded objects

  /// Appends to a list, in constant time.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - path: A list of links.
  /// - Throws: `DatabaseError` if the object was deleted, or is of another file.
  public func append<T: Model>(
    _ object: Object<T>,
    to path: KeyPath<M, Property<[Object<T>]>>
  ) throws(DatabaseError) {
    let property = scope.member(path)
    guard let column = property.column else { throw property.unbound() }
    let owner = scope.identity(currentKey)
    try scope.session.require(object)
    if let transaction = scope.session.transaction, scope.session.isOwned {
      try transaction.append(object.identity, to: owner, property: column)
      return
    }
    try scope.session.change { (editing, reader) throws(DatabaseError) in
      let end = try reader.count(in: owner, property: column)
      _ = try editing.perform(
        .change(Slot(owner, column.key, .index(end)), .insert(.link(object.identity)))
      )
    }
  }

  /// Creates an embedded object, which replaces the one that is there.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. The embedded
  ///   object remains then, with the properties that were set, unless an enclosing `create` throws,
  ///   too, or the write transaction is rolled back.
  public func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<Object<T>?>>,
    _ edit: (Editor<T>) throws -> Void = { _ in }
  ) throws {
    let property = scope.member(path)
    guard let transaction = scope.session.transaction, scope.session.isOwned,
      let column = property.column
    else { return try create(property, .value, edit) }
    let owner = scope.identity(currentKey)
    try self.edit(transaction.createEmbedded(in: owner, property: column), edit)
  }

  /// Creates an embedded object at the end of a list.
  ///
  /// - Parameters:
  ///   - path: The list.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. The embedded
  ///   object remains then, with the properties that were set, unless an enclosing `create` throws,
  ///   too, or the write transaction is rolled back.
  public func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<[Object<T>]>>,
    _ edit: (Editor<T>) throws -> Void = { _ in }
  ) throws {
    let property = scope.member(path)
    guard let column = property.column else { throw property.unbound() }
    let owner = scope.identity(currentKey)
    let end = try scope.session.read { (reader) throws(DatabaseError) in
      try reader.count(in: owner, property: column)
    }
    try create(property, .index(end), edit)
  }

  /// Creates an embedded object under a key of a dictionary.
  ///
  /// - Parameters:
  ///   - path: The dictionary.
  ///   - name: The key.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. The embedded
  ///   object remains then, with the properties that were set, unless an enclosing `create` throws,
  ///   too, or the write transaction is rolled back.
  public func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<[String: Object<T>]>>,
    at name: String,
    _ edit: (Editor<T>) throws -> Void = { _ in }
  ) throws {
    try create(scope.member(path), .key(name), edit)
  }

  private func create<V, T: Model>(
    _ property: Property<V>,
    _ position: Slot.Position,
    _ edit: (Editor<T>) throws -> Void
  ) throws {
    guard let column = property.column else { throw property.unbound() }
    let owner = scope.identity(currentKey)
    let made = try scope.session.change { (editing, _) throws(DatabaseError) in
      try editing.createEmbedded(at: Slot(owner, column.key, position))
    }
    try self.edit(made, edit)
  }

  private func edit<T: Model>(
    _ embedded: ObjectIdentity,
    _ edit: (Editor<T>) throws -> Void
  ) throws {
    try scope.session.edit(Editor<T>(try scope.session.scope(T.self), embedded.key), edit)
  }

  // MARK: - Failures

  @discardableResult
  private func attempt<Result>(_ body: () throws(DatabaseError) -> Result) -> Result? {
    do throws(DatabaseError) {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  @usableFromInline
  @inline(never)
  internal func fail(_ error: DatabaseError) {
    if scope.session.failure == nil { scope.session.failure = error }
  }
}

/// An object that is created as soon as its primary key is set, or when its closure ends: only then if its
/// class has unique properties, whose defaults another object may have.
@usableFromInline
internal final class PendingObject {
  private let session: Session
  let classKey: ClassKey
  private let primaryKey: PropertyKey?
  let isWhole: Bool
  /// The number of the draft's next operation when the object was begun.
  let start: Int
  /// The number of the draft's operation that created the object.
  private var created = 0
  private(set) var key: ObjectKey?
  /// Whether the object is created.
  @usableFromInline internal var isMade: Bool { key != nil }
  /// The key of the object after its creation.
  @usableFromInline internal var createdKey: ObjectKey { key ?? ObjectKey(rawValue: 0) }
  /// What was set before.
  var values: [PropertyKey: Value] = [:]

  init(_ session: Session, _ binding: AnyBinding, start: Int = 0) {
    self.session = session
    classKey = binding.classKey
    primaryKey = binding.primaryKey
    isWhole = binding.hasUnique
    self.start = start
  }

  func setKey(_ key: ObjectKey) { self.key = key }

  /// Creates the object, unless it is there.
  @usableFromInline
  internal func make(_ value: Value? = nil) throws(DatabaseError) {
    guard key == nil else { return }
    if let value, let primaryKey { values[primaryKey] = value }
    let made = values
    created = session.nextOperation
    let object = try session.change { (editing, _) throws(DatabaseError) in
      try editing.create(classKey, made)
    }
    key = object.key
  }

  /// Notes that the draft took back what it did since a moment; the object is created again when needed.
  func forget(since moment: Int) {
    if created >= moment { key = nil }
  }
}

extension Session {
  /// Runs a body on what is changed.
  internal func change<Result>(
    _ body: (any Editing, DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    switch kind {
    case .transaction(let transaction):
      guard isOwned else {
        throw DatabaseError(.closed, "The write transaction has ended, or is of another thread")
      }
      return try body(transaction, transaction)
    case .draft(let draft):
      return try locked { () throws(DatabaseError) in try body(draft, draft.reader) }
    case .snapshot, .failed:
      throw DatabaseError(.readOnly, "A snapshot cannot be changed; begin a write transaction")
    }
  }

  /// Runs a closure that edits, and throws what its setters could not.
  @inlinable
  internal func edit<M: Model>(
    _ editor: Editor<M>,
    _ edit: (Editor<M>) throws -> Void
  ) throws {
    let outer = failure
    failure = nil
    defer { failure = outer }
    try edit(editor)
    if let failure { throw failure }
  }

  /// Makes sure that an object is of the file or draft that is changed.
  @usableFromInline
  internal func require<M: Model>(_ object: Object<M>) throws(DatabaseError) {
    guard object.belongs(to: self) else { throw Self.foreign }
  }

  @usableFromInline internal static var foreign: DatabaseError {
    DatabaseError(
      .wrongType,
      "The object is of another database or of an uncommitted draft; find it in this database"
    )
  }
}
