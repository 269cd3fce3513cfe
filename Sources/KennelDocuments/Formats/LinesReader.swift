import KennelCore

/// Reads Kennel's lines: the classes, then a document for each object.
final class LinesReader: DocumentSource {
  let form = ValueReader.Form.lines

  private let stream: ByteStream
  private let limit: Int
  private var parser = JSONParser(.lines)
  /// The line that was read last, from 1.
  private var line = 0
  private var hasHeader = false
  private var hasSchema = false
  private var definitions = SchemaDefinitions()
  /// The first object, whose line ended the schema.
  private var first: SourceDocument?

  /// Creates a reader of lines that have so many bytes at most.
  init(_ stream: ByteStream, limit: Int = DocumentReader.defaultLineLimit) {
    self.stream = stream
    self.limit = limit
  }

  /// Defines the classes that come before the objects.
  func define(in transaction: WriteTransaction) throws {
    try readSchema()
    try definitions.define(in: transaction)
  }

  /// Returns the next object, or `nil` at the end.
  func next() throws -> SourceDocument? {
    try readSchema()
    if let first {
      self.first = nil
      return first
    }
    guard let (kind, document) = try nextLine() else { return nil }
    guard kind == DocumentFormat.objectLine else {
      throw problem("The schema must come before the first object")
    }
    return try object(document)
  }

  private func readSchema() throws {
    guard !hasSchema else { return }
    hasSchema = true
    while let (kind, document) = try nextLine() {
      if kind == DocumentFormat.objectLine {
        first = try object(document)
        return
      }
      if kind != DocumentFormat.header { try definitions.read(document, kind: kind, line: line) }
    }
    if !hasHeader { throw DocumentError("The document is empty") }
  }

  // MARK: - Lines

  /// The next line, and the word of the format that it is about.
  private func nextLine() throws -> (kind: String, document: Document)? {
    do {
      guard try begin() else { return nil }
      let value = try value()
      guard case .document(let document) = value else {
        throw problem("Expected a line of a document, found \(value.described)")
      }
      guard
        let kind = document.members.first(where: { DocumentFormat.kinds.contains($0.name) })?.name
      else { throw problem("Expected a line of a document, found an object without \"$object\"") }
      if kind == DocumentFormat.header {
        try readHeader(document)
      } else if !hasHeader {
        let header = "{\"\(DocumentFormat.header)\":\(DocumentFormat.version)}"
        throw problem("Expected \(header), which begins a document")
      }
      return (kind, document)
    } catch let error as JSONProblem {
      throw problem("column \(stream.place(of: error).column): \(error.message)")
    } catch is ByteStream.TooLong {
      throw problem(
        "the line is longer than the limit of \(limit >> 20) MB; raise the line limit to read it"
      )
    }
  }

  /// Goes to the next line that says something; false at the end.
  private func begin() throws -> Bool {
    if line == 0 { try stream.takeByteOrderMark() }
    line += 1
    var count = 0
    var isComment = false
    while try stream.fill(count + 1) {
      let byte = stream.buffer[stream.position + count]
      count += 1
      switch byte {
      case 0x0A:
        _ = stream.take(count)
        count = 0
        line += 1
        isComment = false
      case 0x20, 0x09, 0x0D: break
      case UInt8(ascii: "#"): isComment = true
      default: if !isComment { return true }
      }
      if count > limit { throw ByteStream.TooLong() }
    }
    return false
  }

  /// Takes the value that makes up a line, and the line's end.
  private func value() throws -> DocumentValue {
    while true {
      let value = try stream.value(by: &parser, limit: limit)
      let bytes = stream.buffer
      let mark = parser.skipSpace(bytes.span)
      let end = parser.position
      if end - stream.position > limit { throw ByteStream.TooLong() }
      if end == bytes.count, !stream.isAtEnd {
        try stream.readOn(limit: limit)
        continue
      }
      guard mark == nil else {
        throw JSONProblem(offset: end, message: "Expected the end of the line")
      }
      _ = stream.take(min(end + 1, bytes.count) - stream.position)
      return value
    }
  }

  private func readHeader(_ document: Document) throws(DocumentError) {
    guard !hasHeader else { throw problem("The document has a second header") }
    guard case .int64(let version)? = document.members.first?.value, version >= 1 else {
      throw problem("Expected the version of the document")
    }
    guard version <= DocumentFormat.version else {
      throw problem(
        "The document has version \(version), this program reads up to \(DocumentFormat.version)"
      )
    }
    hasHeader = true
  }

  /// The object of a line; what is left of its document are its properties.
  private func object(_ document: Document) throws(DocumentError) -> SourceDocument {
    var document = document
    guard let index = document.members.firstIndex(where: { $0.name == DocumentFormat.objectLine }),
      case .string(let text) = document.members.remove(at: index).value
    else { throw problem("Expected \"$object\":\"Class/key\"") }
    guard text.utf8.contains(UInt8(ascii: "/")) else {
      return SourceDocument(document: document, className: text, line: line)
    }
    guard let (className, key) = DocumentFormat.object(text) else {
      throw problem("Expected \"$object\":\"Class/key\"")
    }
    return SourceDocument(document: document, className: className, line: line, key: key)
  }

  private func problem(_ message: String) -> DocumentError {
    DocumentError(line: line, message)
  }
}
