import KennelCore
import KennelDocuments

/// Stores durations, finds them by an index and by a walk, sorts, exports and imports them.
func check() throws -> Bool {
  let walk = ClassDefinition(
    "Walk",
    properties: [
      PropertyDefinition("id", .int, isPrimaryKey: true),
      PropertyDefinition("length", PropertyType(.duration)),
      PropertyDefinition("break", PropertyType(.duration).optional, isIndexed: true),
      PropertyDefinition("note", .mixed), PropertyDefinition("all", .list(PropertyType(.duration))),
    ]
  )
  let lengths: [Int64] = [90, -7, 0, .max]
  let database = try Database.open(CommandLine.arguments[1] + "/walks.kennel")
  try database.write { transaction in
    try transaction.define([walk])
    let schema = try transaction.schema.require("Walk")
    for (index, length) in lengths.enumerated() {
      let value = Value.duration(DurationValue(nanoseconds: length))
      var values = [try schema.require("id").key: Value.int(Int64(index))]
      for name in ["length", "break", "note"] { values[try schema.require(name).key] = value }
      values[try schema.require("all").key] = .list([value, value])
      _ = try transaction.create(schema.key, values)
    }
  }
  let snapshot = try database.snapshot()
  let schema = try snapshot.schema.require("Walk")
  for name in ["length", "break", "note"] {
    let text = "\(name) < duration(1ns)"
    let predicate = try Predicate.parse(text, for: schema.key, in: snapshot.schema)
    guard try snapshot.objects(of: schema.key, where: predicate).count == 2 else { return false }
  }
  let typed = try snapshot.schema.property("length", of: "Walk", as: DurationValue.self)
  let keys = try snapshot.objects(of: schema.key, limit: 9).keys
  let read = try keys.map { try snapshot[ObjectIdentity(schema.key, $0), typed].nanoseconds }
  guard read == lengths, try database.check().isEmpty else { return false }
  let lines = try text(of: snapshot)
  let copy = try Database.open(CommandLine.arguments[1] + "/copy.kennel")
  let importer = DocumentImporter(DocumentReader([DocumentFile(format: .jsonl) { once(lines) }]))
  try copy.write { _ = try importer.read(into: $0) }
  return try text(of: try copy.snapshot()) == lines && copy.check().isEmpty
}

func text(of snapshot: Snapshot) throws -> [UInt8] {
  var bytes: [UInt8] = []
  var exporter = DocumentExporter(snapshot)
  try exporter.write { bytes += $0 }
  return bytes
}

/// Gives bytes once, then none.
func once(_ bytes: [UInt8]) -> () -> [UInt8] {
  var rest = bytes
  return {
    defer { rest = [] }
    return rest
  }
}

guard try check() else {
  fatalError("a value of another kind is not found or not exported as it was stored")
}
print("built    a kind of value, which is stored, found and exported")
