/// The format of a file of documents, by the ending of its name or else by its first bytes.
///
/// ```swift
/// let format = InputFormat.find(bytes, isWhole: false)
/// print(format?.rawValue ?? "unknown")
/// ```
public enum InputFormat: String, Sendable, CaseIterable {
  /// Lossless lines of a database.
  case jsonl
  /// JSON or Extended JSON, one document per line or an array.
  case json
  /// Concatenated BSON documents.
  case bson
  /// An archive of `mongodump --archive`.
  case archive
  /// Separated values.
  case csv

  /// The endings of the names of files that are read.
  public static let endings: KeyValuePairs<String, InputFormat> = [
    "json": .json, "jsonl": .jsonl, "ndjson": .jsonl, "bson": .bson, "csv": .csv, "tsv": .csv,
  ]

  /// The ending of a file's name, also before `.gz`, in small letters; `nil` if it has none.
  static func ending(of fileName: String) -> String? {
    var parts = (fileName.split(separator: "/").last ?? "").lowercased().split(separator: ".")
    if parts.last == "gz" { parts.removeLast() }
    return parts.count > 1 ? parts.last.map(String.init) : nil
  }

  /// Finds the format that the ending of a file's name says, also before `.gz`; `nil` if none does.
  ///
  /// - Parameter fileName: The name, or the path.
  public init?(fileName: String) {
    let ending = Self.ending(of: fileName)
    guard let known = Self.endings.first(where: { $0.key == ending }) else { return nil }
    self = known.value
  }

  /// Detects the format of uncompressed bytes.
  ///
  /// The name decides, so that an error speaks of that format. An archive has any name, and
  /// files of either ending of JSON may hold lossless lines.
  ///
  /// - Parameters:
  ///   - start: The first bytes of the file.
  ///   - isWhole: Whether the bytes are the whole file.
  ///   - named: The format that the name says; `nil` if it says none.
  /// - Returns: The format; ``bson`` for an empty file, which is an empty collection; `nil` if more
  ///   bytes are needed.
  public static func find(
    _ start: some Collection<UInt8>,
    isWhole: Bool,
    named: InputFormat? = nil
  ) -> InputFormat? {
    let bytes = Array(start.prefix(1 << 16))
    if bytes.isEmpty, isWhole { return named == .jsonl ? .json : named ?? .bson }
    if bytes.count < 5, !isWhole { return nil }
    if bytes.starts(with: ArchiveFormat.magic) { return .archive }
    switch named {
    case .bson, .csv, .archive: return named
    case .json, .jsonl:
      let found = findText(bytes, isWhole: isWhole)
      return found.map { $0 == .jsonl ? .jsonl : .json }
    case nil: break
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .csv }
    // No text has the character 0 where a length of less than 16 MB has it.
    if bytes.count >= 5, bytes[3] == 0 || bytes[..<3].contains(0) { return .bson }
    return findText(bytes, isWhole: isWhole)
  }

  /// The format of text.
  private static func findText(_ bytes: [UInt8], isWhole: Bool) -> InputFormat? {
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

/// A file of documents of one class, or an archive.
///
/// ```swift
/// let dogs = DocumentFile(name: "Dog.json", className: "Dog") { { file.read(1 << 20) } }
/// let reader = DocumentReader([dogs])
/// while let item = try reader.read() { print(item.className, item.document) }
/// ```
public struct DocumentFile {
  /// The name of the file in errors; `nil` if there is only one file.
  public let name: String?
  /// The class of the documents; archives and Kennel's lines name it themselves.
  public let className: String
  /// The format; `nil` to detect it by the name of the file and its bytes.
  public let format: InputFormat?
  /// Opens the file.
  ///
  /// The result returns the next bytes, or an empty array at the end.
  public let open: () throws -> () throws -> [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in errors; `nil` if there is only one file.
  ///   - className: The class of its documents; an archive and Kennel's lines name it themselves.
  ///   - format: The format; `nil` to detect it.
  ///   - open: Opens the file, which may be compressed by gzip. The result returns the next bytes,
  ///     or an empty array at the end.
  public init(
    name: String? = nil,
    className: String = "",
    format: InputFormat? = nil,
    open: @escaping () throws -> () throws -> [UInt8]
  ) {
    self.name = name
    self.className = className
    self.format = format
    self.open = open
  }

  /// Whether the name says that tabs separate the cells.
  var isTabbed: Bool { name.flatMap(InputFormat.ending) == "tsv" }
}

/// A file whose format has been detected; gzip is decompressed.
///
/// ```swift
/// let input = try InputFile { file.read(1 << 20) }
/// print(input.format, try input.read().count)
/// ```
public final class InputFile {
  /// The format.
  public let format: InputFormat
  let stream: ByteStream

  /// Detects the format of a file.
  ///
  /// - Parameters:
  ///   - format: The format if it is known.
  ///   - name: The name of the file, whose ending may say the format.
  ///   - read: Returns the next bytes, or an empty array at the end.
  /// - Throws: What `read` throws, and ``DocumentError`` if a gzip file is damaged.
  public init(
    format: InputFormat? = nil,
    name: String? = nil,
    _ read: @escaping () throws -> [UInt8]
  ) throws {
    let named = name.flatMap { InputFormat(fileName: $0) }
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
      found = InputFormat.find(start, isWhole: stream.isAtEnd, named: named)
      if found == nil { try stream.readMore() }
    }
    self.format = found ?? .bson
  }

  /// Returns the next decompressed bytes, or an empty array at the end.
  ///
  /// - Returns: The bytes.
  /// - Throws: What reading throws.
  public func read() throws -> [UInt8] {
    guard try stream.fill(1) else { return [] }
    return Array(stream.buffer[stream.take(stream.available)])
  }
}
