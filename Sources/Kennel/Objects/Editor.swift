// swift-format-ignore-file: NoLeadingUnderscores

@_spi(Faces) public import KennelCore

/// An object that is being created or edited: its properties have the names that the model declares,
/// and can be read and set.
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
/// In `create` the object exists when the closure has ended: until then its values are gathered. The
/// closure can read what it set, append to lists, embed objects and link to objects, also to those that it
/// creates; only the object itself cannot be linked to, and no backlinks lead to it. In `edit` each value
/// is set at once.
///
/// Setting cannot throw. If a value cannot be set, for example because a number does not fit or
/// another object has the primary key, the `create` or `edit` that the closure was passed to throws
/// the error.
@dynamicMemberLookup
public struct Editor<M: Model> {
  @usableFromInline internal let scope: Scope<M>
  @usableFromInline internal let key: ObjectKey
  /// The values of an object that is being created; `nil` of one that is edited.
  @usableFromInline internal var new: NewObject?
  /// The first change that failed: setters cannot throw.
  @usableFromInline internal var failure: (any Error)?

  /// Edits an object.
  @inlinable
  internal init(_ scope: Scope<M>, _ key: ObjectKey) {
    self.scope = scope
    self.key = key
  }

  /// Gathers what a new object gets.
  @inlinable
  internal init(creatingIn scope: Scope<M>) {
    self.init(scope, ObjectKey(rawValue: 0))
    new = NewObject()
  }

  /// The object.
  ///
  /// - Throws: `DatabaseError` with code `noSuchObject` while it is being created.
  public var itself: Object<M> {
    get throws(DatabaseError) {
      if new == nil { return Object(scope, key) }
      throw DatabaseError(
        .noSuchObject,
        "A \(M.className) that is being created exists when the closure of create has ended; use "
          + "what create returns",
        className: M.className
      )
    }
  }

  /// A property.
  @inlinable
  public subscript<V: Storable>(dynamicMember path: KeyPath<M, Property<V>>) -> V.Edited {
    @inline(__always)
    mutating get {
      do throws(DatabaseError) {
        let (key, isNew) = (key, new != nil)
        return try scope.use(path) { (property) throws(DatabaseError) in
          if isNew { return V._edited(try gathered(property)) }
          return V._edited(try V.load(key, property, in: scope.session))
        }
      } catch {
        // A value that does not fit the type may be replaced.
        if error.code != .wrongType { fail(error) }
        return V._edited(nil)
      }
    }
    @inline(__always)
    set {
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

  /// The value that the closure set of a new object, or the default.
  @usableFromInline
  internal func gathered<V: Storable>(_ property: Property<V>) throws(DatabaseError) -> V {
    guard let column = property.column else { throw property.unbound() }
    if let new, new.embeddedCount(in: column.key) > 0 { _ = try itself }
    let value = try value(column.key, of: column.classKey)
    return try V._make(property.require(V.Stored(value)), property, in: scope.session)
  }

  private func value(_ key: PropertyKey, of classKey: ClassKey) throws(DatabaseError) -> Value {
    if let value = new?[key] { return value }
    return try scope.session.read { (reader) throws(DatabaseError) in
      reader.schema[classKey]?[key]?.initialValue ?? .null
    }
  }

  /// Sets a property, whatever an editor shows of its type.
  @inlinable
  internal mutating func assign<V: Storable>(
    _ value: V,
    _ path: KeyPath<M, Property<V>>
  ) throws(DatabaseError) {
    try set(value, scope.member(path))
  }

  @inlinable
  internal mutating func set<V: Storable>(
    _ value: V,
    _ property: Property<V>
  ) throws(DatabaseError) {
    guard value._belongs(to: scope.session) else { throw Session.foreign }
    guard let column = property.column else { throw property.unbound() }
    if new != nil {
      new?.set(column.key, to: try value.stored.value(for: property.type))
    } else if let transaction = scope.session.transaction, scope.session.isOwned {
      try transaction.set(scope.identity(key), property: column, to: value.stored)
    } else {
      try setElsewhere(value, column, property.type)
    }
  }

  @usableFromInline
  internal func setElsewhere<V: Storable>(
    _ value: V,
    _ column: TypedProperty<V.Stored>,
    _ type: PropertyType
  ) throws(DatabaseError) {
    let object = scope.identity(key)
    try scope.session.change { (editing, _) throws(DatabaseError) in
      try editing.set(object, property: column.key, to: value.stored.value(for: type))
    }
  }

  // MARK: - Lists and embedded objects

  /// Appends to a list, in constant time.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - path: A list of links.
  /// - Throws: `DatabaseError` if the object was deleted, or is of another file.
  public mutating func append<T: Model>(
    _ object: Object<T>,
    to path: KeyPath<M, Property<[Object<T>]>>
  ) throws(DatabaseError) {
    let column = try column(scope.member(path))
    try scope.session.require(object)
    if new != nil {
      new?.append(object.identity, to: column.key)
      return
    }
    let owner = scope.identity(key)
    if let transaction = scope.session.transaction, scope.session.isOwned {
      try transaction.append(object.identity, to: owner, property: column)
      return
    }
    try scope.session.change { (editing, reader) throws(DatabaseError) in
      let end = try reader.count(in: owner, property: column)
      try editing.insert(.link(object.identity), at: end, of: owner, property: column.key)
    }
  }

  /// Creates an embedded object, which replaces the one that is there.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. No embedded object is
  ///   created then, and the one that is there remains.
  public mutating func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<Object<T>?>>,
    _ edit: (inout Editor<T>) throws -> Void = { _ in }
  ) throws {
    try create(column(scope.member(path)), .value, edit)
  }

  /// Creates an embedded object at the end of a list.
  ///
  /// - Parameters:
  ///   - path: The list.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. No embedded object is
  ///   created then.
  public mutating func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<[Object<T>]>>,
    _ edit: (inout Editor<T>) throws -> Void = { _ in }
  ) throws {
    let column = try column(scope.member(path))
    let owner = scope.identity(key)
    let end =
      try new?.embeddedCount(in: column.key)
      ?? scope.session.read { (reader) throws(DatabaseError) in
        try reader.count(in: owner, property: column)
      }
    try create(column, .index(end), edit)
  }

  /// Creates an embedded object under a key of a dictionary.
  ///
  /// - Parameters:
  ///   - path: The dictionary.
  ///   - name: The key.
  ///   - edit: Sets its properties.
  /// - Throws: `DatabaseError` if a value does not fit, or what the closure throws. No embedded object is
  ///   created then, and the one that is there remains.
  public mutating func create<T: EmbeddedModel>(
    _ path: KeyPath<M, Property<[String: Object<T>]>>,
    at name: String,
    _ edit: (inout Editor<T>) throws -> Void = { _ in }
  ) throws {
    try create(column(scope.member(path)), .key(name), edit)
  }

  private mutating func create<V, T: Model>(
    _ column: TypedProperty<V>,
    _ position: Slot.Position,
    _ edit: (inout Editor<T>) throws -> Void
  ) throws {
    let session = scope.session
    let embedded = try Editor<T>.gather(in: session.scope(T.self), edit)
    if new != nil {
      new?.embed(embedded, in: column.key, at: position)
    } else {
      let slot = Slot(scope.identity(key), column.key, position)
      try session.change { (editing, reader) throws(DatabaseError) in
        _ = try editing.createEmbedded(embedded, at: slot, in: reader)
      }
    }
  }

  private func column<V>(
    _ property: Property<V>
  ) throws(DatabaseError) -> TypedProperty<V.Stored> {
    guard let column = property.column else { throw property.unbound() }
    return column
  }

  // MARK: - Running closures

  /// Runs a closure that sets the values of a new object, and returns them.
  @inlinable
  internal static func gather(
    in scope: Scope<M>,
    _ edit: (inout Editor<M>) throws -> Void
  ) throws -> NewObject {
    var editor = Editor(creatingIn: scope)
    try edit(&editor)
    if let failure = editor.failure { throw failure }
    return editor.new ?? NewObject()
  }

  /// Runs a closure that edits, and throws what its setters could not.
  @inlinable
  internal static func edit(
    _ scope: Scope<M>,
    _ key: ObjectKey,
    _ edit: (inout Editor<M>) throws -> Void
  ) throws {
    var editor = Editor(scope, key)
    try edit(&editor)
    if let failure = editor.failure { throw failure }
  }

  @usableFromInline
  @inline(never)
  internal mutating func fail(_ error: DatabaseError) {
    if failure == nil { failure = error }
  }
}

extension Session {
  /// Creates an object that was gathered.
  @usableFromInline
  internal func create(
    _ new: NewObject,
    of classKey: ClassKey
  ) throws(DatabaseError) -> ObjectIdentity {
    // The type is known here, for the compiler to look it up once.
    if let transaction, isOwned {
      return try transaction.create(new, of: classKey, in: transaction)
    }
    return try change { (editing, reader) throws(DatabaseError) in
      try editing.create(new, of: classKey, in: reader)
    }
  }

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
