public import CRealmSupport
public import KennelCore

/// The root of all model classes.
///
/// ```swift
/// let ship = Ship(value: ["name": "Maud"])
/// print(ship.realm == nil)
/// try realm.write { realm.add(ship) }
/// print(ship.realm == realm)
/// ```
///
/// Derive from ``Object`` or ``EmbeddedObject``.
///
/// An object is *unmanaged* until it is added to a realm. Then it is *managed*: it reads and writes
/// the file, and is confined to the thread, queue or actor of its realm.
open class ObjectBase: Hashable, CustomStringConvertible {
  // Without checks for exclusive access is what is used per property that a program reads or writes:
  // they cost more than the access. Safe to use: an object belongs to one thread, a frozen one does
  // not change, and no access contains another.

  /// The realm of the object.
  ///
  /// `nil` while it is unmanaged; set once, on the realm's thread.
  @usableFromInline @safe @exclusivity(unchecked) internal final var context: RealmContext?
  /// Which object of the file it is, while it is managed.
  @usableFromInline @safe @exclusivity(unchecked)
  internal final var identity = ObjectIdentity(ClassKey(rawValue: 0), ObjectKey(rawValue: 0))
  /// The realm's count of cancellations and invalidations when the object became managed.
  @usableFromInline @safe @exclusivity(unchecked) internal final var age: UInt64 = 0
  /// The primary key's property, which cannot be set; one that there is not where there is none.
  @usableFromInline @safe @exclusivity(unchecked)
  internal final var lockedKey = PropertyKey(rawValue: .max)
  /// How many collections and objects keep each other above this one.
  internal final var level: UInt8 = 0
  /// The collections that were asked for, the last one first.
  @safe @exclusivity(unchecked) private final var collections: KeptCollection?
  /// The object that a to-one property led to last.
  @safe @exclusivity(unchecked) internal final var lastTarget = LastAccessor<ObjectBase>()
  /// Where to note what is read, in the objects that key paths are turned into names with.
  internal final var recorder: PathRecorder?

  /// Creates an unmanaged object with the defaults of its properties.
  public required init() {}

  // MARK: - What a class overrides

  /// Returns the name of the class without the module.
  open class func className() -> String { String(describing: self) }

  /// Returns the name of the primary key, for models in the older syntax.
  open class func primaryKey() -> String? { nil }

  /// Returns the names of properties that are not stored, for models in the older syntax.
  open class func ignoredProperties() -> [String] { [] }

  /// Returns the names of indexed properties, for models in the older syntax.
  open class func indexedProperties() -> [String] { [] }

  /// Returns a dictionary from the Swift name of a property to its name in the file, for the
  /// properties whose two names differ.
  open class func propertiesMapping() -> [String: String] { [:] }

  // swift-format-ignore: NoLeadingUnderscores
  /// Returns the name of the class in the file, if it differs.
  ///
  /// Classes with the same name share their objects.
  open class func _realmObjectName() -> String? { nil }

  // swift-format-ignore: NoLeadingUnderscores
  /// The older name of ``propertiesMapping()``; models that override it still work.
  open class func _realmColumnNames() -> [String: String] { [:] }

  /// Returns whether the class belongs to realms whose configuration has no `objectTypes`.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  // MARK: - State

  /// The realm of the object; `nil` if it is unmanaged.
  public final var realm: Realm? { context.map(Realm.init) }

  /// Whether the object was deleted from its realm, or the realm was invalidated.
  ///
  /// Accessing a property of such an object stops the program.
  open var isInvalidated: Bool {
    guard let context else { return false }
    context.requireConfinement()
    return !context.isValid(self)
  }

  /// Whether the object is frozen.
  public final var isFrozen: Bool { context?.isFrozen ?? false }

  /// Returns whether both are the same object of the same realm.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether both are the same object; for unmanaged objects, the same instance.
  public final func isSameObject(as object: ObjectBase?) -> Bool {
    guard let object else { return false }
    if object === self { return true }
    guard let context, context === object.context else { return false }
    return identity == object.identity && !isInvalidated && !object.isInvalidated
  }

  /// Returns whether the object is equal to another.
  ///
  /// Objects with a primary key, and frozen objects, are equal if they are the same object of the
  /// same realm. Other objects are equal to themselves only; use ``isSameObject(as:)`` for them.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ObjectBase else { return false }
    return other === self || isKnownByIdentity && isSameObject(as: other)
  }

  /// Whether every accessor of the object is equal to every other.
  private final var isKnownByIdentity: Bool {
    lockedKey.rawValue != .max || context?.isFrozen ?? false
  }

  /// The hash value, equal for equal objects.
  open var hash: Int {
    context != nil && isKnownByIdentity ? identity.hashValue : ObjectIdentifier(self).hashValue
  }

  /// The class and its property values, in braces.
  open var description: String { (self as any DescribedObject).text }

  /// Returns the result of ``isEqual(_:)``.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool { left.isEqual(right) }

  /// Hashes ``hash``.
  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

@available(*, unavailable, message: "Objects belong to the thread or actor of their realm")
extension ObjectBase: Sendable {}

// MARK: - Reading and writing what is stored

extension ObjectBase {
  /// Makes the object an accessor.
  internal final func bind(
    _ identity: ObjectIdentity,
    _ context: RealmContext,
    lockedKey: PropertyKey
  ) {
    self.context = context
    self.identity = identity
    age = context.age
    self.lockedKey = lockedKey
  }

  /// A single value, read where it lies; `nil` for null.
  @inlinable
  @inline(__always)
  internal final func read<V: NullablePropertyValue>(
    _ key: PropertyKey,
    as type: V.Type = V.self
  ) -> V? {
    read(key) { (reader) throws(DatabaseError) in
      try V._readNullable(identity, key, identity.classKey, in: reader)
    }
  }

  /// The same for one word, statically dispatched.
  @inlinable
  @inline(__always)
  internal final func readWord<V: NullablePropertyValue & WordValue>(
    _ key: PropertyKey,
    as type: V.Type = V.self
  ) -> V? {
    read(key) { (reader) throws(DatabaseError) in try V._readWord(identity, key, in: reader) }
  }

  @inlinable
  @inline(__always)
  internal final func read<V: NullablePropertyValue>(
    _ key: PropertyKey,
    _ body: (DatabaseReader) throws(DatabaseError) -> V?
  ) -> V? {
    guard let context = context.map(Borrowed.init) else { return nil }
    return context.use { context in
      guard context.thread == kennel_this_thread(), context.age == age else {
        return readSlowly(key, V.self)
      }
      return Borrowed(context.shown).use { snapshot in
        do throws(DatabaseError) {
          return try body(snapshot)
        } catch {
          context.fail(error)
        }
      }
    }
  }

  @inline(never)
  @usableFromInline
  internal final func readSlowly<V: NullablePropertyValue>(
    _ key: PropertyKey,
    _ type: V.Type
  ) -> V? {
    guard let context else { return nil }
    context.requireConfinement()
    guard context.isCurrent(self) else { context.throwDeleted() }
    return context.attempt {
      try V._readNullable(identity, key, identity.classKey, in: context.view)
    }
  }

  /// Sets a single value.
  @inlinable
  @inline(__always)
  internal final func write<V: NullablePropertyValue>(_ value: V?, _ key: PropertyKey) {
    context.map(Borrowed.init)?.use { context in
      guard context.thread == kennel_this_thread(), context.age == age, key != lockedKey,
        let transaction = context.unloggedTransaction.map(Borrowed.init)
      else {
        writeSlowly(value, key)
        return
      }
      context.stamp &+= 1
      transaction.use { transaction in
        do throws(DatabaseError) {
          try V._setNullable(value, identity, key, in: transaction)
        } catch {
          context.note(error)
        }
      }
    }
  }

  @inline(never)
  @usableFromInline
  internal final func writeSlowly<V: NullablePropertyValue>(_ value: V?, _ key: PropertyKey) {
    requireWritable(key)
    context?.change { try V._setNullable(value, identity, key, in: $0) }
    context?.noteAssignment(identity, key)
  }

  // MARK: - Collections

  /// The collection of a slot, if it was asked for: that of a property is in the slot of the key's
  /// number, that of an inverse relationship as far below zero.
  @usableFromInline
  internal final func collection(_ slot: Int) -> KeptCollection? {
    var next = collections
    while let collection = next {
      if collection.slot == slot { return collection }
      next = collection.next
    }
    return nil
  }

  /// Keeps a collection for when it is asked for again.
  ///
  /// A frozen object, which may be read on many threads at once, keeps none.
  internal final func keep(_ collection: KeptCollection, _ slot: Int) {
    collection.level = level
    if isFrozen { return }
    collection.slot = slot
    collection.next = collections
    collections = collection
  }

  /// Makes an accessor that nobody else refers to that of another object of its class.
  @inline(__always)
  internal final func aim(_ identity: ObjectIdentity, _ age: UInt64) {
    self.identity = identity
    self.age = age
    if collections != nil { KeptCollection.renew(&collections, identity.key, age) }
  }

  // MARK: - Other values

  @usableFromInline
  internal final func stored(_ key: PropertyKey) -> StoredValue {
    guard let context else { return .null }
    context.requireConfinement()
    guard context.isCurrent(self) else { context.throwDeleted() }
    return context.attempt { try context.view.value(of: identity, property: key) }
  }

  /// Stops the program where a property may not be set now.
  @usableFromInline
  internal final func requireWritable(_ key: PropertyKey) {
    guard let context else { return }
    context.requireConfinement()
    context.requireWritable(self, key)
  }

  @usableFromInline
  internal final func store(_ key: PropertyKey, _ value: StoredValue) {
    context?.change { try $0.set(identity, property: key, to: value) }
    context?.noteAssignment(identity, key)
  }
}

/// Whether an object is an instance of a class or of one that derives from it.
internal func isInstance(_ object: ObjectBase, of objectClass: ObjectBase.Type) -> Bool {
  var current: AnyClass? = type(of: object)
  while let known = current, known != objectClass { current = _getSuperclass(known) }
  return current != nil
}

/// An object that can be written as text, with the values of its properties.
internal protocol DescribedObject {
  var text: String { get }
}
