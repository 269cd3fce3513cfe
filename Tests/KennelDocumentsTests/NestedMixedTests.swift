import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite("Lists and maps in mixed values")
struct NestedMixedTests {
  private static let schema = [
    #"{"$class":"Dog"}"#, #"{"$property":"name","type":"string"}"#,
    #"{"$class":"Box"}"#, #"{"$property":"any","type":"mixed"}"#,
    #"{"$property":"list","type":"list<mixed>"}"#, #"{"$property":"set","type":"set<mixed>"}"#,
  ]

  private static func box(_ json: String) -> String {
    document(schema + [#"{"$object":"Box/1","any":\#(json)}"#])
  }

  private static func document(_ lines: [String]) -> String {
    (["{\"$kennel\":1}"] + lines).joined(separator: "\n") + "\n"
  }

  private func value(_ json: String) throws -> Value {
    try withTemporaryDatabase { database in
      try read(Self.box(json), into: database)
      return try database.snapshot().value("Box/1", "any")
    }
  }

  /// What an import into a new database is refused with.
  private func refusal(_ body: (Database) throws -> Void) throws -> String {
    try withTemporaryDatabase { database in
      let error = #expect(throws: (any Error).self) { try body(database) }
      return error.map { "\($0)" } ?? ""
    }
  }

  // MARK: - Text

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `are read from the text that they are described with`(seed: UInt64) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        var objects = RandomObjects(random: SplitMix64(state: seed), transaction: transaction)
        try objects.make(2)
        for _ in 0..<50 {
          let value = objects.mixed(5)
          let text = ValueText.describeMixed(value)
          #expect(try ValueText.parse(text, as: .mixed) == value, "\(text)")
        }
      }
    }
  }

  @Test func `may be written with blanks and line breaks`() throws {
    let text = " [ 1 ,\n\t{ \"b\" : [ ] , \"a\": date(2024-05-01) } , \"]\" , double( nan ) ]\n"
    #expect(throws: ValueTextError.self) { try ValueText.parse(text, as: .mixed) }
    let value = try ValueText.parse(text.replacing("( nan )", with: "(nan)"), as: .mixed)
    #expect(
      ValueText.describeMixed(value)
        == #"[1, {"a": date(2024-05-01T00:00:00Z), "b": []}, "]", double(nan)]"#
    )
  }

  @Test(arguments: [
    ("[1, 2", "At character 6: Expected a comma or ]"),
    ("[1 2]", "At character 2: Expected a number"),
    ("[1,]", "At character 4: Expected a number"),
    ("[1] 2", "At character 5: Expected the end of the value"),
    ("{a: 1}", "At character 2: Expected a key in double quotes"),
    (#"{"a" 1}"#, "At character 6: Expected a colon after the key"),
    (#"{"a": 1, "a": 2}"#, #"Expected each key once; "a" occurs twice"#),
    (#"["日", date(x)]"#, "At character 7: Expected a date"),
    (#"["a]"#, "At character 5: Expected the end of the text, a double quote"),
    (#"["a\"#, "At character 5: Expected the end of the text, a double quote"),
    ("[", "At character 2: Expected a number"),
  ])
  func `that are none say where and what was expected`(text: String, message: String) {
    let error = #expect(throws: ValueTextError.self) { try ValueText.parse(text, as: .mixed) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test func `have a limit to their depth, in text and in lines`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let deepest = Value.deepestNesting
    let value = try ValueText.parse(nested(deepest), as: .mixed)
    #expect(ValueText.describeMixed(value) == nested(deepest))
    #expect(try self.value(nested(deepest)) == value)
    for depth in [deepest + 1, 200_000] {
      #expect(throws: ValueTextError.self) { try ValueText.parse(nested(depth), as: .mixed) }
      let error = try refusal { try read(Self.box(nested(depth)), into: $0) }
      #expect(error.contains("may be nested 100 deep, not deeper"))
    }
  }

  // MARK: - Lines

  @Test(arguments: [
    #"[1,"a",[true,null],{}]"#, #"{"$$ref":"Dog/1"}"#,
    #"{"$$date":1,"b":{"$date":"2024-05-01T00:00:00Z"}}"#,
    #"{"a":{"$double":"1.0"},"b":[{"$float":"0.5"}]}"#, #"{"":{"":[]}}"#,
  ])
  func `are arrays and objects in the lines, and come back`(json: String) throws {
    #expect(try exported(Self.box(json)).contains("\"any\":\(json)"))
  }

  @Test func `link to objects that come later`() throws {
    let text = Self.document(
      Self.schema + [
        #"{"$object":"Box/1","any":[{"dog":{"$ref":"Dog/1"}}],"list":[[{"$ref":"Dog/1"}]],"set":[]}"#,
        #"{"$object":"Dog/1","name":"Rex"}"#,
      ]
    )
    try withTemporaryDatabase { database in
      try read(text, into: database)
      let snapshot = try database.snapshot()
      let rex = try snapshot.identity("Dog/1")
      #expect(try snapshot.value("Box/1", "any").links == [rex])
      #expect(try snapshot.value("Box/1", "list").links == [rex])
    }
  }

  @Test func `are refused where they are no value, with the path`() throws {
    func refused(_ json: String) throws -> String {
      try refusal { try read(Self.box(json), into: $0) }
    }
    #expect(
      try refused(#"[1,{"a":[{"$date":"x"}]}]"#).contains(#"Box.any[1]["a"][0]: Expected a date"#)
    )
    #expect(try refused(#"{"$a":1,"b":2}"#).contains(#"the key "$a" needs a second "$""#))
    #expect(try refused(#"[{"$what":1}]"#).contains("Box.any[0]: expected mixed"))
    #expect(try refused(#"{"a":1,"a":2}"#).contains(#"the name "a" occurs twice"#))
    #expect(try refused(#"[{"$ref":"Dog/9"}]"#).contains("Dog/9"))
    let set = Self.document(Self.schema + [#"{"$object":"Box/1","set":[[1]]}"#])
    #expect(try refusal { try read(set, into: $0) }.contains("cannot hold a list"))
  }

  // MARK: - Documents for MongoDB

  @Test func `are arrays and documents, but maps that look like something else an exact form`()
    throws
  {
    let json =
      #"[1,{"a":[true]},{"kennel":"date","value":"x"},{"$$ref":"Dog","$$id":1},{"$$a":2}]"#
    try withTemporaryDatabase { database in
      try read(Self.box(json), into: database)
      let files = try CollectionFiles(of: database, as: .relaxedJSON)
      let text = String(decoding: files.files.flatMap(\.bytes), as: UTF8.self)
      #expect(text.contains(#"{"a":[true]}"#))
      #expect(
        text.contains(
          #"{"kennel":"map","value":[{"k":"kennel","v":"date"},{"k":"value","v":"x"}]}"#
        )
      )
      #expect(text.contains(#"{"kennel":"map","value":[{"k":"$a","v":2}]}"#))
    }
  }
}
