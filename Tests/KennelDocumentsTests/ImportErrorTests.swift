import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// A document that is wrong in its last line, and what is said about it.
private struct Mistake: CustomTestStringConvertible, Sendable {
  let line: String
  let message: String

  init(_ line: String, _ message: String) {
    self.line = line
    self.message = message
  }

  var testDescription: String { line }
}

private let schema = [
  #"{"$class":"Person"}"#,
  #"{"$property":"id","type":"int","primaryKey":true}"#,
  #"{"$property":"name","type":"string"}"#,
  #"{"$property":"height","type":"float"}"#,
  #"{"$property":"weight","type":"double"}"#,
  #"{"$property":"born","type":"date?"}"#,
  #"{"$property":"dogs","type":"list<link<Dog>>"}"#,
  #"{"$property":"notes","type":"map<mixed>"}"#,
  #"{"$property":"marks","type":"set<int8>"}"#,
  #"{"$property":"home","type":"link<Home>"}"#,
  #"{"$class":"Dog"}"#,
  #"{"$class":"Home","embedded":true}"#,
  #"{"$property":"rooms","type":"list<link<Home>>"}"#,
  #"{"$property":"size","type":"int16"}"#,
  #"{"$object":"Person/1","id":1}"#,
  #"{"$object":"Dog/1"}"#,
]

/// Where the mistake stands: behind the header and the schema.
private let place = schema.count + 2

private let mistakes = [
  Mistake("[1]", "Expected a line of a document, found an array"),
  Mistake("{}", "Expected a line of a document, found an object without \"$object\""),
  Mistake("{", "column 2: Expected a name in quotes, but the line ends"),
  Mistake(#"{"$object":"Dog/1",}"#, "column 20: Expected a name in quotes"),
  Mistake(#"{"$object":"Dog/1"} x"#, "column 21: Expected the end of the line"),
  Mistake(#"{"é":"日", "$object" "Dog/1"}"#, "column 21: Expected ':'"),
  Mistake(#"{"$object":"Dog/0"}"#, "Expected \"$object\":\"Class/key\""),
  Mistake(#"{"$object":"Dog/one"}"#, "Expected \"$object\":\"Class/key\""),
  Mistake(#"{"$object":"Cat/1"}"#, "There is no class Cat"),
  Mistake(
    #"{"$object":"Home/1"}"#,
    "The class Home is embedded: its objects are written inside their owners"
  ),
  Mistake(#"{"$object":"Dog/1","name":"Rex"}"#, "Dog: Dog has no property \"name\""),
  Mistake(#"{"$object":"Person/2","name":3}"#, "Person.name: expected string, found 3"),
  Mistake(#"{"$object":"Person/2","id":1.5}"#, "Person.id: expected int, found 1.5"),
  Mistake(
    #"{"$object":"Person/2","id":9223372036854775808}"#,
    "Person.id: expected int, found 9223372036854775808"
  ),
  Mistake(#"{"$object":"Person/2","id":1,"id":2}"#, "column 1: the name \"id\" occurs twice"),
  Mistake(
    #"{"$object":"Person/2","weight":9007199254740993}"#,
    "Person.weight: expected double, found 9007199254740993"
  ),
  Mistake(
    #"{"$object":"Person/2","height":1e39}"#,
    "Person.height: expected float, found 1e39"
  ),
  Mistake(
    #"{"$object":"Person/2","name":"\ud800"}"#,
    "column 31: The string is not valid Unicode"
  ),
  Mistake(
    #"{"$object":"Person/2","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/1"},{"$ref":"Cat/1"}]}"#,
    "Person.dogs[2]: there is no class Cat; --dangling null drops such links"
  ),
  Mistake(
    #"{"$object":"Person/2","id":2,"dogs":[{"$ref":"Dog/9"}]}"#,
    "Person.dogs[0]: there is no object Dog/9; --dangling null drops such links"
  ),
  Mistake(
    #"{"$object":"Person/2","dogs":["Dog/9"]}"#,
    "Person.dogs[0]: expected link<Dog>, found a string"
  ),
  Mistake(
    #"{"$object":"Person/2","dogs":[{"$ref":"Home/9"}]}"#,
    "Person.dogs[0]: Home is embedded: only its owner links to it"
  ),
  Mistake(
    #"{"$object":"Person/2","notes":{"a":{"$double":true}}}"#,
    "Person.notes[\"a\"]: expected double, found true"
  ),
  Mistake(
    #"{"$object":"Person/2","notes":{"a":1,"a":2}}"#,
    "column 31: the name \"a\" occurs twice"
  ),
  Mistake(
    #"{"$object":"Person/2","notes":{"$a":1}}"#,
    "Person.notes: the key \"$a\" needs a second \"$\""
  ),
  Mistake(
    #"{"$object":"Person/2","marks":[1,2,1]}"#,
    "Person.marks: a member of the set occurs twice"
  ),
  Mistake(
    #"{"$object":"Person/2","id":2,"home":{"rooms":[{"size":1},{"size":"big"}]}}"#,
    "Person.home.rooms[1].size: expected int16, found a string"
  ),
  Mistake(
    #"{"$object":"Person/2","id":2,"home":[]}"#,
    "Person.home: expected an embedded object, found an array"
  ),
  Mistake(#"{"$class":"Late"}"#, "The schema must come before the first object"),
  Mistake(#"{"$kennel":1}"#, "The document has a second header"),
]

@Suite struct `A failing import` {
  @Test(arguments: mistakes)
  private func `names line and path and leaves the file as it was`(_ mistake: Mistake) throws {
    try withTemporaryDatabase { database in
      try read(document(#"{"$class":"Before"}"#, #"{"$object":"Before/1"}"#), into: database)
      let before = try text(of: database)
      let number = database.commitNumber
      let lines = ["{\"$kennel\":1}"] + schema + [mistake.line]
      let error = #expect(throws: DocumentError.self) {
        try read(lines.joined(separator: "\n"), into: database)
      }
      #expect(error?.line == place)
      let colon =
        mistake.message.hasPrefix("Person") || mistake.message.hasPrefix("Dog:")
      #expect(error?.description == "line \(place)\(colon ? ", " : ": ")\(mistake.message)")
      #expect(try text(of: database) == before)
      #expect(database.commitNumber == number)
    }
  }

  @Test(arguments: [
    #"{"$object":"Person/2","id":2,"marks":[1,200]}"#,
    #"{"$object":"Person/2","id":1}"#,
    #"{"$object":"Person/2","id":null}"#,
    #"{"$object":"Person/1","id":2}"#,
    #"{"$object":"Person/2","id":2,"home":{"size":40000}}"#,
    #"{"$object":"Person/2","born":"2023-02-29"}"#,
  ])
  func `passes on what the database says, with the line`(_ line: String) throws {
    try withTemporaryDatabase { database in
      let lines = ["{\"$kennel\":1}"] + schema + [line]
      let error = #expect(throws: DocumentError.self) {
        try read(lines.joined(separator: "\n"), into: database)
      }
      #expect(error?.line == place)
      #expect(error?.path?.hasPrefix("Person") == true)
      let schemaAfter = try database.snapshot().schema
      #expect(schemaAfter.classes.isEmpty)
    }
  }

  @Test(arguments: [
    ("", "The document is empty"),
    ("# nothing\n\n", "The document is empty"),
    ("{\"$class\":\"Dog\"}", "line 1: Expected {\"$kennel\":1}, which begins a document"),
    ("{\"$kennel\":2}", "line 1: The document has version 2, this program reads up to 1"),
    ("{\"$kennel\":\"1\"}", "line 1: Expected the version of the document"),
    (
      "{\"$kennel\":1}\n{\"$property\":\"a\",\"type\":\"int\"}",
      "line 2: A line with \"$class\" must come first"
    ),
    (
      "{\"$kennel\":1}\n{\"$class\":\"A\"}\n{\"$class\":\"A\"}",
      "line 3, A: already defined in line 2"
    ),
    (
      "{\"$kennel\":1}\n{\"$class\":\"A\"}\n{\"$property\":\"a\",\"type\":\"tree\"}",
      "line 3: \"tree\" is not a type such as \"list<link<Dog>>\""
    ),
    (
      "{\"$kennel\":1}\n{\"$class\":\"A\",\"embeded\":true}",
      "line 2: Unknown member \"embeded\""
    ),
  ])
  func `knows a document by its header and its schema`(_ text: String, _ message: String) throws {
    try withTemporaryDatabase { database in
      let error = #expect(throws: DocumentError.self) { try read(text, into: database) }
      #expect(error?.description == message)
    }
  }

  @Test func `reads bytes that are no text without harm`() throws {
    try withTemporaryDatabase { database in
      for bytes in [[0xFF, 0xFE], [0x7B, 0x22, 0xC3, 0x22, 0x3A, 0x31, 0x7D], [0x00]] as [[UInt8]] {
        #expect(throws: DocumentError.self) { try read(bytes, into: database) }
      }
    }
  }

  @Test func `refuses a line that is longer than the limit, and takes one that is as long`() throws
  {
    let start = #"{"$object":"A/1","a":""#
    for (length, isTaken) in [(1 << 20, true), (1 << 20 + 1, false), (3 << 20, false)] {
      try withTemporaryDatabase { database in
        let letters = String(repeating: "x", count: length - start.utf8.count - 2)
        let lines = [
          #"{"$class":"A"}"#, #"{"$property":"a","type":"string"}"#, start + letters + #""}"#,
        ]
        let bytes = Array((["{\"$kennel\":1}"] + lines).joined(separator: "\n").utf8)
        func read() throws {
          let file = DocumentFile(format: .jsonl) { chunks(bytes, size: 1 << 18) }
          let reader = DocumentReader([file], lineLimit: 1 << 20)
          try database.write { _ = try DocumentImporter(reader).read(into: $0) }
        }
        if isTaken { return try read() }
        let error = #expect(throws: DocumentError.self) { try read() }
        #expect(
          error?.description
            == "line 4: the line is longer than the limit of 1 MB; raise the line limit to read it"
        )
      }
    }
  }

  @Test func `says a sentence about a name of three million characters`() throws {
    try withTemporaryDatabase { database in
      let name = String(repeating: "a", count: 3_000_000)
      for line in [#"{"$object":"\#(name)/1"}"#, #"{"$class":"\#(name)"}"#] {
        let error = #expect(throws: DocumentError.self) { try read(document(line), into: database) }
        #expect((error?.description.count ?? .max) < 2_000)
      }
    }
  }

  @Test func `survives nesting that would overflow a stack`() throws {
    try withTemporaryDatabase { database in
      let depth = 200_000
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let line = #"{"$object":"A/1","a":"# + nested + "}"
      let text = document(#"{"$class":"A"}"#, #"{"$property":"a","type":"list<int>"}"#, line)
      let error = #expect(throws: DocumentError.self) { try read(text, into: database) }
      #expect(error?.description == "line 4, A.a[0]: expected int, found an array")
    }
  }
}
