// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// An object of a model, read in place.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// if let rex = try snapshot.objects(Dog.self).first {
///   print(rex, try rex.name, try rex.age, try rex.owners.count)
/// }
/// ```
///
/// It is a small value that any thread may use; while a write transaction is running, its objects
/// can be read only on its thread. An object shows what its snapshot, write transaction or draft
/// shows. Its properties have the names that the model declares; reading one throws if the object
/// was deleted. The objects of a write transaction can still be read after the commit: the first
/// such read takes one snapshot of the newest commit, and all of them are read from that. Two
/// values are equal if they denote the same object, whatever its properties are.
@dynamicMemberLookup
public struct Object<M: Model>: Sendable {
  @usableFromInline internal let scope: Scope<M>
  @usableFromInline internal let key: ObjectKey

  @inlinable
  internal init(_ scope: Scope<M>, _ key: ObjectKey) {
    self.scope = scope
    self.key = key
  }

  @inlinable internal var identity: ObjectIdentity { scope.identity(key) }

  /// The value of a property.
  ///
  /// - Throws: `DatabaseError` if the object was deleted, or the file is damaged.
  @inlinable
  public subscript<V: Storable>(
    dynamicMember path: KeyPath<M, Property<V>>
  ) -> V.Loaded {
    @inline(__always)
    get throws(DatabaseError) {
      try scope.use(path) { (property) throws(DatabaseError) in
        try V._read(key, property, in: scope.session)
      }
    }
  }

  /// Cannot be used: it tells who sets a property outside of a write what to do instead.
  @available(
    *,
    unavailable,
    message: "an object is changed in a write: try db.edit(object) { $0.property = value }"
  )
  public subscript<V: Storable>(dynamicMember path: KeyPath<M, Property<V>>) -> V.Edited {
    get { V._edited(nil) }
    nonmutating set {}
  }

  /// The objects that link to this one.
  ///
  /// - Throws: `DatabaseError` if the object was deleted, or the file is damaged.
  @inlinable
  public subscript<Origin: Model>(
    dynamicMember path: KeyPath<M, Backlinks<Origin>>
  ) -> Results<Origin> {
    @inline(__always)
    get throws(DatabaseError) {
      try scope.use(path) { (backlinks) throws(DatabaseError) in
        guard let origins = backlinks.origins else { throw backlinks.unbound() }
        let target = try scope.session.target(Origin.self, backlinks)
        return Results(target, .origins(identity, origins))
      }
    }
  }

  /// Whether the object exists in its snapshot, write transaction or draft, that is, was not
  /// deleted there.
  ///
  /// - Throws: `DatabaseError` if the file is damaged.
  public var exists: Bool {
    get throws(DatabaseError) {
      try scope.session.read { (reader) throws(DatabaseError) in try reader.contains(identity) }
    }
  }

  /// The key of the object: a number that no other object of its class has.
  public var objectKey: Int { Int(truncatingIfNeeded: key.rawValue) }
}

extension Object: Hashable {
  /// Whether both are the same object of the same file; an object that a draft created is equal
  /// only within that draft.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key
      && (left.scope.session === right.scope.session || left.isOfSameFile(as: right))
  }

  /// Hashes the key.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Object {
  @usableFromInline
  internal func isOfSameFile(as other: Object) -> Bool {
    scope.classKey == other.scope.classKey && belongs(to: other.scope.session)
  }

  /// Whether a session reads the file of the object; if a draft created the object, whether it is the
  /// session of that draft, since other drafts give the same provisional keys.
  @usableFromInline
  internal func belongs(to session: Session) -> Bool {
    scope.session === session || !key.isProvisional && scope.session.isOfSameFile(as: session)
  }
}

// A description would hide a property of that name.
extension Object: CustomDebugStringConvertible {
  /// The class and the key, such as `Dog/3`.
  public var debugDescription: String {
    key.isProvisional
      ? "\(M.className)/new\(key.rawValue - ObjectKey.firstProvisional + 1)"
      : "\(M.className)/\(key.rawValue)"
  }
}

extension Object: OptionalElement, SingleValued {
  /// A link.
  public static var elementType: PropertyType { .link(M.className) }
  /// The model.
  public static var elementNeighbors: [any Model.Type] { [M.self] }
  /// The link to store.
  public var elementValue: Value { .link(identity) }

  /// Whether the object is of the file of a session.
  @inlinable
  public func _elementBelongs(to session: Session) -> Bool {
    scope.session === session || belongs(to: session)
  }

  /// The link as queries compare it.
  public var _singleValue: Value { .link(identity) }

  /// Makes an object from a link.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> Object<M>? {
    guard case .link(let target) = value, let found = try? session.target(M.self, member) else {
      return nil
    }
    return Object(found, target.key)
  }

  /// The link, or null.
  @inlinable
  public static func _stored(_ optional: Object<M>?) -> ObjectIdentity? { optional?.identity }

  /// Makes an object from a link.
  @inlinable
  @inline(__always)
  public static func _optional(
    _ stored: ObjectIdentity?,
    _ member: ModelMember,
    in session: Session
  ) throws(DatabaseError) -> Object<M>? {
    guard let stored else { return nil }
    return Object(try session.target(M.self, member), stored.key)
  }

  /// The links.
  public static func _stored(_ array: [Object<M>]) -> [ObjectIdentity] { array.map(\.identity) }

  /// The targets of links.
  public static func _array(
    _ stored: [ObjectIdentity],
    in session: Session,
    _ member: ModelMember
  ) -> [Object<M>]? {
    guard let target = try? session.target(M.self, member) else { return nil }
    return stored.map { Object(target, $0.key) }
  }

  /// The targets, read when they are asked for.
  @inlinable
  public static func _readArray(
    _ key: ObjectKey,
    _ property: Property<[Object<M>]>,
    in session: Session
  ) throws(DatabaseError) -> Results<M> {
    guard let column = property.column else { throw property.unbound() }
    return Results(
      try session.target(M.self, property),
      .targets(ObjectIdentity(column.classKey, key), column)
    )
  }
}
