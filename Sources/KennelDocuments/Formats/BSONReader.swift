/// Reads BSON documents that follow each other, as `mongodump` writes them.
final class BSONReader: DocumentSource {
  private let stream: ByteStream
  private let limit: Int
  private let decoder = BSONDecoder()
  /// The number of the document that ``next()`` gave last, from 1.
  private(set) var number = 0
  /// Where the document that was given last lies in the stream's buffer.
  private(set) var range = 0..<0

  init(_ stream: ByteStream, limit: Int = DocumentLimits.readBSONByteCount) {
    self.stream = stream
    self.limit = limit
  }

  /// Returns the next document, or `nil` at the end.
  func document() throws -> Document? {
    number += 1
    guard try stream.fill(4) else {
      if stream.available == 0 { return nil }
      throw problem("the file ends inside a document: it is truncated")
    }
    let start = stream.position
    let length = (0..<4).reduce(0) { $0 | UInt32(stream.buffer[start + $1]) << UInt32($1 * 8) }
    guard length >= 5, length <= Int32.max else {
      throw problem("a document says it has \(Int32(bitPattern: length)) bytes: this is not BSON")
    }
    guard length <= limit else {
      throw problem("the document has \(length) bytes; the limit of BSON is \(limit)")
    }
    guard try stream.fill(Int(length)) else {
      throw problem("the file ends inside a document of \(length) bytes: it is truncated")
    }
    range = stream.take(Int(length))
    do throws(ValueProblem) {
      return try decoder.decode(stream.buffer, in: range)
    } catch {
      throw problem(error.message, path: error.path)
    }
  }

  func next() throws -> SourceDocument? {
    try document().map { SourceDocument(document: $0) }
  }

  private func problem(_ message: String, path: String? = nil) -> DocumentError {
    let path = path.map { $0.first == "." ? String($0.dropFirst()) : $0 }
    return DocumentError(
      document: number,
      line: nil,
      path: path?.isEmpty == true ? nil : path,
      message
    )
  }
}
