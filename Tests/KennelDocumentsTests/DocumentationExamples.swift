import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// Each function is the example of a doc comment, line by line; a tidy test compares them.
@Suite struct `The examples of KennelDocuments` {
  /// A file in memory.
  private final class Bytes {
    private(set) var all: [UInt8]
    private var position = 0

    init(_ text: String = "") { all = Array(text.utf8) }

    func write(_ bytes: [UInt8]) { all += bytes }

    func read(_ limit: Int) -> [UInt8] {
      let next = all[position...].prefix(limit)
      position += next.count
      return Array(next)
    }
  }

  private let temporary: TemporaryDatabase
  private let file = Bytes()
  private var database: Database { temporary.database }

  init() throws {
    temporary = try TemporaryDatabase()
    try temporary.database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [PropertyDefinition("name", .string), PropertyDefinition("age", .int)]
        )
      ])
      let dog = try transaction.schema.require("Dog")
      try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
    }
  }

  @Test func `of exporting run`() throws {
    let snapshot = try database.snapshot()
    try exporter()
    try objectSelection(snapshot)
    try archiveWriter(snapshot)
    let dog = try snapshot.schema.require("Dog")
    try outputFormat(snapshot, dog, ObjectIdentity(dog.key, ObjectKey(rawValue: 1)))
    try outputOptions(snapshot, ObjectSelection(dog))
    try csvOptions(snapshot, ObjectSelection(dog))
    try documentOptions(snapshot, ObjectSelection(dog))
    try keyWriter(dog, ObjectIdentity(dog.key, ObjectKey(rawValue: 1)))
    try gzip([1, 2, 3])
    #expect(file.all.count > 500)
    dumpName("a/b")
    terminalText()
    try writer(snapshot)
  }

  @Test func `of importing run`() throws {
    var exporter = DocumentExporter(try database.snapshot())
    try exporter.write { bytes in file.write(bytes) }
    try lines()
    let mistake = DocumentFile(className: "Dog", format: .json) { chunks(Array("[1]".utf8)) }
    try documentError(DocumentImporter(DocumentReader([mistake])))
    try documentImporter(Bytes(#"{"name": "Max"}"#))
    try documentFile(Bytes(#"{"name": "Max"}"#))
    try inputFile(Bytes(#"{"name": "Max"}"#))
    inputFormat(Array("{\"name\"".utf8))
    let reader = DocumentReader([DocumentFile(className: "Dog") { { [] } }])
    try importOptions(reader)
    try fieldRules(DocumentFile(className: "Person") { { [] } })
    try textForms()
    try metadata(Array("{}".utf8), reader)
    document()
    temporary.finish()
  }

  @Test func `of schemas run`() throws {
    let schema = Array(#"{"title": "Cat", "properties": {"name": {"bsonType": "string"}}}"#.utf8)
    var reader = JSONSchemaReader()
    try reader.add(schema, file: "Cat.json")
    try schemas(reader)
    schemaError(&reader, Array("{".utf8))
    // Only a class without objects can get a primary key.
    try database.write { transaction in
      let dog = try transaction.schema.require("Dog")
      try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 1))])
    }
    try self.reader(
      Array(#"{"properties": {"_id": {"bsonType": "int"}}}"#.utf8),
      Array(#"{"properties": {"dogs": {"bsonType": "array", "items": {"bsonType": "int"}}}}"#.utf8)
    )
    proposal(inference([["name": .string("Ada")]]))
    temporary.finish()
  }

  // MARK: - Exporting

  private func exporter() throws {
    var exporter = DocumentExporter(try database.snapshot())
    try exporter.write { bytes in file.write(bytes) }
  }

  private func objectSelection(_ snapshot: Snapshot) throws {
    let dog = try snapshot.schema.require("Dog")
    let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
    let old = try snapshot.objects(of: dog.key, where: predicate)
    let selection = ObjectSelection(dog, keys: old.keys)
    try selection.write(from: snapshot, as: .csv) { bytes in file.write(bytes) }
  }

  private func archiveWriter(_ snapshot: Snapshot) throws {
    let classes = snapshot.schema.classes.filter { !$0.isEmbedded }
    let writer = ArchiveWriter(snapshot, database: "family")
    try writer.write(classes.map { ObjectSelection($0) }) { bytes in file.write(bytes) }
  }

  private func outputFormat(
    _ snapshot: Snapshot,
    _ dog: ClassSchema,
    _ rex: ObjectIdentity
  ) throws {
    let output: ByteOutput = { bytes in file.write(bytes) }
    var writer = OutputFormat.csv.writer(for: snapshot)
    try writer.begin(dog, to: output)
    try writer.write(rex, to: output)
    try writer.end(to: output)
  }

  private func outputOptions(_ snapshot: Snapshot, _ selection: ObjectSelection) throws {
    var options = OutputOptions()
    options.csv.escapesFormulas = true
    try selection.write(from: snapshot, as: .csv, options) { bytes in file.write(bytes) }
  }

  private func csvOptions(_ snapshot: Snapshot, _ selection: ObjectSelection) throws {
    var options = OutputOptions()
    options.csv.separator = UInt8(ascii: ";")
    try selection.write(from: snapshot, as: .csv, options) { bytes in file.write(bytes) }
  }

  private func documentOptions(_ snapshot: Snapshot, _ selection: ObjectSelection) throws {
    var options = OutputOptions()
    options.documents.roundsDates = true
    try selection.write(from: snapshot, as: .bson, options) { bytes in file.write(bytes) }
  }

  private func keyWriter(_ dog: ClassSchema, _ rex: ObjectIdentity) throws {
    struct KeyWriter: ObjectWriter {
      mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) throws {}
      mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
        try output(Array("\(object.key.rawValue)\n".utf8))
      }
      mutating func end(to output: ByteOutput) throws {}
    }
    var writer = KeyWriter()
    try writer.begin(dog) { bytes in file.write(bytes) }
    try writer.write(rex) { bytes in file.write(bytes) }
    try writer.end { bytes in file.write(bytes) }
  }

  private func gzip(_ bytes: [UInt8]) throws {
    let gzip = GzipWriter()
    file.write(gzip.write(bytes))
    file.write(gzip.finish())
  }

  private func dumpName(_ collection: String) {
    let name = DumpName.escaped(collection) + ".bson"
    print(name)
  }

  private func terminalText() {
    print(TerminalText.line("Rex\u{1b}[2J"))
  }

  private func writer(_ snapshot: Snapshot) throws {
    let writer = JSONSchemaWriter(snapshot.schema.definitions)
    if let schema = try writer.schema(of: "Dog") { print(JSONSchemaWriter.text(of: schema)) }
  }

  // MARK: - Importing

  private func lines() throws {
    let copy = try Database.open(temporary.folder.file("copy.kennel"))
    let lines = DocumentFile(format: .jsonl) { { self.file.read(1 << 20) } }
    let importer = DocumentImporter(DocumentReader([lines]))
    try copy.write { transaction in _ = try importer.read(into: transaction) }
    #expect(importer.summary.objectCount == 1)
  }

  private func documentError(_ importer: DocumentImporter) throws {
    do {
      try database.write { transaction in _ = try importer.read(into: transaction) }
    } catch let error as DocumentError {
      print(error.line ?? 0, error.path ?? "", error.message)
    }
  }

  private func documentImporter(_ file: Bytes) throws {
    let dogs = DocumentFile(name: "Dog.json", className: "Dog") { { file.read(1 << 20) } }
    let importer = DocumentImporter(DocumentReader([dogs]))
    try database.write { transaction in _ = try importer.read(into: transaction) }
    print(importer.summary.objectCount)
  }

  private func documentFile(_ file: Bytes) throws {
    let dogs = DocumentFile(name: "Dog.json", className: "Dog") { { file.read(1 << 20) } }
    let reader = DocumentReader([dogs])
    while let item = try reader.read() { print(item.className, item.document) }
  }

  private func inputFile(_ file: Bytes) throws {
    let input = try InputFile { file.read(1 << 20) }
    print(input.format, try input.read().count)
  }

  private func inputFormat(_ bytes: [UInt8]) {
    let format = InputFormat.find(bytes, isWhole: false)
    print(format?.rawValue ?? "unknown")
  }

  private func importOptions(_ reader: DocumentReader) throws {
    var options = DocumentImportOptions()
    options.dropsDanglingLinks = true
    let importer = DocumentImporter(reader, options)
    try database.write { transaction in _ = try importer.read(into: transaction) }
  }

  private func fieldRules(_ people: DocumentFile) throws {
    var rules = FieldRules()
    try rules.rename("@id=id")
    rules.skip("Person.@type")
    let reader = DocumentReader([people], rules: rules)
    let item = try reader.read()
    #expect(item?.className == nil)
  }

  private func textForms() throws {
    var texts = TextForms()
    texts.dateFormats = [try DateFormat("%d.%m.%Y")]
    texts.hasDecimalComma = true
    let inference = SchemaInference(texts: texts)
    #expect(inference.proposal().isAcceptable)
    let format = try DateFormat("%d.%m.%Y %H:%M")
    texts.dateFormats.append(format)
  }

  private func metadata(_ bytes: [UInt8], _ reader: DocumentReader) throws {
    let metadata = try CollectionMetadata(bytes, collection: "Dog")
    let importer = DocumentImporter(reader, metadata: [metadata])
    try database.write { transaction in _ = try importer.read(into: transaction) }
  }

  private func document() {
    let dog: Document = ["name": .string("Rex"), "age": .int64(3)]
    if case .string(let name)? = dog["name"] { print(name) }
  }

  // MARK: - Schemas

  private func schemas(_ reader: JSONSchemaReader) throws {
    let schemas = try reader.schemas(extending: database.snapshot().schema)
    for note in schemas.notes { print(note) }
    try database.write { transaction in try schemas.define(in: transaction) }
  }

  private func reader(_ dogBytes: [UInt8], _ personBytes: [UInt8]) throws {
    var reader = JSONSchemaReader()
    try reader.add(dogBytes, file: "Dog.json")
    try reader.add(personBytes, file: "Person.json")
    try reader.add(link: "Person.dogs=Dog")
    let schemas = try reader.schemas(extending: database.snapshot().schema)
    try database.write { transaction in try schemas.define(in: transaction) }
  }

  private func schemaError(_ reader: inout JSONSchemaReader, _ bytes: [UInt8]) {
    do throws(JSONSchemaError) {
      try reader.add(bytes, file: "Person.json")
    } catch {
      print(error.pointer, error.message)
    }
  }

  private func inference(_ documents: [Document]) -> SchemaInference {
    let inference = SchemaInference()
    for document in documents { inference.add(document, to: "Person") }
    print(inference.proposal().text)
    return inference
  }

  private func proposal(_ inference: SchemaInference) {
    let proposal = inference.proposal()
    for conflict in proposal.conflicts { print(conflict.path ?? "", conflict.message) }
    if proposal.isAcceptable { print(proposal.classes.map(\.name)) }
  }

  @Test func `a document as JSON`() throws {
    #expect(try Document(json: json()) == read())
    for json in ["", "[1]", "{} {}", "{\"a\": }"] {
      #expect(throws: DocumentError.self) { try Document(json: Array(json.utf8)) }
    }
  }

  private func read() throws -> Document {
    let settings = try Document(json: Array(#"{"theme": "dark"}"#.utf8))
    return settings
  }

  private func json() -> [UInt8] {
    let settings: Document = ["theme": .string("dark")]
    let bytes = settings.json
    return bytes
  }
}
