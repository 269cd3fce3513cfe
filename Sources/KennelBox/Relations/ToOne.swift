import KennelCore
public import Synchronization

/// A relation to one object, or to none.
///
/// ```swift
/// note.author.target = ada
/// try box.put(note)
/// note.author = nil
/// try box.put(note)
/// ```
///
/// Declare the property with `nil`. Set ``target`` or ``targetId`` to change the target. Set either
/// of them, or the whole property, to `nil` to have no target; the former target stays in the
/// database. Putting the owner stores the relation, and puts a target that was never put. The
/// target is read on first access. Several threads may read and change one relation.
public final class ToOne<T: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where T == T.EntityBindingType.EntityType {
  /// The entity of the target.
  public typealias Target = T

  /// The target that was set or read.
  ///
  /// It has an object of its own: a relation has the same layout whatever its target, which makes it
  /// cheaper to free.
  @usableFromInline
  final class Held {
    @usableFromInline let object: T

    @inlinable
    init(_ object: T) { self.object = object }
  }

  // Without checks for exclusive access, which cost more than the access. Safe: accessed with the lock
  // held, or by the thread that creates the relation.

  /// The target, if it was set or read.
  @safe @exclusivity(unchecked) @usableFromInline var held: Held?
  /// The id of a target that was not read; 0 for none.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var id: Id = 0
  /// The store that the target is read from; `nil` until the object is put or read.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var store: Store?
  /// Whether a target was set since the relation was read.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var isChanged = true
  /// The position of the map of the target's entity in the store, if that is known.
  @safe @exclusivity(unchecked) private var mapIndex: Int32?
  /// Protects the above.
  ///
  /// It is held neither while the database is used nor while code of the program runs.
  @usableFromInline let lock = Mutex(())

  /// Creates a relation to nothing.
  @inlinable
  public init(nilLiteral: ()) {}

  /// Creates a relation to an object.
  @inlinable
  public init(_ target: T?) { held = target.map { target in Held(target) } }

  /// Creates a relation to an object.
  @inlinable
  public convenience init(target: T?) { self.init(target) }

  @inlinable
  @inline(__always)
  func locked<Result>(_ body: () -> Result) -> Result {
    lock._unsafeLock()
    defer { lock._unsafeUnlock() }
    return body()
  }

  /// Whether there is a target.
  public var hasValue: Bool { locked { held != nil || id != 0 } }

  /// The target; `nil` if there is none.
  ///
  /// The target is read once, on first access; ``reset()`` forgets it. A target that was removed
  /// meanwhile, or cannot be read, is `nil`.
  @inlinable
  public var target: T? {
    get {
      let (found, id, store) = locked { (self.held, self.id, self.store) }
      if let found { return found.object }
      guard id != 0, let store else { return nil }
      let read = (try? store.object(id, T.self, map(in: store))).map { object in Held(object) }
      return locked {
        // Another thread may have read it, or changed the relation, meanwhile.
        if held == nil, self.id == id { held = read }
        return held ?? read
      }?.object
    }
    set { hold(newValue.map { target in Held(target) }, 0) }
  }

  /// Holds another target, or leads to one by its id.
  @usableFromInline
  func hold(_ target: Held?, _ id: Id) {
    // Released without the lock: an object that goes runs code of the program.
    _ = locked {
      defer {
        held = target
        self.id = id
        isChanged = true
      }
      return held
    }
  }

  @usableFromInline
  func noteWritten() { locked { isChanged = false } }

  /// The map of the target's entity in the store of the relation.
  @usableFromInline
  func map(in store: Store) -> EntityMap {
    locked { mapIndex }.map { index in store.maps[Int(index)] } ?? store.map(of: T.entityInfo)
  }

  /// Connects the relation with the store that its target is read from.
  @usableFromInline
  func connect(_ store: Store, _ mapIndex: Int32?) {
    locked {
      self.store = store
      self.mapIndex = mapIndex
    }
  }

  /// Fills a relation that was just created, and that no other thread knows.
  @usableFromInline
  func fill(_ id: Id, _ store: Store, _ mapIndex: Int32) {
    self.id = id
    self.store = store
    self.mapIndex = mapIndex
    isChanged = false
  }

  /// Holds the same target in another way, unless the relation was changed meanwhile.
  @usableFromInline
  func replace(_ old: Held, with new: Held) { locked { if held === old { held = new } } }

  /// The id of the target; `nil` if there is none, or if the target was never put.
  public var targetId: EntityId<T>? {
    get {
      let (held, id) = locked { (self.held, self.id) }
      let found = held.map { held in T.entityBinding.id(of: held.object) } ?? id
      return found == 0 ? nil : EntityId(found)
    }
    set { setTargetId(newValue?.value ?? 0) }
  }

  /// Forgets the target that was read; the next access reads it again.
  public func reset() {
    guard let found = targetId?.value else { return }
    _ = locked {
      guard store != nil else { return nil as Held? }
      id = found
      return held.take()
    }
  }

  /// Sets the store to read the target from, before the object is put.
  public func attach(to store: Store) { connect(store, nil) }

  /// Puts the target if it was never put.
  ///
  /// - Returns: The id of the target, 0 for none, and whether the target was set since the relation
  ///   was read.
  @inlinable
  func putTarget(
    in transaction: StoreTransaction,
    _ map: EntityMap
  ) throws -> (id: Id, isChanged: Bool) {
    let (old, id, isChanged) = locked { (self.held, self.id, self.isChanged) }
    guard let old else { return (id, isChanged) }
    var target = old.object
    let found = T.entityBinding.id(of: target)
    if found != 0 { return (found, isChanged) }
    var putter = try EntityPutter(T.self, map, transaction)
    let new = try putter.put(&target, .put)
    // A structure has its id now.
    let held = T.self is AnyObject.Type ? old : Held(target)
    replace(old, with: held)
    transaction.noteNewTarget {
      var target = held.object
      T.entityBinding.setId(0, of: &target)
      if !(T.self is AnyObject.Type) { self.replace(held, with: Held(target)) }
    }
    return (new, isChanged)
  }
}

extension ToOne: ToOneRelation {
  /// Sets the target by its id; 0 for no target.
  public func setTargetId(_ id: Id) {
    if id != 0, targetId?.value == id {
      locked { isChanged = true }
    } else {
      hold(nil, id)
    }
  }
}

extension ToOne: CustomStringConvertible, CustomDebugStringConvertible {
  /// The target, such as `ToOne(Note 7)`; reads nothing.
  public var description: String {
    let (held, id) = locked { (self.held, self.id) }
    return held.map { "ToOne(\($0.object))" }
      ?? (id == 0 ? "ToOne(nil)" : "ToOne(\(T.self) \(id))")
  }

  /// The target; reads nothing.
  public var debugDescription: String { description }
}

extension EntityReader {
  /// Returns a to-one relation.
  ///
  /// - Parameter number: The number of the property.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if the file is damaged.
  @inlinable
  public func read<T>(at number: Int) throws -> ToOne<T> {
    let relation = ToOne<T>(nilLiteral: ())
    try read(into: relation, at: number)
    return relation
  }

  /// Reads a to-one relation into the `ToOne` that a new instance already has.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: `DatabaseError` if the file is damaged.
  @inlinable
  public func read<T>(into relation: ToOne<T>, at number: Int) throws {
    relation.fill(try targetId(number), store, map.targets[number])
  }
}

extension EntityWriter {
  /// Writes a to-one relation, and puts a target that was never put.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if the program set a target that does not
  ///   exist; or `DatabaseError`.
  @inlinable
  public func write<T>(_ relation: ToOne<T>, at number: Int) throws {
    if isCollecting { return }
    let target = storeTransaction.store.maps[Int(map.targets[number])]
    let (id, isChanged) = try relation.putTarget(in: storeTransaction, target)
    try setLink(id, target, isChanged: isChanged, at: number)
    relation.noteWritten()
  }
}

extension RelationConnector {
  /// Connects a to-one relation with the store.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: `DatabaseError` if the file is damaged.
  @inlinable
  public func attach<T>(_ relation: ToOne<T>, at number: Int) throws {
    relation.connect(transaction.store, map.targets[number])
  }
}
