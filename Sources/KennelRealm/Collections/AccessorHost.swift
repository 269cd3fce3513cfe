@_spi(Faces) public import KennelCore

/// Creates the objects of a collection.
///
/// For internal use.
///
/// It keeps the last object that it returned. If nothing else refers to that object when the next
/// one is requested, the same instance is used for the next one, which costs a tenth of making one.
/// An object that the program keeps, in a variable, a collection, a closure or weakly, is never
/// changed.
///
/// A collection is itself kept alive by the object that has it as a property.
public class AccessorHost {
  /// More objects that are kept one after the other, and the host stops hoping for one to come back.
  private static let patience: UInt8 = 8
  /// Objects are kept by hosts that belong to objects that are kept by hosts … up to here, so that
  /// who follows a long chain of links does not keep all of it.
  internal static let deepest: UInt8 = 3

  /// How many hosts and objects keep each other above this one.
  internal final var level: UInt8 = 0

  // Without checks for exclusive access is what is used per element that a program reads: they cost
  // more than the access. Safe to use: a host belongs to one thread, that of something frozen does not
  // change, and no access contains another.

  /// How many objects were kept by the program since one was not.
  @safe @exclusivity(unchecked) private final var misses: UInt8 = 0
  /// The class of the elements.
  @safe @exclusivity(unchecked) private final var elementClass = ClassKey(rawValue: 0)
  /// The realm and the plan of the elements, where those are objects whose class in Swift is exactly
  /// that of the collection.
  @safe @exclusivity(unchecked) internal private(set) final var elementRealm: RealmContext?
  @safe @exclusivity(unchecked) @usableFromInline
  internal private(set) final var plan: AccessorPlan?
  /// The object that was handed out last.
  @safe @exclusivity(unchecked) private final var last = LastAccessor()
  /// The property whose collection it is, as ``ObjectBase/collection(_:)`` counts, and the next
  /// collection of the object.
  @safe @exclusivity(unchecked) internal final var slot = 0
  @safe @exclusivity(unchecked) internal final var next: AccessorHost?

  internal init() {}

  /// Whether the host hands objects out.
  @inlinable internal final var isWalkable: Bool { plan != nil }

  /// Gets ready to hand out objects of a class, if that is exactly the one that is wanted.
  ///
  /// What belongs to a frozen realm, and may be used on many threads at once, does not.
  internal final func prepare(
    _ context: RealmContext,
    _ classKey: ClassKey,
    for type: Any.Type
  ) {
    guard level < Self.deepest, let binding = context.file.bindings.binding(classKey),
      ObjectIdentifier(binding.model.objectClass) == ObjectIdentifier(type), binding.plan.isReusable
    else { return }
    elementRealm = context
    plan = binding.plan
    elementClass = classKey
  }

  /// Serves the collection of another object of the same class.
  internal func renew(_ key: ObjectKey, _ age: UInt64) {}

  /// An object of the class of the elements.
  @usableFromInline
  internal final func object(_ key: ObjectKey) -> ObjectBase {
    guard let realm = elementRealm.map(Borrowed.init), let object = last.again() else {
      return newObject(key)
    }
    misses = 0
    object.aim(ObjectIdentity(elementClass, key), realm.use { $0.age })
    return object
  }

  @inline(never)
  private func newObject(_ key: ObjectKey) -> ObjectBase {
    guard let realm = elementRealm.map(Borrowed.init), let plan = plan.map(Borrowed.init) else {
      throwRealmException("The collection is of no realm")
    }
    let identity = ObjectIdentity(elementClass, key)
    let object = realm.use { realm in plan.use { $0.makeAccessor(identity, realm) } }
    object.level = level &+ 1
    if misses < Self.patience {
      misses &+= 1
      last.keep(object)
    }
    return object
  }

  /// Gives the first objects of a walk over all, up to eight, and what gives the rest; says how many.
  internal func begin(_ keys: inout ObjectWalk.Keys, _ rest: inout [ObjectWalk.Rest]) -> Int {
    0
  }

  /// Begins to hope again.
  internal final func beginWalk() { misses = 0 }
}

/// A list, set or map, with what is needed to read its elements from where they are stored.
public class CollectionHost: AccessorHost {
  /// Where the collection is stored; `nil` while it is unmanaged.
  ///
  /// Safe to use without checks for exclusive access, as the properties of ``AccessorHost``.
  @safe @exclusivity(unchecked) internal final var place: ManagedPlace?
  /// Where to note what is read; see ``ObjectBase``.
  internal final var recorder: PathRecorder?

  /// Whether elements are in a realm, or noted by a recorder: they are not kept here.
  @usableFromInline internal final var isElsewhere: Bool { place != nil || recorder != nil }

  /// The realm; `nil` if the collection is unmanaged.
  public final var realm: Realm? { place.map { Realm($0.context) } }

  /// Whether the object that has the collection was deleted, or the realm was invalidated.
  public final var isInvalidated: Bool { place.map { !$0.isValid } ?? false }

  internal final func keep(by object: ObjectBase, _ key: PropertyKey) {
    object.keep(self, Int(key.rawValue))
  }

  /// Connects the collection to what is stored.
  @usableFromInline
  internal final func attach(stored object: ObjectBase, _ key: PropertyKey) {
    place = object.context.map { ManagedPlace(object, $0, key) }
  }

  internal final override func renew(_ key: ObjectKey, _ age: UInt64) { place?.renew(key, age) }

  /// Gets ready to hand out elements, where they are objects of exactly the wanted class.
  internal final func prepare(for type: Any.Type) {
    guard !isWalkable, let place, place.links != nil, !place.context.isFrozen,
      let target = place.context.view.schema[place.identity.classKey]?[place.key]?.target
    else { return }
    prepare(place.context, target, for: type)
  }

  internal final override func begin(
    _ keys: inout ObjectWalk.Keys,
    _ rest: inout [ObjectWalk.Rest]
  ) -> Int {
    beginWalk()
    let count = withLinks { object, links, snapshot in
      snapshot.copyTargets(of: object, links, into: &keys)
    }
    if let count, count <= 8 { return count }
    guard case .objects(_, let all)? = place?.found else { return 0 }
    return ObjectWalk.begin(all, &keys, &rest)
  }

  /// The element at a position, as an object; `nil` if there is none.
  @usableFromInline
  internal final func element(at position: Int) -> ObjectBase? {
    let key = withLinks { owner, links, snapshot -> ObjectKey? in
      do throws(DatabaseError) {
        guard position >= 0, position < (try snapshot.count(in: owner, property: links)) else {
          return nil
        }
        return try snapshot.target(at: position, in: owner, property: links).key
      } catch {
        elementRealm?.stop(error)
        return nil
      }
    }
    return key.map { object($0) }
  }

  /// The single value under a key of a map in a mixed value, as long as that is what it was when it was
  /// asked for; `nil` where more has to be looked at.
  @usableFromInline
  internal final func unchangedValue(_ key: String) -> AnyRealmValue?? {
    guard let path = (place?.path).map(Borrowed.init),
      let realm = (place?.context).map(Borrowed.init),
      let object = place?.identity, let age = place?.age
    else { return nil }
    return realm.use { realm in
      realm.requireConfinement()
      guard realm.isCurrent(object, age), let bytes = path.use({ $0.unchanged(realm) }) else {
        return nil
      }
      guard let value = realm.attempt({ try bytes.entry(key) }) else { return .some(nil) }
      if value.isCollection { return nil }
      return .some(AnyRealmValue._decode(value, realm))
    }
  }

  /// Calls a body with the object whose links these are, where the host hands objects out.
  @inline(__always)
  private final func withLinks<Answer>(
    _ body: (ObjectIdentity, TypedProperty<[ObjectIdentity]>, DatabaseReader) -> Answer?
  ) -> Answer? {
    guard let realm = elementRealm.map(Borrowed.init), let object = place?.identity,
      let age = place?.age, let links = place?.links
    else { return nil }
    return realm.use { realm in
      realm.requireConfinement()
      if !realm.isCurrent(object, age) { place?.throwInvalidated() }
      return Borrowed(realm.shown).use { body(object, links, $0) }
    }
  }
}
