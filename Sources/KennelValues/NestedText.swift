/// Reads the text of a list or a map in a mixed value, as ``ValueText/describeMixed(_:)`` writes it.
///
/// Blanks and line breaks may stand between the parts. Errors say at which character, from 1.
struct NestedText {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether a text begins as a list or a map does.
  static func begins(_ text: String) -> Bool {
    let first = text.utf8.first { !isBlank($0) }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
  }

  /// The value of a whole text.
  ///
  /// Linear in its length; the depth is limited to ``Value/deepestNesting``.
  static func parse(_ text: String) throws(ValueTextError) -> Value {
    var reader = NestedText(text)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.position == reader.bytes.count else {
      throw reader.expected("the end of the value")
    }
    return value
  }

  private mutating func value(depth: Int) throws(ValueTextError) -> Value {
    skipBlanks()
    let isMap = peek == UInt8(ascii: "{")
    guard isMap || peek == UInt8(ascii: "[") else { return try single() }
    guard depth < Value.deepestNesting else {
      throw expected("lists and maps nested at most \(Value.deepestNesting) deep")
    }
    position += 1
    return isMap ? try map(depth: depth + 1) : try list(depth: depth + 1)
  }

  private mutating func list(depth: Int) throws(ValueTextError) -> Value {
    var values: [Value] = []
    if take("]") { return .list([]) }
    while true {
      values.append(try value(depth: depth))
      if take("]") { return .list(values) }
      guard take(",") else { throw expected("a comma or ]") }
    }
  }

  private mutating func map(depth: Int) throws(ValueTextError) -> Value {
    var entries: [MapEntry] = []
    if take("}") { return .map([]) }
    while true {
      skipBlanks()
      let start = position
      guard peek == UInt8(ascii: "\""), let key = ValueText.unquote(try quoted()) else {
        throw expected("a key in double quotes", at: start)
      }
      guard take(":") else { throw expected("a colon after the key") }
      entries.append(MapEntry(key, try value(depth: depth)))
      if take("}") { break }
      guard take(",") else { throw expected("a comma or }") }
    }
    entries.sort { $0.key.hasBytes(before: $1.key) }
    for (entry, next) in zip(entries, entries.dropFirst())
    where entry.key.hasSameBytes(as: next.key) {
      throw ValueTextError("Expected each key once; \(ValueText.quote(next.key)) occurs twice")
    }
    return .map(entries)
  }

  /// A value that is no collection.
  private mutating func single() throws(ValueTextError) -> Value {
    let start = position
    let text = peek == UInt8(ascii: "\"") ? try quoted() : word()
    do throws(ValueTextError) {
      return try ValueText.parse(text, as: .mixed)
    } catch {
      throw ValueTextError("At character \(character(start)): \(error.message)")
    }
  }

  /// The text of a string, with its quotes.
  private mutating func quoted() throws(ValueTextError) -> String {
    let start = position
    position += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { throw expected("the end of the text, a double quote") }
    position += 1
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// All up to what ends an element; what stands in parentheses belongs to it.
  private mutating func word() -> String {
    let start = position
    var open = 0
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "("): open += 1
      case UInt8(ascii: ")"): open -= 1
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if open <= 0 { return trimmed(start..<position) }
      default: break
      }
      position += 1
    }
    return trimmed(start..<position)
  }

  private func trimmed(_ range: Range<Int>) -> String {
    var end = range.upperBound
    while end > range.lowerBound, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[range.lowerBound..<end], as: UTF8.self)
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, Self.isBlank(byte) { position += 1 }
  }

  /// Takes a mark, with the blanks before it.
  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard peek == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The number of a character, from 1: bytes that continue one are not counted.
  private func character(_ position: Int) -> Int {
    bytes[..<min(position, bytes.count)].count { $0 & 0xC0 != 0x80 } + 1
  }

  private func expected(_ what: String, at place: Int? = nil) -> ValueTextError {
    ValueTextError("At character \(character(place ?? position)): Expected \(what)")
  }
}
