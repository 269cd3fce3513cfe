import KennelCore

/// Reads JSON into documents, in one pass over its bytes.
///
/// It keeps the names that it met, since documents of a class have the same ones mostly.
struct JSONParser {
  /// Decides the values of numbers and of objects whose first name begins with `$`.
  enum Dialect {
    /// Whole numbers are 64 bits wide, others are `double`; no name means anything.
    case plain
    /// Extended JSON, canonical, relaxed or plain, with numbers of any size.
    case extended
    /// Kennel's lines, in which a property's type says what a value is: names are as they are
    /// written, and numbers with a fraction keep their digits, as ``number``. A line break ends the
    /// text.
    case lines
  }

  /// The types of the values that lines keep as text: numbers, and JSON that is nested too deep to
  /// be read at once.
  static let number = "number"
  static let deep = "JSON"

  private let dialect: Dialect
  private var names = KnownNames()
  private var libbson: BSONDecoder?
  /// How many arrays and objects are open.
  private var depth = 0
  /// The byte that comes next.
  private(set) var position = 0
  /// How many line breaks are in the value that was read last.
  private(set) var lineBreaks = 0

  init(_ dialect: Dialect) {
    self.dialect = dialect
  }

  /// The value that makes up a text; `level` is 0 for a document, more for the value of a member.
  static func value(
    of bytes: [UInt8],
    _ dialect: Dialect,
    level: Int = 0
  ) throws(JSONProblem) -> DocumentValue {
    var parser = JSONParser(dialect)
    let value = try parser.next(in: bytes.span, from: 0, level: level)
    if parser.skipSpace(bytes.span) != nil {
      throw parser.problem("Expected the end of the text", bytes.span)
    }
    return value
  }

  /// Returns the value that begins at an index, or behind spaces; ``position`` is behind it then.
  mutating func next(
    in bytes: Span<UInt8>,
    from start: Int,
    level: Int = 0
  ) throws(JSONProblem) -> DocumentValue {
    position = start
    depth = 0
    lineBreaks = 0
    return try value(bytes, level)
  }

  /// The next byte that is no space; `nil` at the end.
  mutating func skipSpace(_ bytes: Span<UInt8>) -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x20, 0x09, 0x0D: position += 1
      case 0x0A:
        if dialect == .lines { return nil }
        position += 1
        lineBreaks += 1
      default: return byte
      }
    }
    return nil
  }

  // MARK: - Values

  private mutating func value(
    _ bytes: Span<UInt8>,
    _ level: Int
  ) throws(JSONProblem) -> DocumentValue {
    guard let first = skipSpace(bytes) else { throw problem("Expected a value", bytes) }
    switch first {
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try container(bytes, level)
    case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try word("null", .null, bytes)
    default: throw problem("Expected a value", bytes)
    }
  }

  private mutating func word(
    _ word: String,
    _ value: DocumentValue,
    _ bytes: Span<UInt8>
  ) throws(JSONProblem) -> DocumentValue {
    let start = position
    for byte in word.utf8 {
      guard position < bytes.count else { throw problem("Expected a value", bytes) }
      guard bytes[position] == byte else {
        position = start
        throw problem("Expected a value", bytes)
      }
      position += 1
    }
    return value
  }

  /// Reads an array or an object.
  ///
  /// Recursion is bounded, so that hostile nesting is an error or text.
  private mutating func container(
    _ bytes: Span<UInt8>,
    _ level: Int
  ) throws(JSONProblem) -> DocumentValue {
    let start = position
    depth += 1
    defer { depth -= 1 }
    switch dialect {
    case .plain where depth > DocumentLimits.textDepth + 1:
      throw problem("More than \(DocumentLimits.textDepth) levels are nested", bytes)
    case .lines where depth > DocumentLimits.textDepth + 1: return try deepText(bytes)
    // What Extended JSON wraps a value in is not a level of its document.
    case .extended where level > DocumentLimits.depth && bytes[start] == UInt8(ascii: "["),
      .extended where depth > DocumentLimits.depth + 4:
      throw problem(DocumentLimits.isTooDeep.message, bytes)
    case .plain, .lines, .extended: break
    }
    position += 1
    guard bytes[start] == UInt8(ascii: "{") else { return .array(try elements(bytes, level)) }
    var isWrapper = false
    let document = Document(try members(bytes, level, &isWrapper))
    guard isWrapper else {
      if dialect == .extended, level > DocumentLimits.depth {
        throw JSONProblem(offset: start, message: DocumentLimits.isTooDeep.message)
      }
      return .document(document)
    }
    let decoder = libbson ?? BSONDecoder()
    libbson = decoder
    do throws(ValueProblem) {
      let text = bytes.extracting(start..<position)
      return try ExtendedJSON.value(of: document, text, by: decoder)
    } catch {
      throw JSONProblem(offset: start, message: error.message)
    }
  }

  private mutating func elements(
    _ bytes: Span<UInt8>,
    _ level: Int
  ) throws(JSONProblem) -> [DocumentValue] {
    var elements: [DocumentValue] = []
    if skipSpace(bytes) == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      elements.append(try value(bytes, level + 1))
      let mark = skipSpace(bytes)
      guard mark == UInt8(ascii: ",") || mark == UInt8(ascii: "]") else {
        throw problem("Expected ',' or ']'", bytes)
      }
      position += 1
      if mark == UInt8(ascii: "]") { return elements }
    }
  }

  private mutating func members(
    _ bytes: Span<UInt8>,
    _ level: Int,
    _ isWrapper: inout Bool
  ) throws(JSONProblem) -> [Document.Member] {
    let start = position
    var members: [Document.Member] = []
    if skipSpace(bytes) == UInt8(ascii: "}") {
      position += 1
      return members
    }
    members.reserveCapacity(names.count(at: level))
    var isKnown = true
    while true {
      guard skipSpace(bytes) == UInt8(ascii: "\"") else {
        throw problem("Expected a name in quotes", bytes)
      }
      let name: String
      if isKnown, let known = names.name(level, members.count, bytes, position + 1) {
        name = known
        position += known.utf8.count + 2
      } else {
        isKnown = false
        name = try string(bytes)
      }
      guard skipSpace(bytes) == UInt8(ascii: ":") else { throw problem("Expected ':'", bytes) }
      position += 1
      if members.isEmpty, dialect == .extended, level > 0 {
        isWrapper = ExtendedJSON.isWord(name)
      }
      members.append(Document.Member(name, try value(bytes, isWrapper ? level : level + 1)))
      let mark = skipSpace(bytes)
      guard mark == UInt8(ascii: ",") || mark == UInt8(ascii: "}") else {
        throw problem("Expected ',' or '}'", bytes)
      }
      position += 1
      if mark == UInt8(ascii: "}") { break }
    }
    if isKnown { return members }
    do throws(ValueProblem) {
      try names.remember(members, level)
    } catch {
      throw JSONProblem(offset: start - 1, message: error.message)
    }
    return members
  }

  /// Passes over an array or an object that is nested too deep, and keeps its text.
  private mutating func deepText(_ bytes: Span<UInt8>) throws(JSONProblem) -> DocumentValue {
    let start = position
    var open = 0
    repeat {
      switch skipSpace(bytes) {
      case nil: throw problem("Expected ']' or '}'", bytes)
      case UInt8(ascii: "\""):
        _ = try string(bytes)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      default: break
      }
      position += 1
    } while open > 0
    return .other(type: Self.deep, text: try text(bytes, start..<position))
  }

  // MARK: - Numbers

  private mutating func number(_ bytes: Span<UInt8>) throws(JSONProblem) -> DocumentValue {
    let start = position
    let isNegative = bytes[start] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var isWhole = true
    var magnitude: UInt64? = 0
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
      // Nothing else says that a zero is below zero.
      if isNegative, dialect == .lines { magnitude = nil }
    } else {
      magnitude = try digits(bytes)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      isWhole = false
      _ = try digits(bytes)
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      isWhole = false
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      _ = try digits(bytes)
    }
    if isWhole, let magnitude, magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) {
      let number = Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
      guard dialect == .extended, let short = Int32(exactly: number) else { return .int64(number) }
      return .int32(short)
    }
    let text = try text(bytes, start..<position)
    switch dialect {
    case .plain: return .double(Double(text) ?? .infinity)
    case .lines: return .other(type: Self.number, text: text)
    case .extended:
      guard !isWhole, let number = Double(text), number.isFinite else {
        return ExtendedJSON.wide(text)
      }
      return .double(number)
    }
  }

  /// Passes over digits, one at least; `nil` if their number has more than 64 bits.
  private mutating func digits(_ bytes: Span<UInt8>) throws(JSONProblem) -> UInt64? {
    let start = position
    var number: UInt64? = 0
    while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
      position += 1
      guard let high = number else { continue }
      let (shifted, isBeyond) = high.multipliedReportingOverflow(by: 10)
      let (sum, isBeyondToo) = shifted.addingReportingOverflow(UInt64(digit))
      number = isBeyond || isBeyondToo ? nil : sum
    }
    if position == start { throw problem("Expected a digit", bytes) }
    return number
  }

  // MARK: - Strings

  private mutating func string(_ bytes: Span<UInt8>) throws(JSONProblem) -> String {
    let start = position + 1
    position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return try text(bytes, start..<position - 1)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(bytes, start) }
      if byte < 0x20 { throw controlCharacter(bytes) }
      position += 1
    }
    throw problem("The string is not closed", bytes)
  }

  /// Text that is valid UTF-8.
  private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONProblem) -> String {
    guard let text = try? UTF8Span(validating: bytes.extracting(range)) else {
      throw JSONProblem(offset: range.lowerBound, message: "The string is not valid Unicode")
    }
    return String(copying: text)
  }

  /// Reads on in a string up to its end, from its first backslash.
  private mutating func escapedString(
    _ bytes: Span<UInt8>,
    _ start: Int
  ) throws(JSONProblem) -> String {
    var units: [UInt8] = []
    for index in start..<position { units.append(bytes[index]) }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        guard let string = String(validating: units, as: UTF8.self) else {
          throw JSONProblem(offset: start, message: "The string is not valid Unicode")
        }
        return string
      }
      if byte < 0x20 { throw controlCharacter(bytes) }
      if byte == UInt8(ascii: "\\") {
        units.append(contentsOf: String(try escape(bytes)).utf8)
      } else {
        units.append(byte)
        position += 1
      }
    }
    throw problem("The string is not closed", bytes)
  }

  /// The character that an escape means.
  private mutating func escape(_ bytes: Span<UInt8>) throws(JSONProblem) -> Unicode.Scalar {
    let start = position
    position += 1
    guard position < bytes.count else { throw problem("Unknown escape", bytes) }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "u"): break
    default:
      position = start
      throw problem("Unknown escape", bytes)
    }
    let first = try hexadecimal(bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // The first half of a pair.
    if first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let second = try hexadecimal(bytes)
      if second & 0xFC00 == 0xDC00,
        let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
      {
        return scalar
      }
    }
    let isShort = position + 1 >= bytes.count
    throw JSONProblem(offset: start, message: "The string is not valid Unicode", isShort: isShort)
  }

  private mutating func hexadecimal(_ bytes: Span<UInt8>) throws(JSONProblem) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count,
        let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
      else { throw problem("Expected four hexadecimal digits", bytes) }
      number = number << 4 | UInt32(digit)
      position += 1
    }
    return number
  }

  // MARK: - Problems

  private func controlCharacter(_ bytes: Span<UInt8>) -> JSONProblem {
    let isClosed = dialect != .lines || bytes[position] != 0x0A
    let message = isClosed ? "A control character must be escaped" : "The string is not closed"
    return problem(message, bytes)
  }

  private func problem(_ message: String, _ bytes: Span<UInt8>) -> JSONProblem {
    let isAtEnd = position >= bytes.count
    let isEnded = isAtEnd || dialect == .lines && bytes[position] == 0x0A
    let place = dialect == .lines ? "line" : "text"
    return JSONProblem(
      offset: position,
      message: isEnded ? "\(message), but the \(place) ends" : message,
      isShort: isAtEnd
    )
  }
}

/// Where a text stops being JSON.
struct JSONProblem: Error {
  /// The index of the byte.
  let offset: Int
  let message: String
  /// Whether the text may go on in bytes that have not come.
  var isShort = false

  /// The place in a text, which is counted from its beginning at an index; both from 1.
  func place(in bytes: Span<UInt8>, from start: Int = 0) -> (line: Int, column: Int) {
    var place = (line: 1, column: 1)
    for index in start..<min(offset, bytes.count) {
      if bytes[index] == 0x0A {
        place = (place.line + 1, 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        // Bytes that continue a character are not characters.
        place.column += 1
      }
    }
    return place
  }
}

/// The names of the document that was read last at each level of nesting.
struct KnownNames {
  private var levels: [[String]] = []

  func count(at level: Int) -> Int { level < levels.count ? levels[level].count : 0 }

  /// The name at a position of the last document, if the same bytes and a quote stand in a text.
  func name(_ level: Int, _ position: Int, _ bytes: Span<UInt8>, _ start: Int) -> String? {
    guard level < levels.count, position < levels[level].count else { return nil }
    let name = levels[level][position]
    let known = name.utf8.span
    guard start + known.count < bytes.count, bytes[start + known.count] == UInt8(ascii: "\"") else {
      return nil
    }
    for index in 0..<known.count {
      // What is escaped in a text has other bytes there.
      let byte = known[index]
      if byte != bytes[start + index] || byte < 0x20 || byte == 0x22 || byte == 0x5C { return nil }
    }
    return name
  }

  /// The name at a position of the last document.
  func name(_ level: Int, _ position: Int) -> String? {
    level < levels.count && position < levels[level].count ? levels[level][position] : nil
  }

  /// Keeps the names of a document.
  ///
  /// - Throws: `ValueProblem` if a name occurs twice.
  mutating func remember(_ members: [Document.Member], _ level: Int) throws(ValueProblem) {
    // A wrapper or a link would push out the names of what is around it.
    guard members.count > 1 else { return }
    if members.count < 10 {
      for (index, member) in members.enumerated() {
        for other in members[..<index] where other.name.isExactly(member.name) {
          throw Self.twice(member.name)
        }
      }
    } else {
      var seen: Set<ExactName> = []
      for member in members where !seen.insert(ExactName(member.name)).inserted {
        throw Self.twice(member.name)
      }
    }
    // What is kept of one strange document must not be much.
    guard members.count <= 1024 else { return }
    while levels.count <= level { levels.append([]) }
    levels[level] = members.map(\.name)
  }

  private static func twice(_ name: String) -> ValueProblem {
    ValueProblem("the name \"\(name)\" occurs twice")
  }
}
