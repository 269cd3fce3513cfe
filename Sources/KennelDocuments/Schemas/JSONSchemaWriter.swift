public import KennelCore

/// Converts classes to JSON schemas with BSON types, as MongoDB's validators and App Services use
/// them.
///
/// | property | schema |
/// |---|---|
/// | `bool`, `string`, `date`, `objectId`, `uuid`, `mixed` | `bsonType` of the same name |
/// | `int` of 64 bits; of 8, 16 or 32 | `long`; `int` |
/// | `double`, `float` | `double` |
/// | `decimal128`; `data` | `decimal`; `binData` |
/// | a link | the type of the target's primary key; `long`, the object key, where it has none |
/// | an embedded object | the schema of its class, nested |
/// | a list; a set | `array` with `items`; with `uniqueItems` too |
/// | a map | `object` with `additionalProperties` |
///
/// `required` lists the scalar properties that are not optional, and what a schema that was read
/// listed. An element that may be null has `null` as a second type. Backlinks are not written, because
/// they are derived from links.
///
/// The form of App Services differs: `required` lists the primary key and what a schema that was read
/// listed, and a type that was read alone (`"_id": "objectId"`) is written alone.
///
/// A recursive embedded class is written in full once. Inside itself it is an `object` with only
/// its `title`.
///
/// ```swift
/// let writer = JSONSchemaWriter(snapshot.schema.definitions)
/// if let schema = try writer.schema(of: "Dog") { print(JSONSchemaWriter.text(of: schema)) }
/// ```
public struct JSONSchemaWriter: Sendable {
  /// How many embedded classes may be nested in each other.
  private static let deepest = 100
  /// How many nested schemas of a document are written in full although their class was before.
  private static let mostRepeated = 1000

  let classes: [ExactName: ClassDefinition]
  private let isForAppServices: Bool

  /// Creates a writer of classes.
  ///
  /// - Parameters:
  ///   - classes: The classes, including the targets of their links.
  ///   - isForAppServices: Whether schemas have the form of App Services.
  public init(_ classes: [ClassDefinition], isForAppServices: Bool = false) {
    self.isForAppServices = isForAppServices
    self.classes = Dictionary(
      classes.map { (ExactName($0.name), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the schema of a class.
  ///
  /// - Parameter className: The name of the class.
  /// - Returns: The schema; `nil` if there is no such class.
  /// - Throws: ``DocumentError`` if more than 100 embedded classes are nested.
  public func schema(of className: String) throws(DocumentError) -> Document? {
    guard let definition = classes[ExactName(className)] else { return nil }
    var nesting = Nesting()
    return try schema(of: definition, &nesting)
  }

  /// Returns the relationships of a class in the form of App Services.
  ///
  /// - Parameters:
  ///   - className: The name of the class.
  ///   - database: The name of the database that the collections belong to.
  /// - Returns: The target's collection and primary key for each link property, including those
  ///   inside embedded objects, which are named by their path. Links to classes without a primary
  ///   key are omitted.
  public func relationships(of className: String, database: String) -> Document {
    var relationships = Relationships(database: database)
    if let definition = classes[ExactName(className)] {
      visit(definition, path: "", &relationships)
    }
    return relationships.found
  }

  /// Returns a schema as indented JSON that ends with a line break.
  public static func text(of schema: Document) -> String {
    String(decoding: schema.json, as: UTF8.self)
  }

  // MARK: - Classes

  /// The progress of a document that is being written.
  private struct Nesting {
    /// The embedded classes that are being written, outermost first.
    var open: [ExactName] = []
    var written: Set<ExactName> = []
    var repeated = 0
  }

  private func schema(
    of definition: ClassDefinition,
    _ nesting: inout Nesting
  ) throws(DocumentError) -> Document {
    var schema: Document = ["title": .string(definition.name), "bsonType": .string("object")]
    let name = ExactName(definition.name)
    if nesting.open.contains(name) { return schema }
    if !nesting.written.insert(name).inserted {
      nesting.repeated += 1
      if nesting.repeated > Self.mostRepeated { return schema }
    }
    guard nesting.open.count < Self.deepest else {
      throw DocumentError(
        path: nesting.open.first?.text,
        "more than \(Self.deepest) embedded classes are nested; a JSON schema of them is of no use"
      )
    }
    nesting.open.append(name)
    defer { nesting.open.removeLast() }
    let required = definition.properties.filter { property in
      property.schemaForm?.contains(.required) ?? false
        || form(of: property).isRequired && (!isForAppServices || property.isPrimaryKey)
    }
    var properties = Document()
    for property in definition.properties {
      let value = try self.schema(of: property, &nesting)
      properties.members.append(Document.Member(property.name, value))
    }
    let names = required.map { DocumentValue.string($0.name) }
    let content: Document = [
      "required": names.isEmpty ? nil : .array(names), "properties": .document(properties),
    ]
    schema.members += content.members
    return schema
  }

  private func schema(
    of property: PropertyDefinition,
    _ nesting: inout Nesting
  ) throws(DocumentError) -> DocumentValue {
    let form = form(of: property)
    let isShort = isForAppServices && property.schemaForm?.contains(.short) ?? false
    let element: DocumentValue
    if let name = form.embedded, let definition = classes[ExactName(name)] {
      element = .document(try schema(of: definition, &nesting))
    } else if form.holdsNull {
      element = .document(["bsonType": .array([.string(form.bsonType), .string("null")])])
    } else {
      let type = DocumentValue.string(form.bsonType)
      element = isShort ? type : .document(["bsonType": type])
    }
    switch form.collection {
    case .none: return element
    case .list: return .document(["bsonType": .string("array"), "items": element])
    case .set:
      return .document([
        "bsonType": .string("array"), "uniqueItems": .bool(true), "items": element,
      ])
    case .map:
      return .document(["bsonType": .string("object"), "additionalProperties": element])
    }
  }

  func form(of property: PropertyDefinition) -> PropertyForm {
    let type = property.type
    let target = type.target.flatMap { classes[ExactName($0)] }
    let isEmbedded = target?.isEmbedded ?? false
    let isScalar = type.kind != .link && type.kind != .mixed
    return PropertyForm(
      collection: type.collection,
      bsonType: isEmbedded ? "object" : bsonType(of: type, target),
      embedded: isEmbedded ? target?.name : nil,
      holdsNull: type.collection != .none && isScalar && type.isOptional,
      isRequired: type.collection == .none && isScalar && !type.isOptional
    )
  }

  private func bsonType(of type: PropertyType, _ target: ClassDefinition?) -> String {
    switch type.kind {
    case .int where type.bitWidth < 64: return "int"
    case .mixed: return "mixed"
    case let kind where kind.scalar != nil: return kind.scalar?.schemaName ?? ""
    case _:
      guard let key = target?.properties.first(where: \.isPrimaryKey) else { return "long" }
      return bsonType(of: key.type, nil)
    }
  }

  // MARK: - Relationships

  /// The relationships that are found on the way through a class and what is embedded in it.
  private struct Relationships {
    let database: String
    var found = Document()
    var visits = 0
    /// The classes that are being visited, outermost first.
    var open: [ExactName] = []
  }

  private func visit(
    _ definition: ClassDefinition,
    path: String,
    _ relationships: inout Relationships
  ) {
    let name = ExactName(definition.name)
    // A class that holds itself has been described where it is held first.
    guard !relationships.open.contains(name), relationships.open.count < Self.deepest,
      relationships.visits < Self.mostRepeated
    else { return }
    relationships.visits += 1
    relationships.open.append(name)
    defer { relationships.open.removeLast() }
    for property in definition.properties {
      guard let name = property.type.target, let target = classes[ExactName(name)] else { continue }
      let step = path + property.name
      if target.isEmbedded {
        visit(target, path: step + ".", &relationships)
      } else {
        let key = target.linkKey
        let isList = property.type.collection == .list || property.type.collection == .set
        let relationship: Document = [
          "ref": .string("#/relationship/mongodb-atlas/\(relationships.database)/\(target.name)"),
          "foreign_key": .string(key.name),
          "is_list": .bool(isList),
        ]
        relationships.found.members.append(Document.Member(step, .document(relationship)))
      }
    }
  }
}

/// A property as far as a JSON schema can describe it.
struct PropertyForm: Hashable {
  let collection: CollectionKind
  let bsonType: String
  /// The name of the embedded class whose schema is nested.
  let embedded: String?
  /// Whether elements may be null.
  let holdsNull: Bool
  var isRequired: Bool
}
