@_spi(Faces) public import KennelCore
public import Synchronization

/// A relation to any number of objects.
///
/// ```swift
/// // objectbox: backlink = "author"
/// var notes: ToMany<Note> = nil
/// ```
///
/// Declare it with `nil`. Without an annotation it is stored: each object is in it once. With the
/// annotation `backlink` it shows the objects whose relation leads here.
///
/// It is a collection, which is read when it is first asked for. It changes like an array; the changes
/// are written by ``applyToDb()``, or with the owner if that was never put. Putting an owner that
/// exists does not write them. Threads may append and apply at the same time.
public final class ToMany<S: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where S == S.EntityBindingType.EntityType {
  /// The entity of the objects.
  public typealias ReferencedType = S

  /// Held while the objects or the changes are looked at or changed.
  @usableFromInline let lock = Mutex(())
  /// What was read, with the changes; `nil` before it was read.
  @usableFromInline var elements: [S]?
  /// What ``applyToDb()`` adds and removes.
  @usableFromInline var added: [S] = []
  @usableFromInline var removed: [S] = []
  /// Where the relation is stored; the key of its owner is 0 where it is nowhere.
  @usableFromInline var store: Store?
  @usableFromInline var ownerKey: UInt64 = 0
  @usableFromInline var place: RelationPlace?

  /// Creates a relation to nothing.
  @inlinable
  public init(nilLiteral: ()) {}

  /// Creates a relation to nothing.
  @inlinable
  public init() {}

  // MARK: - State

  /// Whether the objects were read.
  public var resolved: Bool { locked { elements != nil } }

  /// Whether there are changes that ``applyToDb()`` would write.
  @inlinable public var hasPendingDbChanges: Bool {
    locked { !added.isEmpty || !removed.isEmpty }
  }

  /// Whether the owner is in a store, so that the relation can be read and written.
  public var canInteractWithDb: Bool { store != nil }

  /// Forgets the objects that were read, and changes that were not written.
  public func reset() {
    locked {
      elements = nil
      added = []
      removed = []
    }
  }

  @inlinable
  func locked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { (_) throws(Failure) in Unshared(value: try body()) }.value
  }

  /// The store, the owner and the place of the relation.
  @usableFromInline
  func requireLink() throws -> RelationLink {
    guard let store, let place else {
      throw ObjectBoxError.cannotRelateToUnsavedEntities(
        message:
          "The relation to \(S.entityInfo.name) belongs to an object that was never put; put it "
          + "first"
      )
    }
    return RelationLink(store, ObjectKey(rawValue: ownerKey), place)
  }

  // MARK: - Reading

  /// Reads the objects now, if they were not read; so an error can be caught.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func resolveFromDb() throws { try locked { _ = try resolvedElements() } }

  @inlinable
  func resolvedElements() throws -> [S] {
    if let elements { return elements }
    let read = store == nil ? [] : try getUncachedFromDb()
    elements = read
    return read
  }

  /// Returns the objects as the database has them, without those that were read before.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put, or the file is damaged.
  @inlinable
  public func getUncachedFromDb() throws -> [S] {
    let link = try requireLink()
    return try link.store.read { reader in
      var entities = EntityReader(link.store, link.targetMap, reader)
      var objects: [S] = []
      try link.forEachId(reader) { id in
        objects.append(try entities.object(id, S.entityBinding))
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

  /// The objects.
  ///
  /// A collection cannot throw: the program stops if the file is damaged. ``resolveFromDb()`` throws.
  @inlinable var collection: [S] { locked { readElements() } }

  @inlinable
  func readElements() -> [S] {
    if let elements { return elements }
    do {
      return try resolvedElements()
    } catch {
      stop(error)
    }
  }

  @usableFromInline
  func stop(_ error: any Error) -> Never {
    callerMistake("Cannot read the relation to \(S.entityInfo.name): \(error)")
  }

  // MARK: - Changing

  /// Replaces a range of the objects; the one way in which the collection changes.
  ///
  /// - Parameters:
  ///   - new: The objects; not of a relation, whose lock may be this one.
  ///   - range: Finds the range in the objects of now.
  @inlinable
  func change(to new: some Collection<S>, in range: ([S]) -> Range<Int>) {
    locked {
      // Nothing but `elements` refers to the objects when they change, or all would be copied.
      let range = range(readElements())
      if range.isEmpty, removed.isEmpty {
        added.append(contentsOf: new)
      } else {
        note(leaving: elements?[range] ?? [], entering: Array(new))
      }
      elements?.replaceSubrange(range, with: new)
    }
  }

  /// Notes which objects left the relation and which came into it.
  @usableFromInline
  func note(leaving: ArraySlice<S>, entering: [S]) {
    if entering.isEmpty, leaving.count == 1 || added.isEmpty, let object = leaving.first {
      // One by one from an end, or none of the added ones: nothing is to be searched.
      if added.isEmpty { return removed.append(contentsOf: leaving) }
      if ObjectBag.isSame(object, added.last) {
        added.removeLast()
        return
      }
      if ObjectBag.isSame(object, added.first) {
        added.removeFirst()
        return
      }
    }
    var leaving = ObjectBag(leaving)
    var unlinked = ObjectBag(removed)
    for object in entering where leaving.take(object) == nil {
      if unlinked.take(object) == nil { added.append(object) }
    }
    removed = unlinked.objects
    var linked = ObjectBag(added)
    for object in leaving.objects where linked.take(object) == nil { removed.append(object) }
    added = linked.objects
  }

  /// Replaces all objects.
  ///
  /// - Parameter newElements: The objects.
  public func replace<C: Collection>(_ newElements: C) where C.Element == S {
    change(to: Array(newElements)) { $0.indices }
  }

  /// Writes the changes: puts objects that were never put, and links or unlinks each.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put or an object does not exist.
  @inlinable
  public func applyToDb() throws {
    guard hasPendingDbChanges else { return }
    let link = try requireLink()
    var changes: (added: [S], removed: [S]) = ([], [])
    do {
      try link.store.write { transaction in
        let writer = try link.begin(transaction)
        changes = takeChanges()
        try write(changes.added, removing: changes.removed, link, writer, transaction)
      }
    } catch {
      locked {
        added.insert(contentsOf: changes.added, at: 0)
        removed.insert(contentsOf: changes.removed, at: 0)
      }
      throw error
    }
    // Structures have no ids yet: they are read again.
    if !(S.self is AnyObject.Type), !changes.added.isEmpty { locked { elements = nil } }
  }

  @inlinable
  func takeChanges() -> (added: [S], removed: [S]) {
    locked {
      defer {
        added = []
        removed = []
      }
      return (added, removed)
    }
  }

  @inlinable
  func write(
    _ added: [S],
    removing removed: [S],
    _ link: RelationLink,
    _ writer: WriteTransaction,
    _ transaction: StoreTransaction
  ) throws {
    for object in removed {
      if try link.unlink(S.entityBinding.id(of: object), writer), let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(0)
      }
    }
    var putter = try EntityPutter(link.store, link.targetMap, S.entityBinding, transaction)
    var ids: [Id] = []
    for var object in added {
      if let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(ownerKey)
      }
      let id = S.entityBinding.id(of: object)
      ids.append(id == 0 ? try putter.put(&object, .put) : id)
    }
    try link.link(ids, writer)
  }
}

/// A value that leaves a lock and stays on its thread.
@usableFromInline
struct Unshared<Value>: @unchecked Sendable {
  @usableFromInline let value: Value
  @inlinable init(value: Value) { self.value = value }
}

/// Objects in their order, found by their id, or, if they were never put, as instances.
private struct ObjectBag<S: EntityInspectable> where S == S.EntityBindingType.EntityType {
  private enum Reference: Hashable {
    case id(Id)
    case instance(ObjectIdentifier)
  }

  private var slots: [S?]
  private var positions: [Reference: [Int]] = [:]

  init(_ objects: some Sequence<S>) {
    slots = objects.map(Optional.some)
    for (position, object) in slots.enumerated() {
      guard let object, let reference = Self.reference(object) else { continue }
      positions[reference, default: []].append(position)
    }
  }

  var objects: [S] { slots.compactMap(\.self) }

  /// Takes an object out; `nil` if it is not in.
  mutating func take(_ object: S) -> S? {
    guard !positions.isEmpty, let reference = Self.reference(object),
      let position = positions[reference]?.popLast()
    else { return nil }
    defer { slots[position] = nil }
    return slots[position]
  }

  static func isSame(_ object: S, _ other: S?) -> Bool {
    guard let other, let reference = reference(object) else { return false }
    return reference == Self.reference(other)
  }

  /// A structure that was never put has none.
  private static func reference(_ object: S) -> Reference? {
    let id = S.entityBinding.id(of: object)
    if id != 0 { return .id(id) }
    return S.self is AnyObject.Type ? .instance(ObjectIdentifier(object as AnyObject)) : nil
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

  /// Connects a to-many relation that a new object has.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: ``ObjectBoxError`` if the file is damaged or the store is closed.
  @inlinable
  public func read<S>(into relation: ToMany<S>, at number: Int) throws {
    relation.place = map.places[number]
    relation.store = store
    relation.ownerKey = object.key.rawValue
  }
}

extension RelationConnector {
  /// Connects a to-many relation with its owner; the changes of one that was not connected are
  /// written.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - number: The number of the property.
  /// - Throws: ``ObjectBoxError`` if an object of it does not exist.
  @inlinable
  public func attach<S>(_ relation: ToMany<S>, at number: Int) throws {
    if relation.ownerKey == id, relation.store === store { return }
    relation.place = map.places[number]
    relation.store = store
    relation.ownerKey = id
    if relation.hasPendingDbChanges { try relation.applyToDb() }
  }
}
