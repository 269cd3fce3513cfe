import CRealmSupport
@_spi(Faces) public import KennelCore

/// Creates the objects of a collection.
///
/// For internal use.
///
/// It keeps the last object that it handed out. Where nobody else refers to that one when the next is
/// asked for, it becomes the next, which costs a twentieth of a new one. An object that the program
/// kept, in a variable, a collection, a closure or weakly, is never touched.
///
/// Objects go out in two ways: with a reference for the program, which is cheap to count here and
/// costs the program a locked instruction to give back, or without one, as `aim` says. The
/// second is for loops that are mostly the innermost.
///
/// The host itself is kept by the object whose collection it is. A loop that comes to its end leaves
/// its reference to the host there, for the next loop.
public class AccessorHost {
  /// More objects that are kept one after the other, and the host stops hoping for one to come back.
  private static let patience: UInt8 = 8
  /// Objects are kept by hosts that belong to objects that are kept by hosts … up to here, so that
  /// who follows a long chain of links does not keep all of it.
  internal static let deepest: UInt8 = 3

  /// Whether and how the host is lent; it has to be the first.
  @exclusivity(unchecked) private final var loan = kennel_loan()
  /// Whether the elements are objects whose class in Swift is exactly that of the collection.
  @usableFromInline @exclusivity(unchecked) internal final var isWalkable = false
  /// How many hosts and objects keep each other above this one.
  @exclusivity(unchecked) internal final var level: UInt8
  /// How many objects were kept by the program since one was not.
  @exclusivity(unchecked) private final var misses: UInt8 = 0
  /// The class of the elements.
  @exclusivity(unchecked) private final var elementClass = ClassKey(rawValue: 0)
  /// That of ``elementRealm``.
  @exclusivity(unchecked) private final var isLending = false
  // The collection keeps the context, and that the plans.
  @exclusivity(unchecked) internal final var elementRealm: Unmanaged<RealmContext>?
  @exclusivity(unchecked) private final var plan: Unmanaged<AccessorPlan>?
  /// The object that was handed out last.
  @exclusivity(unchecked) private final var last = LastAccessor()
  /// The object whose collection it is, if it is one's.
  @exclusivity(unchecked) internal final var owner = ObjectIdentity(
    ClassKey(rawValue: 0),
    ObjectKey(rawValue: 0)
  )
  /// As ``ObjectBase/age``.
  @exclusivity(unchecked) internal final var ownerAge: UInt64 = 0

  @usableFromInline
  internal init(level: UInt8) {
    self.level = level
  }

  deinit { last.forget() }

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
    elementRealm = Unmanaged.passUnretained(context)
    plan = Unmanaged.passUnretained(binding.plan)
    elementClass = classKey
    isLending = context.isLending
    isWalkable = true
  }

  /// Serves the collection of another object of the same class.
  @inline(__always)
  internal final func renew(_ key: ObjectKey, _ age: UInt64) {
    owner = ObjectIdentity(owner.classKey, key)
    ownerAge = age
  }

  /// An object of the class of the elements.
  @usableFromInline
  internal final func object(_ key: ObjectKey) -> ObjectBase {
    guard let realm = elementRealm, let object = last.taken() else { return newObject(key) }
    misses = 0
    direct(object, to: key, realm)
    return object.takeRetainedValue()
  }

  /// Creates an accessor that nobody refers to that of another object.
  @inline(__always)
  private final func direct(
    _ object: Unmanaged<ObjectBase>,
    to key: ObjectKey,
    _ realm: Unmanaged<RealmContext>
  ) {
    let age = realm._withUnsafeGuaranteedRef { $0.age }
    let keepsCollections = object._withUnsafeGuaranteedRef { object in
      object.identity = ObjectIdentity(elementClass, key)
      object.age = age
      return object.keepsCollections
    }
    guard keepsCollections, let plan else { return }
    plan._withUnsafeGuaranteedRef { plan in
      object._withUnsafeGuaranteedRef { plan.renewCollections(of: $0, key, age, isLending) }
    }
  }

  @inline(never)
  private func newObject(_ key: ObjectKey) -> ObjectBase {
    let object = makeObject(key)
    if misses < Self.patience {
      misses &+= 1
      last.keep(object)
    }
    return object
  }

  /// An object of the class of the elements that stays ours: the program counts a reference of its
  /// own, and where it does nothing but read the object, the compiler leaves that out.
  @usableFromInline
  internal final func aim(_ key: ObjectKey) -> Unmanaged<ObjectBase> {
    guard let realm = elementRealm, let object = last.sole() else { return aimNew(key) }
    direct(object, to: key, realm)
    return object
  }

  @inline(never)
  private func aimNew(_ key: ObjectKey) -> Unmanaged<ObjectBase> {
    let object = makeObject(key)
    last.keep(object)
    return Unmanaged.passUnretained(object)
  }

  internal func makeObject(_ key: ObjectKey) -> ObjectBase {
    guard let realm = elementRealm, let plan else {
      throwRealmException("The collection is of no realm")
    }
    let object = plan._withUnsafeGuaranteedRef { plan in
      realm._withUnsafeGuaranteedRef { plan.makeAccessor(ObjectIdentity(elementClass, key), $0) }
    }
    object.level = level &+ 1
    return object
  }

  /// Gives the first objects of a walk over all, up to eight, and what gives the rest; says how many.
  @usableFromInline
  internal func begin(_ keys: inout KeyBatch, _ rest: inout IteratorRest?) -> Int { 0 }

  /// Begins to hope again.
  internal final func beginWalk() { misses = 0 }
}

/// A list or set and what its elements need of the place where they are stored.
public class CollectionHost: AccessorHost {
  /// Where the collection is stored; `nil` while it is unmanaged.
  internal final var place: ManagedPlace? {
    get {
      guard var place = stored else { return nil }
      place.renew(owner.key, ownerAge)
      return place
    }
    set {
      stored = newValue
      notePlace()
    }
  }
  /// The same, but of the first object that the host served.
  @exclusivity(unchecked) private final var stored: ManagedPlace?
  /// What ``place`` says of links, without its references.
  @exclusivity(unchecked) private final var links: KennelCore.Property<[ObjectIdentity]>?
  /// Whether elements are in a realm, or noted by a recorder: they are not kept here.
  @usableFromInline @exclusivity(unchecked) internal final var isElsewhere = false
  /// Where to note what is read; see ``ObjectBase``.
  internal final var recorder: PathRecorder? {
    didSet { isElsewhere = true }
  }

  private func notePlace() {
    isWalkable = false
    isElsewhere = stored != nil
    guard let stored else { return }
    owner = stored.identity
    ownerAge = stored.age
    links = stored.links
  }

  /// Gets ready to hand out elements, where they are objects of exactly the wanted class.
  internal final func prepare(for type: Any.Type) {
    guard !isWalkable, let place, place.links != nil, !place.context.isFrozen,
      let target = place.context.view.schema[place.identity.classKey]?[place.key]?.target
    else { return }
    prepare(place.context, target, for: type)
  }

  @usableFromInline
  internal final override func begin(
    _ keys: inout KeyBatch,
    _ rest: inout IteratorRest?
  ) -> Int {
    beginWalk()
    guard let realm = elementRealm, let links else { return 0 }
    let count = realm._withUnsafeGuaranteedRef { context -> Int? in
      context.requireConfinement()
      guard context.isCurrent(owner, ownerAge) else { return nil }
      return context.sight._withUnsafeGuaranteedRef { snapshot in
        keys.fill { snapshot.copyTargets(of: owner, links, into: &$0) }
      }
    }
    if let count, count <= 8 { return count }
    guard case .objects(_, let all)? = place?.found else { return 0 }
    return KeyWalk.begin(all, &keys, &rest)
  }

  /// The element at a position, as an object; `nil` if there is none.
  @usableFromInline
  internal final func element(at position: Int) -> ObjectBase? {
    guard let realm = elementRealm, let links else { return nil }
    let key = realm._withUnsafeGuaranteedRef { context -> ObjectKey? in
      context.requireConfinement()
      guard context.isCurrent(owner, ownerAge) else { return nil }
      return context.sight._withUnsafeGuaranteedRef { snapshot in
        context.attempt {
          guard position >= 0, position < (try snapshot.count(in: owner, links)) else { return nil }
          return try snapshot.target(at: position, in: owner, links).key
        }
      }
    }
    return key.map { object($0) }
  }
}
