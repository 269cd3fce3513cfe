import KennelCore

/// The types that a JSON schema allows, by `bsonType` or by `type`.
struct JSONSchemaTypes {
  /// Whether null is one of them.
  private(set) var allowsNull = false
  private(set) var isArray = false
  private(set) var isObject = false
  /// Whether a number of any type is allowed.
  private(set) var isNumber = false
  /// Whether several scalar types were merged into `mixed`.
  private(set) var isMerged = false
  /// The type of scalars; `nil` if the schema names none.
  private(set) var scalar: PropertyType?

  init(_ schema: Document, at place: JSONPlace) throws(JSONSchemaError) {
    let member = schema["bsonType"] == nil ? "type" : "bsonType"
    switch schema[member] {
    case nil: try infer(from: schema, at: place)
    case .string(let name)?: try add(name, member, at: place.inside(member))
    case .array(let names)?:
      guard !names.isEmpty else {
        throw place.inside(member).error("Expected at least one type")
      }
      for (index, name) in names.enumerated() {
        let place = place.inside(member, "\(index)")
        guard case .string(let name) = name else {
          throw place.error("Expected the name of a type, found \(name.noun)")
        }
        try add(name, member, at: place)
      }
    case .some(let value):
      throw place.inside(member).error(
        "Expected the name of a type, or several in an array; found \(value.noun)"
      )
    }
    let shapes = [isArray, isObject, scalar != nil].count { $0 }
    guard shapes <= 1 else {
      throw place.inside(member).error(
        "A property holds a value, an array or an object; it cannot be several of them"
      )
    }
  }

  /// Takes the shape from other keywords where no type is named.
  private mutating func infer(from schema: Document, at place: JSONPlace) throws(JSONSchemaError) {
    if schema["properties"] != nil {
      isObject = true
    } else if schema["items"] != nil {
      isArray = true
    } else if let name = ["$ref", "anyOf", "oneOf", "allOf", "not"].first(where: {
      schema[$0] != nil
    }) {
      throw place.error(
        "The type is described by \"\(name)\", which is not supported; use \"bsonType\""
      )
    }
  }

  private mutating func add(
    _ name: String,
    _ keyword: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) {
    switch name {
    case "null": allowsNull = true
    case "array": isArray = true
    case "object": isObject = true
    default:
      guard let type = keyword == "type" ? Self.plain[name] : Self.bson[name] else {
        throw place.error(
          Self.unstorable.contains(name)
            ? "No property can hold a value of type \(name)"
            : "\"\(name)\" is not a type, such as string, int, long, double, objectId or array"
        )
      }
      if name == "number" { isNumber = true }
      guard let known = scalar, known != type else {
        scalar = type
        return
      }
      if known.kind == .int, type.kind == .int {
        scalar = .int
      } else {
        scalar = .mixed
        isMerged = true
      }
    }
  }

  private static let bson = Dictionary(
    [("int", PropertyType.int(bitWidth: 32)), ("number", .double), ("mixed", .mixed)]
      + ValueKind.scalars.map { ($0.scalar?.schemaName ?? "", PropertyType($0)) },
    // A float is written as a double, which is read as one.
    uniquingKeysWith: { $1 }
  )

  private static let plain: [String: PropertyType] = [
    "boolean": .bool, "integer": .int, "number": .double, "string": .string,
  ]

  /// The types of BSON that have no counterpart.
  private static let unstorable: Set = [
    "timestamp", "regex", "javascript", "javascriptWithScope", "symbol", "dbPointer", "undefined",
    "minKey", "maxKey",
  ]
}

/// Notes about parts of JSON schemas that are left out, one for each kind.
struct SchemaNotes {
  private var counts: [String: (count: Int, first: JSONPlace)] = [:]
  private var order: [String] = []

  mutating func add(_ note: String, at place: JSONPlace) {
    if let known = counts[note] {
      counts[note] = (known.count + 1, known.first)
    } else {
      counts[note] = (1, place)
      order.append(note)
    }
  }

  /// Notes the keywords that say something that classes do not keep.
  mutating func keywords(of schema: Document, isClass: Bool, at place: JSONPlace) {
    for member in schema.members where !Self.understood.contains(member.name) {
      add("the keyword \"\(member.name)\" is ignored", at: place.inside(member.name))
    }
    // Of a scalar, a title is an annotation.
    if !isClass, schema["title"] != nil {
      add("the title of a property is ignored", at: place.inside("title"))
    }
  }

  private static let understood: Set = [
    "title", "bsonType", "type", "properties", "required", "items", "uniqueItems",
    "additionalProperties", "$schema", "$id", "definitions", "$defs",
  ]

  /// As in `Person.json: properties.age.minimum: the keyword "minimum" is ignored, here and in 2 other places`.
  var texts: [String] {
    order.compactMap { note in
      guard let (count, first) = counts[note] else { return nil }
      let others = count == 2 ? "1 other place" : "\(count - 1) other places"
      return "\(first): \(note)" + (count == 1 ? "" : ", here and in \(others)")
    }
  }
}
