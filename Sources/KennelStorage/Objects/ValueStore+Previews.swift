/// Reading parts of values that may be long.
extension ValueStore {
  /// At most `limit` bytes or elements of a value, and how many there are.
  package func preview(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    limit: Int
  ) throws(StorageError) -> (value: Value, count: Int, isCut: Bool) {
    if property.isCollection {
      let count = try elementCount(of: object, property)
      if property.columnType.form == .keys {
        let elements = try elements(of: object, property, in: 0..<min(limit, count))
        let value: Value = property.type.collection == .set ? .set(elements) : .list(elements)
        return (value, count, count > limit)
      }
      return (try value(of: object, property).prefix(limit), count, count > limit)
    }
    if let location = try externalCell(of: object, property) {
      let bytes = try pieces.bytes(of: location, in: 0..<limit)
      let count = Int(clamping: location.count)
      let value: Value =
        property.type.kind == .string
        ? .string(bytes.wholeCharacters) : property.type.kind == .data ? .data(bytes) : .null
      if property.type.kind != .mixed { return (value, count, count > limit) }
    }
    let value = try value(of: object, property)
    guard let count = value.textByteCount else { return (value, value.isNull ? 0 : 1, false) }
    return (count > limit ? value.prefix(limit) : value, count, count > limit)
  }

  /// Some of the bytes of data, without reading the rest; none if the value is not data.
  package func bytes(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    in range: Range<Int>
  ) throws(StorageError) -> [UInt8] {
    if property.type.kind == .data, let location = try externalCell(of: object, property) {
      return try pieces.bytes(of: location, in: range)
    }
    guard case .data(let bytes) = try value(of: object, property) else { return [] }
    return Array(bytes[range.clamped(to: 0..<bytes.count)])
  }

  /// Where the text or data of a property lies, if outside its chunk.
  package func externalCell(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> ExternalLocation? {
    guard property.columnType.form == .cells,
      let cluster = try clusters.cluster(object.classKey, object.key.cluster)
    else { return nil }
    let place = object.key.place
    switch try clusters.chunk(cluster, property) {
    case .decoded(let column, _): return column.external(at: place)
    case .stored(let view):
      guard place < view.count, !view.isNull(place) else { return nil }
      if case .external(let location) = view.cell(place) { return location }
      return nil
    case .absent, .unknown: return nil
    }
  }

  package func elementCount(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> Int {
    if property.columnType.form == .keys { return try keyList(of: object, property).count }
    switch try value(of: object, property).shape {
    case .null: return 0
    case .list(let elements), .set(let elements): return elements.count
    case .map(let entries): return entries.count
    case .scalar, .link: return 1
    }
  }

  package func elements(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    in range: Range<Int>
  ) throws(StorageError) -> [Value] {
    if property.columnType.form == .keys, let target = property.target {
      let list = try keyList(of: object, property)
      let keys = try list.keys(range.clamped(to: 0..<list.count))
      return keys.map { .link(ObjectIdentity(target, ObjectKey(rawValue: $0))) }
    }
    switch try value(of: object, property).shape {
    case .list(let elements), .set(let elements):
      return Array(elements[range.clamped(to: 0..<elements.count)])
    case .map(let entries):
      return entries[range.clamped(to: 0..<entries.count)].map(\.value)
    case .null, .scalar, .link: return []
    }
  }
}
