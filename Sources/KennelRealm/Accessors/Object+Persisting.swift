// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Object: _PersistableInsideOptional, RealmFetchable {
  public typealias PersistedType = Object
  public typealias _NonNull = Object
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    guard let context else { return .null }
    return .link(context.adder.managedIdentity(of: self))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EmbeddedObject: _PersistableInsideOptional {
  public typealias PersistedType = EmbeddedObject
  public typealias _NonNull = EmbeddedObject
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    guard self.context != nil else { return .null }
    return .link(identity)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional where Self: ObjectBase {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.object, objectClass: self) }
  @inlinable
  public static var _isObject: Bool { true }
  @inlinable
  public static func _makeDefault() -> Self { Self() }
  @inlinable
  public static func _record(_ recorder: PathRecorder) -> Self { recording(recorder) }
  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    linked(value, context)
  }
  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    object.target(key, as: self).map { known($0, as: Self.self) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional where Self: Object {
  @inlinable
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    object.context?.link(object, key, to: value)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RealmCollectionValue where Self: EmbeddedObject {
  @inlinable
  public var _embedded: EmbeddedObject? { self }
}

extension ObjectBase {
  /// An accessor of the object that a link leads to.
  @usableFromInline
  internal static func linked(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self {
    guard case .link(let identity) = value, let context else {
      throwRealmException("There is no object of class '\(className())' here")
    }
    return known(context.accessors.make(identity, as: self), as: Self.self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectBase: KeypathSortable {
  public static func _recording(_ recorder: PathRecorder) -> Self { recording(recorder) }
}

// What protocols ask of objects stands in extensions of the protocols: a member of a base class would
// forbid a program's property of that name, whose wrapper has an underscore in front.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension KeypathSortable where Self: ObjectBase {
  public var _object: ObjectBase { self }
}
