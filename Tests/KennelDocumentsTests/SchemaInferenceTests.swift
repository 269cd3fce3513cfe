import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// What documents of some classes suggest.
private func proposal(
  _ documents: KeyValuePairs<String, [Document]>,
  links: [String] = [],
  strict: Bool = false
) throws -> SchemaProposal {
  let inference = SchemaInference(strict: strict)
  for (name, documents) in documents {
    for document in documents { inference.add(document, to: name) }
  }
  for link in links { try inference.add(link: link) }
  return inference.proposal()
}

/// The types of the properties of the first class.
private func types(_ documents: Document...) throws -> [String: String] {
  let classes = try proposal(["A": documents]).classes
  return Dictionary(
    uniqueKeysWithValues: classes[0].properties.map { ($0.name, $0.type.description) }
  )
}

private func id(_ number: UInt64) -> DocumentValue {
  .objectId(ObjectId(high: number, low: 1))
}

@Suite struct `Classes that documents suggest` {
  @Test(arguments: [
    (DocumentValue.bool(true), "bool"), (.int32(1), "int32"), (.int64(1), "int"),
    (.double(1), "double"), (.string("x"), "string"), (.date(Timestamp(seconds: 1)), "date"),
    (.objectId(ObjectId(high: 1, low: 1)), "objectId"),
    (.decimal128(Decimal128(high: 1, low: 1)), "decimal128"),
    (.binary(subtype: 4, Array(repeating: 1, count: 16)), "uuid"),
    (.binary(subtype: 0, [1]), "data"), (.null, "mixed"), (.string("2024-01-01"), "date"),
    (.string("2024-01-01T12:30:00+02:00"), "date"), (.string("2024-02-30"), "string"),
    (.string("@1704067200"), "string"), (.array([.string("2024-01-01"), .null]), "list<date?>"),
    (.other(type: "regex", text: "x"), "string"), (.binary(subtype: 5, [1]), "string"),
    (.array([.int64(1), .int64(2)]), "list<int>"), (.array([]), "list<mixed>"),
    (.array([.string("x"), .null]), "list<string?>"), (.document(Document()), "map<mixed>"),
    (.document(["x": .int64(1)]), "link<F>"), (.array([.document(["x": .null])]), "list<link<F>>"),
  ])
  func `have the type of the values`(value: DocumentValue, type: String) throws {
    #expect(try types(["f": value]) == ["f": type])
  }

  @Test func `are optional where a document has null or nothing`() throws {
    let types = try types(
      ["a": .int64(1), "b": .int64(1), "c": .int64(1), "d": .array([.int64(1)])],
      ["a": .int64(2), "b": .null]
    )
    #expect(types == ["a": "int", "b": "int?", "c": "int?", "d": "list<int>"])
  }

  @Test func `widen numbers where nothing is lost`() throws {
    let exact: Int64 = 1 << 53
    let types = try types(
      ["a": .int32(1), "b": .int32(1), "c": .int64(exact), "d": .int64(exact + 1), "e": .int64(1)],
      [
        "a": .int64(1), "b": .double(0.5), "c": .double(0.5), "d": .double(0.5),
        "e": .decimal128(Decimal128(high: 1, low: 1)),
      ]
    )
    #expect(types == ["a": "int", "b": "double", "c": "double", "d": "mixed", "e": "decimal128"])
  }

  @Test func `have mixed properties where types differ, unless that is refused`() throws {
    let documents: [Document] = [
      ["zip": .int64(1)], ["zip": .string("0x")], ["zip": .int64(2)],
    ]
    let lax = try proposal(["A": documents])
    #expect(lax.classes[0].properties == [PropertyDefinition("zip", .mixed)])
    let message = "2 long, 1 string, which becomes mixed"
    #expect(lax.conflicts.map(\.path) == ["A.zip"])
    #expect(lax.conflicts.map(\.message) == [message])
    #expect(lax.isAcceptable)
    #expect(try !proposal(["A": documents], strict: true).isAcceptable)
  }

  @Test(arguments: [
    ([DocumentValue.other(type: "regex", text: "x")], "string", "1 regex"),
    ([.string("x"), .other(type: "regex", text: "x")], "string", "1 regex"),
    ([.binary(subtype: 5, [1])], "string", "1 binData of subtype 5"),
    ([.array([.other(type: "minKey", text: "x"), .int64(1)])], "list<mixed>", "1 minKey"),
    (
      [.int64(1), .document(["x": .array([.other(type: "regex", text: "x")])])], "mixed", "1 regex"
    ),
  ])
  func `hold as text what has no type, say so, and do not where that is refused`(
    values: [DocumentValue],
    type: String,
    types: String
  ) throws {
    let documents = values.map { ["f": $0] as Document }
    let lax = try proposal(["A": documents])
    #expect(lax.classes[0].properties.map(\.type.description) == [type])
    #expect(lax.conflicts.first?.path == "A.f")
    #expect(lax.conflicts[0].message == "no property can hold \(types), which becomes text")
    #expect(lax.isAcceptable)
    #expect(try !proposal(["A": documents], strict: true).isAcceptable)
  }

  @Test(arguments: [
    ([DocumentValue.int64(1), .array([])], "mixed", "1 long, 1 array, which becomes mixed"),
    (
      [.document(["x": .null]), .string("")], "mixed", "1 string, 1 object, which becomes mixed"
    ),
    ([.document(["x": .null]), .array([])], "mixed", "1 object, 1 array, which becomes mixed"),
    (
      [.array([.array([])])], "list<mixed>", "arrays inside an array, so its elements become mixed"
    ),
    (
      [.array([.null, .document(["x": .null])])], "list<mixed>",
      "null among objects, so its elements become mixed"
    ),
    (
      [.array([.int64(1), .document(["x": .null])])], "list<mixed>",
      "1 long, 1 object, so its elements become mixed"
    ),
    (
      [.array([.document(["a.b": .null])])], "list<mixed>",
      "objects with names that no property can have, so its elements become mixed"
    ),
    (
      [.document(["a.b": .array([])])], "map<mixed>",
      "arrays inside a map, so its values become mixed"
    ),
  ])
  func `hold values of any shape where shapes differ, unless that is refused`(
    values: [DocumentValue],
    type: String,
    message: String
  ) throws {
    let documents = values.map { ["f": $0] as Document }
    let lax = try proposal(["A": documents])
    #expect(lax.classes.map { $0.properties.map(\.type.description) } == [[type]])
    #expect(lax.conflicts.map(\.path) == ["A.f"])
    #expect(lax.conflicts.map(\.message) == [message])
    #expect(lax.isAcceptable)
    #expect(try !proposal(["A": documents], strict: true).isAcceptable)
  }

  @Test func `have other names where theirs cannot be`() throws {
    let long = String(repeating: "é", count: 200)
    let proposal = try proposal([
      "A.b": [
        [
          "a.b": .null, "": .null, "x": .int64(1), "@id": .string("y"), "id": .int64(1),
          "\u{1b}[2J": .null, long: .null, "No.": .null,
        ]
      ]
    ])
    #expect(proposal.classes.map(\.name) == ["A_b"])
    #expect(
      proposal.classes[0].properties.map(\.name) == [
        "a_b", "field", "x", "id2", "id", "[2J", String(repeating: "é", count: 120), "No",
      ]
    )
    #expect(proposal.isAcceptable)
    #expect(proposal.renamed.count == 7)
    #expect(proposal.renamed.prefix(2) == ["A.b to A_b", "A_b.a.b to a_b"])
    #expect(proposal.text.contains("\nRenamed\n  A.b to A_b\n"))
    #expect(!proposal.text.contains("\u{1b}"))
  }

  @Test func `have dates where all text spells them, but for keys and links`() throws {
    let days: [Document] = [
      [
        "_id": .string("2024-01-01"), "id": .string("2024-03-01"),
        "at": .date(Timestamp(seconds: 1)),
      ],
      [
        "_id": .string("2024-01-02"), "id": .string("2024-03-02"),
        "at": .string("2024-01-02 10:00"),
      ],
    ]
    let visits: [Document] = [
      ["day": .string("2024-01-02"), "made": .string("2024-01-02"), "told": .string("2024-01-02")],
      ["day": .string("2024-01-01"), "made": .string("2024-05-03"), "told": .string("then")],
    ]
    let proposal = try proposal(["Day": days, "Visit": visits])
    let types = proposal.classes.map { $0.properties.map(\.type.description) }
    #expect(types == [["string", "string", "date"], ["link<Day>", "date", "string"]])
    #expect(
      proposal.notes.contains("Visit.made: 2 string, which becomes date: each string spells one")
    )
  }

  @Test func `have dates of the formats that are named`() throws {
    var texts = TextForms()
    texts.dateFormats = [try DateFormat("%d.%m.%Y")]
    let inference = SchemaInference(texts: texts)
    inference.add(["born": .string("24.12.1999")], to: "A")
    inference.add(["born": .string("1999-12-24")], to: "A")
    #expect(inference.proposal().classes[0].properties[0].type == .date)
  }

  @Test func `embed objects that are nested`() throws {
    let place: Document = ["street": .string("a"), "city": .string("b")]
    let proposal = try proposal([
      "Person": [
        ["address": .document(place), "work": .document(place)], ["address": .null],
      ],
      "Club": [
        [
          "offices": .array([.document(place), .document(["street": .string("c"), "city": .null])]),
          "address": .document(["street": .string("a"), "floor": .int64(1)]),
          "work": .document(["since": .date(Timestamp(seconds: 1))]),
        ]
      ],
    ])
    #expect(
      proposal.classes == [
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("address", .link("Address")),
            PropertyDefinition("work", .link("Address")),
          ]
        ),
        ClassDefinition(
          "Club",
          properties: [
            PropertyDefinition("offices", .list(.link("Address"))),
            PropertyDefinition("address", .link("Address")),
            PropertyDefinition("work", .link("Work")),
          ]
        ),
        ClassDefinition(
          "Address",
          isEmbedded: true,
          properties: [
            PropertyDefinition("street", .string), PropertyDefinition("city", .string.optional),
            PropertyDefinition("floor", .int.optional),
          ]
        ),
        ClassDefinition(
          "Work",
          isEmbedded: true,
          properties: [PropertyDefinition("since", .date)]
        ),
      ]
    )
    #expect(proposal.documentCounts == [2, 1, 5, 1])
  }

  @Test func `name embedded classes apart, and recognize those that hold themselves`() throws {
    func reply(_ replies: Document...) -> Document {
      ["text": .string("x"), "replies": .array(replies.map { .document($0) })]
    }
    let proposal = try proposal([
      "Post": [reply(reply(reply()), ["text": .string("y")])],
      "Size": [["size": .document(["x": .int64(1)])]],
      "Box": [["size": .document(["x": .string("")])]],
    ])
    #expect(
      proposal.classes.map(\.name) == ["Post", "Size", "Box", "Reply", "Size_size", "Box_size"]
    )
    #expect(
      proposal.classes[3].properties == [
        PropertyDefinition("text", .string), PropertyDefinition("replies", .list(.link("Reply"))),
      ]
    )
  }

  @Test func `have maps where names differ from object to object`() throws {
    func scores(_ range: Range<Int>) -> Document {
      [
        "scores": .document(Document(range.map { .init("p\($0)", .int64(1)) })),
        "keyed": .document(["a.b": .string("x"), "c": .null]),
      ]
    }
    let types = try types(scores(0..<3), scores(3..<6), scores(6..<9))
    #expect(types == ["scores": "map<int>", "keyed": "map<string?>"])
    // More names than one object has are no reason, if many objects have them.
    let wide: Document = ["f": .document(Document((0..<40).map { .init("p\($0)", .int64(1)) }))]
    #expect(try KennelDocumentsTests.types(wide, wide)["f"] == "link<F>")
  }

  @Test func `have maps where names are many, in bounded memory`() throws {
    let inference = SchemaInference()
    for number in 0..<3000 {
      let inner: Document = ["n": .int32(1)]
      inference.add(["visits": .document(["day\(number)": .document(inner)])], to: "A")
    }
    let classes = inference.proposal().classes
    #expect(classes[0].properties == [PropertyDefinition("visits", .map(.link("Visit")))])
    #expect(classes[1].properties == [PropertyDefinition("n", .int(bitWidth: 32))])
  }

  @Test func `are refused where fields are without end`() throws {
    let inference = SchemaInference()
    for number in 0..<5000 { inference.add(["f\(number)": .null], to: "A") }
    let proposal = inference.proposal()
    #expect(
      proposal.conflicts.map(\.message) == ["documents of A have more than 4094 different fields"]
    )
    #expect(!proposal.isAcceptable)

    var deep = Document()
    for _ in 0..<300 { deep = ["a": .document(deep)] }
    let nested = try KennelDocumentsTests.proposal(["A": [deep]])
    #expect(nested.conflicts.last?.message == "documents of A are nested deeper than 100 levels")
  }
}

@Suite struct `Links that documents suggest` {
  private let dogs: [Document] = (1...5).map { ["_id": id($0), "name": .string("Rex")] }

  @Test func `are fields whose values are primary keys`() throws {
    let people: [Document] = [
      ["_id": .string("ada"), "pet": id(1), "dogs": .array([id(1), id(5)]), "boss": .null],
      ["_id": .string("bob"), "pet": .null, "dogs": .array([]), "boss": .string("ada")],
      [
        "_id": .string("cy"), "pet": id(2), "cats": .document(["a": id(9)]), "boss": .string("ada"),
      ],
    ]
    let proposal = try proposal(["Person": people, "Dog": dogs])
    #expect(
      proposal.classes[0].properties == [
        PropertyDefinition("_id", .string, isPrimaryKey: true),
        PropertyDefinition("pet", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("boss", .link("Person")),
        PropertyDefinition("cats", .link("Cats")),
      ]
    )
    #expect(proposal.evidence[1].reason == "each is a primary key of Dog")
    #expect(proposal.evidence[1].nullCount == 1)
    #expect(proposal.isAcceptable)
    // One value that is none is enough.
    let stray = try KennelDocumentsTests.proposal([
      "Person": people + [["_id": .string("d"), "pet": id(6)]], "Dog": dogs,
    ])
    #expect(stray.classes[0].properties[1].type == .objectId.optional)
  }

  @Test func `need a name that says so where values are whole numbers`() throws {
    let dogs: [Document] = (1...9).map { ["_id": .int32($0), "age": .int32(3)] }
    let people: [Document] = [
      [
        "_id": .int32(1), "dog": .int32(7), "dog_ids": .array([.int32(2)]),
        "favouriteId": .int32(9),
        "age": .int32(5), "friend_id": .int32(1),
      ]
    ]
    let proposal = try proposal(["Person": people, "Dog": dogs])
    let types = proposal.classes[0].properties.map(\.type.description)
    #expect(types == ["int32", "link<Dog>", "list<link<Dog>>", "link<Dog>", "int32", "int32"])
    #expect(proposal.classes[1].properties[1].type == .int(bitWidth: 32))
    #expect(
      proposal.notes.contains(
        "Person.age: each value is a primary key of Dog too; if it is a link, declare it"
      )
    )
    #expect(
      proposal.notes.contains(
        "Person.friend_id: each value is a primary key of Person and Dog too; if it is a link, "
          + "declare it"
      )
    )
    let declared = try KennelDocumentsTests.proposal(
      ["Person": people, "Dog": dogs],
      links: ["Person.age=Dog", "Person.friend_id=Person._id"]
    )
    #expect(
      declared.classes[0].properties.suffix(2).map(\.type) == [.link("Dog"), .link("Person")]
    )
  }

  @Test func `lead to a primary key that is unique`() throws {
    let twice = dogs + [["_id": id(1), "name": .string("")]]
    let proposal = try proposal(["Dog": twice, "Person": [["dog": id(1)]]])
    #expect(proposal.classes.flatMap(\.properties).allSatisfy { !$0.isPrimaryKey })
    #expect(proposal.notes == ["Dog._id: values repeat, so it is not a primary key"])
    let byId = try KennelDocumentsTests.proposal(["Dog": [["id": .int64(4)], ["id": .int64(5)]]])
    #expect(byId.classes[0].properties[0].isPrimaryKey)
    let absent = try KennelDocumentsTests.proposal(["Dog": [["id": .int64(4)], Document()]])
    #expect(!absent.classes[0].properties[0].isPrimaryKey)
  }

  @Test(arguments: [
    ("Dog.name=Person", "--link Dog.name=Person: there is no class Person"),
    ("Dog.x=Dog", "--link Dog.x=Dog: class Dog has no property x"),
    ("Cat.x=Dog", "--link Cat.x=Dog: there is no class Cat"),
    ("Dog.name=Dog", "--link Dog.name=Dog: Dog.name is a string, which is not a key of Dog"),
    ("Dog.name=Dog.name", "--link Dog.name=Dog.name: class Dog has no such primary key to link to"),
  ])
  func `are refused where they cannot be`(link: String, message: String) throws {
    let proposal = try proposal(["Dog": dogs], links: [link])
    #expect(proposal.conflicts.map(\.message) == [message])
    #expect(!proposal.isAcceptable)
  }

  @Test func `are not looked for among more values than are remembered`() throws {
    func inferred(_ rememberedValues: Int) -> SchemaProposal {
      let inference = SchemaInference(rememberedValues: rememberedValues)
      for number in 0..<UInt64(500) {
        let name = DocumentValue.string("\(number)")
        inference.add(["_id": id(number), "dog": id(number), "name": name], to: "Dog")
      }
      for number in 0..<UInt64(500) { inference.add(["dog": id(number)], to: "Owner") }
      return inference.proposal()
    }
    let all = inferred(10_000)
    #expect(all.classes[0].properties[1].type == .link("Dog"))
    #expect(all.classes[1].properties[0].type == .link("Dog"))
    // The names are forgotten first, since no primary key is a string.
    #expect(inferred(1_700).classes == all.classes)
    let few = inferred(1_100)
    #expect(few.classes[0].properties[0].isPrimaryKey)
    #expect(few.classes[0].properties[1].type == .objectId)
    let note = "Dog.dog: too many different values to see whether it is a link"
    #expect(few.notes.contains(note))
    #expect(few.isAcceptable)
  }
}

@Suite struct `References of documents` {
  private func reference(_ name: String, _ number: UInt64) -> DocumentValue {
    .document(["$ref": .string(name), "$id": id(number), "$db": .string("shop")])
  }

  private let people: [Document] = (1...3).map { ["_id": id($0)] }

  @Test func `are links to the classes that they name`() throws {
    let orders: [Document] = [
      [
        "by": reference("people", 1), "for": .array([reference("people", 2)]),
        "any": reference("people", 1), "some": .array([reference("people", 1), .null]),
      ],
      [
        "by": .null, "for": .array([]), "any": reference("orders", 9), "some": .array([]),
      ],
    ]
    let proposal = try proposal(["orders": orders, "people": people])
    #expect(
      proposal.classes[0].properties.map(\.type.description) == [
        "link<people>", "list<link<people>>", "mixed", "list<mixed>",
      ]
    )
    #expect(proposal.classes.map(\.name) == ["orders", "people"])
    #expect(proposal.evidence[0].counts.map(\.type) == ["DBRef"])
  }

  @Test func `stay objects while the class that they name is not there, which is said`() throws {
    let orders: [Document] = [["by": reference("people", 1)]]
    let proposal = try proposal(["orders": orders])
    #expect(proposal.classes.map(\.name) == ["orders", "By"])
    #expect(proposal.notes.first?.contains("--rename people=CLASS") == true)
    try withTemporaryDatabase { database in
      try database.write { try $0.define([ClassDefinition("people")]) }
      let inference = SchemaInference(extending: try database.snapshot().schema)
      inference.add(orders[0], to: "orders")
      #expect(inference.proposal().classes[0].properties[0].type == .link("people"))
    }
  }
}

@Suite struct `A proposal as text` {
  @Test func `shows types, evidence, conflicts and notes`() throws {
    let proposal = try proposal([
      "Person": [
        [
          "_id": .int32(1), "name": .string("Ada"), "zip": .int32(7),
          "tags": .array([.string("x")]),
        ],
        ["_id": .int32(2), "name": .null, "zip": .string("0815"), "size": .double(1.5)],
        [
          "_id": .int32(3), "zip": .int32(9), "size": .int32(2),
          "home": .document(["a": .bool(true)]),
        ],
      ]
    ])
    #expect(
      proposal.text == """
        class Person, 3 documents
          _id   int32         3 int: 1, 2, 3; primary key
          name  string?       1 string, 1 null, 1 absent: "Ada"
          zip   mixed         2 int, 1 string: 7, "0815", 9
          tags  list<string>  1 string, 2 absent: "x"
          size  double?       1 int, 1 double, 1 absent: 1.5, 2
          home  link<Home>    1 object, 2 absent

        embedded class Home, 1 document
          a  bool  1 bool: true

        Conflicts
          Person.zip: 2 int, 1 string, which becomes mixed

        Notes
          Person.size: 1 int, 1 double, which becomes double: each int is exact as one

        """
    )
  }

  @Test func `cannot control a terminal`() throws {
    let evil = "\u{1b}[2J\u{202e}"
    let text = try proposal([
      evil: [[evil: .document([evil: .string(evil)])], [evil: .string(evil)]],
      "A": [
        [evil: .string(evil + evil + evil + evil + evil + evil), "b": .other(type: "x", text: "")]
      ],
    ]).text
    #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"))
    #expect(text.contains("\\u001b[2J\\u202e"))
  }
}
