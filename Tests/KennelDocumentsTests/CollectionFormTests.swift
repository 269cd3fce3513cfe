import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// The forms that values have in documents, read by a person.
@Suite struct `Values in documents` {
  private static let types = [
    "bool", "int", "int32", "float", "double", "string", "data", "date", "objectId", "uuid",
    "decimal128", "mixed",
  ]

  private static let schema =
    ["{\"$class\":\"A\"}"]
    + types.map { "{\"$property\":\"\($0)\",\"type\":\"\($0 == "mixed" ? $0 : $0 + "?")\"}" }
    + [
      #"{"$property":"link","type":"link<A>"}"#, #"{"$property":"dog","type":"link<Dog>"}"#,
      #"{"$property":"map","type":"map<mixed>"}"#, #"{"$property":"set","type":"set<int16>"}"#,
      #"{"$property":"home","type":"link<Home>"}"#,
      #"{"$property":"said","type":"string?","default":"woof"}"#,
      #"{"$class":"Home","embedded":true}"#, #"{"$property":"city","type":"string?"}"#,
      #"{"$class":"Dog"}"#, #"{"$property":"name","type":"string","primaryKey":true}"#,
      #"{"$object":"Dog/1","name":"Rex"}"#,
    ]

  private static let empty = #""map":{},"set":[],"said":"woof""#

  @Test func `give an object a new objectId as its primary key, and no other key that they lack`()
    throws
  {
    try withTemporaryDatabase { database in
      try read(
        document(
          #"{"$class":"A"}"#,
          #"{"$property":"_id","type":"objectId","primaryKey":true}"#,
          #"{"$class":"B"}"#,
          #"{"$property":"id","type":"int","primaryKey":true}"#,
          #"{"$class":"C"}"#,
          #"{"$property":"id","type":"string?","primaryKey":true}"#
        ),
        into: database
      )
      try read(Array("{}\n{}\n".utf8), as: "A", into: database)
      let snapshot = try database.snapshot()
      let ids = try ["A/1", "A/2"].map { try snapshot.value($0, "_id") }
      #expect(ids[0] != ids[1] && !ids.contains(.objectId(ObjectId(high: 0, low: 0))))
      let error = #expect(throws: DocumentError.self) {
        try read(Array("{}".utf8), as: "B", into: database)
      }
      #expect(error?.description == "B, line 1, B.id: the primary key is missing")
      // Null is a primary key where the property may be null.
      try read(Array("{}".utf8), as: "C", into: database)
      #expect(try database.snapshot().value("C/1", "id") == .null)
    }
  }

  @Test func `set unique properties at once, whatever default another object has`() throws {
    try withTemporaryDatabase { database in
      try read(
        document(#"{"$class":"A"}"#, #"{"$property":"mail","type":"string","unique":true}"#),
        into: database
      )
      try read(Array("{}\n{\"mail\":\"x\"}\n{\"mail\":\"y\"}\n".utf8), as: "A", into: database)
      #expect(try database.snapshot().value("A/1", "mail") == .string(""))
      #expect(try database.snapshot().value("A/3", "mail") == .string("y"))
      let error = #expect(throws: DocumentError.self) {
        try read(Array(#"{"mail":"x"}"#.utf8), as: "A", into: database)
      }
      #expect(error?.description.contains("unique property A.mail") == true)
    }
  }

  /// The form in canonical Extended JSON of a member of a lossless line, or the other way round.
  static let forms: [(line: String, document: String)] = [
    (#""bool":true"#, #""bool":true,\#(empty)"#),
    (#""int":5"#, #""int":{"$numberLong":"5"},\#(empty)"#),
    (#""int32":-5"#, #""int32":{"$numberInt":"-5"},\#(empty)"#),
    (#""float":0.1"#, #""float":{"$numberDouble":"0.10000000149011611938"},\#(empty)"#),
    (#""double":"-0.0""#, #""double":{"$numberDouble":"-0.0"},\#(empty)"#),
    (
      #""double":"nan(0x8000000000001)""#,
      #""double":{"kennel":"double","value":"nan(0x8000000000001)"},\#(empty)"#
    ),
    (#""double":"nan""#, #""double":{"$numberDouble":"NaN"},\#(empty)"#),
    (#""string":"a\u0000\u001b""#, #""string":"a\u0000\u001b",\#(empty)"#),
    (
      #""data":"hex:00ff""#,
      #""data":{"$binary":{"base64":"AP8=","subType":"00"}},\#(empty)"#
    ),
    (
      #""date":"1969-12-31T23:59:59.999Z""#,
      #""date":{"$date":{"$numberLong":"-1"}},\#(empty)"#
    ),
    (
      #""date":"1969-12-31T23:59:59.9999Z""#,
      #""date":{"kennel":"date","value":"1969-12-31T23:59:59.9999Z"},\#(empty)"#
    ),
    (
      #""objectId":"507f1f77bcf86cd799439011""#,
      #""objectId":{"$oid":"507f1f77bcf86cd799439011"},\#(empty)"#
    ),
    (
      #""uuid":"123e4567-e89b-12d3-a456-426614174000""#,
      #""uuid":{"$binary":{"base64":"Ej5FZ+ibEtOkVkJmFBdAAA==","subType":"04"}},\#(empty)"#
    ),
    (#""decimal128":"1.50""#, #""decimal128":{"$numberDecimal":"1.50"},\#(empty)"#),
    (#""mixed":{"$float":"1.5"}"#, #""mixed":{"kennel":"float","value":"1.5"},\#(empty)"#),
    (#""mixed":1.5"#, #""mixed":{"$numberDouble":"1.5"},\#(empty)"#),
    (#""mixed":{"$ref":"Dog/1"}"#, #""mixed":{"$ref":"Dog","$id":"Rex"},\#(empty)"#),
    (
      #""mixed":{"$ref":"A/1"}"#,
      #""mixed":{"$ref":"A","$id":{"$numberLong":"1"}},\#(empty)"#
    ),
    (#""link":{"$ref":"A/1"}"#, #""link":{"$numberLong":"1"},\#(empty)"#),
    (#""dog":{"$ref":"Dog/1"}"#, #""dog":"Rex",\#(empty)"#),
    (#""home":{"city":null}"#, #""map":{},"set":[],"home":{},"said":"woof""#),
    (#""said":null"#, #""map":{},"set":[],"said":null"#),
    (
      #""map":{"":1,"a.b":null},"set":[1,2]"#,
      #""map":{"":{"$numberLong":"1"},"a.b":null},"set":[{"$numberInt":"1"},{"$numberInt":"2"}],"#
        + #""said":"woof""#
    ),
    (
      #""map":{"$$oid":"x"}"#,
      #""map":[{"k":"$oid","v":"x"}],"set":[],"said":"woof""#
    ),
  ]

  @Test(arguments: forms)
  func `have one form, and come back from it`(line: String, document form: String) throws {
    let lines = Self.schema + [#"{"$object":"A/1",\#(line)}"#]
    try withTemporaryDatabase { database in
      try read((["{\"$kennel\":1}"] + lines).joined(separator: "\n"), into: database)
      let found = try json("A", of: database, as: .extendedJSON)
      #expect(found == #"{"_id":{"$numberLong":"1"},\#(form)}"# + "\n")
      try withTemporaryDatabase { copy in
        try read(schemaText(of: database), into: copy)
        try read(Array(#"{"name":"Rex"}"#.utf8), as: "Dog", into: copy)
        try read(Array(found.utf8), as: "A", into: copy)
        #expect(try text(of: copy) == text(of: database))
      }
    }
  }

  @Test func `in BSON keep every bit and every name but those with a character 0`() throws {
    let line =
      #"{"$object":"A/1","double":"nan(0x4000000000001)","map":{"$$ref":1,"":2},"#
      + #""mixed":{"$decimal128":"0xffffffffffffffffffffffffffffffff"}}"#
    try withTemporaryDatabase { database in
      try read((["{\"$kennel\":1}"] + Self.schema + [line]).joined(separator: "\n"), into: database)
      let files = try CollectionFiles(of: database, as: .bson)
      let bytes = try #require(files.files.first { $0.className == "A" }).bytes
      #expect(bytes.firstRange(of: Array("\u{12}$ref\u{0}".utf8)) != nil)
      #expect(bytes.firstRange(of: Array("kennel".utf8)) == nil)
      try withTemporaryDatabase { copy in
        try files.read(into: copy)
        #expect(try text(of: copy) == text(of: database))
      }
    }
  }

  @Test func `lose the rest of their milliseconds only where that is asked for`() throws {
    let line = #"{"$object":"A/1","date":"1969-12-31T23:59:59.9999Z"}"#
    try withTemporaryDatabase { database in
      try read((["{\"$kennel\":1}"] + Self.schema + [line]).joined(separator: "\n"), into: database)
      var options = OutputOptions()
      options.documents.roundsDates = true
      let files = try CollectionFiles(of: database, as: .bson, options)
      try withTemporaryDatabase { copy in
        try files.read(into: copy)
        let date = try copy.snapshot().value("A/1", "date")
        #expect(date == .date(try #require(Timestamp(seconds: -1, nanoseconds: 999_000_000))))
      }
    }
  }

  /// A member of plain JSON and what the property of its name gets, or why it is refused.
  @Test(
    arguments: [
      ("int", "3.0", "3"), ("int", #"{"$numberDecimal":"3.00"}"#, "3"), ("float", "3", "3.0"),
      ("double", "3", "3.0"), ("decimal128", "3", "3"), ("int32", #"{"$numberLong":"3"}"#, "3"),
      ("uuid", #""123e4567-e89b-12d3-a456-426614174000""#, "123e4567-e89b-12d3-a456-426614174000"),
      (
        "uuid", #"{"$uuid":"123e4567-e89b-12d3-a456-426614174000"}"#,
        "123e4567-e89b-12d3-a456-426614174000"
      ),
      ("date", #""2024-02-29T00:00:00Z""#, "2024-02-29T00:00:00Z"),
      ("decimal128", #""1.50""#, "1.50"), ("mixed", "3", "3"), ("mixed", "3.0", "3.0"),
    ] as [(String, String, String)]
  )
  func `are taken where the property holds them exactly`(
    name: String,
    value: String,
    result: String
  ) throws {
    try withSchema { database in
      try read(Array(#"{"\#(name)":\#(value)}"#.utf8), as: "A", into: database)
      let found = try database.snapshot().value("A/1", name)
      #expect(ValueText.describe(found) == result)
    }
  }

  @Test(
    arguments: [
      (#"{"int":3.5}"#, "line 1, A.int: expected int?, found 3.5"),
      (#"{"int":-0.0}"#, "line 1, A.int: expected int?, found -0.0"),
      (#"{"int":"3"}"#, "line 1, A.int: expected int?, found a string"),
      (#"{"int":9007199254740993.0}"#, nil),
      (
        #"{"double":9007199254740993}"#,
        "line 1, A.double: expected double?, found 9007199254740993"
      ),
      (#"{"float":0.1}"#, "line 1, A.float: expected float?, found 0.1"),
      (#"{"int32":3000000000}"#, "line 1, A.int32: "),
      (
        #"{"data":{"$binary":{"base64":"AP8=","subType":"05"}}}"#,
        "line 1, A.data: expected data?, found binary data of subtype 5"
      ),
      (
        #"{"double":{"$regex":"x"}}"#,
        "line 1, A.double: expected double?, found a value of type regex, which no property can hold; "
          + "--skip leaves the property out, and one of text or mixed values holds it as text"
      ),
      (
        #"{"map":{"a":{"kennel":"what","value":"1"}}}"#,
        #"line 1, A.map["a"]: there is no value type "what""#
      ),
      (#"{"set":[1,1]}"#, "line 1, A.set: a member of the set occurs twice"),
      (#"{"int":1,"int":2}"#, "line 1: column 1: the name \"int\" occurs twice"),
      (
        #"{"age":1}"#,
        "line 1, A.age: A has no such property; --skip age leaves it out, --rename age=NAME gives it "
          + "another name, --ignore-unknown leaves out all such members"
      ),
      (#"{"home":{"city":5}}"#, "line 1, A.home.city: expected string?, found 5"),
      (#"{"_id":"x"}"#, "line 1, A._id: expected the object's key"),
      (#"{"_id":1}{"_id":1}"#, "document 2, line 1, A: the key 1 occurs twice"),
      (#"{"int":1"#, "line 1: the file ends inside the document: it is truncated"),
      (#"{"int":1}x"#, "line 1: expected a document, which begins with '{'"),
      (#"[{"int":1}"#, "line 1: the array is not closed: the file is truncated"),
      ("[{\"int\":1},\n{\"int\":\"x\"}]", "line 2, A.int: expected int?, found a string"),
      (#"{"int":tru}"#, "line 1: column 8: Expected a value"),
      ("{\"int\":1,\n\"float\":tru}", "line 2: column 9: Expected a value"),
    ] as [(String, String?)]
  )
  func `are refused where they do not fit, with their place`(
    text: String,
    message: String?
  ) throws {
    try withSchema { database in
      guard let message else {
        try read(Array(text.utf8), as: "A", into: database)
        return
      }
      let before = try database.snapshot().commitNumber
      let error = #expect(throws: DocumentError.self) {
        try CollectionFiles([("A", Array(text.utf8))]).read(into: database)
      }
      #expect(error?.description.hasPrefix("A, " + message) == true, "\(error?.description ?? "")")
      #expect(try database.snapshot().commitNumber == before)
    }
  }

  @Test func `that are links to nothing are listed, or dropped`() throws {
    try withTemporaryDatabase { database in
      try read(
        document(
          #"{"$class":"Dog"}"#,
          #"{"$property":"name","type":"string","primaryKey":true}"#,
          #"{"$class":"Person"}"#,
          #"{"$property":"dog","type":"link<Dog>"}"#,
          #"{"$property":"dogs","type":"list<link<Dog>>"}"#,
          #"{"$property":"named","type":"map<link<Dog>>"}"#,
          #"{"$property":"any","type":"list<mixed>"}"#
        ),
        into: database
      )
      let people = #"""
        {"dog":"Fido","dogs":["Rex","Fido","Rex"],"named":{"a":"Fido","b":"Rex"}}
        {"any":[1,{"$ref":"Dog","$id":"Fido"}]}
        """#
      let files = CollectionFiles([
        ("Person", Array(people.utf8)), ("Dog", Array(#"{"name":"Rex"}"#.utf8)),
      ])
      let error = #expect(throws: DocumentError.self) { try files.read(into: database) }
      #expect(
        error?.description == """
          4 properties link to objects that do not exist; --dangling null drops such links
            Person, line 1, Person.dog: there is no object with the key "Fido"
            Person, line 1, Person.dogs[1]: there is no object with the key "Fido"
            Person, line 1, Person.named["a"]: there is no object with the key "Fido"
            Person, line 2, Person.any[1]: there is no object Dog with the key "Fido"
          """
      )
      #expect(try text(of: database).contains("$object") == false)
      var options = DocumentImportOptions()
      options.dropsDanglingLinks = true
      #expect(try files.read(into: database, options).droppedLinkCount == 4)
      #expect(
        try json("Person", of: database)
          == #"{"_id":1,"dogs":["Rex","Rex"],"named":{"a":null,"b":"Rex"},"any":[]}"# + "\n"
          + #"{"_id":2,"dogs":[],"named":{},"any":[1]}"# + "\n"
      )
    }
  }

  @Test func `that no property has are counted where they are left out`() throws {
    try withSchema { database in
      var options = DocumentImportOptions()
      options.ignoresUnknownNames = true
      let text = #"{"age":1,"int":1,"home":{"zip":1}}{"age":2,"_id":"x"}"#
      let summary = try read(Array(text.utf8), as: "A", into: database, options)
      #expect(summary.objectCount == 2)
      #expect(summary.ignoredNames == ["A.age": 2, "A._id": 1, "Home.zip": 1])
    }
  }

  private func withSchema(_ body: (Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try read(
        (["{\"$kennel\":1}"] + Self.schema.dropLast()).joined(separator: "\n"),
        into: database
      )
      try body(database)
    }
  }
}
