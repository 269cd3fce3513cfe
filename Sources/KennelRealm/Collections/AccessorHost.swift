public import KennelCore

/// What hands out the objects of a collection; programs have no use for it.
///
/// It keeps the last object that it handed out. Where nobody else refers to that one when the next is
/// asked for, it becomes the next, which costs a twentieth of a new one. An object that the program
/// kept, in a variable, a collection, a closure or weakly, is never touched.
///
/// Objects go out in two ways: with a reference for the program, which is cheap to count here and
/// costs the program a locked instruction to give back, or without one, as `aim` says. The
/// second is for loops that are mostly the innermost.
public class AccessorHost {
  /// More objects that are kept one after the other, and the host stops hoping for one to come back.
  private static let patience: UInt8 = 8
  /// Objects are kept by hosts that belong to objects that are kept by hosts … up to here, so that
  /// who follows a long chain of links does not keep all of it.
  internal static let deepest: UInt8 = 3

  /// Whether the elements are objects whose class in Swift is exactly that of the collection.
  @usableFromInline @exclusivity(unchecked) internal final var isWalkable = false
  /// How many hosts and objects keep each other above this one.
  @exclusivity(unchecked) internal final var level: UInt8
  /// How many objects were kept by the program since one was not.
  @exclusivity(unchecked) private final var misses: UInt8 = 0
  /// The class of the elements.
  @exclusivity(unchecked) private final var elementClass = ClassKey(rawValue: 0)
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
    guard level < Self.deepest, let binding = context.file.binding(classKey),
      ObjectIdentifier(binding.model.objectClass) == ObjectIdentifier(type), binding.plan.isReusable
    else { return }
    elementRealm = Unmanaged.passUnretained(context)
    plan = Unmanaged.passUnretained(binding.plan)
    elementClass = classKey
    isWalkable = true
  }

  /// Serves the collection of another object of the same class.
  internal func renew(_ key: ObjectKey, _ age: UInt64) {
    owner = ObjectIdentity(owner.classKey, key)
    ownerAge = age
  }

  /// An object of the class of the elements.
  @usableFromInline
  internal final func object(_ key: ObjectKey) -> ObjectBase {
    if let realm = elementRealm,
      let object = realm._withUnsafeGuaranteedRef({
        last.again(ObjectIdentity(elementClass, key), $0)
      })
    {
      misses = 0
      return object
    }
    return newObject(key)
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
    if let realm = elementRealm,
      let object = realm._withUnsafeGuaranteedRef({
        last.aimed(ObjectIdentity(elementClass, key), $0)
      })
    {
      return object
    }
    return aimNew(key)
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

  /// Begins to hope again.
  internal final func beginWalk() { misses = 0 }
}

/// A list or set and what its elements need of the place where they are stored.
public class CollectionHost: AccessorHost {
  /// Where the collection is stored; `nil` while it is unmanaged.
  internal final var place: ManagedPlace? {
    get { stored }
    set {
      stored = newValue
      notePlace()
    }
  }
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
    isElsewhere = place != nil
    guard let place else { return }
    owner = place.identity
    ownerAge = place.age
    links = place.links
  }

  /// Gets ready to hand out elements, where they are objects of exactly the wanted class.
  internal final func prepare(for type: Any.Type) {
    guard !isWalkable, let place, place.links != nil, !place.context.isFrozen,
      let target = place.context.view.schema[place.identity.classKey]?[place.key]?.target
    else { return }
    prepare(place.context, target, for: type)
  }

  override func renew(_ key: ObjectKey, _ age: UInt64) {
    super.renew(key, age)
    stored?.renew(key, age)
  }

  /// The first elements of a walk over all, as objects, and what gives the rest.
  @usableFromInline
  internal final func begin(
    _ keys: inout [8 of ObjectKey],
    _ rest: inout IteratorRest?
  ) -> Int {
    beginWalk()
    guard let realm = elementRealm, let links else { return 0 }
    let count = realm._withUnsafeGuaranteedRef { context -> Int? in
      context.requireConfinement()
      guard context.isCurrent(owner, ownerAge) else { return nil }
      return context.sight._withUnsafeGuaranteedRef {
        $0.copyTargets(of: owner, links, into: &keys)
      }
    }
    if let count, count <= 8 { return count }
    guard case .objects(_, let all)? = place?.found, !all.isEmpty else { return 0 }
    let walk = KeyWalk(all)
    rest = walk
    return walk.refill(&keys, 0, ObjectKey(rawValue: 0))
  }

  /// The element at a position, as an object; `nil` where there is none.
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
