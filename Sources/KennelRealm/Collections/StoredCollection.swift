// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A collection that can be shown by another realm of its file.
public protocol _TransferableCollection: ThreadConfined {}

extension _TransferableCollection {
  /// Returns the same collection in another realm; `nil` if it is not there.
  internal func transferred(to context: RealmContext) -> Self? {
    (self as? any ReferableConfined)?.recipe()(context) as? Self
  }
}

/// A list, set or map, which the object that has it as a property makes once and keeps.
public protocol _StoredCollection: CollectionHost, _Persistable, _TransferableCollection
where PersistedType == Self {
  /// Creates an empty one.
  init()
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _StoredCollection {
  @inlinable
  public static var _isCached: Bool { true }
  public static func _makeDefault() -> Self { Self() }

  @inlinable
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    if let kept = object.collection(Int(key.rawValue)) { return known(kept, as: Self.self) }
    return made(object, key)
  }

  @usableFromInline
  internal static func made(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    let made = Self()
    made.attach(stored: object, key)
    made.keep(by: object, key)
    return made
  }

  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
    (_get(object, key) as? any AssignableCollection)?.assign(value)
  }

  internal static func at(_ place: ManagedPlace) -> Self {
    let made = Self()
    made.place = place
    return made
  }

  public static func _record(_ recorder: PathRecorder) -> Self {
    let noted = Self()
    noted.recorder = recorder
    return noted
  }
}

/// A collection of objects whose contents can be exchanged.
internal protocol ExchangeableCollection: CollectionHost, AssignableCollection,
  AttachableCollection, _StoredCollection
{
  associatedtype Contents: Collection

  var contents: Contents { get }
  func removeAll()
  func removeUnmanaged()
  func add(_ contents: Contents)
  /// Changes the embedded objects that are there, where an update asks for that; false where not.
  func update(_ place: ManagedPlace, _ contents: Contents) -> Bool
}

extension ExchangeableCollection {
  static var attachedShape: PropertyShape { _shape }

  func update(_ place: ManagedPlace, _ contents: Contents) -> Bool { false }

  func assign(_ value: Any) {
    guard let other = value as? Self, other !== self else { return }
    if let place, let otherPlace = other.place, place.isSame(as: otherPlace) { return }
    _ = writable()
    let contents = other.contents
    removeAll()
    add(contents)
  }

  func attach(_ object: ObjectBase, _ key: PropertyKey) {
    let contents = contents
    attach(stored: object, key)
    removeUnmanaged()
    guard let place, !update(place, contents) else { return }
    if !place.context.adding.isNew, place.count > 0 { removeAll() }
    if !contents.isEmpty { add(contents) }
  }
}
