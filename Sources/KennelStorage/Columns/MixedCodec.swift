/// A value with its kind, as bytes: what mixed properties and the schema store.
///
/// | first byte | then |
/// |---|---|
/// | 0 | nothing: null |
/// | the ``ValueKind`` of a scalar | numbers little-endian; strings and data their bytes; dates seconds and nanoseconds; decimals and identifiers the low word last |
/// | 12 | a link: class (2 bytes) and key (8 bytes) |
/// | 16, 17 | a list, a set: each element as length (4 bytes) and value |
/// | 18 | a map: each key and value as length and bytes |
///
/// The elements of lists and the values of maps may be lists and maps again, up to
/// ``Value/deepestNesting`` levels in all.
package enum MixedCodec {
  static let listTag: UInt8 = 16
  private static let setTag: UInt8 = 17
  /// Bytes that most collections in mixed values fit into.
  private static let roomOfCollection = 128
  static let mapTag: UInt8 = 18

  /// The bytes of a value.
  package static func encode(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    if value.isCollection { bytes.reserveCapacity(roomOfCollection) }
    encode(value, into: &bytes)
    return bytes
  }

  /// Appends the bytes of a value.
  package static func encode(_ value: Value, into bytes: inout [UInt8]) {
    if case .string(let text) = value {
      bytes.append(ValueKind.string.rawValue)
      return bytes.append(contentsOf: text.utf8)
    }
    switch value.shape {
    case .null: bytes.append(0)
    case .scalar(let scalar):
      bytes.append(type(of: scalar).kind.rawValue)
      switch scalar.stored {
      case .word(let word, let byteCount): append(word, byteCount, into: &bytes)
      case .pair(let first, let second, let byteCount):
        bytes.append(number: first)
        append(second, byteCount, into: &bytes)
      case .bytes(let more): bytes.append(contentsOf: more)
      }
    case .link(let value):
      bytes.append(ValueKind.link.rawValue)
      bytes.append(number: value.classKey.rawValue)
      bytes.append(number: value.key.rawValue)
    case .list(let values): encode(values, listTag, into: &bytes)
    case .set(let values): encode(values, setTag, into: &bytes)
    case .map(let entries):
      bytes.append(mapTag)
      for entry in entries {
        bytes.append(number: UInt32(entry.key.utf8.count))
        bytes.append(contentsOf: entry.key.utf8)
        appendNested(entry.value, into: &bytes)
      }
    }
  }

  /// The value of bytes that ``encode(_:)`` made.
  package static func decode(_ bytes: StoredBytes) throws(StorageError) -> Value {
    do {
      return try decode(bytes, depth: 0)
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  private static func encode(_ values: [Value], _ tag: UInt8, into bytes: inout [UInt8]) {
    bytes.append(tag)
    for value in values { appendNested(value, into: &bytes) }
  }

  private static func appendNested(_ value: Value, into bytes: inout [UInt8]) {
    bytes.append(length: UInt32.self) { encode(value, into: &$0) }
  }

  /// Appends the lower bytes of a word.
  private static func append(_ word: UInt64, _ byteCount: Int, into bytes: inout [UInt8]) {
    for index in 0..<byteCount {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
    }
  }

  // MARK: - Reading

  /// Bytes that nest deeper than values may are damaged: they must not exhaust the stack.
  static func decode(_ bytes: StoredBytes, depth: Int) throws(ChunkFault) -> Value {
    var rest = ByteWindow(bytes)
    let tag = try rest.take(1)[0]
    if tag >= listTag { return try decodeCollection(tag, &rest, depth: depth + 1) }
    if tag == 0 { return try ended(.null, rest) }
    guard let kind = ValueKind(rawValue: tag) else { throw ChunkFault("it has an unknown kind") }
    switch kind.form {
    case .word(let type):
      guard let value = type.checkedValue(of: try word(type.byteCount, &rest)) else {
        throw ChunkFault("its word is no \(kind)")
      }
      return try ended(value, rest)
    case .pair(let type):
      let pair = (try rest.take(UInt64.self), try word(type.byteCount, &rest))
      guard let value = type.checkedValue(of: pair) else {
        throw ChunkFault("its words are no \(kind)")
      }
      return try ended(value, rest)
    case .bytes(let type):
      guard let value = unsafe type.value(of: rest.all.buffer.bytes) else {
        throw ChunkFault("its text is not UTF-8")
      }
      return value
    case .link:
      let classKey = ClassKey(rawValue: try rest.take(UInt16.self))
      let key = ObjectKey(rawValue: try rest.take(UInt64.self))
      guard key.rawValue < ObjectKey.limit else { throw ChunkFault("an object key is too large") }
      return try ended(.link(ObjectIdentity(classKey, key)), rest)
    case .mixed: throw ChunkFault("it has an unknown kind")
    }
  }

  /// A word of which some bytes are stored.
  private static func word(_ byteCount: Int, _ rest: inout ByteWindow) throws(ChunkFault) -> UInt64
  {
    let bytes = try rest.take(byteCount)
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func decodeCollection(
    _ tag: UInt8,
    _ rest: inout ByteWindow,
    depth: Int
  ) throws(ChunkFault) -> Value {
    guard depth <= Value.deepestNesting + 1 else {
      throw ChunkFault("its collections are nested too deep")
    }
    var values: [Value] = []
    var entries: [MapEntry] = []
    let count = try elementCount(rest, isMap: tag == mapTag)
    tag == mapTag ? entries.reserveCapacity(count) : values.reserveCapacity(count)
    while !rest.isEmpty {
      let first = try takeNested(&rest)
      if tag == mapTag {
        let value = try decode(takeNested(&rest), depth: depth)
        entries.append(MapEntry(try text(first), value))
      } else {
        values.append(try decode(first, depth: depth))
      }
    }
    switch tag {
    case listTag: return .list(values)
    case setTag: return .set(values)
    case mapTag: return .map(entries)
    default: throw ChunkFault("it has an unknown kind")
    }
  }

  static func elementCount(
    _ elements: ByteWindow,
    isMap: Bool
  ) throws(ChunkFault) -> Int {
    var rest = elements
    var count = 0
    while !rest.isEmpty {
      _ = try takeNested(&rest)
      if isMap { _ = try takeNested(&rest) }
      count += 1
    }
    return count
  }

  static func takeNested(_ rest: inout ByteWindow) throws(ChunkFault) -> StoredBytes {
    try rest.take(Int(try rest.take(UInt32.self)))
  }

  private static func ended(_ value: Value, _ rest: ByteWindow) throws(ChunkFault) -> Value {
    guard rest.isEmpty else { throw ChunkFault("it is too long") }
    return value
  }

  private static func text(_ bytes: StoredBytes) throws(ChunkFault) -> String {
    guard let text = String(utf8: bytes) else { throw ChunkFault("its text is not UTF-8") }
    return text
  }
}
