import KennelCore

/// The schema that stands in a place for another: by `$ref`, by an alternative with null, in short.
struct JSONSchemaReferences {
  /// The whole document, which references lead into.
  private let root: Document
  /// How many references may lead to each other.
  private static let longest = 20

  init(_ root: Document) {
    self.root = root
  }

  /// The schema that a value stands for.
  ///
  /// A class that a reference leads to is called after its title, or the last step of the reference.
  ///
  /// - Parameters:
  ///   - value: What stands there; `"string"` is short for `{"bsonType": "string"}`.
  ///   - place: Where.
  ///   - isKnown: Whether a class of a name has been described already, so that its name is enough.
  /// - Returns: A schema that says its type itself, or does not say it at all.
  /// - Throws: ``JSONSchemaError`` if there is no schema, or a reference leads to none.
  func schema(
    _ value: DocumentValue,
    at place: JSONPlace,
    isKnown: (String) -> Bool
  ) throws(JSONSchemaError) -> Document {
    var document: Document
    switch value {
    case .document(let schema): document = schema
    case .string: return ["bsonType": value]
    case .bool(true): return Document()
    case .null, .bool, .int32, .int64, .double, .decimal128, .date, .objectId, .binary, .array,
      .other:
      throw place.error("Expected a schema, as in {\"bsonType\": \"string\"}; found \(value.noun)")
    }
    guard document["bsonType"] == nil, document["type"] == nil else { return document }
    let allowsNull = takeAlternative(&document)
    var steps = 0
    while let reference = document["$ref"] {
      let place = place.inside("$ref")
      guard let name = reference.string, let target = target(of: name), steps < Self.longest else {
        throw place.error(
          "Expected a reference to a schema in this document, as in \"#/definitions/Address\""
        )
      }
      steps += 1
      document = named(target, after: name, isKnown)
    }
    if allowsNull { addNull(to: &document) }
    return document
  }

  /// Takes the only alternative to null out of `anyOf` or `oneOf`.
  private func takeAlternative(_ document: inout Document) -> Bool {
    guard case .array(let schemas)? = document["anyOf"] ?? document["oneOf"] else { return false }
    let others = schemas.filter { ($0.member("bsonType") ?? $0.member("type"))?.string != "null" }
    guard others.count == 1, others.count < schemas.count, case .document(let only) = others[0]
    else { return false }
    document = only
    return true
  }

  private func addNull(to document: inout Document) {
    for index in document.members.indices {
      let member = document.members[index]
      if member.name == "bsonType" || member.name == "type", member.value.string != nil {
        document.members[index].value = .array([member.value, .string("null")])
      }
    }
  }

  private func named(
    _ target: Document,
    after reference: String,
    _ isKnown: (String) -> Bool
  ) -> Document {
    guard target["properties"] != nil else { return target }
    let last = reference.split(separator: "/").last.map { Self.step(String($0)) }
    let name = target["title"]?.string ?? last ?? reference
    if isKnown(name) { return ["title": .string(name), "bsonType": .string("object")] }
    var schema = target
    schema.members.removeAll { $0.name == "title" }
    schema.members.insert(Document.Member("title", .string(name)), at: 0)
    return schema
  }

  private func target(of reference: String) -> Document? {
    guard reference.hasPrefix("#/") else { return nil }
    var value = DocumentValue.document(root)
    for step in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      guard let next = value.member(Self.step(String(step))) else { return nil }
      value = next
    }
    guard case .document(let schema) = value else { return nil }
    return schema
  }

  /// A step of a JSON pointer as the name that it means.
  private static func step(_ text: String) -> String {
    text.replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
