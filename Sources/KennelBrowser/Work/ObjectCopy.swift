internal import KennelCore

/// Copies objects: what they own is copied, what they link to is linked.
struct ObjectCopy {
  let reader: DatabaseReader

  /// Creates a copy of an object, with copies of what it owns.
  ///
  /// - Parameters:
  ///   - source: The object.
  ///   - primaryKey: The primary key of the copy, where the class has one.
  ///   - draft: The draft that creates it.
  /// - Returns: The copy.
  /// - Throws: `DatabaseError` if the primary key is taken, or the file is damaged.
  @discardableResult
  func create(
    from source: ObjectIdentity,
    primaryKey: Value?,
    in draft: Draft
  ) throws(DatabaseError) -> ObjectIdentity {
    let parts = try parts(of: source)
    var values = parts[0].values
    if let primaryKey, let property = reader.schema[source.classKey]?.primaryKey {
      values[property.key] = primaryKey
    }
    let copy = try draft.create(source.classKey, values)
    try Self.create(parts.dropFirst(), in: copy, draft)
    return copy
  }

  /// An object as it is copied: its values, and where it is in the object that owns it.
  private struct Part {
    var values: [PropertyKey: Value]
    /// The place of its owner among the parts, and what the owner holds it by.
    var owner: (place: Int, property: PropertyKey, position: Slot.Position)?
  }

  /// The values but for the primary key and what is embedded.
  private func plainValues(
    of object: ObjectIdentity
  ) throws(DatabaseError) -> [PropertyKey: Value] {
    var values: [PropertyKey: Value] = [:]
    for property in reader.schema[object.classKey]?.properties ?? [] {
      if property.isEmbedded || property.isPrimaryKey { continue }
      values[property.key] = try reader.value(of: object, property: property.key)
    }
    return values
  }

  /// Creates a copy of an embedded object in the place of what stands there, which may be the object
  /// itself or what owns it.
  ///
  /// - Throws: `DatabaseError` if the file is damaged.
  func createEmbedded(
    from source: ObjectIdentity,
    at slot: Slot,
    in draft: Draft
  ) throws(DatabaseError) {
    let parts = try parts(of: source)
    let copy = try draft.createEmbedded(at: slot)
    for (key, value) in parts[0].values { try draft.set(copy, property: key, to: value) }
    try Self.create(parts.dropFirst(), in: copy, draft)
  }

  /// An object and all that it owns, to any depth, each after its owner; read before anything changes.
  private func parts(of source: ObjectIdentity) throws(DatabaseError) -> [Part] {
    var parts = [Part(values: try plainValues(of: source))]
    var objects = [source]
    var place = 0
    while place < objects.count {
      let object = objects[place]
      for property in reader.schema[object.classKey]?.properties ?? [] where property.isEmbedded {
        for (owned, position) in Self.owned(try reader.value(of: object, property: property.key)) {
          let owner = (place, property.key, position)
          parts.append(Part(values: try plainValues(of: owned), owner: owner))
          objects.append(owned)
        }
      }
      place += 1
    }
    return parts
  }

  private static func create(
    _ parts: ArraySlice<Part>,
    in root: ObjectIdentity,
    _ draft: Draft
  ) throws(DatabaseError) {
    var copies = [root]
    for part in parts {
      guard let owner = part.owner else { continue }
      let slot = Slot(copies[owner.place], owner.property, owner.position)
      let copy = try draft.createEmbedded(at: slot)
      for (key, value) in part.values { try draft.set(copy, property: key, to: value) }
      copies.append(copy)
    }
  }

  private static func owned(_ value: Value) -> [(ObjectIdentity, Slot.Position)] {
    if case .link(let object) = value { return [(object, .value)] }
    return value.parts.enumerated().compactMap { index, part in
      guard case .link(let object) = part.value else { return nil }
      return (object, part.key.map { .key($0) } ?? .index(index))
    }
  }
}
