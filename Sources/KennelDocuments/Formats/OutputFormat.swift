public import KennelCore

/// The options of an export.
///
/// ```swift
/// var options = OutputOptions()
/// options.csv.escapesFormulas = true
/// try selection.write(from: snapshot, as: .csv, options) { bytes in file.write(bytes) }
/// ```
public struct OutputOptions: Sendable {
  /// How objects become documents, for example whether dates are truncated to the milliseconds of
  /// BSON.
  public var documents = DocumentOptions()
  /// The options of CSV.
  public var csv = CSVOptions()

  /// Creates options that lose nothing.
  public init() {}
}

/// A format of exported objects.
///
/// ```swift
/// let output: ByteOutput = { bytes in file.write(bytes) }
/// var writer = OutputFormat.csv.writer(for: snapshot)
/// try writer.begin(dog, to: output)
/// try writer.write(rex, to: output)
/// try writer.end(to: output)
/// ```
///
/// The commands `kennel query` and `kennel export` offer every format in ``all``; the browser's
/// copy menu offers those with a letter. To add a format, add a file with its ``ObjectWriter`` and
/// a row to ``all``.
public struct OutputFormat: Sendable {
  /// Every format.
  public static let all: [OutputFormat] = [
    .jsonl, .text, .json, .extendedJSON, .relaxedJSON, .bson, .csv,
  ]

  /// The endings of file names, each once.
  public static var endings: [String] {
    all.reduce(into: []) { endings, format in
      let ending = ".\(format.fileExtension)"
      if !endings.contains(ending) { endings.append(ending) }
    }
  }

  /// The name on the command line.
  public let name: String
  /// The title in help and menus.
  public let title: String
  /// The extension of its files.
  public let fileExtension: String
  /// The key in a menu; `nil` for a binary format.
  public let letter: Character?
  /// Whether one file can hold a schema followed by objects of several classes.
  public internal(set) var holdsSeveralClasses = false
  let make: @Sendable (DatabaseReader, OutputOptions) -> any ObjectWriter
}

extension OutputFormat {
  /// Finds a format by its name; `nil` if there is none.
  public init?(_ name: String) {
    guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// Creates a writer of the objects of a reader.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - options: The options.
  /// - Returns: The writer.
  public func writer(
    for reader: DatabaseReader,
    _ options: OutputOptions = OutputOptions()
  ) -> any ObjectWriter {
    make(reader, options)
  }

  /// Returns objects of one class as text.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - reader: The reader.
  ///   - options: The options.
  /// - Returns: The text without its last line break; `nil` for a binary format, or without objects.
  /// - Throws: As ``ObjectWriter/write(_:to:)`` does.
  public func text(
    of objects: [ObjectIdentity],
    in reader: DatabaseReader,
    _ options: OutputOptions = OutputOptions()
  ) throws -> String? {
    guard letter != nil, let first = objects.first,
      let classSchema = reader.schema[first.classKey]
    else { return nil }
    var bytes: [UInt8] = []
    let output: ByteOutput = { bytes += $0 }
    var writer = writer(for: reader, options)
    try writer.begin(classSchema, to: output)
    for object in objects { try writer.write(object, to: output) }
    try writer.end(to: output)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Hands the bytes over when there are many.
  mutating func flushIfLarge(_ output: ByteOutput) throws {
    if count >= 1 << 16 { try flush(output) }
  }

  mutating func flush(_ output: ByteOutput) throws {
    if !isEmpty { try output(self) }
    removeAll(keepingCapacity: true)
  }
}
