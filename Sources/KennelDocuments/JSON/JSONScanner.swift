/// Finds the nodes of a JSON text.
struct JSONScanner {
  private enum State {
    case value
    case firstElement
    case key
    case firstKey
    case afterValue
  }

  private let bytes: [UInt8]
  private(set) var nodes: [JSONText.Node] = []
  private var position = 0
  /// The arrays and objects that are open, outermost first.
  private var open: [Int] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func scan() throws(JSONProblem) {
    var state = State.value
    while true {
      skipSpace()
      switch state {
      case .value, .firstElement:
        if state == .firstElement, peek == UInt8(ascii: "]") {
          close()
          state = .afterValue
        } else {
          state = try scanValue()
        }
      case .key, .firstKey:
        if state == .firstKey, peek == UInt8(ascii: "}") {
          close()
          state = .afterValue
        } else {
          try scanKey()
          state = .value
        }
      case .afterValue:
        guard let container = open.last else {
          if position < bytes.count { throw problem("Expected the end of the line") }
          return
        }
        state = try scanAfterValue(in: nodes[container].kind)
      }
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A {
      position += 1
    }
  }

  private mutating func scanValue() throws(JSONProblem) -> State {
    guard let byte = peek else { throw problem("Expected a value") }
    switch byte {
    case UInt8(ascii: "{"):
      begin(.object)
      return .firstKey
    case UInt8(ascii: "["):
      begin(.array)
      return .firstElement
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t"): try scanWord("true", .yes)
    case UInt8(ascii: "f"): try scanWord("false", .no)
    case UInt8(ascii: "n"): try scanWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
    default: throw problem("Expected a value")
    }
    return .afterValue
  }

  private mutating func scanKey() throws(JSONProblem) {
    guard peek == UInt8(ascii: "\"") else { throw problem("Expected a name in quotes") }
    try scanString()
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw problem("Expected ':'") }
    position += 1
  }

  private mutating func scanAfterValue(in kind: JSONText.Kind) throws(JSONProblem) -> State {
    let isObject = kind == .object
    if peek == UInt8(ascii: ",") {
      position += 1
      return isObject ? .key : .value
    }
    guard peek == UInt8(ascii: isObject ? "}" : "]") else {
      throw problem(isObject ? "Expected ',' or '}'" : "Expected ',' or ']'")
    }
    close()
    return .afterValue
  }

  private mutating func begin(_ kind: JSONText.Kind) {
    open.append(nodes.count)
    nodes.append(JSONText.Node(kind: kind, start: position, end: position, next: 0))
    position += 1
  }

  private mutating func close() {
    position += 1
    guard let container = open.popLast() else { return }
    nodes[container].end = position
    nodes[container].next = nodes.count
  }

  private mutating func add(_ kind: JSONText.Kind, start: Int, end: Int) {
    nodes.append(JSONText.Node(kind: kind, start: start, end: end, next: nodes.count + 1))
  }

  private mutating func scanWord(_ word: StaticString, _ kind: JSONText.Kind) throws(JSONProblem) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes[position..<end].elementsEqual("\(word)".utf8) else {
      throw problem("Expected a value")
    }
    add(kind, start: position, end: end)
    position = end
  }

  private mutating func scanString() throws(JSONProblem) {
    position += 1
    let start = position
    var kind = JSONText.Kind.string
    while let byte = peek {
      if byte == UInt8(ascii: "\"") {
        add(kind, start: start, end: position)
        position += 1
        return
      }
      if byte < 0x20 { throw problem("A control character must be escaped") }
      if byte == UInt8(ascii: "\\") {
        kind = .escapedString
        try scanEscape()
      } else {
        position += 1
      }
    }
    throw problem("The string is not closed")
  }

  private mutating func scanEscape() throws(JSONProblem) {
    let letters = Array("\"\\/bfnrtu".utf8)
    guard position + 1 < bytes.count, letters.contains(bytes[position + 1]) else {
      throw problem("Unknown escape")
    }
    if bytes[position + 1] == UInt8(ascii: "u") {
      guard position + 6 <= bytes.count,
        bytes[position + 2..<position + 6].allSatisfy({ Self.hexadecimalDigit($0) != nil })
      else { throw problem("Expected four hexadecimal digits") }
      position += 6
    } else {
      position += 2
    }
  }

  private mutating func scanNumber() throws(JSONProblem) {
    let start = position
    var kind = JSONText.Kind.integer
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
    if peek == UInt8(ascii: ".") {
      kind = .number
      position += 1
      try scanDigits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      kind = .number
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    add(kind, start: start, end: position)
  }

  private mutating func scanDigits() throws(JSONProblem) {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    if position == start { throw problem("Expected a digit") }
  }

  private func problem(_ message: String) -> JSONProblem {
    let isShort = position >= bytes.count
    // Bytes that continue a character are not characters.
    let column = bytes[..<min(position, bytes.count)].count { $0 & 0xC0 != 0x80 } + 1
    return JSONProblem(column: column, message: isShort ? message + ", but the line ends" : message)
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
