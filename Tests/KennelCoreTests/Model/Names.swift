import KennelCore
import KennelTestSupport
import Testing

/// Runs a body on a new database with some classes, in one transaction, and checks the file.
func withClasses(
  _ classes: [ClassDefinition],
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: (WriteTransaction, Database) throws -> Void
) throws {
  try withTemporaryDatabase(fileID: fileID, filePath: filePath, line: line, column: column) {
    database in
    try database.write { transaction in
      try transaction.define(classes)
      try body(transaction, database)
    }
  }
}

/// The code of the error that a body throws; `nil` if it throws none.
func code(_ body: () throws -> Void) -> DatabaseError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.code
  }
}

/// Tests speak of classes and properties by their names.
extension DatabaseReader {
  func classKey(_ name: String) throws -> ClassKey { try #require(schema[name]).key }

  func key(_ object: ObjectIdentity, _ name: String) throws -> PropertyKey {
    try #require(schema[object.classKey]?[name]).key
  }

  func value(_ object: ObjectIdentity, _ name: String) throws -> Value {
    try value(of: object, property: key(object, name))
  }

  func slot(
    _ object: ObjectIdentity,
    _ name: String,
    _ position: Slot.Position = .value
  ) throws -> Slot {
    Slot(object, try key(object, name), position)
  }

  /// Who links to an object, as `Person.dogs: 1 1 3`.
  func origins(_ object: ObjectIdentity) throws -> [String] {
    try backlinks(to: object).map { group in
      let origin = try #require(schema[group.origin])
      let property = try #require(origin[group.property])
      let keys = try origins(of: group, to: object, in: 0..<group.count).keys
      return "\(origin.name).\(property.name): "
        + keys.map { "\($0.rawValue)" }.joined(separator: " ")
    }
  }
}

extension WriteTransaction {
  /// Deletes objects; as many die as the plan said before.
  func deleteAsPlanned(_ objects: [ObjectIdentity]) throws -> BlastRadius {
    let plan = try blastRadius(deleting: objects, limit: .max)
    #expect(try delete(objects) == plan.deletionCount)
    for death in plan.deletions { #expect(try !contains(death.object)) }
    return plan
  }

  func make(_ className: String, _ values: [String: Value] = [:]) throws -> ObjectIdentity {
    let schema = try #require(schema[className])
    var keyed: [PropertyKey: Value] = [:]
    for (name, value) in values { keyed[try #require(schema[name]).key] = value }
    return try create(schema.key, keyed)
  }

  func embed(
    _ object: ObjectIdentity,
    _ name: String,
    _ position: Slot.Position = .value
  ) throws -> ObjectIdentity {
    try createEmbedded(at: slot(object, name, position))
  }

  func put(_ object: ObjectIdentity, _ name: String, _ value: Value) throws {
    try set(object, property: key(object, name), to: value)
  }
}

extension PropertyDefinition {
  func rule(_ rule: DeleteRule) -> PropertyDefinition {
    var definition = self
    definition.deleteRule = rule
    return definition
  }

  func initially(_ value: Value) -> PropertyDefinition {
    var definition = self
    definition.defaultValue = value
    return definition
  }
}

/// A class with properties written as `name: type`.
func define(
  _ name: String,
  embedded: Bool = false,
  key: String? = nil,
  _ properties: KeyValuePairs<String, PropertyType>
) -> ClassDefinition {
  ClassDefinition(
    name,
    isEmbedded: embedded,
    properties: properties.map { PropertyDefinition($0.key, $0.value, isPrimaryKey: $0.key == key) }
  )
}
