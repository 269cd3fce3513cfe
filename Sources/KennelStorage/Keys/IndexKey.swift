/// A key of the index tree: bytes that sort as the values do.
///
/// | bytes | what |
/// |---|---|
/// | 2 | the class, big-endian |
/// | 2 | the property, big-endian |
/// | 1 | the kind of value: null, then truth values, numbers, strings, data, dates, identifiers, links |
/// | … | the value |
/// | 8 | the object's key, big-endian |
///
/// Numbers of every kind are a double and, in 2 bytes, what is between it and the exact number,
/// so that an int and the double that equals it have the same key. Strings and data are their
/// bytes with 0 as 00 FF, and end with 00 00. Long ones keep what fits 400 bytes, end with 00 01
/// and a hash of the whole, and must be compared in full.
///
/// The bytes never say less than the order of ``Value/isOrdered(before:)``, but values that are
/// not exact may share them or, among long ones, lie in the order of their hashes.
package struct IndexKey: Hashable, Sendable {
  /// The key's bytes, at most 511.
  package private(set) var bytes: [UInt8]
  /// Whether no different value of the same kind has the same bytes.
  package private(set) var isExact = true

  /// The key under which an object's value is indexed.
  package static func entry(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Value,
    _ key: ObjectKey
  ) -> IndexKey {
    var entry = prefix(classKey, property, value)
    entry.append(key.rawValue)
    return entry
  }

  /// What the keys of all objects with a value begin with.
  package static func prefix(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Value
  ) -> IndexKey {
    var prefix = IndexKey(classKey, property)
    prefix.append(value)
    return prefix
  }

  /// The keys of a property: from `lower` up to, but not including, `upper`.
  package static func range(
    _ classKey: ClassKey,
    _ property: PropertyKey
  ) -> (lower: [UInt8], upper: [UInt8]) {
    let lower = IndexKey(classKey, property).bytes
    return (lower, upperBound(of: lower))
  }

  /// The first bytes that come after all that begin with `prefix`.
  package static func upperBound(of prefix: [UInt8]) -> [UInt8] {
    var bound = prefix
    while let last = bound.popLast() {
      guard last == .max else { return bound + [last + 1] }
    }
    // Nothing comes after all that begin with FF FF…; no class has such a key.
    return Array(repeating: .max, count: byteLimit)
  }

  /// The object that an entry names; `nil` for bytes that cannot be one.
  package static func objectKey(of entry: UnsafeRawBufferPointer) -> ObjectKey? {
    guard entry.count >= headerByteCount + 8 else { return nil }
    let loaded = entry.loadUnaligned(fromByteOffset: entry.count - 8, as: UInt64.self)
    let key = UInt64(bigEndian: loaded)
    return key < ObjectKey.limit ? ObjectKey(rawValue: key) : nil
  }

  /// What LMDB allows for a key.
  private static let byteLimit = 511
  /// Class, property and kind.
  private static let headerByteCount = 5
  /// The escaped bytes of strings and data that a key holds at most.
  private static let textLimit = 400

  private init(_ classKey: ClassKey, _ property: PropertyKey) {
    bytes = []
    bytes.reserveCapacity(40)
    append(classKey.rawValue)
    append(property.rawValue)
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes.append(contentsOf: [1, value ? 1 : 0])
    case .int(let value): append(int: value)
    case .float(let value): append(number: Double(value), rest: 0)
    case .double(let value): append(number: value, rest: 0)
    case .decimal128(let value): append(value)
    case .string(let value):
      bytes.append(6)
      var text = value
      text.withUTF8 { appendText(UnsafeRawBufferPointer($0)) }
    case .data(let value):
      bytes.append(7)
      value.withUnsafeBytes { appendText($0) }
    case .date(let value):
      bytes.append(8)
      append(UInt64(bitPattern: value.seconds) ^ 1 << 63)
      append(value.nanoseconds)
    case .objectId(let value):
      bytes.append(9)
      append(value.high)
      append(value.low)
    case .uuid(let value):
      bytes.append(10)
      append(value.high)
      append(value.low)
    case .link(let value):
      bytes.append(11)
      append(value.classKey.rawValue)
      append(value.key.rawValue)
    case .list, .set, .map:
      bytes.append(12)
      isExact = false
    }
  }

  private mutating func append(int value: Int64) {
    let nearest = Double(value)
    // 2^63, to which the greatest integers round, is the same as −2^63 in 64 bits.
    let whole = Int64(exactly: nearest) ?? .min
    append(number: nearest, rest: Int(value &- whole))
  }

  private mutating func append(_ value: Decimal128) {
    isExact = false
    let nearest = value.nearestDouble
    guard nearest.isFinite else {
      // Numbers beyond all doubles are less than infinity, but not less than any double.
      append(number: nearest, rest: 0)
      return
    }
    append(number: nearest, rest: value.wholeDistance(from: nearest))
  }

  /// NaN first, then by value; −0.0 is 0.0.
  private mutating func append(number: Double, rest: Int) {
    bytes.append(2)
    let bits = number == 0 ? 0 : number.bitPattern
    append(number.isNaN ? 0 : bits >> 63 == 1 ? ~bits : bits | 1 << 63)
    append(UInt16(clamping: max(rest, -0x8000) + 0x8000))
  }

  private mutating func appendText(_ text: UnsafeRawBufferPointer) {
    let start = bytes.count
    for byte in text {
      let escaped = byte == 0 ? 2 : 1
      guard bytes.count - start + escaped <= Self.textLimit else {
        isExact = false
        bytes.append(contentsOf: [0, 1])
        append(Self.hash(text))
        return
      }
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(contentsOf: [0, 0])
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// FNV-1a, 64 bits: part of the file format.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
