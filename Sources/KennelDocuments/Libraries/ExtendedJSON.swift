import CBSON
import KennelCore

/// Documents as Extended JSON and back, by libbson.
///
/// Text of libbson gets the form of the lossless lines: no spaces, and escapes for characters
/// that a terminal obeys.
struct ExtendedJSON {
  /// Whether numbers are plain where JSON has them, as in `{"age":3}`, and dates readable.
  let isRelaxed: Bool
  private let encoder = BSONEncoder()
  private var bson: [UInt8] = []

  init(isRelaxed: Bool) {
    self.isRelaxed = isRelaxed
  }

  /// Appends a document as one line without its end.
  mutating func encode(_ document: Document, into bytes: inout [UInt8]) throws(ValueProblem) {
    bson.removeAll(keepingCapacity: true)
    try encoder.encode(document, into: &bson)
    // libbson writes years beyond 9999 as no reader takes them; readers take both forms.
    let isRelaxed = isRelaxed && !document.members.contains { $0.value.hasFarDate }
    let isDone = unsafe bson.withUnsafeBufferPointer { buffer in
      var length = 0
      guard let text = unsafe kennel_bson_json(buffer.baseAddress, buffer.count, isRelaxed, &length)
      else { return false }
      defer { unsafe bson_free(text) }
      unsafe text.withMemoryRebound(to: UInt8.self, capacity: length) {
        unsafe Self.append(UnsafeBufferPointer(start: $0, count: length), to: &bytes)
      }
      return true
    }
    if !isDone { throw ValueProblem("the document cannot be written as Extended JSON") }
  }

  /// Appends JSON without the spaces between its parts and with escapes for hidden characters.
  private static func append(_ json: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + json.count)
    var position = 0
    var isInString = false
    while position < json.count {
      let byte = unsafe json[position]
      if byte >= 0x7F, let length = unsafe JSONWriter.hiddenLength(json[position...]) {
        unsafe JSONWriter.appendEscapes(of: json[position..<position + length], to: &bytes)
        position += length
        continue
      }
      if byte == UInt8(ascii: "\\"), position + 1 < json.count {
        bytes.append(byte)
        unsafe bytes.append(json[position + 1])
        position += 2
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if byte != UInt8(ascii: " ") || isInString { bytes.append(byte) }
      position += 1
    }
  }

  /// The value of an iterator as text.
  static func text(of iterator: OpaquePointer) throws(ValueProblem) -> String {
    var length = 0
    guard let text = unsafe kennel_bson_value_json(iterator, &length) else {
      throw ValueProblem("the value cannot be written as Extended JSON")
    }
    defer { unsafe bson_free(text) }
    var bytes: [UInt8] = []
    unsafe text.withMemoryRebound(to: UInt8.self, capacity: length) {
      unsafe append(UnsafeBufferPointer(start: $0, count: length), to: &bytes)
    }
    return value(in: bytes)
  }

  /// A value as text.
  mutating func text(of value: DocumentValue) throws(ValueProblem) -> String {
    var bytes: [UInt8] = []
    try encode(["v": value], into: &bytes)
    return Self.value(in: bytes)
  }

  /// The value of a document with the member `v`.
  private static func value(in document: [UInt8]) -> String {
    String(decoding: document.dropFirst("{\"v\":".utf8.count).dropLast(), as: UTF8.self)
  }

  // MARK: - Reading

  /// The names of members that make an object a value of another type.
  private static let words: Set<String> = [
    "$binary", "$code", "$date", "$dbPointer", "$maxKey", "$minKey", "$numberDecimal",
    "$numberDouble", "$numberInt", "$numberLong", "$oid", "$options", "$regex",
    "$regularExpression", "$scope", "$symbol", "$timestamp", "$type", "$undefined", "$uuid",
  ]

  /// Whether an object that begins with such a member is a value of another type.
  static func isWord(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "$") && words.contains(name)
  }

  /// The value of an object that begins with a word, such as `{"$date": …}`, and of its text.
  static func value(
    of document: Document,
    _ text: Span<UInt8>,
    by decoder: BSONDecoder
  ) throws(ValueProblem) -> DocumentValue {
    if document.members.count == 1, let value = common(document.members[0]) { return value }
    // libbson knows the others.
    var bytes = Array("{\"v\":".utf8)
    for index in text.indices { bytes.append(text[index]) }
    bytes.append(UInt8(ascii: "}"))
    return try decode(bytes, by: decoder)["v"] ?? .null
  }

  /// The value of what documents have most; `nil` for any other.
  private static func common(_ member: Document.Member) -> DocumentValue? {
    switch (member.name, member.value) {
    case ("$oid", .string(let text)): return ObjectId(text).map { .objectId($0) }
    case ("$numberInt", .string(let text)):
      return Int32(text).map { .int32($0) } ?? wideInteger(text)
    case ("$numberLong", .string(let text)): return wideInteger(text)
    case ("$numberDouble", .string(let text)):
      let isPlain = text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
      guard isPlain, let number = Double(text), number.isFinite else { return nil }
      return .double(number)
    case ("$date", .int64(let milliseconds)): return .date(Timestamp(milliseconds: milliseconds))
    case ("$date", .string(let text)):
      // What other forms mean, libbson knows.
      let (length, mark) = (text.utf8.count, text.utf8.dropFirst(10).first)
      guard length == 20 || length == 24, mark == UInt8(ascii: "T"),
        text.utf8.last == UInt8(ascii: "Z")
      else { return nil }
      return Timestamp(text).map { .date($0) }
    default: return nil
    }
  }

  private static func wideInteger(_ text: String) -> DocumentValue? {
    if let number = Int64(text) { return .int64(number) }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber ? wide(text) : nil
  }

  /// A number that neither 64 bits nor a double hold, which libbson refuses.
  static func wide(_ text: String) -> DocumentValue {
    Decimal128(text).map { .decimal128($0) }
      ?? .other(type: "number of more than 34 digits", text: text)
  }

  /// Reads a text that is one object of JSON, whose numbers have 64 bits at most.
  private static func decode(
    _ text: [UInt8],
    by decoder: BSONDecoder
  ) throws(ValueProblem) -> Document {
    var error = bson_error_t()
    let document = unsafe text.withUnsafeBufferPointer {
      unsafe bson_new_from_json($0.baseAddress, $0.count, &error)
    }
    guard let document = unsafe document else {
      let message = unsafe withUnsafeBytes(of: &error.message) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw ValueProblem("invalid Extended JSON: \(message)")
    }
    defer { unsafe bson_destroy(document) }
    let bytes = unsafe UnsafeBufferPointer(
      start: bson_get_data(document),
      count: Int(kennel_bson_length(document))
    )
    return try unsafe decoder.decode(bytes)
  }

  /// The text that a decimal number has in Extended JSON; `nil` if reading it would give other bits.
  static func hasText(_ number: Decimal128) -> Bool {
    var original = bson_decimal128_t(low: number.low, high: number.high)
    var read = bson_decimal128_t()
    return unsafe withUnsafeTemporaryAllocation(
      of: CChar.self,
      capacity: Int(BSON_DECIMAL128_STRING)
    ) {
      guard let start = $0.baseAddress else { return false }
      unsafe bson_decimal128_to_string(&original, start)
      return unsafe bson_decimal128_from_string(start, &read) && read.low == number.low
        && read.high == number.high
    }
  }
}

extension DocumentValue {
  /// Whether a date is too far away for the text that relaxed Extended JSON has for dates.
  fileprivate var hasFarDate: Bool {
    switch self {
    case .date(let date): date.seconds >= 253_402_300_800
    case .array(let elements): elements.contains { $0.hasFarDate }
    case .document(let document): document.members.contains { $0.value.hasFarDate }
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .objectId, .binary, .other:
      false
    }
  }
}
