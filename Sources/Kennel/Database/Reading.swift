// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A place to find objects in: a ``Snapshot``, a ``Transaction`` or a ``Draft``.
///
/// ```swift
/// func names(in db: some Reading) throws -> [String] {
///   try db.objects(Dog.self).sorted(by: \.name).map { try $0.name }
/// }
/// print(try names(in: database.snapshot()))
/// try database.write { db in print(try names(in: db)) }
/// ```
public protocol Reading {
  /// The session that objects are read from.
  var _session: Session { get }
}

extension Reading {
  internal var session: Session { _session }

  /// The objects of a model.
  ///
  /// - Parameter model: A model of the database.
  /// - Returns: All objects, in the order of their keys.
  /// - Throws: `DatabaseError` with code `noSuchClass` if the database was opened without the model.
  @inlinable
  public func objects<M: Model>(_ model: M.Type) throws(DatabaseError) -> Results<M> {
    Results(try _session.scope(model), .all)
  }

  /// The object whose primary key or unique property equals a value.
  ///
  /// Logarithmic in the number of objects.
  ///
  /// - Parameters:
  ///   - path: The primary key of a model or a unique property, such as `\Person.name`.
  ///   - value: The value.
  /// - Returns: The object; `nil` if there is none, or the value is null.
  /// - Throws: `DatabaseError` if the property is neither, or the file is damaged.
  @inlinable
  public func find<M: Model, V: SingleStorable>(
    _ path: KeyPath<M, Property<V>>,
    _ value: V
  ) throws(DatabaseError) -> Object<M>? {
    let session = _session
    let scope = try session.scope(M.self)
    let property = scope.member(path)
    guard let column = property.column else { throw property.unbound() }
    return try session.read { (reader) throws(DatabaseError) in
      try reader.find(column, value.stored).map { Object(scope, $0.key) }
    }
  }

  /// An object, as it is in this snapshot, write transaction or draft.
  ///
  /// - Parameter object: An object of the file, from any snapshot, write transaction or draft.
  /// - Returns: The same object, read from here; `nil` if it does not exist here.
  /// - Throws: `DatabaseError` if the object is of another file, or the file is damaged.
  public func current<M: Model>(_ object: Object<M>) throws(DatabaseError) -> Object<M>? {
    guard object.belongs(to: session) else {
      // What a draft created exists nowhere else.
      if object.scope.session.isOfSameFile(as: session) { return nil }
      throw Session.foreign
    }
    let here = Object(try session.scope(M.self), object.key)
    return try here.exists ? here : nil
  }

  /// Everything that would be deleted or changed if objects were deleted.
  ///
  /// - Parameter objects: The objects, deleted together.
  /// - Returns: The blast radius.
  /// - Throws: `DatabaseError` if an object does not exist or is of another database, or the file
  ///   is damaged.
  public func blastRadius<M: Model>(
    deleting objects: Object<M>...
  ) throws(DatabaseError) -> BlastRadius {
    try blastRadius(deleting: objects)
  }

  /// Everything that would be deleted or changed if objects were deleted.
  ///
  /// - Parameter objects: The objects, deleted together.
  /// - Returns: The blast radius.
  /// - Throws: `DatabaseError` if an object does not exist or is of another database, or the file
  ///   is damaged.
  public func blastRadius<M: Model>(
    deleting objects: some Sequence<Object<M>>
  ) throws(DatabaseError) -> BlastRadius {
    let scope = try session.scope(M.self)
    let identities = try session.identities(objects)
    return try scope.session.read { (reader) throws(DatabaseError) in
      try BlastRadius(reader.blastRadius(deleting: identities), reader)
    }
  }
}

extension Session {
  internal func identities<M: Model>(
    _ objects: some Sequence<Object<M>>
  ) throws(DatabaseError) -> [ObjectIdentity] {
    var identities: [ObjectIdentity] = []
    for object in objects {
      try require(object)
      identities.append(object.identity)
    }
    return identities
  }
}

/// A view of a database that never changes.
///
/// ```swift
/// let before = try database.snapshot()
/// try database.write { db in try db.delete(rex) }
/// print(try before.objects(Dog.self).count, try database.snapshot().objects(Dog.self).count)
/// ```
///
/// Any thread may use it and the objects that it gives. It blocks no writer. While it or one of its
/// objects is alive, the space of what it shows is not reused, so commits make the file grow.
public struct Snapshot: Reading, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let _session: Session

  internal init(_ session: Session) { _session = session }

  /// The number of the commit that is seen.
  public var commitNumber: Int { session.reader.commitNumber }
}
