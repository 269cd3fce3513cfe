public import KennelCore

/// Takes the next bytes of a file.
public typealias ByteOutput = ([UInt8]) throws -> Void

/// Writes objects in a format.
///
/// A writer is made by an ``OutputFormat``. It gives bytes out when it has collected many.
public protocol ObjectWriter {
  /// Begins a file of objects of a class.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - output: Takes the next bytes.
  /// - Throws: ``DocumentError`` where the format cannot hold such objects, and what `output` throws.
  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) throws

  /// Writes an object of that class.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - output: Takes the next bytes.
  /// - Throws: ``DocumentError`` where the format cannot hold the object, `DatabaseError` where it
  ///   cannot be read, and what `output` throws.
  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws

  /// Ends the file.
  ///
  /// - Parameter output: Takes the last bytes.
  /// - Throws: What `output` throws.
  mutating func end(to output: ByteOutput) throws
}

/// How objects are written, where there is a choice.
public struct OutputOptions: Sendable {
  /// What becomes of values that a format has no type for.
  public var documents = DocumentOptions()
  /// How CSV is written.
  public var csv = CSVOptions()

  /// Makes the options that keep everything.
  public init() {}
}

/// A format that objects are written in.
///
/// `query`, `export` and the browser's copy menu offer ``all``. A new format is a file with its
/// writer and its row here.
public struct OutputFormat: Sendable {
  /// Every format.
  public static let all: [OutputFormat] = [
    .jsonl, .text, .json, .extendedJSON, .relaxedJSON, .bson, .csv,
  ]

  /// The name on the command line.
  public let name: String
  /// What it is, for help and menus.
  public let title: String
  /// The ending of its files.
  public let fileExtension: String
  /// The key in a menu; `nil` for a format that is no text.
  public let letter: Character?
  private let make: @Sendable (Snapshot, OutputOptions) -> any ObjectWriter

  init(
    _ name: String,
    title: String,
    fileExtension: String,
    letter: Character?,
    _ make: @escaping @Sendable (Snapshot, OutputOptions) -> any ObjectWriter
  ) {
    self.name = name
    self.title = title
    self.fileExtension = fileExtension
    self.letter = letter
    self.make = make
  }

  /// The format of a name; `nil` if there is none.
  public init?(_ name: String) {
    guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// Makes a writer of objects of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - options: How objects are written.
  /// - Returns: The writer.
  public func writer(
    for snapshot: Snapshot,
    _ options: OutputOptions = OutputOptions()
  ) -> any ObjectWriter {
    make(snapshot, options)
  }

  /// An object as text.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - snapshot: The snapshot.
  /// - Returns: The text without the end of its last line; `nil` for a format that is no text.
  /// - Throws: As ``ObjectWriter/write(_:to:)`` does.
  public func text(of object: ObjectIdentity, in snapshot: Snapshot) throws -> String? {
    guard letter != nil, let classSchema = snapshot.schema[object.classKey] else { return nil }
    var bytes: [UInt8] = []
    let output: ByteOutput = { bytes += $0 }
    var writer = writer(for: snapshot)
    try writer.begin(classSchema, to: output)
    try writer.write(object, to: output)
    try writer.end(to: output)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Bytes that are handed over when there are many.
struct OutputBuffer {
  /// How many bytes are collected.
  private static let limit = 1 << 16

  var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(Self.limit * 2)
  }

  mutating func flushIfLarge(_ output: ByteOutput) throws {
    if bytes.count >= Self.limit { try flush(output) }
  }

  mutating func flush(_ output: ByteOutput) throws {
    if !bytes.isEmpty { try output(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }
}
