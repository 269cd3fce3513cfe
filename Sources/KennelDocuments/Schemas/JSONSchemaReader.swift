public import KennelCore

/// Converts JSON schemas to classes.
///
/// A JSON schema has no links: it has the type of the target's primary key instead. The
/// relationships of App Services, or ``add(link:)``, name the target class.
///
/// ```swift
/// var reader = JSONSchemaReader()
/// try reader.add(dogBytes, file: "Dog.json")
/// try reader.add(personBytes, file: "Person.json")
/// try reader.add(link: "Person.dogs=Dog")
/// let schemas = try reader.schemas(extending: database.snapshot().schema)
/// try database.write { transaction in try schemas.define(in: transaction) }
/// ```
public struct JSONSchemaReader {
  /// A schema in a file.
  struct Source {
    let place: JSONPlace
    /// The collection that the file is named after.
    let collection: String
    let schema: Document
  }

  private var sources: [Source] = []
  private var links: [DeclaredLink] = []
  /// Which properties and classes get other names, and which are left out.
  public var rules = FieldRules()

  /// Creates a reader without schemas.
  public init() {}

  /// Adds a file.
  ///
  /// A file holds one schema, several in sequence, or an array. Validators (`$jsonSchema`) and the
  /// metadata of `mongodump` are recognized. `Dog/schema.json` is the schema of the collection
  /// `Dog`; `Dog/relationships.json` or `Dog.relationships.json` are its relationships.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: The path of the file inside its folder. If a schema has no title, its name comes
  ///     from this path.
  /// - Throws: ``JSONSchemaError`` if the file is invalid.
  public mutating func add(_ bytes: [UInt8], file: String) throws(JSONSchemaError) {
    let name = SchemaFileName(file)
    switch name.content {
    case .none: return
    case .relationships:
      for value in try JSONFile.values(in: bytes, file: file) {
        try addRelationships(value, of: name.collection, at: JSONPlace(file))
      }
    case .metadata:
      for value in try JSONFile.values(in: bytes, file: file) {
        guard case .document(let metadata)? = value.member("options")?.member("validator"),
          metadata["$jsonSchema"] != nil
        else { continue }
        let place = JSONPlace(file).inside("options", "validator")
        try addSchema(.document(metadata), of: name.collection, at: place)
      }
    case .schema:
      let values = try JSONFile.values(in: bytes, file: file)
      guard !values.isEmpty else {
        throw JSONPlace(file).error("The file is empty; expected a JSON schema")
      }
      for value in values {
        guard case .array(let elements) = value else {
          try addSchema(value, of: name.collection, at: JSONPlace(file))
          continue
        }
        for (index, element) in elements.enumerated() {
          try addSchema(element, of: name.collection, at: JSONPlace(file).inside("\(index)"))
        }
      }
    }
  }

  /// Declares a link.
  ///
  /// - Parameter link: A link such as `Person.dogs=Dog`. `Person.dogs=Dog.name` also names the
  ///   target's primary key. `Person.address.country=Country` declares a link in the embedded
  ///   object `address`; `Address.country=Country` declares the same link.
  /// - Throws: ``JSONSchemaError`` if the text has another form.
  public mutating func add(link: String) throws(JSONSchemaError) {
    links.append(try DeclaredLink(option: link))
  }

  /// Returns the classes that the schemas describe.
  ///
  /// - Parameter schema: The schema of the database that they are added to. An existing property
  ///   with the same JSON schema keeps its type.
  /// - Returns: The classes, with notes on ignored parts.
  /// - Throws: ``JSONSchemaError`` if the schemas contradict each other or no class can express
  ///   them.
  public func schemas(extending schema: Schema = Schema()) throws(JSONSchemaError) -> JSONSchemas {
    var builder = JSONSchemaBuilder(extending: schema.definitions, rules)
    for source in sources { try builder.add(source) }
    try builder.resolveReferences()
    builder.choosePrimaryKeys(links)
    builder.keepForms()
    builder.agreeWithFile()
    for link in links { try builder.apply(link) }
    return builder.result
  }

  // MARK: - Files

  private mutating func addSchema(
    _ value: DocumentValue,
    of collection: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) {
    guard case .document(let document) = value else {
      throw place.error("Expected a JSON schema, which is an object; found \(value.noun)")
    }
    if case .document? = document["$jsonSchema"] {
      return try addSchema(
        document["$jsonSchema"] ?? .null,
        of: collection,
        at: place.inside("$jsonSchema")
      )
    }
    // The older form of App Services has everything about a collection in one file.
    if document["bsonType"] == nil, document["type"] == nil, case .document? = document["schema"] {
      var name = collection
      if case .string(let collection)? = document["collection"] { name = collection }
      try addSchema(document["schema"] ?? .null, of: name, at: place.inside("schema"))
      if let relationships = document["relationships"] {
        try addRelationships(relationships, of: name, at: place.inside("relationships"))
      }
      return
    }
    sources.append(Source(place: place, collection: collection, schema: document))
  }

  private mutating func addRelationships(
    _ value: DocumentValue,
    of collection: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) {
    guard case .document(let document) = value else {
      throw place.error("Expected relationships in an object, found \(value.noun)")
    }
    for member in document.members {
      let place = place.inside(member.name)
      guard case .string(let reference)? = member.value.member("ref"),
        let target = reference.split(separator: "/").last
      else {
        throw place.error(
          "Expected \"ref\" with the target's collection, as in "
            + "\"#/relationship/mongodb-atlas/database/Dog\""
        )
      }
      var path = member.name
      if case .string(let key)? = member.value.member("source_key") { path = key }
      links.append(
        DeclaredLink(
          place: place,
          owner: collection,
          path: path.split(separator: ".").map(String.init).filter { $0 != "[]" },
          target: String(target),
          foreignKey: member.value.member("foreign_key")?.string,
          isList: member.value.member("is_list")?.bool
        )
      )
    }
  }
}

/// The content of a file, by its path.
private struct SchemaFileName {
  enum Content {
    case schema
    case relationships
    case metadata
    /// Something of an export that does not concern classes.
    case none
  }

  let collection: String
  let content: Content

  init(_ path: String) {
    let steps = path.split(separator: "/").map(String.init)
    var name = steps.last ?? path
    if name.hasSuffix(".json") { name.removeLast(".json".count) }
    let folder = steps.dropLast().last
    switch (name, folder) {
    case ("schema", let folder?): (collection, content) = (folder, .schema)
    case ("relationships", let folder?): (collection, content) = (folder, .relationships)
    case ("rules", _?), ("default_rule", _?), ("config", _?): (collection, content) = (name, .none)
    case _ where name.hasSuffix(".relationships"):
      (collection, content) = (String(name.dropLast(".relationships".count)), .relationships)
    case _ where name.hasSuffix(".metadata"):
      (collection, content) = (String(name.dropLast(".metadata".count)), .metadata)
    case _ where name.hasSuffix(".schema"):
      (collection, content) = (String(name.dropLast(".schema".count)), .schema)
    default: (collection, content) = (name, .schema)
    }
  }
}

/// Classes that were read from JSON schemas.
///
/// ```swift
/// let schemas = try reader.schemas(extending: database.snapshot().schema)
/// for note in schemas.notes { print(note) }
/// try database.write { transaction in try schemas.define(in: transaction) }
/// ```
public struct JSONSchemas: Sendable {
  /// The classes, each before its embedded classes.
  public let classes: [ClassDefinition]
  /// Notes on parts that classes cannot express, such as ignored keywords.
  public let notes: [String]
  /// Where each class and property is described.
  let places: [ExactName: JSONPlace]

  /// Adds the classes to a database.
  ///
  /// - Parameter transaction: The transaction that defines them.
  /// - Throws: ``JSONSchemaError`` with the position, if a schema contradicts the database.
  public func define(in transaction: WriteTransaction) throws(JSONSchemaError) {
    guard !classes.isEmpty else { return }
    do throws(DatabaseError) {
      try transaction.define(classes)
    } catch {
      let name = error.className ?? ""
      let place =
        error.propertyName.flatMap { places[ExactName("\(name).\($0)")] }
        ?? places[ExactName(name)]
      let wrong = [error.propertyName, name].compactMap(\.self).first {
        ClassDefinition.problem(ofName: $0) != nil
      }
      let hint = wrong.map { "; --rename \(FieldRules.word($0 + "=NAME")) gives it another name" }
      throw JSONSchemaError(
        place ?? JSONPlace("JSON schemas"),
        error.message + (hint ?? ""),
        cause: error
      )
    }
  }
}

extension DocumentValue {
  /// Names a value in an error.
  var noun: String {
    switch self {
    case .int32, .int64, .double, .decimal128: "a number"
    case .binary: "binary data"
    case .document: "an object"
    case .other(let type, _): "a \(type)"
    case .null, .bool, .string, .date, .objectId, .array: described
    }
  }
}
