@_spi(Faces) public import KennelCore

/// Creates the objects of a collection.
///
/// For internal use.
///
/// It keeps the last object that it returned. If nothing else refers to that object when the next
/// one is requested, the same instance is used for the next one, which costs a tenth of making one.
/// An object that the program keeps, in a variable, a collection, a closure or weakly, is never
/// changed.
public class AccessorHost: KeptCollection {
  /// More objects that are kept one after the other, and the host stops hoping for one to come back.
  private static let patience: UInt8 = 8
  // Safe to use without checks for exclusive access, as the properties of ``KeptCollection``.

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
  @safe @exclusivity(unchecked) private final var last = LastAccessor<ObjectBase>()

  internal override init() { super.init() }

  /// Whether the host hands objects out.
  @inlinable internal final var isWalkable: Bool { plan != nil }

  /// Gets ready to hand out objects of a class, if that is exactly the one that is wanted.
  ///
  /// Hosts of a frozen realm, which may be used on many threads at once, do not.
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

  /// An object of the class of the elements.
  @usableFromInline
  internal final func object(_ key: ObjectKey) -> ObjectBase {
    guard let realm = elementRealm.map(Borrowed.init), let object = last.unshared() else {
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
