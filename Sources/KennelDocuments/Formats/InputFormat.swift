/// What a file of documents is, as its first bytes tell.
public enum InputFormat: String, Sendable, CaseIterable {
  /// Lines of a whole database, as `kennel export` writes them.
  case jsonl
  /// Documents of JSON or Extended JSON, a line each or as an array.
  case json
  /// BSON documents that follow each other.
  case bson
  /// What `mongodump --archive` writes.
  case archive
  /// Values between separators.
  case csv

  /// Finds the format of bytes that are not compressed.
  ///
  /// - Parameters:
  ///   - start: The first bytes of the file.
  ///   - isWhole: Whether they are all of it.
  /// - Returns: The format; ``bson`` for an empty file, which is a collection without documents; `nil`
  ///   where it takes more bytes to tell.
  public static func find(_ start: some Collection<UInt8>, isWhole: Bool) -> InputFormat? {
    let bytes = Array(start.prefix(1 << 16))
    if bytes.isEmpty, isWhole { return .bson }
    if bytes.count < 5, !isWhole { return nil }
    if bytes.starts(with: ArchiveFormat.magic) { return .archive }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .csv }
    // No text has the character 0 where a length of less than 16 MB has it.
    if bytes.count >= 5, bytes[3] == 0 || bytes[..<3].contains(0) { return .bson }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return isWhole || bytes.count == 1 << 16 ? .jsonl : nil
    }
    switch first {
    case UInt8(ascii: "["): return .json
    case UInt8(ascii: "#"): return .jsonl
    case UInt8(ascii: "{"):
      let rest = text.drop { $0 != UInt8(ascii: "{") }.dropFirst()
        .drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if rest.count < 9, !isWhole, bytes.count < 1 << 16 { return nil }
      return rest.starts(with: Array("\"$kennel\"".utf8)) ? .jsonl : .json
    default: return .csv
    }
  }
}

/// A file, or part of one, whose documents are objects of a class.
public struct DocumentFile {
  /// What errors call the file; `nil` where there is only one.
  public let name: String?
  /// The class of its documents; an archive says it itself.
  public let className: String
  /// The format; `nil` for what the first bytes tell.
  public let format: InputFormat?
  /// Opens the file: a function that gives its next bytes, none at the end.
  public let open: () throws -> () throws -> [UInt8]

  /// Makes a file.
  ///
  /// - Parameters:
  ///   - name: What errors call the file; `nil` where there is only one.
  ///   - className: The class of its documents.
  ///   - format: The format; `nil` for what the first bytes tell.
  ///   - open: Opens the file, which may be compressed by gzip: gives a function that gives its next
  ///     bytes, none at the end.
  public init(
    name: String? = nil,
    className: String,
    format: InputFormat? = nil,
    open: @escaping () throws -> () throws -> [UInt8]
  ) {
    self.name = name
    self.className = className
    self.format = format
    self.open = open
  }
}

/// A file whose first bytes have been looked at, with those of a compressed one decompressed.
public final class InputFile {
  /// What it is.
  public let format: InputFormat
  let stream: ByteStream

  /// Looks at the first bytes of a file.
  ///
  /// - Parameters:
  ///   - format: The format, where it is known.
  ///   - read: Gives the next bytes, none at the end.
  /// - Throws: What `read` throws, and ``DocumentError`` for a damaged gzip file.
  public init(format: InputFormat? = nil, _ read: @escaping () throws -> [UInt8]) throws {
    let raw = ByteStream([], read)
    var stream = raw
    if try raw.fill(2), raw.buffer[raw.position...].starts(with: [0x1F, 0x8B]) {
      let gzip = GzipReader(Array(raw.buffer[raw.take(raw.available)]), read)
      stream = ByteStream { try gzip.next() }
    }
    self.stream = stream
    var found = format
    // What comes through a pipe may come slowly: no more is waited for than it takes.
    while found == nil {
      let start = stream.buffer[stream.position...]
      found = InputFormat.find(start, isWhole: stream.isAtEnd)
      if found == nil { try stream.readMore() }
    }
    self.format = found ?? .bson
  }

  /// The next bytes as they are, decompressed; none at the end.
  ///
  /// - Returns: The bytes.
  /// - Throws: What reading throws.
  public func read() throws -> [UInt8] {
    guard try stream.fill(1) else { return [] }
    return Array(stream.buffer[stream.take(stream.available)])
  }
}
