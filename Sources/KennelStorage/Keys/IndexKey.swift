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
  package let bytes: [UInt8]
  /// Whether no different value of the same kind has the same bytes.
  package let isExact: Bool

  /// The key under which an object's value is indexed.
  package static func entry(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Value,
    _ key: ObjectKey
  ) -> IndexKey {
    withPrefix(classKey, property, value) { prefix, isExact in
      var bytes = Array(prefix)
      unsafe withUnsafeBytes(of: key.rawValue.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      return IndexKey(bytes: bytes, isExact: isExact)
    }
  }

  /// The beginning of the keys of all objects with a value.
  package static func prefix(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Value
  ) -> IndexKey {
    withPrefix(classKey, property, value) { prefix, isExact in
      IndexKey(bytes: Array(prefix), isExact: isExact)
    }
  }

  /// The keys of a property: from `lower` up to, but not including, `upper`.
  package static func range(
    _ classKey: ClassKey,
    _ property: PropertyKey
  ) -> (lower: [UInt8], upper: [UInt8]) {
    let start = UInt32(classKey.rawValue) << 16 | UInt32(property.rawValue)
    let lower = unsafe withUnsafeBytes(of: start.bigEndian) { unsafe Array($0) }
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
  package static func objectKey(of entry: StoredBytes) -> ObjectKey? {
    guard entry.count >= headerByteCount + 8 else { return nil }
    let loaded = entry.loadUnaligned(fromByteOffset: entry.count - 8, as: UInt64.self)
    let key = UInt64(bigEndian: loaded)
    return key < ObjectKey.limit ? ObjectKey(rawValue: key) : nil
  }

  /// Calls a body with what the keys of all objects with a value begin with, in memory of the
  /// stack, and whether no different value of the same kind has the same bytes.
  @inline(__always)
  static func withPrefix<Result, Failure: Error>(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Value,
    _ body: (StoredBytes, Bool) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if case .int(let number) = value {
      // Most keys are whole numbers: 15 bytes, which need no memory of the size of a text.
      var bytes = intBeginning(classKey, property, number).bigEndian
      return try unsafe withUnsafeBytes(of: &bytes) { (raw) throws(Failure) in
        try unsafe body(StoredBytes(raw.baseAddress, count: intByteCount), true)
      }
    }
    var room: [64 of UInt64] = .init(repeating: 0)
    return try unsafe withUnsafeMutableBytes(of: &room) { (raw) throws(Failure) in
      var writer = unsafe IndexKeyWriter(raw)
      writer.append(classKey.rawValue)
      writer.append(property.rawValue)
      writer.append(value)
      return try body(writer.bytes, writer.isExact)
    }
  }

  /// Calls a body with the key under which an object's whole number is indexed, in memory of the
  /// stack.
  static func withEntry<Failure: Error>(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64,
    _ key: UInt64,
    _ body: (StoredBytes) throws(Failure) -> Void
  ) throws(Failure) {
    var room: [3 of UInt64] = .init(repeating: 0)
    try unsafe withUnsafeMutableBytes(of: &room) { (raw) throws(Failure) in
      let beginning = intBeginning(classKey, property, value).bigEndian
      unsafe raw.storeBytes(of: beginning, as: UInt128.self)
      unsafe raw.storeBytes(of: key.bigEndian, toByteOffset: intByteCount, as: UInt64.self)
      try unsafe body(StoredBytes(raw.baseAddress, count: intByteCount + 8))
    }
  }

  /// The beginning of the keys of all objects with a whole number, and a zero: the first byte of
  /// every object's key.
  private static func intBeginning(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) -> UInt128 {
    let (number, rest) = IndexKeyWriter.parts(of: value)
    let high = intHeader(classKey, property) << 24 | number >> 40
    return UInt128(high) << 64 | UInt128(number << 24 | UInt64(rest) << 8)
  }

  /// The whole number of an entry, or the greatest of all where that may not be exact; the least for
  /// an entry that comes before all numbers.
  static func greatestInt(upTo entry: StoredBytes) -> Int64 {
    guard entry.count == intByteCount + 8, entry[headerByteCount - 1] == 2 else {
      return entry.count > headerByteCount && entry[headerByteCount - 1] < 2 ? .min : .max
    }
    return exactInt(of: entry) ?? .max
  }

  /// The whole number of an entry with a header and the object that has it; `nil` for an entry of
  /// another header, and for a number that may not be exact.
  static func intEntry(
    _ entry: StoredBytes,
    _ header: UInt64
  ) -> (number: Int64, object: ObjectKey)? {
    guard entry.count == intByteCount + 8,
      UInt64(bigEndian: entry.loadUnaligned(as: UInt64.self)) >> 24 == header,
      let number = exactInt(of: entry), let object = objectKey(of: entry)
    else { return nil }
    return (number, object)
  }

  /// The whole number of an entry that has one; greater numbers may share a double.
  private static func exactInt(of entry: StoredBytes) -> Int64? {
    let loaded = entry.loadUnaligned(fromByteOffset: headerByteCount, as: UInt64.self)
    let number = UInt64(bigEndian: loaded)
    let double = Double(bitPattern: number >> 63 == 1 ? number & ~(1 << 63) : ~number)
    guard let whole = Int64(exactly: double), whole.magnitude < 1 << 53 else { return nil }
    return whole
  }

  /// The five bytes before every number of a property.
  static func intHeader(_ classKey: ClassKey, _ property: PropertyKey) -> UInt64 {
    UInt64(classKey.rawValue) << 24 | UInt64(property.rawValue) << 8 | 2
  }

  /// The first five bytes of an entry, if it has as many as that of a number.
  static func header(of entry: StoredBytes) -> UInt64? {
    guard entry.count >= 8 else { return nil }
    return UInt64(bigEndian: entry.loadUnaligned(as: UInt64.self)) >> 24
  }

  /// Class, property, kind, a double and what is left of it.
  static let intByteCount = 15

  /// The most bytes that a page store allows for a key.
  private static let byteLimit = 511
  /// Class, property and kind.
  private static let headerByteCount = 5
}

/// Writes the bytes of a key into memory that has room for the longest.
///
/// Safe to use while the memory is valid: no value has more bytes than the longest key.
@safe struct IndexKeyWriter {
  /// More than the longest key has.
  static let byteCount = 512
  /// The escaped bytes of strings and data that a key holds at most.
  private static let textLimit = 400

  private let room: UnsafeMutableRawBufferPointer
  private var count = 0
  /// Whether no different value of the same kind has the same bytes.
  private(set) var isExact = true

  init(_ room: UnsafeMutableRawBufferPointer) { unsafe self.room = room }

  /// The bytes written so far.
  var bytes: StoredBytes { unsafe StoredBytes(room.baseAddress, count: count) }

  mutating func append(_ number: some FixedWidthInteger & BitwiseCopyable) {
    unsafe room.storeBytes(of: number.bigEndian, toByteOffset: count, as: type(of: number))
    count += number.bitWidth >> 3
  }

  mutating func append(_ value: Value) {
    if case .string(var text) = value {
      return text.withUTF8 { unsafe append(text: StoredBytes(UnsafeRawBufferPointer($0))) }
    }
    switch value.shape {
    case .null: append(UInt8(0))
    case .scalar(let scalar):
      if let number = scalar.number { return append(number) }
      append(type(of: scalar).rank)
      append(scalar.stored, of: type(of: scalar).kind)
    case .link(let value):
      append(UInt8(11))
      append(value.classKey.rawValue)
      append(value.key.rawValue)
    case .list, .set, .map:
      append(UInt8(12))
      isExact = false
    }
  }

  /// Writes what is stored of a scalar, so that it sorts as the scalars do.
  private mutating func append(_ stored: StoredScalar, of kind: ValueKind) {
    switch stored {
    case .word(let word, let byteCount):
      append(kind.wordOrder.rank(of: word), byteCount)
    case .pair(let first, let second, let byteCount):
      append(first ^ (kind.pairOrderMask ?? 0), 8)
      append(second, byteCount)
    case .bytes(let bytes): bytes.withRawBytes { appendText($0) }
    }
  }

  /// Writes the lower bytes of a word.
  private mutating func append(_ word: UInt64, _ byteCount: Int) {
    for index in (0..<byteCount).reversed() {
      append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
    }
  }

  private mutating func append(_ number: NumericValue) {
    switch number {
    case .int(let value):
      let (number, rest) = Self.parts(of: value)
      append(UInt8(2))
      append(number)
      append(rest)
    case .float(let value): append(number: Double(value), rest: 0)
    case .double(let value): append(number: value, rest: 0)
    case .decimal128(let value): append(value)
    }
  }

  /// Writes a string that is given as UTF-8.
  mutating func append(text: StoredBytes) {
    append(UInt8(6))
    appendText(text)
  }

  /// The nearest double of a whole number, ordered as bits, and what is between the two.
  static func parts(of value: Int64) -> (number: UInt64, rest: UInt16) {
    let nearest = Double(value)
    // 2^63, to which the greatest integers round, is the same as −2^63 in 64 bits.
    let whole = Int64(exactly: nearest) ?? .min
    return (ordered(nearest), clamped(Int(value &- whole)))
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

  private mutating func append(number: Double, rest: Int) {
    append(UInt8(2))
    append(Self.ordered(number))
    append(Self.clamped(rest))
  }

  /// NaN first, then by value; −0.0 is 0.0.
  private static func ordered(_ number: Double) -> UInt64 {
    let bits = number == 0 ? 0 : number.bitPattern
    return number.isNaN ? 0 : bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private static func clamped(_ rest: Int) -> UInt16 {
    UInt16(clamping: max(rest, -0x8000) + 0x8000)
  }

  private mutating func appendText(_ text: StoredBytes) {
    let start = count
    var rest = unsafe text.buffer.makeIterator()
    while let byte = unsafe rest.next() {
      let escaped = byte == 0 ? 2 : 1
      guard count - start + escaped <= Self.textLimit else {
        isExact = false
        append(UInt16(1))
        append(Self.hash(text))
        return
      }
      unsafe room[count] = byte
      if byte == 0 { unsafe room[count + 1] = 0xFF }
      count += escaped
    }
    append(UInt16(0))
  }

  /// FNV-1a, 64 bits: part of the file format.
  private static func hash(_ bytes: StoredBytes) -> UInt64 {
    unsafe bytes.buffer.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
