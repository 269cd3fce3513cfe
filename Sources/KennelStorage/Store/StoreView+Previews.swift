/// Reading parts of values that may be long.
extension StoreView {
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
      let bytes = try externalBytes(location, 0..<limit)
      let count = Int(clamping: location.count)
      let value: Value =
        property.type.kind == .string
        ? .string(bytes.wholeCharacters) : property.type.kind == .data ? .data(bytes) : .null
      if property.type.kind != .mixed { return (value, count, count > limit) }
    }
    let value = try value(of: object, property)
    switch value {
    case .null: return (value, 0, false)
    case .string(let text):
      let count = text.utf8.count
      return (count > limit ? value.prefix(limit) : value, count, count > limit)
    case .data(let bytes):
      return (value.prefix(limit), bytes.count, bytes.count > limit)
    default: return (value, 1, false)
    }
  }

  /// Where the text or data of a property lies, if outside its chunk.
  package func externalCell(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> ExternalLocation? {
    guard property.columnType.form == .cells,
      let cluster = try cluster(object.classKey, object.key.cluster)
    else { return nil }
    let place = object.key.place
    switch try chunk(cluster, property) {
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
    switch try value(of: object, property) {
    case .null: return 0
    case .list(let elements), .set(let elements): return elements.count
    case .map(let entries): return entries.count
    default: return 1
    }
  }

  package func elements(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    in range: Range<Int>
  ) throws(StorageError) -> [Value] {
    if property.columnType.form == .keys, let target = property.target {
      let list = try keyList(of: object, property)
      let keys = try list.keys(range.clamped(to: 0..<list.count), self)
      return keys.map { .link(ObjectIdentity(target, ObjectKey(rawValue: $0))) }
    }
    switch try value(of: object, property) {
    case .list(let elements), .set(let elements):
      return Array(elements[range.clamped(to: 0..<elements.count)])
    case .map(let entries):
      return entries[range.clamped(to: 0..<entries.count)].map(\.value)
    default: return []
    }
  }
}

extension Value {
  /// The first `limit` bytes of text or data, or elements of a collection.
  internal func prefix(_ limit: Int) -> Value {
    switch self {
    case .string(let text): .string(Array(text.utf8.prefix(limit)).wholeCharacters)
    case .data(let bytes): .data(Array(bytes.prefix(limit)))
    case .list(let elements): .list(Array(elements.prefix(limit)))
    case .set(let members): .set(Array(members.prefix(limit)))
    case .map(let entries): .map(Array(entries.prefix(limit)))
    default: self
    }
  }
}

extension [UInt8] {
  /// The text of these bytes without a last scalar that was cut.
  fileprivate var wholeCharacters: String {
    var end = count
    var steps = 0
    while end > 0, steps < 4, self[end - 1] & 0xC0 == 0x80 {
      end -= 1
      steps += 1
    }
    if end > 0, self[end - 1] >= 0xC0 {
      let length = self[end - 1] >= 0xF0 ? 4 : self[end - 1] >= 0xE0 ? 3 : 2
      end = end - 1 + length <= count ? count : end - 1
    } else {
      end = count
    }
    return String(decoding: self[..<end], as: UTF8.self)
  }
}
