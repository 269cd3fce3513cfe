/// The options of CSV.
///
/// ```swift
/// var options = OutputOptions()
/// options.csv.separator = UInt8(ascii: ";")
/// try selection.write(from: snapshot, as: .csv, options) { bytes in file.write(bytes) }
/// ```
public struct CSVOptions: Sendable {
  /// The encoding of a file.
  ///
  /// ```swift
  /// var options = CSVOptions()
  /// options.encoding = .latin1
  /// let reader = DocumentReader([file], csv: options)
  /// ```
  public enum Encoding: String, Sendable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// UTF-16; little-endian unless a byte order mark says otherwise.
    case utf16 = "utf-16"
    /// ISO 8859-1.
    case latin1
  }

  /// The separator of cells.
  ///
  /// `nil` writes commas and detects the separator when reading.
  public var separator: UInt8?
  /// Whether the first line holds the names of the columns.
  public var hasHeader = true
  /// Whether cells that a spreadsheet would run as formulas are prefixed with `'`.
  public var escapesFormulas = false
  /// The columns that are written after the key, as paths such as `name` or `dogs.@count`; `nil` for
  /// all properties.
  public var columns: [String]?
  /// The encoding of a file that is read.
  ///
  /// `nil` means its byte order mark, or UTF-8.
  public var encoding: Encoding?

  /// Creates the options of RFC 4180.
  public init() {}
}

/// Reads the lines of CSV as documents of strings.
///
/// An empty cell is an absent member, `""` an empty string. A dot in the name of a column leads into
/// a nested document.
final class CSVReader: DocumentSource {
  let form = ValueReader.Form.text

  private let stream: ByteStream
  private let options: CSVOptions
  private let className: String
  private let changes: FieldChanges
  /// Notes what of the header is not as it is written.
  private var noteChanges: () -> Void = {}
  private var separator = UInt8(ascii: ",")
  private var columns: CSVColumnTree?
  private var columnCount = 0
  /// The line that the record begins in that was read last, and the line of what comes next.
  private var line = 0
  private var nextLine = 1

  /// Begins to read; `names` are those of the columns where the file has no header.
  init(
    _ stream: ByteStream,
    _ options: CSVOptions,
    of className: String,
    names: [String]?,
    _ changes: FieldChanges
  ) throws {
    self.options = options
    self.className = className
    self.changes = changes
    let encoding = try Self.encoding(of: stream, options.encoding)
    self.stream = encoding == .utf8 ? stream : try Transcoder.utf8(stream, encoding)
    separator = try options.separator ?? Self.separator(of: self.stream)
    if !options.hasHeader {
      guard let names else {
        throw DocumentError("CSV without a header needs an existing class: use --class")
      }
      try setColumns(names)
    }
  }

  /// The next line as a document, `nil` after the last.
  func next() throws -> SourceDocument? {
    if columns == nil {
      guard let header = try record() else { return nil }
      try setColumns(header.map { $0 ?? "" })
    }
    while let cells = try record() {
      // An empty line behind the last one is none, unless it is all that a line can be.
      if cells.count == 1, cells[0] == nil, columnCount > 1 { continue }
      guard cells.count == columnCount else {
        throw problem("expected \(columnCount) cells, as there are columns; found \(cells.count)")
      }
      noteChanges()
      return columns.map { SourceDocument(document: $0.document(cells), line: line) }
    }
    return nil
  }

  private func setColumns(_ names: [String]) throws {
    let (paths, apply) = CSVColumnTree.paths(of: names, className, changes)
    columns = try CSVColumnTree(paths, line: line)
    columnCount = names.count
    noteChanges = apply
  }

  // MARK: - Finding

  private static func encoding(
    of stream: ByteStream,
    _ said: CSVOptions.Encoding?
  ) throws -> CSVOptions.Encoding {
    _ = try stream.fill(3)
    let start = stream.buffer[stream.position...].prefix(3)
    if start.starts(with: [0xEF, 0xBB, 0xBF]), said != .latin1 {
      _ = stream.take(3)
      return .utf8
    }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]), said != .latin1 {
      return .utf16
    }
    return said ?? .utf8
  }

  /// Guesses the separator from the first line: a comma, a semicolon, a tab or a bar.
  private static func separator(of stream: ByteStream) throws -> UInt8 {
    while !stream.buffer[stream.position...].contains(0x0A), stream.available < 1 << 16,
      !stream.isAtEnd
    {
      try stream.readMore()
    }
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in stream.buffer[stream.position...] {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D { break }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = Array(",;\t|".utf8)
    return candidates.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
      .flatMap { counts[$0] == nil ? nil : $0 } ?? UInt8(ascii: ",")
  }

  // MARK: - Records

  /// The cells of the next line, `nil` for an empty one without quotes; `nil` after the last.
  private func record() throws -> [String?]? {
    guard try stream.fill(1) else { return nil }
    line = nextLine
    var cells: [String?] = []
    var size = 0
    while true {
      let (cell, end) = try self.cell(&size)
      cells.append(cell)
      if end != separator { return cells }
    }
  }

  /// The next cell and what ends it; a line's end stands for the end of the file too.
  private func cell(_ size: inout Int) throws -> (String?, UInt8) {
    let isQuoted = try stream.fill(1) && stream.buffer[stream.position] == UInt8(ascii: "\"")
    var bytes: [UInt8] = []
    if isQuoted {
      _ = stream.take(1)
      try takeQuoted(into: &bytes, &size)
    }
    while try stream.fill(1) {
      let byte = stream.buffer[stream.take(1).lowerBound]
      if byte == separator { return (try text(bytes, isQuoted), byte) }
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, try stream.fill(1), stream.buffer[stream.position] == 0x0A {
          _ = stream.take(1)
        }
        nextLine += 1
        return (try text(bytes, isQuoted), 0x0A)
      }
      if isQuoted { throw problem("a cell continues after its closing quote") }
      try append(byte, to: &bytes, &size)
    }
    return (try text(bytes, isQuoted), 0x0A)
  }

  private func takeQuoted(into bytes: inout [UInt8], _ size: inout Int) throws {
    while try stream.fill(1) {
      let byte = stream.buffer[stream.take(1).lowerBound]
      if byte == UInt8(ascii: "\"") {
        guard try stream.fill(1), stream.buffer[stream.position] == byte else { return }
        _ = stream.take(1)
      }
      if byte == 0x0A { nextLine += 1 }
      try append(byte, to: &bytes, &size)
    }
    throw problem("a quoted cell is not closed")
  }

  private func append(_ byte: UInt8, to bytes: inout [UInt8], _ size: inout Int) throws {
    bytes.append(byte)
    size += 1
    guard size <= DocumentLimits.textByteCount else {
      throw problem("the line is longer than \(DocumentLimits.textByteCount) bytes, the limit")
    }
  }

  private func text(_ bytes: [UInt8], _ isQuoted: Bool) throws -> String? {
    if bytes.isEmpty { return isQuoted ? "" : nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("a cell is not valid UTF-8; choose an --encoding")
    }
    return options.escapesFormulas ? SpreadsheetText.unescaped(text) : text
  }

  private func problem(_ message: String) -> DocumentError {
    DocumentError(line: line, message)
  }
}

/// Cells that a spreadsheet would run.
enum SpreadsheetText {
  private static let starts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// The text with a `'` in front where a spreadsheet would run it, or could not tell it from such.
  static func escaped(_ text: String) -> String {
    isDangerous(text) ? "'" + text : text
  }

  /// The text that ``escaped(_:)`` made the cell of.
  static func unescaped(_ text: String) -> String {
    text.unicodeScalars.first == "'" && isDangerous(text)
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  private static func isDangerous(_ text: String) -> Bool {
    text.unicodeScalars.first { $0 != "'" }.map(starts.contains) ?? false
  }
}
