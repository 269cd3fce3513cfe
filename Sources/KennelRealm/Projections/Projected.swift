// swift-format-ignore-file: NoLeadingUnderscores
//
// `_enclosingInstance` is the compiler's name.

/// Declares a property of a ``Projection``: a key path of the projected object.
///
/// ```swift
/// class ShipCard: Projection<Ship> {
///   @Projected(\Ship.name) var title
///   @Projected(\Ship.captain?.name) var captainName
///   @Projected(\Ship.voyages.projectTo.port) var ports: ProjectedCollection<String>
/// }
/// ```
///
/// The key path begins with a stored property. It may follow to-one links and embedded objects with
/// `?.`, compute a value from a property, as in `\Ship.name.count`, or map a collection with
/// `projectTo`.
///
/// Reading costs what Swift needs to apply the key path, about 50 ns, and 250 ns for one with `?.`,
/// in addition to reading the properties. Writing stops the program if the key path is read-only:
/// if it contains `?.` or leads to a computed value.
@propertyWrapper
public struct Projected<T: ObjectBase & RealmCollectionValue, Value> {
  /// Makes the key path: the same one each time, unless it contains a subscript, as `projectTo` is.
  @usableFromInline internal let declared: () -> KeyPath<T, Value>
  /// The key path of the class where `declared` would make another, which takes microseconds.
  @usableFromInline internal var kept: KeyPath<T, Value>?

  @inlinable internal var keyPath: KeyPath<T, Value> { kept ?? declared() }

  /// Cannot be used: only a ``Projection`` may declare such a property.
  @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
  public var wrappedValue: Value {
    get { throwRealmException("@Projected can only be used as a property of a Projection") }
    set { throwRealmException("@Projected can only be used as a property of a Projection") }
  }

  /// Declares a property.
  ///
  /// - Parameter projectedKeyPath: The key path of the projected object.
  @inlinable
  public init(_ projectedKeyPath: @escaping @autoclosure () -> KeyPath<T, Value>) {
    declared = projectedKeyPath
  }

  /// Reads and writes the property; called by the compiler.
  @inlinable
  public static subscript<Enclosing: Projection<T>>(
    _enclosingInstance projection: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Projected<T, Value>>
  ) -> Value {
    @inline(__always)
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    @inline(__always)
    set { projection[keyPath: storage].set(newValue, of: projection.rootObject) }
  }

  @usableFromInline
  internal func set(_ value: Value, of object: T) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<T, Value> else {
      throwRealmException(
        "Cannot set a projected property whose key path '\(keyPath)' is not writable: set the "
          + "property of the object that it leads to"
      )
    }
    object[keyPath: writable] = value
  }
}

/// A wrapper whose type is known at run time only.
internal protocol AnyProjected {
  var anyKeyPath: AnyKeyPath { get }
  /// Whether each instance would make a key path of its own.
  var isMadeAnew: Bool { get }
  /// Has the wrapper use a key path.
  mutating func keep(_ keyPath: AnyKeyPath)
}

extension AnyProjected {
  /// Has the wrapper of this type at its place in a new projection use a key path.
  static func keep(_ keyPath: AnyKeyPath, at place: FieldPlace) {
    place[as: Self.self].keep(keyPath)
  }
}

extension Projected: AnyProjected {
  var anyKeyPath: AnyKeyPath { keyPath }

  var isMadeAnew: Bool { declared() !== declared() }

  mutating func keep(_ keyPath: AnyKeyPath) { kept = known(keyPath, as: KeyPath<T, Value>.self) }
}
