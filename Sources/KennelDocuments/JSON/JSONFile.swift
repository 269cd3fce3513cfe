/// Reads and writes files of plain JSON, whole and of moderate size.
enum JSONFile {
  /// How deep arrays and objects may be nested.
  private static let deepest = 500

  /// The values of a file that holds one after the other.
  static func values(in bytes: [UInt8], file: String) throws(JSONSchemaError) -> [DocumentValue] {
    var values: [DocumentValue] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while let first = bytes[start...].firstIndex(where: { !isSpace($0) }) {
      let end = self.end(ofValueAt: first, in: bytes)
      do throws(JSONProblem) {
        let text = try JSONText(Array(bytes[first..<end]))
        values.append(try value(0, of: text, depth: 0))
      } catch {
        let line = lineNumber(ofCharacter: error.column, from: first, in: bytes)
        throw JSONSchemaError(JSONPlace(file), line: line, error.message)
      }
      start = end
    }
    return values
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Where the value that begins at an index ends: behind its last bracket, or at the next space.
  private static func end(ofValueAt start: Int, in bytes: [UInt8]) -> Int {
    guard bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else {
      return bytes[start...].firstIndex(where: isSpace) ?? bytes.count
    }
    var depth = 0
    var isString = false
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isString: index += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString, UInt8(ascii: "[") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString, UInt8(ascii: "]") where !isString:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return bytes.count
  }

  private static func lineNumber(ofCharacter column: Int, from start: Int, in bytes: [UInt8]) -> Int
  {
    var characters = 0
    var line = 1 + bytes[..<start].count { $0 == 0x0A }
    for byte in bytes[start...] {
      if byte & 0xC0 != 0x80 { characters += 1 }
      if characters >= column { break }
      if byte == 0x0A { line += 1 }
    }
    return line
  }

  // MARK: - Values

  private static func value(
    _ node: Int,
    of text: JSONText,
    depth: Int
  ) throws(JSONProblem) -> DocumentValue {
    func problem(_ message: String) -> JSONProblem {
      let characters = text.bytes[..<text[node].start].count { $0 & 0xC0 != 0x80 }
      return JSONProblem(column: characters + 1, message: message)
    }
    guard depth <= deepest else { throw problem("More than \(deepest) levels are nested") }
    switch text[node].kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .integer, .number:
      if let number = Int64(text.text(node)) { return .int64(number) }
      return .double(Double(text.text(node)) ?? .infinity)
    case .string, .escapedString:
      guard let string = text.string(node) else { throw problem("The string is not valid Unicode") }
      return .string(string)
    case .array:
      var elements: [DocumentValue] = []
      for element in text.elements(node) {
        elements.append(try value(element, of: text, depth: depth + 1))
      }
      return .array(elements)
    case .object:
      var document = Document()
      var names: Set<ExactName> = []
      for key in text.keys(node) {
        guard let name = text.string(key), names.insert(ExactName(name)).inserted else {
          throw problem("A name is not valid Unicode or appears twice in this object")
        }
        document.members.append(
          Document.Member(name, try value(key + 1, of: text, depth: depth + 1))
        )
      }
      return .document(document)
    }
  }

  // MARK: - Writing

  /// A document as indented JSON that ends with a line break.
  ///
  /// It writes what JSON schemas consist of: documents, arrays, strings, truth values, numbers.
  static func text(of document: Document) -> [UInt8] {
    var writer = JSONWriter()
    append(.document(document), depth: 0, to: &writer)
    writer.append("\n" as Unicode.Scalar)
    return writer.bytes
  }

  private static func append(_ value: DocumentValue, depth: Int, to writer: inout JSONWriter) {
    switch value {
    case .bool(let flag): writer.append(flag ? "true" : "false")
    case .int32(let number): writer.append("\(number)")
    case .int64(let number): writer.append("\(number)")
    case .string(let string): writer.append(quoted: string)
    case .array(let elements):
      appendAll(elements.count, "[", "]", depth, &writer) { index, writer in
        append(elements[index], depth: depth + 1, to: &writer)
      }
    case .document(let document):
      appendAll(document.members.count, "{", "}", depth, &writer) { index, writer in
        let member = document.members[index]
        writer.append(quoted: member.name)
        writer.append(": ")
        append(member.value, depth: depth + 1, to: &writer)
      }
    case .null, .double, .decimal128, .date, .objectId, .binary, .other: writer.append("null")
    }
  }

  private static func appendAll(
    _ count: Int,
    _ first: Unicode.Scalar,
    _ last: Unicode.Scalar,
    _ depth: Int,
    _ writer: inout JSONWriter,
    _ each: (Int, inout JSONWriter) -> Void
  ) {
    writer.append(first)
    for index in 0..<count {
      writer.append(index == 0 ? "\n" : ",\n")
      writer.append(String(repeating: "  ", count: depth + 1))
      each(index, &writer)
    }
    if count > 0 { writer.append("\n" + String(repeating: "  ", count: depth)) }
    writer.append(last)
  }
}
