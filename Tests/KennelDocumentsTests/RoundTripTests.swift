import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `A document` {
  @Test func `comes back as it was`() throws {
    let first = try exported(sampleDocument)
    let second = try exported(first)
    #expect(first.utf8.elementsEqual(second.utf8))
    #expect(first.utf8.count > 10_000)
  }

  @Test func `is the same however it is cut into chunks`() throws {
    let whole = try exported(sampleDocument)
    for chunk in [1, 7, 1 << 20] {
      try withTemporaryDatabase { database in
        try read(Array(sampleDocument.utf8), into: database, chunk: chunk)
        #expect(try text(of: database) == whole)
      }
    }
  }

  @Test func `needs no line feed at its end and takes those of other systems`() throws {
    let text = document(#"{"$class":"A"}"#, "", " # a remark", #" {"$object" : "A/3"} "#)
    let expected = document(#"{"$class":"A"}"#, #"{"$object":"A/3"}"#)
    #expect(try exported(String(text.dropLast())) == expected)
    #expect(try exported(text.replacing("\n", with: "\r\n")) == expected)
    #expect(try exported("\u{feff}" + text) == expected)
  }

  @Test func `keeps keys in an empty file and gives new ones in another`() throws {
    try withTemporaryDatabase { database in
      let text = document(
        #"{"$class":"A"}"#,
        #"{"$property":"next","type":"link<A>"}"#,
        #"{"$object":"A/7","next":{"$ref":"A/900"}}"#,
        #"{"$object":"A/900","next":{"$ref":"A/7"}}"#
      )
      try read(text, into: database)
      #expect(try KennelDocumentsTests.text(of: database) == text)
      try read(text, into: database)
      let snapshot = try database.snapshot()
      #expect(try snapshot.value("A/901", "next") == .link(snapshot.identity("A/902")))
      #expect(try snapshot.value("A/902", "next") == .link(snapshot.identity("A/901")))
      #expect(try snapshot.value("A/7", "next") == .link(snapshot.identity("A/900")))
    }
  }

  @Test func `is imported with the options of all documents`() throws {
    let schema = [#"{"$class":"A"}"#, #"{"$property":"next","type":"list<link<A>>"}"#]
    let text = document(
      schema[0],
      schema[1],
      #"{"$object":"A/1","next":[{"$ref":"A/2"},{"$ref":"A/9"}],"more":1}"#,
      #"{"$object":"A/2"}"#
    )
    let expected = document(
      schema[0],
      schema[1],
      #"{"$object":"A/1","next":[{"$ref":"A/2"}]}"#,
      #"{"$object":"A/2","next":[]}"#
    )
    try withTemporaryDatabase { database in
      var options = DocumentImportOptions()
      options.dropsDanglingLinks = true
      options.ignoresUnknownNames = true
      let file = DocumentFile(format: .jsonl) { chunks(Array(text.utf8)) }
      let importer = DocumentImporter(DocumentReader([file]), options)
      var isGoingOn = true
      while isGoingOn {
        try database.write { isGoingOn = try importer.read(atMost: 1, into: $0) }
      }
      #expect(try KennelDocumentsTests.text(of: database) == expected)
      #expect(importer.summary.ignoredNames == ["A.more": 1])
      #expect(importer.summary.droppedLinkCount == 1)
    }
  }

  @Test func `adds to the schema of a file`() throws {
    try withTemporaryDatabase { database in
      try read(document(#"{"$class":"A"}"#, #"{"$object":"A/1"}"#), into: database)
      try read(
        document(
          #"{"$class":"A"}"#,
          #"{"$property":"a","type":"int","default":5}"#,
          #"{"$object":"A/1"}"#
        ),
        into: database
      )
      let snapshot = try database.snapshot()
      #expect(try snapshot.value("A/2", "a") == .int(5))
    }
  }

  @Test func `escapes names that begin as its own words do`() throws {
    let text = document(
      #"{"$class":"A"}"#,
      #"{"$property":"$object","type":"map<int>"}"#,
      #"{"$object":"A/1","$$object":{"$$$":2,"$$ref":1}}"#
    )
    #expect(try exported(text) == text)
  }

  @Test func `tells names apart that only look the same`() throws {
    let text = document(
      "{\"$class\":\"Caf\u{e9}\"}",
      "{\"$property\":\"\u{e9}\",\"type\":\"int\"}",
      "{\"$property\":\"e\u{301}\",\"type\":\"string\"}",
      "{\"$class\":\"Cafe\u{301}\"}",
      "{\"$property\":\"next\",\"type\":\"link<Caf\u{e9}>\"}",
      "{\"$object\":\"Caf\u{e9}/2\",\"\u{e9}\":1,\"e\u{301}\":\"one\"}",
      "{\"$object\":\"Cafe\u{301}/1\",\"next\":{\"$ref\":\"Caf\u{e9}/2\"}}"
    )
    #expect(Array(try exported(text).utf8) == Array(text.utf8))
  }

  @Test func `tells every trait of a schema`() throws {
    let text = document(
      #"{"$class":"Person"}"#,
      #"{"$property":"id","type":"uuid","primaryKey":true}"#,
      #"{"$property":"name","type":"string?","indexed":true,"default":"\u009b31m"}"#,
      #"{"$property":"mail","type":"string","unique":true}"#,
      #"{"$property":"ages","type":"list<int8>"}"#,
      #"{"$property":"a","type":"link<Dog>","deleteRule":"cascade"}"#,
      #"{"$property":"b","type":"set<link<Dog>>","deleteRule":"cascadeIfLast"}"#,
      #"{"$property":"c","type":"map<link<Dog>>","deleteRule":"deny","targetRule":"cascade"}"#,
      #"{"$property":"f","type":"list<mixed>","targetRule":"deny"}"#,
      #"{"$property":"d","type":"double","default":"nan(0x8000000000123)"}"#,
      #"{"$backlink":"friends","origin":"Person","property":"e"}"#,
      #"{"$class":"Dog"}"#,
      #"{"$class":"Home","embedded":true}"#,
      #"{"$property":"homes","type":"map<link<Home>>"}"#
    ).replacing(
      #"{"$backlink""#,
      with: #"{"$property":"e","type":"link<Person>"}"# + "\n" + #"{"$backlink""#
    )
    #expect(try exported(text) == text)
  }

  @Test func `nests embedded objects to any depth`() throws {
    let depth = 3000
    let nested =
      String(repeating: #"{"next":"#, count: depth) + "null" + String(repeating: "}", count: depth)
    let text = document(
      #"{"$class":"A"}"#,
      #"{"$property":"first","type":"link<Node>"}"#,
      #"{"$class":"Node","embedded":true}"#,
      #"{"$property":"next","type":"link<Node>"}"#,
      #"{"$object":"A/1","first":"# + nested + "}"
    )
    #expect(try exported(text) == text)
  }

  @Test func `holds lists that are longer than a window`() throws {
    let numbers = (0..<5000).map(String.init).joined(separator: ",")
    let homes = (0..<1300).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    let text = document(
      #"{"$class":"A"}"#,
      #"{"$property":"numbers","type":"list<int>"}"#,
      #"{"$property":"homes","type":"list<link<Home>>"}"#,
      #"{"$class":"Home","embedded":true}"#,
      #"{"$property":"n","type":"int"}"#,
      #"{"$object":"A/1","numbers":[\#(numbers)],"homes":[\#(homes)]}"#
    )
    #expect(try exported(text) == text)
  }

  @Test func `writes single objects as in a whole document`() throws {
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      let whole = try text(of: database)
      let snapshot = try database.snapshot()
      let person = try snapshot.identity("Person/1")
      let line = try #require(try OutputFormat.jsonl.text(of: [person], in: snapshot))
      #expect(line.hasPrefix(#"{"$object":"Person/1","id":1,"name":"Ada Winter""#))
      #expect(whole.contains(line))
    }
  }
}
