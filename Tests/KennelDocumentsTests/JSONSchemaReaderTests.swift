import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// What a reader makes of files and links.
func schemas(
  of files: [(String, String)],
  links: [String] = [],
  extending schema: Schema = Schema()
) throws(JSONSchemaError) -> JSONSchemas {
  var reader = JSONSchemaReader()
  for (name, text) in files { try reader.add(Array(text.utf8), file: name) }
  for link in links { try reader.add(link: link) }
  return try reader.schemas(extending: schema)
}

func classes(
  of files: [(String, String)],
  links: [String] = []
) throws(JSONSchemaError) -> [ClassDefinition] {
  try schemas(of: files, links: links).classes
}

/// A JSON text without the spaces between its parts.
private func compact(_ text: String) -> String {
  text.filter { !$0.isWhitespace }
}

/// Schemas in the forms in which people have them, each consistent with itself.
private let forms = [
  #"{"title":"Song","bsonType":"object","required":["_id"],"properties":{"_id":{"bsonType":"objectId"},"title":{"bsonType":"string"},"plays":{"bsonType":"long"}}}"#,
  #"{"title":"Album","bsonType":"object","required":["id","year"],"properties":{"id":{"bsonType":"int"},"songs":{"bsonType":"array","items":{"bsonType":"objectId"}},"year":{"bsonType":"int"},"cover":{"bsonType":"objectId"}}}"#,
  #"{"title":"Band","bsonType":"object","properties":{"home":{"title":"Place","bsonType":"object","properties":{"street":{"bsonType":"string"}}},"places":{"bsonType":"array","items":{"title":"Place","bsonType":"object","properties":{"street":{"bsonType":"string"}}}}}}"#,
  #"{"title":"Gig","bsonType":"object","required":["at"],"properties":{"at":{"bsonType":"date"},"tags":{"bsonType":"array","uniqueItems":true,"items":{"bsonType":"string"}},"prices":{"bsonType":"object","additionalProperties":{"bsonType":"decimal"}},"notes":{"bsonType":"array","items":{"bsonType":["string","null"]}},"any":{"bsonType":"mixed"},"poster":{"bsonType":"binData"},"token":{"bsonType":"uuid"},"sold":{"bsonType":"bool"},"share":{"bsonType":"double"}}}"#,
]

@Suite struct `JSON schemas that are read` {
  @Test(arguments: forms)
  func `are written again as they were`(form: String) throws {
    let classes = try classes(of: [("x.json", form)])
    let text = try JSONSchemaWriter(classes).schema(of: classes[0].name).map(JSONSchemaWriter.text)
    #expect(compact(try #require(text)) == form)
    // The longer form gives the same classes.
    #expect(try KennelDocumentsTests.classes(of: [("x.json", text ?? "")]) == classes)
  }

  @Test func `may name a type without an object around it`() throws {
    let classes = try classes(
      of: [
        (
          "Fan.json",
          #"{"bsonType": "object", "required": ["_id"], "properties": {"_id": "objectId", "n": "int"}}"#
        )
      ]
    )
    #expect(
      classes == [
        ClassDefinition(
          "Fan",
          properties: [
            PropertyDefinition("_id", .objectId, isPrimaryKey: true, schemaForm: .short),
            PropertyDefinition("n", .int(bitWidth: 32).optional, schemaForm: .short),
          ]
        )
      ]
    )
  }

  @Test(arguments: [UInt64](0..<60))
  func `say the same as what any classes are written as`(seed: UInt64) throws {
    var random = RandomSchema(seed: seed)
    let original = random.classes()
    let writer = JSONSchemaWriter(original)
    let owners = original.filter { !$0.isEmbedded }
    var files: [(String, String)] = []
    for owner in owners {
      let schema = try #require(try writer.schema(of: owner.name))
      files.append(("\(owner.name)/schema.json", JSONSchemaWriter.text(of: schema)))
      let relationships = writer.relationships(of: owner.name, database: "db")
      files.append(
        ("\(owner.name)/relationships.json", JSONSchemaWriter.text(of: relationships))
      )
    }
    let read = try classes(of: files)
    let second = JSONSchemaWriter(read)
    for owner in owners {
      #expect(try second.schema(of: owner.name) == writer.schema(of: owner.name))
    }
    // A file takes them, and takes them again on top of the original classes.
    try withTemporaryDatabase { database in try database.write { try $0.define(read) } }
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(original)
        let before = transaction.schema
        try schemas(of: files, extending: before).define(in: transaction)
        #expect(transaction.schema == before)
      }
    }
  }

  @Test func `come from validators, arrays, streams and older exports`() throws {
    let dog = #"{"title":"Dog","bsonType":"object","properties":{"a":{"bsonType":"int"}}}"#
    let cat = #"{"title":"Cat","type":"object","properties":{"b":{"type":"integer"}}}"#
    let expected = [
      ClassDefinition("Dog", properties: [PropertyDefinition("a", .int(bitWidth: 32).optional)]),
      ClassDefinition("Cat", properties: [PropertyDefinition("b", .int.optional)]),
    ]
    let files = [
      [("both.json", "\u{feff}\(dog)\n\(cat)\n")], [("both.json", "[\(dog), \(cat)]")],
      [("Dog.json", "{\"$jsonSchema\": \(dog)}"), ("Cat.schema.json", cat)],
      [
        ("Dog.metadata.json", #"{"options":{"validator":{"$jsonSchema":\#(dog)}},"indexes":[]}"#),
        ("Cat.json", cat), ("Bird.metadata.json", #"{"options":{}}"#), ("a/rules.json", "[]"),
      ],
      [("db.Dog.json", #"{"collection":"Dog","schema":\#(dog)}"#), ("Cat.json", cat)],
    ]
    for files in files { #expect(try classes(of: files) == expected) }
  }

  @Test func `may refer to definitions, and allow null beside a type`() throws {
    let schema = """
      {"type": "object", "required": ["name", "nick"], "properties": {
        "name": {"type": "string"}, "nick": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "home": {"$ref": "#/$defs/Place"}, "work": {"oneOf": [{"$ref": "#/$defs/Place"},
        {"type": "null"}]}, "root": {"$ref": "#/$defs/a~1b"}},
       "$defs": {"Place": {"type": "object", "properties": {"city": {"$ref": "#/$defs/City"}}},
        "City": {"type": "string"}, "a/b": {"title": "Node", "type": "object", "properties":
        {"nodes": {"type": "array", "items": {"$ref": "#/$defs/a~1b"}}}}}}
      """
    let read = try schemas(of: [("Person.json", schema)])
    #expect(read.notes.isEmpty)
    #expect(
      read.classes == [
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("name", .string, schemaForm: .required),
            PropertyDefinition("nick", .string.optional, schemaForm: .required),
            PropertyDefinition("home", .link("Place")), PropertyDefinition("work", .link("Place")),
            PropertyDefinition("root", .link("Node")),
          ]
        ),
        ClassDefinition(
          "Place",
          isEmbedded: true,
          properties: [PropertyDefinition("city", .string.optional)]
        ),
        ClassDefinition(
          "Node",
          isEmbedded: true,
          properties: [PropertyDefinition("nodes", .list(.link("Node")))]
        ),
      ]
    )
  }

  @Test func `get their primary keys by rules`() throws {
    func key(_ schema: String, links: [String] = []) throws -> String? {
      let schemas = [
        ("A.json", #"{"bsonType":"object","properties":{"a":{"bsonType":"string"}}}"#),
        ("B.json", schema),
      ]
      let read = try classes(of: schemas, links: links)
      return read.last?.properties.first(where: \.isPrimaryKey)?.name
    }
    func schema(_ properties: String, required: String = "[]") -> String {
      #"{"bsonType":"object","required":\#(required),"properties":{\#(properties)}}"#
    }
    #expect(try key(schema(#""id":"int","_id":"int""#, required: #"["id"]"#)) == "_id")
    #expect(try key(schema(#""id":"int","x":"int""#, required: #"["id", "x"]"#)) == "id")
    #expect(try key(schema(#""id":"int""#)) == nil)
    #expect(try key(schema(#""name":"string""#, required: #"["name"]"#)) == nil)
    #expect(try key(schema(#""name":"string""#), links: ["A.a=B.name"]) == "name")
    // One object is the continuation of another.
    let links = ["B._id=B.name", "A.a=B"]
    #expect(try key(schema(#""_id":"string","name":"string""#), links: links) == "name")
    let document = try schemas(of: [("B.json", schema(#""_id":{"bsonType":"date"}"#))])
    #expect(document.classes[0].properties == [PropertyDefinition("_id", .date.optional)])
    #expect(document.notes.first?.hasPrefix("B.json: properties._id: an _id that is no") == true)
  }

  @Test func `give properties and classes other names, and leave them out`() throws {
    let schema =
      #"{"title": "a.b", "required": ["@id"], "properties": {"@id": "int", "@type": "int"}}"#
    let files = [("A.json", schema)]
    try withTemporaryDatabase { database in
      let error = #expect(throws: JSONSchemaError.self) {
        try database.write { try schemas(of: files).define(in: $0) }
      }
      #expect(error?.message.hasSuffix("; --rename a.b=NAME gives it another name") == true)
    }
    var reader = JSONSchemaReader()
    try reader.add(Array(schema.utf8), file: "A.json")
    for option in ["a.b=A", "@id=id"] { try reader.rules.rename(option) }
    reader.rules.skip("@type")
    let read = try reader.schemas()
    let id = PropertyDefinition(
      "id",
      .int(bitWidth: 32),
      isPrimaryKey: true,
      schemaForm: .short
    )
    #expect(read.classes == [ClassDefinition("A", properties: [id])])
    #expect(
      read.notes == [
        "A.json: properties[\"@id\"]: the property becomes id",
        "A.json: properties[\"@type\"]: the property is left out",
      ]
    )
  }

  @Test func `list what is not kept`() throws {
    let schema = """
      {"bsonType": "object", "properties": {
        "age": {"bsonType": ["int", "null"], "minimum": 0, "description": "in years"},
        "size": {"bsonType": "number", "minimum": 1},
        "any": {"bsonType": ["int", "string"]}, "free": {}, "list": {"bsonType": "array"},
        "object": {"bsonType": "object"}, "kind": {"bsonType": "string", "enum": ["a", "b"]}}}
      """
    let read = try schemas(of: [("A.json", schema)])
    #expect(
      read.classes[0].properties == [
        PropertyDefinition("age", .int(bitWidth: 32).optional),
        PropertyDefinition("size", .double.optional), PropertyDefinition("any", .mixed),
        PropertyDefinition("free", .mixed), PropertyDefinition("list", .list(.mixed)),
        PropertyDefinition("object", .map(.mixed)), PropertyDefinition("kind", .string.optional),
      ]
    )
    #expect(
      read.notes == [
        "A.json: properties.age.minimum: the keyword \"minimum\" is ignored, here and in 1 other "
          + "place",
        "A.json: properties.age.description: the keyword \"description\" is ignored",
        "A.json: properties.size: a property of type number becomes a double",
        "A.json: properties.any: a property of several types becomes mixed",
        "A.json: properties.free: a property of any type becomes mixed",
        "A.json: properties.list: an array without \"items\" becomes a list of mixed values",
        "A.json: properties.object: an object without \"properties\" becomes a map of mixed values",
        "A.json: properties.kind.enum: the keyword \"enum\" is ignored",
      ]
    )
  }
}

@Suite struct `Links of JSON schemas` {
  private let album =
    #"{"bsonType":"object","properties":{"songs":{"bsonType":"array","items":{"bsonType":"objectId"}},"best":{"bsonType":"objectId"},"box":{"title":"Box","bsonType":"object","properties":{"song":{"bsonType":"objectId"}}}}}"#
  private let song =
    #"{"title":"Song","bsonType":"object","required":["_id"],"properties":{"_id":{"bsonType":"objectId"}}}"#

  private var linked: [ClassDefinition] {
    let link = PropertyType.link("Song")
    return [
      ClassDefinition(
        "Album",
        properties: [
          PropertyDefinition("songs", .list(link)), PropertyDefinition("best", link),
          PropertyDefinition("box", .link("Box")),
        ]
      ),
      ClassDefinition("Box", isEmbedded: true, properties: [PropertyDefinition("song", link)]),
      ClassDefinition(
        "Song",
        properties: [PropertyDefinition("_id", .objectId, isPrimaryKey: true)]
      ),
    ]
  }

  @Test func `are declared one by one`() throws {
    let files = [("Album.json", album), ("Song.json", song)]
    let links = ["Album.songs=Song", "Album.best=Song._id", "Box.song=Song"]
    #expect(try classes(of: files, links: links) == linked)
    let nested = ["Album.songs=Song", "Album.best=Song", "Album.box.song=Song"]
    #expect(try classes(of: files, links: nested) == linked)
  }

  @Test func `come from relationships`() throws {
    let reference = "#/relationship/mongodb-atlas/shop/songs"
    let relationships = """
      {"songs": {"ref": "\(reference)", "foreign_key": "_id", "is_list": true},
       "first": {"ref": "\(reference)", "source_key": "best", "foreign_key": "_id"},
       "box.song": {"ref": "\(reference)", "foreign_key": "_id", "is_list": false}}
      """
    // The collection is named after its folder, the class after the title.
    let files = [
      ("shop/Album/relationships.json", relationships), ("shop/Album/schema.json", album),
      ("shop/songs/schema.json", song),
    ]
    #expect(try classes(of: files) == linked)
  }

  @Test func `are taken from the file where the schemas do not say`() throws {
    try withTemporaryDatabase { database in
      let files = [("Album.json", album), ("Song.json", song)]
      try database.write { transaction in
        try transaction.define(linked)
        let before = transaction.schema
        try schemas(of: files, extending: before).define(in: transaction)
        #expect(transaction.schema == before)
      }
      let schema = try database.snapshot().schema
      let error = #expect(throws: JSONSchemaError.self) {
        try database.write { transaction in
          let other = files + [("Cat.json", song.replacing("Song", with: "Cat"))]
          try schemas(of: other, links: ["Album.best=Cat"], extending: schema)
            .define(in: transaction)
        }
      }
      #expect(error?.description.hasPrefix("--link Album.best=Cat: Album.best") == true)
    }
  }

  @Test(arguments: [
    (["Album"], "--link Album: Expected Class.property=Target, as in Person.dogs=Dog"),
    (["Album.best=Song=x"], "--link Album.best=Song=x: Expected Class.property=Target"),
    (["Album.best=Cat"], "--link Album.best=Cat: There is no class Cat to link to"),
    (["Cat.best=Song"], "--link Cat.best=Song: None of the schemas describes a class Cat"),
    (["Album.x=Song"], "--link Album.x=Song: Class Album has no property x"),
    (["Album.best.x=Song"], "Album.best is not an embedded object"),
    (
      ["Album.best=Song", "Song._id=Song._id"],
      "Song._id is the primary key of its class, so it cannot link to Song"
    ),
    (["Album.best=Box"], "Box is an embedded class; nothing links to it"),
    (
      ["Album.best=Album"],
      "so it cannot link to Album, whose primary key _id is a int"
    ),
    (["Album.best=Song.name"], "The primary key of Song is _id, not name"),
    (["Album.box=Song"], "Album.box is a link<Box>, so it cannot link to Song"),
  ])
  func `are refused with a reason`(links: [String], message: String) {
    let files = [("Album.json", album), ("Song.json", song)]
    let error = #expect(throws: JSONSchemaError.self) { try classes(of: files, links: links) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `agree with their relationships`() {
    let wrong = #"{"best": {"ref": "a/Song", "is_list": true}}"#
    let files = [
      ("Album.json", album), ("Song.json", song), ("Album.relationships.json", wrong),
    ]
    let error = #expect(throws: JSONSchemaError.self) { try classes(of: files) }
    #expect(
      error?.description
        == "Album.relationships.json: best: \"is_list\" is true, but Album.best is a objectId?"
    )
    #expect(error?.pointer == "#/best")
  }
}

@Suite struct `Mistakes in JSON schemas` {
  @Test(arguments: [
    ("", "A.json: The file is empty; expected a JSON schema"),
    ("{\n\"title\": \"A\",\n}", "A.json, line 3: Expected a name in quotes"),
    ("{\"a\": 1,\n \"a\": 2}", "A.json, line 1: the name \"a\" occurs twice"),
    ("7", "A.json: Expected a JSON schema, which is an object; found a number"),
    (#"{"bsonType": "array"}"#, "A.json: Expected the schema of a class"),
    (#"{"title": 3, "properties": {}}"#, "A.json: title: Expected the name of a class, found"),
    (#"{"properties": 3}"#, "A.json: properties: Expected an object"),
    (
      #"{"properties": {"a": {"bsonType": "strin"}}}"#,
      "A.json: properties.a.bsonType: \"strin\" is not a type, such as string, int"
    ),
    (
      #"{"properties": {"a": {"bsonType": "regex"}}}"#,
      "A.json: properties.a.bsonType: No property can hold a value of type regex"
    ),
    (
      #"{"properties": {"a": {"bsonType": ["string", "array"]}}}"#,
      "A.json: properties.a.bsonType: A property holds a value, an array or an object"
    ),
    (
      #"{"properties": {"a": 7}}"#, "A.json: properties.a: Expected a schema, as in {\"bsonType\""
    ),
    (
      #"{"properties": {"a": {"anyOf": []}}}"#,
      "A.json: properties.a: The type is described by \"anyOf\", which is not supported"
    ),
    (
      ##"{"properties": {"a": {"$ref": "#/definitions/B"}}}"##,
      "A.json: properties.a.$ref: Expected a reference to a schema in this document"
    ),
    (
      ##"{"properties": {"a": {"$ref": "#/properties/a"}}}"##,
      "A.json: properties.a.$ref: Expected a reference to a schema in this document"
    ),
    (
      #"{"properties": {"a b": {"bsonType": "array", "items": {"bsonType": "array"}}}}"#,
      "A.json: properties[\"a b\"].items: an array inside an array cannot be stored"
    ),
    (
      #"{"properties": {"a": {"bsonType": "array", "items": []}}}"#,
      "A.json: properties.a.items: A schema for each position cannot be stored"
    ),
    (
      #"{"properties": {}, "required": ["b"]}"#,
      "A.json: required[0]: \"b\" is required but not described in \"properties\""
    ),
    (
      #"{"properties": {"a": {"title": "B", "bsonType": "object"}}}"#,
      "A.json: properties.a: The object B has no \"properties\", and no other place describes it"
    ),
    (
      #"{"title": "A", "properties": {"a": {"title": "A", "bsonType": "object"}}}"#,
      "A.json: properties.a: A is a class of its own, so it cannot be embedded"
    ),
    (
      #"{"properties": {"a": {"properties": {}, "additionalProperties": {}}}}"#,
      "A.json: properties.a.additionalProperties: An object has either"
    ),
    (
      #"{"properties": {"a": {"title": "B", "properties": {"x": "int"}}, "b": {"title": "B", "properties": {"x": "long"}}}}"#,
      "A.json: properties.b: Class B is described differently in A.json: properties.a; give one"
    ),
    (
      #"{"title": "A", "properties": {"a": {"title": "A", "properties": {}}}}"#,
      "A.json: properties.a: Class A is embedded in one place and a class of its own in another"
    ),
  ])
  func `are told with their place`(text: String, message: String) {
    let error = #expect(throws: JSONSchemaError.self) { try classes(of: [("A.json", text)]) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func `have a JSON pointer`() {
    let text = #"{"properties": {"a/b~c d": {"bsonType": "array", "items": 7}}}"#
    let error = #expect(throws: JSONSchemaError.self) { try classes(of: [("A.json", text)]) }
    #expect(error?.pointer == "#/properties/a~1b~0c%20d/items")
  }

  @Test func `are no crash, however deep`() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONSchemaError.self) { try classes(of: [("A.json", text)]) }
    let closed = text + String(repeating: "]", count: 100_000)
    let error = #expect(throws: JSONSchemaError.self) { try classes(of: [("A.json", closed)]) }
    #expect(error?.message == "More than 500 levels are nested")
  }

  @Test func `that contradict the file leave it as it was`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([ClassDefinition("A", properties: [PropertyDefinition("x", .int)])])
      }
      let before = try database.snapshot().schema
      let text = #"{"title":"A","properties":{"new":"int","x":{"bsonType":"string"}}}"#
      let error = #expect(throws: JSONSchemaError.self) {
        try database.write { transaction in
          try schemas(of: [("A.json", text)], extending: before).define(in: transaction)
        }
      }
      #expect(
        error?.description
          == "A.json: properties.x: A.x has the type int in the file, not string?; changing that needs "
          + "a migration"
      )
      #expect(try database.snapshot().schema == before)
    }
  }
}
