import KennelCore
import KennelDocuments
import Testing

/// The files of a dump, in memory.
struct CollectionFiles {
  var files: [(className: String, bytes: [UInt8])] = []
  var metadata: [CollectionMetadata] = []

  /// Writes every class of a database.
  init(of database: Database, as format: OutputFormat, _ options: OutputOptions = .init()) throws {
    let snapshot = try database.snapshot()
    for classSchema in snapshot.schema.classes where !classSchema.isEmbedded {
      let selection = ObjectSelection(classSchema)
      var bytes: [UInt8] = []
      try selection.write(from: snapshot, as: format, options) { bytes += $0 }
      files.append((classSchema.name, bytes))
      let text = try selection.metadata(in: snapshot)
      metadata.append(try CollectionMetadata(text, collection: classSchema.name))
    }
  }

  init(_ files: [(className: String, bytes: [UInt8])]) {
    self.files = files
  }

  /// Reads them into a database.
  @discardableResult
  func read(
    into database: Database,
    _ options: DocumentImportOptions = .init(),
    csv: CSVOptions = .init(),
    batch: Int = .max
  ) throws -> DocumentImporter.Summary {
    let files = files.map { file in
      DocumentFile(
        name: file.className.isEmpty ? nil : file.className,
        className: file.className
      ) { chunks(file.bytes) }
    }
    let schema = try database.snapshot().schema
    let reader = DocumentReader(files, csv: csv) { DocumentReader.columns(of: $0, in: schema) }
    let importer = DocumentImporter(reader, metadata: metadata, options)
    var isGoingOn = true
    while isGoingOn {
      try database.write { transaction in
        isGoingOn = try importer.read(atMost: batch, into: transaction)
      }
    }
    return importer.summary
  }
}

/// Bytes as they come from a file, a few at a time.
func chunks(_ bytes: [UInt8], size: Int = 300) -> () throws -> [UInt8] {
  var rest = bytes[...]
  return {
    defer { rest = rest.dropFirst(size) }
    return Array(rest.prefix(size))
  }
}

/// The one document that a class has as relaxed Extended JSON.
func json(
  _ className: String,
  of database: Database,
  as format: OutputFormat = .relaxedJSON
) throws
  -> String
{
  let snapshot = try database.snapshot()
  let classSchema = try #require(snapshot.schema[className])
  var bytes: [UInt8] = []
  try ObjectSelection(classSchema).write(from: snapshot, as: format) { bytes += $0 }
  return String(decoding: bytes, as: UTF8.self)
}

/// Imports documents of a class from text or bytes.
@discardableResult
func read(
  _ bytes: [UInt8],
  as className: String,
  into database: Database,
  _ options: DocumentImportOptions = .init(),
  csv: CSVOptions = .init()
) throws -> DocumentImporter.Summary {
  try CollectionFiles([(className, bytes)]).read(into: database, options, csv: csv)
}

/// The schema of a database as lossless lines.
func schemaText(of database: Database) throws -> String {
  var bytes: [UInt8] = []
  var exporter = DocumentExporter(try database.snapshot())
  try exporter.writeSchema { bytes += $0 }
  return String(decoding: bytes, as: UTF8.self)
}
