/// Reads documents of JSON: one behind the other, a line each or not, or as the elements of an array.
///
/// Each is plain JSON, or Extended JSON in either form.
final class JSONReader: DocumentSource {
  private let stream: ByteStream
  private var parser = JSONParser(.extended)
  /// The line that the document begins in that ``next()`` gave last, and the line of what comes next.
  private var line = 1
  private var nextLine = 1
  /// Whether the documents are the elements of an array; `nil` before the first byte.
  private var isArray: Bool?
  private var isAtEnd = false
  private var isFirst = true

  init(_ stream: ByteStream) {
    self.stream = stream
  }

  /// Returns the next document, or `nil` at the end.
  func next() throws -> SourceDocument? {
    guard !isAtEnd, try begin() else { return nil }
    line = nextLine
    let value: DocumentValue
    do {
      value = try stream.value(by: &parser, limit: DocumentLimits.textByteCount)
    } catch let error as JSONProblem {
      if error.isShort { throw problem("the file ends inside the document: it is truncated") }
      let place = stream.place(of: error)
      line += place.line - 1
      throw problem("column \(place.column): \(error.message)")
    } catch is ByteStream.TooLong {
      throw problem("the document is longer than \(DocumentLimits.textByteCount) bytes, the limit")
    }
    _ = stream.take(parser.position - stream.position)
    nextLine += parser.lineBreaks
    guard case .document(let document) = value else { throw problem("expected a document") }
    return SourceDocument(document: document, line: line)
  }

  /// Goes to the first byte of the next document; false where there is none.
  private func begin() throws -> Bool {
    guard let isArray else {
      try stream.takeByteOrderMark()
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

  private func problem(_ message: String) -> DocumentError {
    DocumentError(line: line, message)
  }
}

extension ByteStream {
  /// A value is longer than its limit.
  struct TooLong: Error {}

  /// Returns the JSON value that comes next, and reads on where it goes on in bytes that have not
  /// come; it is not taken.
  ///
  /// - Throws: `JSONProblem` if the bytes are not JSON, `TooLong`, and what reading throws.
  func value(by parser: inout JSONParser, limit: Int) throws -> DocumentValue {
    while true {
      do throws(JSONProblem) {
        let bytes = buffer
        return try parser.next(in: bytes.span, from: position)
      } catch {
        guard error.isShort, !isAtEnd else { throw error }
      }
      try readOn(limit: limit)
    }
  }

  /// The place of a problem with the value that comes next, counted from its beginning.
  func place(of problem: JSONProblem) -> (line: Int, column: Int) {
    let bytes = buffer
    return problem.place(in: bytes.span, from: position)
  }

  /// Reads as much again as there is, so that what is parsed again is no more than the whole.
  func readOn(limit: Int) throws {
    guard available <= limit else { throw TooLong() }
    _ = try fill(min(2 * available, limit) + 1)
  }

  func takeByteOrderMark() throws {
    if try fill(3), buffer[position...].starts(with: [0xEF, 0xBB, 0xBF]) { _ = take(3) }
  }
}
