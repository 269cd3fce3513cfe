internal import KennelPatterns

/// A line of a tree; the lines below it that are deeper are parts of it.
struct TreeLine {
  var text: String
  var depth: Int
}

/// JSON as the lines of a tree: each member and each element on its own, with the letters of the text.
///
/// Numbers and strings are shown as they are written, whatever type could hold them; members keep their
/// order, and names that are there twice are shown twice.
struct JSONOutline {
  private(set) var lines: [TreeLine] = []
  private let bytes: [UInt8]
  private var place = 0
  /// The objects and arrays that are open.
  private var open: [Container] = []

  private struct Container {
    var isObject: Bool
    /// Its line, which gets the number of its parts.
    var line: Int
    var count = 0
  }

  /// Deeper nesting is made to do harm.
  private static let deepest = 500
  /// More lines are read as a text.
  private static let mostLines = 200_000

  /// Reads a text; `nil` where it is no object or array of JSON, or where that is too large for a tree.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    skipBlanks()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else { return nil }
    repeat { guard readPart() else { return nil } } while !open.isEmpty
    skipBlanks()
    guard place == bytes.count else { return nil }
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte = next, Self.isBlank(byte) { place += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard let byte = next, byte == UInt8(ascii: letter) else { return false }
    place += 1
    return true
  }

  /// Reads a member or an element of the container that is open, or the outermost value, and what closes
  /// after it.
  private mutating func readPart() -> Bool {
    guard lines.count < Self.mostLines else { return false }
    var name = ""
    if let last = open.indices.last {
      if open[last].isObject {
        skipBlanks()
        guard let text = readString(), take(":") else { return false }
        name = String(text.dropFirst().dropLast()) + ": "
      } else {
        name = "\(open[last].count): "
      }
      open[last].count += 1
    }
    skipBlanks()
    if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") {
      guard open.count < Self.deepest else { return false }
      let isObject = take("{")
      if !isObject { place += 1 }
      open.append(Container(isObject: isObject, line: lines.count))
      lines.append(TreeLine(text: name, depth: open.count - 1))
      if !take(isObject ? "}" : "]") { return true }
      close()
    } else {
      guard let text = readScalar() else { return false }
      lines.append(TreeLine(text: name + text, depth: open.count))
    }
    while let container = open.last {
      if take(",") { return true }
      guard take(container.isObject ? "}" : "]") else { return false }
      close()
    }
    return true
  }

  private mutating func close() {
    guard let container = open.popLast() else { return }
    let count = "\(container.count)"
    lines[container.line].text += container.isObject ? "{\(count)}" : "[\(count)]"
  }

  // MARK: - Single values

  private mutating func readScalar() -> String? {
    if next == UInt8(ascii: "\"") { return readString() }
    let start = place
    while let byte = next, !Self.isBlank(byte), byte != 0x2C, byte != 0x5D, byte != 0x7D {
      place += 1
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    return Self.scalar?.firstMatch(in: text) == nil ? nil : text
  }

  /// A value that is no string, such as `-1.5e+3`.
  private static let scalar = try? RegularExpression(
    #"(?-i)^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?)$"#
  )

  /// Reads a string with its quotes, as it is written.
  private mutating func readString() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    let start = place
    place += 1
    while let byte = next, byte >= 0x20 {
      place += 1
      if byte == UInt8(ascii: "\"") {
        return String(validating: bytes[start..<place], as: UTF8.self)
      }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = next, Array(#""\/bfnrtu"#.utf8).contains(escaped) else { return nil }
      place += 1
      guard escaped == UInt8(ascii: "u") else { continue }
      let digits = bytes[place...].prefix(4).map { Character(Unicode.Scalar($0)) }
      guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
      place += 4
    }
    return nil
  }
}
