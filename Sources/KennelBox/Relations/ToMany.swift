@_spi(Faces) public import KennelCore
public import Synchronization

/// A relation to any number of objects.
///
/// ```swift
/// // objectbox: backlink = "author"
/// var notes: ToMany<Note> = nil
/// ```
///
/// Declare the property with `nil`. Without an annotation the relation is stored and has each
/// object at most once. With the annotation `backlink` it shows the objects whose relation leads to
/// the owner.
///
/// The relation is a collection, which is read on first access. Change it as you would change an
/// array. ``applyToDb()`` writes the changes; putting a new owner writes them too. Putting an owner
/// that is already stored does not write them, unless the program created that instance and gave it
/// the id of a stored object, instead of reading it from the box.
///
/// Several threads may read, change and write one relation: each call is atomic. The objects
/// themselves are not protected.
public final class ToMany<S: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where S == S.EntityBindingType.EntityType {
  /// The entity of the objects.
  public typealias ReferencedType = S

  /// Where a relation is stored.
  @usableFromInline
  struct Origin {
    let store: Store
    /// The position of the owner's map in the store.
    let mapIndex: Int32
    /// The number of the property.
    let number: Int32
    let ownerKey: UInt64
  }

  // Without checks for exclusive access, which cost more than the access. Safe: accessed with the lock
  // held.

  /// The objects and their changes; `nil` before they were read.
  @safe @exclusivity(unchecked) @usableFromInline var content: Content?
  @safe @exclusivity(unchecked) @usableFromInline private(set) var origin: Origin?
  /// Protects the above and the content.
  ///
  /// It is never held while the database is read or written, which may wait for a thread that waits for
  /// the lock, nor while code of the program runs.
  @usableFromInline let lock = Mutex(())

  /// Creates a relation to nothing.
  @inlinable
  public init(nilLiteral: ()) {}

  /// Creates a relation to nothing.
  @inlinable
  public init() {}

  // MARK: - State

  @inlinable
  @inline(__always)
  func locked<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock._unsafeLock()
    defer { lock._unsafeUnlock() }
    return try body()
  }

  /// Whether the objects were read.
  public var resolved: Bool { locked { content != nil } }

  /// Whether there are changes that ``applyToDb()`` would write, or elements that putting a new
  /// owner would write.
  public var hasPendingDbChanges: Bool {
    locked {
      guard let content else { return false }
      return origin == nil ? !content.elements.isEmpty : content.hasChanges
    }
  }

  /// Whether the owner is in a store, so that the relation can be read and written.
  public var canInteractWithDb: Bool { locked { origin != nil } }

  /// Discards the objects that were read and the changes that are not written yet.
  public func reset() {
    // Released without the lock: an object that goes runs code of the program.
    _ = locked { content.take() }
  }

  /// Connects the relation with its owner.
  ///
  /// - Returns: Whether it was not connected before.
  @usableFromInline
  @discardableResult
  func connect(_ store: Store, _ map: EntityMap, _ number: Int, _ ownerKey: UInt64) -> Bool {
    locked {
      if let origin {
        if origin.store === store, origin.ownerKey == ownerKey { return false }
      } else if let content {
        content.added = content.elements
      }
      let number = Int32(truncatingIfNeeded: number)
      origin = Origin(store: store, mapIndex: map.index, number: number, ownerKey: ownerKey)
      return true
    }
  }

  /// The store, the owner and the place of the relation.
  @usableFromInline
  func requireLink() throws -> RelationLink {
    guard let origin = locked({ self.origin }),
      let place = origin.store.maps[Int(origin.mapIndex)].places[Int(origin.number)]
    else {
      throw ObjectBoxError.cannotRelateToUnsavedEntities(
        message:
          "The relation to \(S.entityInfo.name) belongs to an object that was never put; put it "
          + "first"
      )
    }
    return RelationLink(origin.store, ObjectKey(rawValue: origin.ownerKey), place)
  }

  // MARK: - Reading

  /// Reads the objects if they are not in memory yet.
  ///
  /// If the objects cannot be read, using the collection stops the program. Call this first to get
  /// an error instead.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func resolveFromDb() throws { try readContent() }

  @inlinable
  @discardableResult
  func readContent() throws -> Content {
    let (found, isConnected) = locked { (self.content, origin != nil) }
    if let found { return found }
    let read = Content(isConnected ? try getUncachedFromDb() : [])
    return locked {
      // Another thread may have read them meanwhile.
      if let content { return content }
      content = read
      return read
    }
  }

  /// Returns the objects as the database has them, ignoring the objects that were read before.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put, or the file is damaged.
  @inlinable
  public func getUncachedFromDb() throws -> [S] {
    let link = try requireLink()
    return try link.store.read { reader in
      var entities = EntityReader(link.store, link.targetMap, reader)
      var objects: [S] = []
      let count = try link.expectedCount(reader)
      if count > 0 { objects.reserveCapacity(count) }
      try link.forEachId(reader) { id in
        objects.append(try entities.object(id, S.self))
      }
      return objects
    }
  }

  /// Returns the ids of the objects as the database has them.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put, or the file is damaged.
  public func getUncachedIdsFromDb() throws -> [S.EntityBindingType.IdType] {
    let link = try requireLink()
    return try link.store.read { reader in
      var ids: [S.EntityBindingType.IdType] = []
      try link.forEachId(reader) { ids.append(S.EntityBindingType.IdType($0)) }
      return ids
    }
  }

  /// Runs a body with the lock and the objects, which are read before that if they are not in memory.
  ///
  /// A collection cannot throw: the program stops if the file is damaged. Call ``resolveFromDb()`` first
  /// to get an error instead.
  @inlinable
  @inline(__always)
  func withContent<Result>(_ body: (Content) -> Result) -> Result {
    while true {
      let result: Result? = locked { content.map { content in body(content) } }
      if let result { return result }
      do {
        try readContent()
      } catch {
        stop(error)
      }
    }
  }

  @inlinable var collection: [S] { withContent { content in content.elements } }

  @usableFromInline
  func stop(_ error: any Error) -> Never {
    callerMistake("Cannot read the relation to \(S.entityInfo.name): \(error)")
  }

  // MARK: - Changing

  /// Replaces a range of the objects, with the lock held; the one way in which the collection changes.
  ///
  /// - Returns: The objects that left. The caller keeps them until the lock is released, because an
  ///   object that goes runs code of the program.
  @inlinable
  func replace(
    _ range: Range<Int>,
    of content: Content,
    with new: some Collection<S>
  ) -> [S] {
    // Without a store there is nothing to compare with: all elements are added when there is one.
    content.replace(range, with: new, isNoted: origin != nil)
  }

  /// Replaces a range of the objects that are there now; returns the objects that left.
  @inlinable
  @discardableResult
  func replace(_ range: ([S]) -> Range<Int>, with new: some Collection<S>) -> [S] {
    withContent { content in replace(range(content.elements), of: content, with: new) }
  }

  /// Replaces all objects.
  ///
  /// - Parameter newElements: The objects.
  public func replace<C: Collection>(_ newElements: C) where C.Element == S {
    replace({ $0.indices }, with: Array(newElements))
  }

  // MARK: - Writing

  /// Writes the changes: puts new objects, and links or unlinks each object.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put or an object does not exist.
  @inlinable
  public func applyToDb() throws {
    guard hasPendingDbChanges else { return }
    let link = try requireLink()
    var changes: Content.Changes?
    do {
      try link.store.write { transaction in changes = try write(link, in: transaction) }
    } catch {
      // If there are any, the commit failed.
      if let changes { putBack(changes) }
      throw error
    }
    if let changes { noteWritten(changes) }
  }

  /// Writes the changes, which are no longer pending then.
  ///
  /// - Returns: What was written; `nil` if another thread wrote the changes.
  @inlinable
  func write(_ link: RelationLink, in transaction: StoreTransaction) throws -> Content.Changes? {
    guard var changes = takeChanges() else { return nil }
    let newTargets = transaction.beginTargets()
    do {
      try write(changes, link, transaction)
    } catch {
      transaction.endTargets(since: newTargets, hasFailed: true)
      putBack(changes)
      throw error
    }
    changes.newTargets = transaction.endTargets(since: newTargets, hasFailed: false)
    return changes
  }

  @inlinable
  func write(
    _ changes: Content.Changes,
    _ link: RelationLink,
    _ transaction: StoreTransaction
  ) throws {
    let writer = try link.begin(transaction)
    for object in changes.removed {
      if try link.unlink(S.entityBinding.id(of: object), writer), let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(0)
      }
    }
    var targets: [ObjectIdentity] = []
    targets.reserveCapacity(changes.added.count)
    for object in changes.added {
      if let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(link.owner.key.rawValue)
      }
      var id = S.entityBinding.id(of: object)
      if id == 0 {
        var object = object
        var putter = try EntityPutter(S.self, link.targetMap, transaction)
        id = try putter.put(&object, .put)
        transaction.noteNewTarget { [object] in
          var object = object
          S.entityBinding.setId(0, of: &object)
        }
      }
      targets.append(ObjectIdentity(link.targetMap.classKey, ObjectKey(rawValue: id)))
    }
    try link.link(targets, writer)
  }

  /// Takes the changes to write them; other threads can make others meanwhile.
  @usableFromInline
  func takeChanges() -> Content.Changes? { locked { content?.takeChanges() } }

  /// Puts back changes that could not be written, unless the relation was reset.
  @usableFromInline
  func putBack(_ changes: Content.Changes) {
    for removeId in changes.newTargets { removeId() }
    locked { changes.content.putBack(changes) }
  }

  @usableFromInline
  func noteWritten(_ changes: Content.Changes) {
    let old: Content? = locked {
      changes.content.writes -= 1
      // Structures have no ids yet: they are read again.
      guard !(S.self is AnyObject.Type), changes.content === content,
        !changes.content.hasChanges
      else { return nil }
      return content.take()
    }
    _ = old
  }

  /// Lets all objects be added, as those of a relation that is stored nowhere.
  @usableFromInline
  func addAll() {
    locked {
      guard let content else { return }
      content.added = content.elements
      content.removed = []
    }
  }
}

extension EntityReader {
  /// Returns a to-many relation, unread.
  ///
  /// - Parameter number: The number of the property.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError`` if the file is damaged or the store is closed.
  @inlinable
  public func read<S>(at number: Int) throws -> ToMany<S> {
    let relation = ToMany<S>()
    try read(into: relation, at: number)
    return relation
  }

  /// Connects the to-many relation that a new instance already has.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: ``ObjectBoxError`` if the file is damaged or the store is closed.
  @inlinable
  public func read<S>(into relation: ToMany<S>, at number: Int) throws {
    relation.connect(store, map, number, object.key.rawValue)
  }
}

extension RelationConnector {
  /// Connects a to-many relation with its owner, which was put.
  ///
  /// If the owner is new, all objects of the relation are written, even those that were written
  /// before: the transaction that wrote them may have failed. If the relation was not connected,
  /// its changes are written.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: ``ObjectBoxError`` if an object of the relation does not exist.
  @inlinable
  public func attach<S>(_ relation: ToMany<S>, at number: Int) throws {
    let wasConnected = !relation.connect(transaction.store, map, number, id)
    if isNew {
      relation.addAll()
    } else if wasConnected {
      return
    }
    guard relation.hasPendingDbChanges else { return }
    let changes = try relation.write(relation.requireLink(), in: transaction)
    if let changes { relation.noteWritten(changes) }
  }
}
