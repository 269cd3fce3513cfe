/// Reads documents of JSON: one behind the other, a line each or not, or as the elements of an array.
///
/// Each is plain JSON, or Extended JSON in either form.
final class JSONReader {
  private let stream: ByteStream
  private let decoder = BSONDecoder()
  /// The line that the document begins in that ``next()`` gave last, and the line of what comes next.
  private(set) var line = 1
  private var nextLine = 1
  /// Whether the documents are the elements of an array; `nil` before the first byte.
  private var isArray: Bool?
  private var isAtEnd = false
  private var isFirst = true

  init(_ stream: ByteStream) {
    self.stream = stream
  }

  /// Returns the next document, or `nil` at the end.
  func next() throws -> Document? {
    guard !isAtEnd, try begin() else { return nil }
    line = nextLine
    let bytes = try object()
    let text: JSONText
    do throws(JSONProblem) {
      text = try JSONText(bytes)
    } catch {
      let newlines = bytes.count { $0 == UInt8(ascii: "\n") }
      let place = newlines > 0 ? "character" : "column"
      throw problem("\(place) \(error.column): \(error.message)")
    }
    guard text[0].kind == .object else { throw problem("expected a document") }
    do throws(ValueProblem) {
      return try ExtendedJSON.decode(text, by: decoder)
    } catch {
      let path = error.path.first == "." ? String(error.path.dropFirst()) : error.path
      throw DocumentError(line: line, path: path.isEmpty ? nil : path, error.message)
    }
  }

  /// Goes to the first byte of the next document; false where there is none.
  private func begin() throws -> Bool {
    guard let isArray else {
      if try stream.fill(3), stream.buffer[stream.position...].starts(with: [0xEF, 0xBB, 0xBF]) {
        _ = stream.take(3)
      }
      let isArray = try peek() == UInt8(ascii: "[")
      self.isArray = isArray
      if isArray { _ = stream.take(1) }
      return try begin()
    }
    var byte = try peek()
    if isArray {
      if byte == UInt8(ascii: "]") {
        _ = stream.take(1)
        guard try peek() == nil else { throw problem("expected the end after the array") }
        isAtEnd = true
        return false
      }
      if !isFirst, byte != nil {
        guard byte == UInt8(ascii: ",") else { throw problem("expected ',' or ']' in the array") }
        _ = stream.take(1)
        byte = try peek()
      }
      guard byte != nil else { throw problem("the array is not closed: the file is truncated") }
    }
    isFirst = false
    guard let byte else {
      isAtEnd = true
      return false
    }
    guard byte == UInt8(ascii: "{") else {
      throw problem("expected a document, which begins with '{'")
    }
    return true
  }

  /// The next byte that is no space; `nil` at the end.
  private func peek() throws -> UInt8? {
    while try stream.fill(1) {
      let byte = stream.buffer[stream.position]
      switch byte {
      case 0x0A: nextLine += 1
      case 0x20, 0x09, 0x0D: break
      default:
        line = nextLine
        return byte
      }
      _ = stream.take(1)
    }
    line = nextLine
    return nil
  }

  /// Takes the bytes of an object, whose first is the next.
  private func object() throws -> [UInt8] {
    var count = 0
    var depth = 0
    var isInString = false
    var isEscaped = false
    while true {
      let start = stream.position
      for index in start + count..<stream.buffer.count {
        let byte = stream.buffer[index]
        count += 1
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          // A value of Extended JSON may itself be two objects in each other.
          if depth > DocumentLimits.depth + 3 { throw problem(DocumentLimits.isTooDeep.message) }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case 0x0A: nextLine += 1
        default: break
        }
        if depth == 0 {
          let range = stream.take(count)
          return Array(stream.buffer[range])
        }
      }
      guard count <= DocumentLimits.textByteCount else {
        throw problem(
          "the document is longer than \(DocumentLimits.textByteCount) bytes, the limit"
        )
      }
      guard !stream.isAtEnd else {
        throw problem("the file ends inside the document: it is truncated")
      }
      try stream.readMore()
    }
  }

  private func problem(_ message: String) -> DocumentError {
    DocumentError(line: line, message)
  }
}
