internal import KennelCore

/// Copies objects: what they own is copied, what they link to is linked.
struct ObjectCopy {
  private let reader: DatabaseReader

  init(_ reader: DatabaseReader) {
    self.reader = reader
  }

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
    var values = try plainValues(of: source)
    if let primaryKey, let property = reader.schema[source.classKey]?.primaryKey {
      values[property.key] = primaryKey
    }
    let copy = try draft.create(source.classKey, values)
    try copyEmbedded(of: source, to: copy, in: draft)
    return copy
  }

  /// The values but for the primary key and what is embedded.
  func plainValues(
    of object: ObjectIdentity
  ) throws(DatabaseError) -> [PropertyKey: Value] {
    var values: [PropertyKey: Value] = [:]
    for property in reader.schema[object.classKey]?.properties ?? [] {
      if property.isEmbedded || property.isPrimaryKey { continue }
      values[property.key] = try reader.value(of: object, property.key)
    }
    return values
  }

  /// Copies what an object owns, to any depth, without recursion.
  func copyEmbedded(
    of source: ObjectIdentity,
    to destination: ObjectIdentity,
    in draft: Draft
  ) throws(DatabaseError) {
    var pending = [(source, destination)]
    while let (source, destination) = pending.popLast() {
      for property in reader.schema[source.classKey]?.properties ?? [] where property.isEmbedded {
        let value = try reader.value(of: source, property.key)
        for (owned, position) in Self.owned(value) {
          let slot = Slot(destination, property.key, position)
          let copy = try draft.createEmbedded(at: slot)
          for (key, value) in try plainValues(of: owned) { try draft.set(copy, key, value) }
          pending.append((owned, copy))
        }
      }
    }
  }

  private static func owned(_ value: Value) -> [(ObjectIdentity, Slot.Position)] {
    switch value {
    case .link(let object):
      return [(object, .value)]
    case .list(let values):
      return values.enumerated().compactMap { index, value in
        if case .link(let object) = value { (object, .index(index)) } else { nil }
      }
    case .map(let entries):
      return entries.compactMap { entry in
        if case .link(let object) = entry.value { (object, .key(entry.key)) } else { nil }
      }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .set:
      return []
    }
  }
}
