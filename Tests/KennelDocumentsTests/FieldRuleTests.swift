import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// Fields that a database cannot hold as they are.
@Suite struct `Fields of documents` {
  private func rules(rename: [String] = [], skip: [String] = []) throws -> FieldRules {
    var rules = FieldRules()
    for option in rename { try rules.rename(option) }
    for name in skip { rules.skip(name) }
    return rules
  }

  /// Infers classes for a file, imports it into a new database, and gives what is there then.
  private func imported(
    _ text: String,
    as name: String,
    rename: [String] = [],
    skip: [String] = [],
    _ texts: TextForms = TextForms()
  ) throws -> (lines: [String], summary: DocumentImporter.Summary, proposal: SchemaProposal) {
    let className = String(name.prefix { $0 != "." })
    let file = DocumentFile(name: name, className: className) { chunks(Array(text.utf8)) }
    var rules = try rules(rename: rename, skip: skip)
    let inference = SchemaInference(texts: texts)
    try inference.add { DocumentReader([file], rules: rules) }
    let proposal = inference.proposal()
    rules.append(proposal.rules)
    return try withTemporaryDatabase { database in
      try database.write { try $0.define(proposal.classes) }
      var options = DocumentImportOptions()
      options.texts = texts
      let importer = DocumentImporter(DocumentReader([file], rules: rules), options)
      try database.write { _ = try importer.read(into: $0) }
      let lines = try KennelDocumentsTests.text(of: database).split(separator: "\n")
        .filter { $0.hasPrefix("{\"$object\"") }
      return (lines.map(String.init), importer.summary, proposal)
    }
  }

  private let linked = """
    {"@id":"x","@type":"Person","a.b":1,"knows":{"@id":"y","name":"Bo"}}
    {"@id":"z","@type":"Person","a.b":2}

    """

  @Test func `get the names that are proposed, which is listed`() throws {
    let result = try imported(linked, as: "Person.json")
    #expect(
      result.lines == [
        #"{"$object":"Person/1","id":"x","type":"Person","a_b":1,"knows":{"@id":"y","name":"Bo"}}"#,
        #"{"$object":"Person/2","id":"z","type":"Person","a_b":2,"knows":{}}"#,
      ]
    )
    #expect(
      result.summary.renamedNames == [
        "Person.@id to id": 2, "Person.@type to type": 2, "Person.a.b to a_b": 2,
      ]
    )
    #expect(result.proposal.classes[0].properties[0].isPrimaryKey)
  }

  @Test func `get names that are given and are left out, at any depth, which is listed`() throws {
    let result = try imported(
      linked,
      as: "Person.json",
      rename: ["@id=key", "a.b=ab", "Person=Human"],
      skip: ["@type"]
    )
    #expect(
      result.lines == [
        #"{"$object":"Human/1","key":"x","ab":1,"knows":{"key":"y","name":"Bo"}}"#,
        #"{"$object":"Human/2","key":"z","ab":2,"knows":null}"#,
      ]
    )
    #expect(result.summary.ignoredNames == ["Human.@type": 2])
    #expect(
      result.summary.renamedNames == [
        "Human.@id to key": 2, "Human.a.b to ab": 2, "Human.knows.@id to key": 1,
        "Person to Human": 2,
      ]
    )
    #expect(result.proposal.text.hasSuffix("\nLeft out\n  Human.@type\n"))
  }

  @Test func `may be named by a part of their path`() throws {
    let result = try imported(linked, as: "Person.json", skip: ["knows.@id", "Person.@type", "b"])
    #expect(result.lines[0].hasPrefix(#"{"$object":"Person/1","id":"x","a_b":1,"knows":{"name""#))
    #expect(result.summary.ignoredNames == ["Person.@type": 2, "Person.knows.@id": 1])
  }

  @Test func `without a name or with a name twice are columns with other names`() throws {
    let frame = ",name,name,No.,address.city\n0,Rex,x,1,London\n1,Bo,y,2,\n"
    let result = try imported(frame, as: "Dog.csv")
    #expect(
      result.lines[0]
        == #"{"$object":"Dog/1","column1":0,"name":"Rex","name2":"x","No":1,"address":{"city":"London"}}"#
    )
    #expect(
      result.summary.renamedNames == [
        "Dog.\"\" to column1": 2, "Dog.name to name2": 2, "Dog.No. to No": 2,
      ]
    )
    let named = try imported(frame, as: "Dog.csv", rename: ["=row", "No.=number"], skip: ["name"])
    #expect(
      named.lines[1] == #"{"$object":"Dog/2","row":1,"number":2,"address":null}"#
    )
    let skipped = try imported(frame, as: "Dog.csv", skip: ["", "city"])
    #expect(skipped.lines[1] == #"{"$object":"Dog/2","name":"Bo","name2":"y","No":2}"#)
    #expect(skipped.summary.ignoredNames == ["Dog.\"\"": 2, "Dog.address.city": 2])
  }

  @Test(arguments: [
    (#"{"$regularExpression":{"pattern":"^a","options":"i"}}"#, nil as String?),
    (#"{"$timestamp":{"t":1,"i":2}}"#, nil),
    (#"{"$binary":{"base64":"AAEC","subType":"05"}}"#, nil),
    (#"{"$minKey":1}"#, nil), (#"{"$code":"f()"}"#, nil), (#"{"$symbol":"s"}"#, nil),
    (String(repeating: "7", count: 40), String(repeating: "7", count: 40)),
  ])
  func `that have no type become text, alone and inside, which is listed`(
    value: String,
    text: String?
  ) throws {
    let result = try imported(
      #"{"a":\#(value),"b":[[\#(value)],1]}"#,
      as: "A.json"
    )
    let shown = (text ?? value).replacing("\"", with: "\\\"")
    #expect(result.lines == [#"{"$object":"A/1","a":"\#(shown)","b":[["\#(shown)"],1]}"#])
    #expect(result.summary.textNames == ["A.a": 1, "A.b": 1])
    #expect(result.proposal.conflicts.map(\.path) == ["A.a", "A.b", "A.b"])
  }

  @Test(arguments: [
    ("12345678901234567890", "12345678901234567890"),
    ("-9223372036854775809", "-9223372036854775809"),
    (#"{"$numberLong":"9223372036854775808"}"#, "9223372036854775808"), ("1e400", "1E+400"),
  ])
  func `with numbers beyond 64 bits are decimal`(number: String, text: String) throws {
    let result = try imported(#"{"a":\#(number)}"# + "\n" + #"{"a":1}"#, as: "A.json")
    #expect(result.proposal.classes[0].properties[0].type == .decimal128)
    #expect(
      result.lines == [
        #"{"$object":"A/1","a":"\#(text)"}"#, #"{"$object":"A/2","a":"1"}"#,
      ]
    )
    let wide = try imported(#"{"a":{"$numberInt":"3000000000"}}"#, as: "A.json")
    #expect(wide.proposal.classes[0].properties[0].type == .int)
    let cells = try imported("a,b\n12345678901234567891,9007199254740993\n1,0.5\n", as: "A.csv")
    #expect(
      cells.lines == [
        #"{"$object":"A/1","a":"12345678901234567891","b":"9007199254740993"}"#,
        #"{"$object":"A/2","a":"1","b":"0.5"}"#,
      ]
    )
  }

  @Test func `of a German file are numbers and dates once it is said`() throws {
    let prices =
      "Ware;Preis;Menge;Rang;ab\nTee;1.234,50;1.000;1.5;24.12.1999\nBrot;3,5;2;2.5;1.1.2000\n"
    let plain = try imported(prices, as: "Preise.csv")
    #expect(plain.proposal.classes[0].properties[1].type == .string)
    #expect(
      plain.proposal.notes == [
        "Preise.Preis: text that looks like numbers; --decimal-comma reads them",
        "Preise.ab: text that looks like dates; --date-format %d.%m.%Y reads them",
      ]
    )
    var texts = TextForms()
    texts.hasDecimalComma = true
    texts.dateFormats = [try DateFormat("%d.%m.%Y")]
    let read = try imported(prices, as: "Preise.csv", texts)
    #expect(
      read.lines == [
        #"{"$object":"Preise/1","Ware":"Tee","Preis":1234.5,"Menge":1000,"Rang":1.5,"ab":"1999-12-24T00:00:00Z"}"#,
        #"{"$object":"Preise/2","Ware":"Brot","Preis":3.5,"Menge":2,"Rang":2.5,"ab":"2000-01-01T00:00:00Z"}"#,
      ]
    )
  }

  @Test func `that link to a class that is not there are refused or dropped, or say which it is`()
    throws
  {
    let text = Array(#"{"any":{"$ref":"people","$id":1},"all":[{"$ref":"people","$id":1}]}"#.utf8)
    try withTemporaryDatabase { database in
      let properties = [
        PropertyDefinition("any", .mixed), PropertyDefinition("all", .list(.mixed)),
      ]
      let id = PropertyDefinition("_id", .int, isPrimaryKey: true)
      let classes = [
        ClassDefinition("A", properties: properties), ClassDefinition("Person", properties: [id]),
      ]
      try database.write { try $0.define(classes) }
      let error = #expect(throws: DocumentError.self) { try read(text, as: "A", into: database) }
      #expect(
        error?.description.hasSuffix(
          "there is no class people; --rename people=CLASS names the one it means, "
            + "--dangling null drops such links"
        ) == true
      )
      var options = DocumentImportOptions()
      options.dropsDanglingLinks = true
      let summary = try read(text, as: "A", into: database, options)
      #expect(summary.droppedLinkCount == 2)
      #expect(try database.snapshot().value("A/1", "any") == .null)
      try read(Array(#"{"_id":1}"#.utf8), as: "Person", into: database)
      let file = DocumentFile(className: "A") { chunks(text) }
      let reader = DocumentReader([file], rules: try rules(rename: ["people=Person"]))
      try database.write { _ = try DocumentImporter(reader).read(into: $0) }
      let snapshot = try database.snapshot()
      #expect(try snapshot.value("A/2", "any") == .link(snapshot.identity("Person/1")))
    }
  }

  @Test func `that spell no date say which option reads them`() throws {
    try withTemporaryDatabase { database in
      let at = PropertyDefinition("at", .date)
      try database.write { try $0.define([ClassDefinition("A", properties: [at])]) }
      for text in [#"{"at":"24.12.1999"}"#, "at\n24.12.1999\n"] {
        let error = #expect(throws: DocumentError.self) {
          try read(Array(text.utf8), as: "A", into: database)
        }
        #expect(
          error?.description.hasSuffix("; --date-format names other forms of dates") == true
        )
      }
    }
  }

  @Test func `have names that can be`() {
    for (option, message) in [
      ("name", "'name' gives no new name: write FROM=TO, as in @id=id"),
      ("a=b.c", "'b.c' cannot be a name: names have 1 to 255 bytes"), ("a=", "'' cannot be a name"),
    ] {
      let error = #expect(throws: DocumentError.self) { try rules(rename: [option]) }
      #expect(error?.message.hasPrefix(message) == true)
    }
  }
}

@Suite struct `A format of dates` {
  @Test(arguments: [
    ("%d.%m.%Y", "24.12.1999", "1999-12-24T00:00:00Z"),
    ("%d.%m.%Y", "1.2.2000", "2000-02-01T00:00:00Z"),
    ("%d.%m.%y", "24.12.69", "1969-12-24T00:00:00Z"),
    ("%m/%d/%y", "2/29/68", "2068-02-29T00:00:00Z"),
    ("%Y%m%d %H:%M:%S.%f", "20240501 23:59:58.25", "2024-05-01T23:59:58.25Z"),
    ("%m/%d/%Y %I:%M %p", "5/1/2024 12:30 am", "2024-05-01T00:30:00Z"),
    ("%m/%d/%Y %I:%M %p", "5/1/2024 1:30 PM", "2024-05-01T13:30:00Z"),
    ("%Y-%m-%dT%H:%M%z", "2024-05-01T10:00+02:00", "2024-05-01T08:00:00Z"),
    ("100%% %d-%m-%Y", "100% 24-12-1999", "1999-12-24T00:00:00Z"),
    ("%d.%m.%Y", "24.12.99", nil), ("%d.%m.%Y", "31.2.2000", nil), ("%d.%m.%Y", "24.12.1999 ", nil),
    ("%d.%m.%Y", "24.12", nil), ("%d.%m.%Y", "", nil), ("%d.%m.%Y %I %p", "1.1.2000 13 PM", nil),
  ])
  func `reads text of its form and no other`(format: String, text: String, date: String?) throws {
    var texts = TextForms()
    texts.dateFormats = [try DateFormat(format)]
    let inference = SchemaInference(texts: texts)
    inference.add(["at": .string(text)], to: "A")
    #expect(inference.proposal().classes[0].properties[0].type == (date == nil ? .string : .date))
    guard let date else { return }
    var options = DocumentImportOptions()
    options.texts = texts
    try withTemporaryDatabase { database in
      let at = PropertyDefinition("at", .date)
      try database.write { try $0.define([ClassDefinition("A", properties: [at])]) }
      try read(Array(#"{"at":"\#(text)"}"#.utf8), as: "A", into: database, options)
      #expect(try database.snapshot().value("A/1", "at") == .date(try #require(Timestamp(date))))
    }
  }

  @Test(arguments: ["", "%Y", "%d.%m", "%d.%m.%Y %q", "%d.%m.%Y %", "%d.%m.%Y %I"])
  func `has a year, a month and a day, and known letters`(format: String) {
    let error = #expect(throws: DocumentError.self) { try DateFormat(format) }
    #expect(error?.message.hasPrefix("'\(format)' is no format of dates: write year") == true)
  }
}

@Suite struct `The format of a file` {
  @Test(arguments: [
    ("people.csv", "[a],b\n1,2\n", InputFormat.csv), ("people.json", "a,b\n", .json),
    ("people.JSON.gz", "a,b\n", .json), ("people.bson", "{\"a\":1}", .bson),
    ("people.jsonl", "{\"a\":1}", .json), ("people.ndjson", "{\"$kennel\":1}", .jsonl),
    ("people.json", "{\"$kennel\":1}", .jsonl), ("people.tsv", "{a\tb\n", .csv),
    ("people", "{\"a\":1}", .json), ("people.txt", "a,b\n", .csv), ("people.json", "", .json),
    ("people.jsonl", "", .json), ("json", "a,b\n", .csv),
  ])
  func `is that of its name, then of its bytes`(
    name: String,
    text: String,
    format: InputFormat
  ) throws {
    #expect(try InputFile(name: name, chunks(Array(text.utf8), size: 3)).format == format)
  }

  @Test func `is the one that an error speaks of`() throws {
    let file = DocumentFile(name: "people.json", className: "A") { chunks(Array("a,b\n".utf8)) }
    let error = #expect(throws: DocumentError.self) { try DocumentReader([file]).read() }
    #expect(
      error?.description == "people.json, line 1: expected a document, which begins with '{'"
    )
  }
}
