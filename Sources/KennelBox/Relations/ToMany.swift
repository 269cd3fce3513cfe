@_spi(Faces) public import KennelCore

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
public final class ToMany<S: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where S == S.EntityBindingType.EntityType {
  /// The entity of the objects.
  public typealias ReferencedType = S

  /// The objects that were read, with the changes.
  ///
  /// It is an object of its own, so that a relation that nobody asks for is small.
  @usableFromInline
  final class Content {
    @usableFromInline var elements: [S]
    /// What ``applyToDb()`` adds and removes; of a relation without a store, it adds all elements.
    @usableFromInline var added: [S] = []
    @usableFromInline var removed: [S] = []

    @usableFromInline
    init(_ elements: [S]) { self.elements = elements }

    /// Notes which objects left the relation and which came into it.
    @usableFromInline
    func note(leaving: [S], entering: [S]) {
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
  }

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

  // Without checks for exclusive access, which cost more than the access. Safe: no code of the program
  // runs during an access.

  /// What was read; `nil` before it was read.
  @safe @exclusivity(unchecked) @usableFromInline var content: Content?
  @safe @exclusivity(unchecked) private var origin: Origin?

  /// Creates a relation to nothing.
  @inlinable
  public init(nilLiteral: ()) {}

  /// Creates a relation to nothing.
  @inlinable
  public init() {}

  // MARK: - State

  /// Whether the objects were read.
  public var resolved: Bool { content != nil }

  /// Whether there are changes that ``applyToDb()`` would write, or elements that putting a new
  /// owner would write.
  public var hasPendingDbChanges: Bool {
    guard let content else { return false }
    guard origin != nil else { return !content.elements.isEmpty }
    return !content.added.isEmpty || !content.removed.isEmpty
  }

  /// Whether the owner is in a store, so that the relation can be read and written.
  public var canInteractWithDb: Bool { origin != nil }

  /// Discards the objects that were read and the changes that are not written yet.
  public func reset() { content = nil }

  /// Connects the relation with its owner.
  ///
  /// - Returns: Whether it was not connected before.
  @usableFromInline
  @discardableResult
  func connect(_ store: Store, _ map: EntityMap, _ number: Int, _ ownerKey: UInt64) -> Bool {
    if let origin {
      if origin.store === store, origin.ownerKey == ownerKey { return false }
    } else if let content {
      content.added = content.elements
    }
    let number = Int32(truncatingIfNeeded: number)
    origin = Origin(store: store, mapIndex: map.index, number: number, ownerKey: ownerKey)
    return true
  }

  /// The store, the owner and the place of the relation.
  @usableFromInline
  func requireLink() throws -> RelationLink {
    guard let origin,
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
  public func resolveFromDb() throws { _ = try readContent() }

  @inlinable
  func readContent() throws -> Content {
    if let content { return content }
    let read = Content(canInteractWithDb ? try getUncachedFromDb() : [])
    content = read
    return read
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

  /// The objects.
  ///
  /// A collection cannot throw: the program stops if the file is damaged. Call ``resolveFromDb()`` first
  /// to get an error instead.
  @inlinable var resolvedContent: Content {
    if let content { return content }
    do {
      return try readContent()
    } catch {
      stop(error)
    }
  }

  @inlinable var collection: [S] { resolvedContent.elements }

  @usableFromInline
  func stop(_ error: any Error) -> Never {
    callerMistake("Cannot read the relation to \(S.entityInfo.name): \(error)")
  }

  // MARK: - Changing

  /// Replaces a range of the objects; the one way in which the collection changes.
  ///
  /// The new objects must not be a view of this collection, which changes while they are read.
  @inlinable
  func replace(_ range: Range<Int>, with new: some Collection<S>) {
    let content = resolvedContent
    // Without a store there is nothing to compare with: all elements are added when there is one.
    if canInteractWithDb {
      if range.isEmpty, content.removed.isEmpty {
        content.added.append(contentsOf: new)
      } else {
        content.note(leaving: Array(content.elements[range]), entering: Array(new))
      }
    }
    content.elements.replaceSubrange(range, with: new)
  }

  /// Replaces all objects.
  ///
  /// - Parameter newElements: The objects.
  public func replace<C: Collection>(_ newElements: C) where C.Element == S {
    replace(0..<collection.count, with: Array(newElements))
  }

  /// Writes the changes: puts new objects, and links or unlinks each object.
  ///
  /// - Throws: ``ObjectBoxError`` if the owner was never put or an object does not exist.
  @inlinable
  public func applyToDb() throws {
    guard hasPendingDbChanges else { return }
    let link = try requireLink()
    // Not before the commit: it may fail.
    try link.store.write { transaction in try apply(link, transaction) }
    forgetChanges()
  }

  @inlinable
  func apply(_ link: RelationLink, _ transaction: StoreTransaction) throws {
    guard let content else { return }
    let writer = try link.begin(transaction)
    for object in content.removed {
      if try link.unlink(S.entityBinding.id(of: object), writer), let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(0)
      }
    }
    var targets: [ObjectIdentity] = []
    targets.reserveCapacity(content.added.count)
    for object in content.added {
      if let number = link.toOneNumber {
        S.entityBinding.toOne(at: number, of: object)?.setTargetId(link.owner.key.rawValue)
      }
      var id = S.entityBinding.id(of: object)
      if id == 0 {
        var object = object
        var putter = try EntityPutter(S.self, link.targetMap, transaction)
        id = try putter.put(&object, .put)
      }
      targets.append(ObjectIdentity(link.targetMap.classKey, ObjectKey(rawValue: id)))
    }
    try link.link(targets, writer)
  }

  /// Lets all objects be added, as those of a relation that is stored nowhere.
  @usableFromInline
  func addAll() {
    guard let content else { return }
    content.added = content.elements
    content.removed = []
  }

  @usableFromInline
  func forgetChanges() {
    // Structures have no ids yet: they are read again.
    guard let content else { return }
    if !(S.self is AnyObject.Type), !content.added.isEmpty { return reset() }
    content.added = []
    content.removed = []
  }
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
    try relation.apply(try relation.requireLink(), transaction)
    relation.forgetChanges()
  }
}
