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
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes.append(contentsOf: [ValueKind.bool.rawValue, value ? 1 : 0])
    case .int(let value): append(.int, UInt64(bitPattern: value), into: &bytes)
    case .float(let value): append(.float, value.bitPattern, into: &bytes)
    case .double(let value): append(.double, value.bitPattern, into: &bytes)
    case .string(let value):
      bytes.append(ValueKind.string.rawValue)
      bytes.append(contentsOf: value.utf8)
    case .data(let value):
      bytes.append(ValueKind.data.rawValue)
      bytes.append(contentsOf: value)
    case .date(let value):
      append(.date, UInt64(bitPattern: value.seconds), into: &bytes)
      append(value.nanoseconds, into: &bytes)
    case .objectId(let value):
      append(.objectId, value.high, into: &bytes)
      append(value.low, into: &bytes)
    case .uuid(let value):
      append(.uuid, value.high, into: &bytes)
      append(value.low, into: &bytes)
    case .decimal128(let value):
      append(.decimal128, value.high, into: &bytes)
      append(value.low, into: &bytes)
    case .link(let value):
      append(.link, value.classKey.rawValue, into: &bytes)
      append(value.key.rawValue, into: &bytes)
    case .list(let values): encode(values, listTag, into: &bytes)
    case .set(let values): encode(values, setTag, into: &bytes)
    case .map(let entries):
      bytes.append(mapTag)
      for entry in entries {
        append(UInt32(entry.key.utf8.count), into: &bytes)
        bytes.append(contentsOf: entry.key.utf8)
        appendNested(entry.value, into: &bytes)
      }
    }
  }

  /// The value of bytes that ``encode(_:)`` made.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Value {
    do {
      return try unsafe decode(bytes, depth: 0)
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  private static func encode(_ values: [Value], _ tag: UInt8, into bytes: inout [UInt8]) {
    bytes.append(tag)
    for value in values { appendNested(value, into: &bytes) }
  }

  private static func appendNested(_ value: Value, into bytes: inout [UInt8]) {
    let position = bytes.count
    append(UInt32(0), into: &bytes)
    encode(value, into: &bytes)
    let length = UInt32(bytes.count - position - 4).littleEndian
    unsafe bytes.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: length, toByteOffset: position, as: UInt32.self)
    }
  }

  private static func append(
    _ kind: ValueKind,
    _ number: some FixedWidthInteger,
    into bytes: inout [UInt8]
  ) {
    bytes.append(kind.rawValue)
    append(number, into: &bytes)
  }

  private static func append(_ number: some FixedWidthInteger, into bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  // MARK: - Reading

  /// Bytes that nest deeper than values may are damaged: they must not exhaust the stack.
  static func decode(
    _ bytes: UnsafeRawBufferPointer,
    depth: Int
  ) throws(ChunkFault) -> Value {
    var rest = unsafe ByteWindow(bytes)
    let tag = try unsafe rest.take(1)[0]
    if tag >= listTag { return try decodeCollection(tag, &rest, depth: depth + 1) }
    if tag == 0 { return try ended(.null, rest) }
    switch ValueKind(rawValue: tag) {
    case .bool:
      let byte = try unsafe rest.take(1)[0]
      guard byte < 2 else { throw ChunkFault("a truth value is neither true nor false") }
      return try ended(.bool(byte == 1), rest)
    case .int: return try ended(.int(Int64(bitPattern: try rest.takeUInt64())), rest)
    case .float: return try ended(.float(Float(bitPattern: try rest.takeUInt32())), rest)
    case .double: return try ended(.double(Double(bitPattern: try rest.takeUInt64())), rest)
    case .string: return unsafe .string(try text(rest.all))
    case .data: return unsafe .data(Array(rest.all))
    case .date:
      let seconds = Int64(bitPattern: try rest.takeUInt64())
      guard let date = Timestamp(seconds: seconds, nanoseconds: try rest.takeUInt32()) else {
        throw ChunkFault("a date has too many nanoseconds")
      }
      return try ended(.date(date), rest)
    case .objectId:
      let high = try rest.takeUInt64()
      return try ended(.objectId(ObjectId(high: high, low: try rest.takeUInt32())), rest)
    case .uuid:
      let high = try rest.takeUInt64()
      return try ended(.uuid(UUIDValue(high: high, low: try rest.takeUInt64())), rest)
    case .decimal128:
      let high = try rest.takeUInt64()
      return try ended(.decimal128(Decimal128(high: high, low: try rest.takeUInt64())), rest)
    case .link:
      let classKey = ClassKey(rawValue: try rest.takeUInt16())
      let key = ObjectKey(rawValue: try rest.takeUInt64())
      guard key.rawValue < ObjectKey.limit else { throw ChunkFault("an object key is too large") }
      return try ended(.link(ObjectIdentity(classKey, key)), rest)
    case .mixed, nil: throw ChunkFault("it has an unknown kind")
    }
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
      let first = try unsafe takeNested(&rest)
      if tag == mapTag {
        let value = try unsafe decode(takeNested(&rest), depth: depth)
        unsafe entries.append(MapEntry(try text(first), value))
      } else {
        unsafe values.append(try decode(first, depth: depth))
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
      _ = try unsafe takeNested(&rest)
      if isMap { _ = try unsafe takeNested(&rest) }
      count += 1
    }
    return count
  }

  static func takeNested(
    _ rest: inout ByteWindow
  ) throws(ChunkFault) -> UnsafeRawBufferPointer {
    try unsafe rest.take(Int(try rest.takeUInt32()))
  }

  private static func ended(_ value: Value, _ rest: ByteWindow) throws(ChunkFault) -> Value {
    guard rest.isEmpty else { throw ChunkFault("it is too long") }
    return value
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) throws(ChunkFault) -> String {
    guard let text = unsafe String(utf8: bytes) else {
      throw ChunkFault("its text is not UTF-8")
    }
    return text
  }
}
