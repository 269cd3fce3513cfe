@_spi(Faces) public import KennelCore

/// A to-many relation of one object: what it reads and writes, whatever the entity of its targets.
@usableFromInline
struct RelationLink {
  @usableFromInline let store: Store
  @usableFromInline let owner: ObjectIdentity
  private let place: RelationPlace

  init(_ store: Store, _ ownerKey: ObjectKey, _ place: RelationPlace) {
    self.store = store
    owner = ObjectIdentity(place.owner, ownerKey)
    self.place = place
  }

  /// The map of the targets' entity.
  @usableFromInline var targetMap: EntityMap { store.maps[place.target] }

  /// The number of the to-one relation that leads here, if the targets' entity stores the links so.
  @usableFromInline var toOneNumber: Int? {
    if case .toOneBacklinks(_, let number) = place.edge { number } else { nil }
  }

  /// How many elements to make room for: all of a set or list, whose count takes no search.
  @usableFromInline
  func expectedCount(_ reader: DatabaseReader) throws -> Int {
    guard case .links(let property, _) = place.edge, try reader.contains(owner) else { return 0 }
    return try reader.count(in: owner, property: property)
  }

  @usableFromInline
  func forEachId(_ reader: DatabaseReader, _ body: (Id) throws -> Void) throws {
    // The owner may have been removed meanwhile.
    guard try reader.contains(owner) else { return }
    switch place.edge {
    case .links(let property, _):
      try reader.forEachTarget(of: owner, property: property) { try body($0.key.rawValue) }
    case .toOneBacklinks(let property, _):
      try reader.forEachOrigin(of: owner, through: property) { try body($0.key.rawValue) }
    case .toManyBacklinks(let property, _):
      var last: Id = 0
      try reader.forEachOrigin(of: owner, through: property) { origin in
        // A list may link twice.
        if origin.key.rawValue != last { try body(origin.key.rawValue) }
        last = origin.key.rawValue
      }
    }
  }

  // MARK: - Changing

  @usableFromInline
  func begin(_ transaction: StoreTransaction) throws -> WriteTransaction {
    guard let writer = transaction.writer, try writer.contains(owner) else {
      throw ObjectBoxError.notFound(
        message: "The owner of the relation to \(targetMap.info.name) does not exist any more"
      )
    }
    transaction.beginChange()
    return writer
  }

  /// Links objects, each once.
  @usableFromInline
  func link(_ targets: [ObjectIdentity], _ writer: WriteTransaction) throws {
    switch place.edge {
    case .links(let property, let isSet):
      for target in isSet ? targets.sorted() : targets {
        try writer.addLink(target, to: owner, property, isSet: isSet)
      }
    case .toManyBacklinks(let property, let isSet):
      for target in targets { try writer.addLink(owner, to: target, property, isSet: isSet) }
    case .toOneBacklinks(let property, _):
      for target in targets { try writer.set(target, property: property.key, to: .link(owner)) }
    }
  }

  /// Unlinks an object; returns whether it was linked.
  @usableFromInline
  func unlink(_ id: Id, _ writer: WriteTransaction) throws -> Bool {
    let target = ObjectIdentity(targetMap.classKey, ObjectKey(rawValue: id))
    guard try writer.contains(target) else { return false }
    switch place.edge {
    case .links(let property, let isSet):
      try writer.removeLinks(to: target, from: owner, property.key, isSet: isSet)
    case .toManyBacklinks(let property, let isSet):
      try writer.removeLinks(to: owner, from: target, property.key, isSet: isSet)
    case .toOneBacklinks(let property, _):
      guard try writer.value(of: target, property: property.key) == .link(owner) else {
        return false
      }
      try writer.set(target, property: property.key, to: .null)
    }
    return true
  }
}

extension WriteTransaction {
  /// Links an object, once.
  fileprivate func addLink(
    _ target: ObjectIdentity,
    to object: ObjectIdentity,
    _ property: TypedProperty<[ObjectIdentity]>,
    isSet: Bool
  ) throws(DatabaseError) {
    if isSet { return try insert(target, into: object, property: property) }
    let count = try count(in: object, property: property)
    let links = try elements(of: object, property: property.key, in: 0..<count)
    if !links.contains(.link(target)) { try append(target, to: object, property: property) }
  }

  fileprivate func removeLinks(
    to target: ObjectIdentity,
    from object: ObjectIdentity,
    _ property: PropertyKey,
    isSet: Bool
  ) throws(DatabaseError) {
    if isSet {
      try removeMember(.link(target), of: object, property: property)
      return
    }
    let links = try elements(
      of: object,
      property: property,
      in: 0..<elementCount(of: object, property: property)
    )
    for index in links.indices.reversed() where links[index] == .link(target) {
      try removeElement(at: index, of: object, property: property)
    }
  }
}
