internal import KennelCore
internal import KennelReports

/// Bytes as the fields of a protocol buffer, as far as that can be told without its description.
///
/// A message is fields one after the other: a number and one of four forms, then the value. Bytes of any
/// other origin seldom divide into such fields up to the last one; short ones may.
struct ProtobufOutline {
  private(set) var lines: [TreeLine] = []
  /// How many fields the message has itself, without those inside of them.
  private(set) var count = 0

  var kind: String { "protobuf-like, \(counted(count, "field"))" }

  /// Deeper messages are shown as bytes.
  private static let deepest = 16
  /// More lines are no message that anybody reads.
  private static let mostLines = 20_000
  private static let largestNumber: UInt64 = 1 << 29 - 1
  /// Fewer bytes are more likely anything else.
  private static let fewestBytes = 3
  private static let longestHex = 24

  /// Reads bytes; `nil` where they do not divide into fields.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.fewestBytes, let count = read(bytes[...], depth: 0) else {
      return nil
    }
    self.count = count
  }

  /// Reads a message; how many fields it has, `nil` where it is none.
  private mutating func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> Int? {
    var rest = bytes
    var count = 0
    let start = lines.count
    while !rest.isEmpty {
      guard lines.count < Self.mostLines, let tag = Self.varint(&rest),
        (1...Self.largestNumber).contains(tag >> 3), readField(tag, &rest, depth)
      else {
        lines.removeSubrange(start...)
        return nil
      }
      count += 1
    }
    return count
  }

  private mutating func readField(
    _ tag: UInt64,
    _ rest: inout ArraySlice<UInt8>,
    _ depth: Int
  ) -> Bool {
    let name = "\(tag >> 3): "
    switch tag & 7 {
    case 0:
      guard let number = Self.varint(&rest) else { return false }
      let signed = Int64(bitPattern: number)
      lines.append(TreeLine(text: name + (signed < 0 ? "\(signed)" : "\(number)"), depth: depth))
    case 1:
      guard let word = Self.word(&rest, 8) else { return false }
      let text = Self.text(word, Double(bitPattern: word).description)
      lines.append(TreeLine(text: name + text, depth: depth))
    case 5:
      guard let word = Self.word(&rest, 4) else { return false }
      let text = Self.text(word, Float(bitPattern: UInt32(truncatingIfNeeded: word)).description)
      lines.append(TreeLine(text: name + text, depth: depth))
    case 2:
      guard let length = Self.varint(&rest), length <= UInt64(rest.count) else { return false }
      let value = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      append(name, value, depth)
    case _: return false
    }
    return true
  }

  /// A text, a message inside of this one, or bytes.
  private mutating func append(_ name: String, _ value: ArraySlice<UInt8>, _ depth: Int) {
    if let text = String(validating: value, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    {
      return lines.append(TreeLine(text: name + ValueText.quote(text, with: "\""), depth: depth))
    }
    let line = lines.count
    lines.append(TreeLine(text: name, depth: depth))
    if depth < Self.deepest, value.count > 1, let count = read(value, depth: depth + 1) {
      lines[line].text += "{\(count)}"
      return
    }
    let digits = value.prefix(Self.longestHex).map { $0.digits(2, radix: 16) }
    let rest = value.count > Self.longestHex ? " …" : ""
    lines[line].text += "\(DataKind.size(value.count))  \(digits.joined(separator: " "))\(rest)"
  }

  /// A fixed number of bytes, which may be a whole number or not.
  private static func text(_ word: UInt64, _ number: String) -> String { "\(word), or \(number)" }

  private static func word(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    let word = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return word
  }

  /// A number of seven bits per byte, the lowest first.
  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      // The tenth byte has one bit left.
      guard shift < 63 || byte < 2 else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}
