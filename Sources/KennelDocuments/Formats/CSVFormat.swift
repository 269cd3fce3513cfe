@_spi(Faces) import KennelCore

extension OutputFormat {
  /// Comma-separated values: the names of the columns, then one line per object.
  public static let csv = OutputFormat(
    name: "csv",
    title: "CSV",
    fileExtension: "csv",
    letter: "c"
  ) { reader, options in CSVWriter(reader, options) }
}

/// Writes objects as lines of CSV.
///
/// | value | cell |
/// |---|---|
/// | null, no embedded object | empty |
/// | `""` | `""` |
/// | a single value | its text, in mixed with its kind: `float(1.5)` |
/// | embedded object | columns of its own: `address.city` |
/// | link | the key of its target |
/// | list, set, map (also in mixed), what nests in itself | JSON |
private struct CSVWriter: ObjectWriter {
  private let reader: DatabaseReader
  private let schema: Schema
  private let options: CSVOptions
  private let separator: UInt8
  private var documents: DocumentsFromObjects
  private var json = ExtendedJSON(isRelaxed: true)
  private var columns: [CSVColumn] = []
  private var bytes: [UInt8] = []

  init(_ reader: DatabaseReader, _ options: OutputOptions) {
    self.reader = reader
    schema = reader.schema
    self.options = options.csv
    separator = options.csv.separator ?? UInt8(ascii: ",")
    var documentOptions = options.documents
    // Cells hold dates to the nanosecond.
    documentOptions.roundsDates = false
    documents = DocumentsFromObjects(reader, documentOptions, for: .extendedJSON)
  }

  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) throws {
    columns =
      try options.columns.map { paths throws(DocumentError) in
        try CSVColumn.chosen(paths, of: classSchema, in: schema)
      } ?? CSVColumn.all(of: classSchema, in: schema)
    if options.hasHeader { append(columns.map { $0.name }) }
  }

  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
    let document = try documents.document(of: object)
    var cells: [String?] = []
    for column in columns {
      if let path = column.computed {
        cells.append(cell(of: try reader.value(of: object, at: path), column))
        continue
      }
      let text = try rethrowing(try cell(of: column.value(in: document), column)) {
        (error: ValueProblem) in documents.problem(error.inside("." + column.name), of: object)
      }
      cells.append(text)
    }
    append(cells)
    try bytes.flushIfLarge(output)
  }

  mutating func end(to output: ByteOutput) throws {
    try bytes.flush(output)
  }

  private mutating func append(_ cells: [String?]) {
    for (position, cell) in cells.enumerated() {
      if position > 0 { bytes.append(separator) }
      if let cell { append(cell) }
    }
    // The end of a line that RFC 4180 asks for would be a second way beside the lines of all else.
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ cell: String) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes =
      cell.isEmpty || cell.utf8.first == 0x20 || cell.utf8.last == 0x20
      || cell.utf8.contains { $0 == separator || $0 == quote || $0 == 0x0A || $0 == 0x0D }
      // A mark that a reader would take for that of the file's encoding.
      || cell.unicodeScalars.first == "\u{feff}"
    guard needsQuotes else {
      bytes += Array(cell.utf8)
      return
    }
    bytes.append(quote)
    for byte in cell.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  /// The text of a value; `nil` for an empty cell.
  private mutating func cell(
    of value: DocumentValue?,
    _ column: CSVColumn
  ) throws(ValueProblem) -> String? {
    guard let value, value != .null else { return nil }
    let type = column.type
    if type.collection != .none || column.isEmbedded { return guarded(try json.text(of: value)) }
    if type.kind == .link || type.kind == .mixed, case .document(let document) = value,
      ValueReader.exactForm(document) == nil
    {
      return try json.text(of: value)
    }
    if type.kind == .mixed, case .array = value { return try json.text(of: value) }
    if type.kind == .link { return guarded(Self.key(value)) }
    let text = ValueText.describe(try ValueReader.plain(value, type), as: type)
    return type.kind == .string || type.kind == .mixed ? guarded(text) : text
  }

  /// The text of a computed value; `nil` for an empty cell.
  private func cell(of value: Value, _ column: CSVColumn) -> String? {
    switch value.shape {
    case .null: return nil
    case .link(let target): return "\(target.key.rawValue)"
    case .scalar, .list, .set, .map:
      let text = ValueText.describe(value, as: column.type)
      return column.type.kind == .string || column.type.kind == .mixed ? guarded(text) : text
    }
  }

  private func guarded(_ text: String) -> String {
    options.escapesFormulas ? SpreadsheetText.escaped(text) : text
  }

  /// A primary key, or an object's key.
  private static func key(_ value: DocumentValue) -> String {
    if case .string(let text) = value { text } else { value.briefly }
  }
}
