import Foundation
import KennelCore
import KennelDocuments
import KennelTestSupport

/// The lines of a document, without those that are only for readers.
func document(_ lines: String...) -> String {
  (["{\"$kennel\":1}"] + lines).joined(separator: "\n") + "\n"
}

/// Reads a document into a database as `kennel import` does.
@discardableResult
func read(_ text: String, into database: Database) throws -> DocumentImporter.Summary {
  try read(Array(text.utf8), into: database)
}

@discardableResult
func read(
  _ bytes: [UInt8],
  into database: Database,
  chunk: Int = 64
) throws -> DocumentImporter.Summary {
  let file = DocumentFile(format: .jsonl) { chunks(bytes, size: chunk) }
  let importer = DocumentImporter(DocumentReader([file]))
  try database.write { _ = try importer.read(into: $0) }
  return importer.summary
}

/// The document of a database as it is now.
func text(of database: Database) throws -> String {
  var bytes: [UInt8] = []
  var exporter = DocumentExporter(try database.snapshot())
  try exporter.write { bytes += $0 }
  return String(decoding: bytes, as: UTF8.self)
}

/// The document of a new database that a document was read into.
func exported(_ text: String) throws -> String {
  try withTemporaryDatabase { database in
    try read(text, into: database)
    return try KennelDocumentsTests.text(of: database)
  }
}

let sampleDocument: String = {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let file = root.appendingPathComponent("sample-data/sample.jsonl")
  return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
}()

extension DatabaseReader {
  /// The value of a property of an object such as `Dog/7`.
  func value(_ object: String, _ property: String) throws -> Value {
    let parts = object.split(separator: "/")
    guard let schema = schema[String(parts[0])], let found = schema[property],
      let number = UInt64(parts[1])
    else { throw Missing(name: "\(object).\(property)") }
    return try value(
      of: ObjectIdentity(schema.key, ObjectKey(rawValue: number)),
      property: found.key
    )
  }

  func identity(_ object: String) throws -> ObjectIdentity {
    let parts = object.split(separator: "/")
    guard let schema = schema[String(parts[0])], let number = UInt64(parts[1]) else {
      throw Missing(name: object)
    }
    return ObjectIdentity(schema.key, ObjectKey(rawValue: number))
  }
}

struct Missing: Error {
  let name: String
}
