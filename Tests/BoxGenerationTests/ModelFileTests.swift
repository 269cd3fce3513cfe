import BoxGeneration
import SwiftScanning
import Testing

@Suite struct `The file model.json` {
  /// Notes with a title and tags, as another generator wrote them.
  static let written = """
    {
      "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
      "_note2": "ObjectBox manages crucial IDs for your object model. See docs for details.",
      "_note3": "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
      "entities": [
        {
          "id": "2:5120",
          "lastPropertyId": "4:1536",
          "name": "Note",
          "flags": 2,
          "properties": [
            { "flags": 1, "id": "1:1024", "name": "id", "type": 6 },
            { "id": "2:1280", "indexId": "1:2048", "name": "title", "type": 9, "flags": 2056 },
            {
              "flags": 520, "id": "4:1536", "indexId": "3:2560", "name": "tag",
              "relationTarget": "Tag", "type": 11, "externalType": 109
            }
          ],
          "relations": [{ "id": "1:1024", "name": "tags", "targetId": "4:6400" }]
        },
        {
          "id": "4:6400",
          "lastPropertyId": "1:7168",
          "name": "Tag",
          "properties": [{ "flags": 1, "id": "1:7168", "name": "id", "type": 6 }],
          "relations": []
        }
      ],
      "lastEntityId": "4:6400",
      "lastIndexId": "3:2560",
      "lastRelationId": "1:1024",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 4,
      "newUidPool": [9984],
      "retiredEntityUids": [256],
      "retiredIndexUids": [512],
      "retiredPropertyUids": [768],
      "retiredRelationUids": [],
      "version": 1
    }
    """

  /// The code that the file is of, with other members of the note.
  private func code(
    _ members: String = """
    // objectbox: index
    var title = ""
    var tag: ToOne<Tag> = nil
    var tags: ToMany<Tag> = nil
    """,
    note: String = "class Note"
  ) -> String {
    """
    \(note): Entity {
    var id: Id = 0
    \(members)
    }
    class Tag: Entity { var id: Id = 0 }
    """
  }

  /// The new file after a change of the code, which brings no mistakes.
  private func changed(_ source: String, from model: String = written) throws -> (String, String) {
    let result = generate(source, model: model)
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    return (try #require(result.model), try #require(result.code))
  }

  @Test func `keeps the file that another generator wrote`() {
    let result = generate(code(), model: Self.written)
    #expect(result.diagnostics.isEmpty)
    #expect(result.model == nil)
    let code = result.code ?? ""
    #expect(code.contains("    id: 2,\n    uid: 5120,\n"))
    #expect(code.contains(#".value("title", Swift.String.self, id: 2, uid: 1280, index: true)"#))
    #expect(code.contains(#".toOne("tag", Tag.self, id: 4, uid: 1536)"#))
    #expect(code.contains(#".toMany("tags", Tag.self, id: 1, uid: 1024)"#))
  }

  @Test func `is the same for the same code, with and without the file`() throws {
    let first = generate(code())
    let model = try #require(first.model)
    let second = generate(code(), model: model)
    #expect(second.model == nil && second.code == first.code)
    #expect(generate(code()).model == model)
  }

  @Test func `keeps members that it does not know, and moves properties without a change`() throws {
    let (model, _) = try changed(code("var tags: ToMany<Tag> = nil; var tag: ToOne<Tag> = nil"))
    #expect(model.contains(#""externalType": 109"#) && model.contains(#""flags": 2,"#))
  }

  @Test(arguments: [
    ("\"modelVersion\": 5", "\"modelVersion\": 7, \"more\": [1.50, null]"),
    ("\"KEEP", "\"\\ud83d\\udc15 Ask us. KEEP"),
    ("\"_note1\"", "\"_note4\": \"Mind the dogs.\", \"_note1\""),
    ("\"_note3\": \"If you have", "\"_note3\": \"Ask us. If you have"),
    ("\"name\": \"id\",", "\"name\": \"id\", \"kennel\": { \"colour\": \"red\" },"),
    ("\"name\": \"Tag\",", "\"name\": \"Tag\", \"kennel\": { \"a\": {} },"),
  ])
  func `keeps what other programs write`(part: String, other: String) throws {
    let model = Self.written.replacing(part, with: other)
    let added = try #require(other.firstMatch(of: /"more"|_note4|Ask us|"colour"|"a"/)).output
    #expect(generate(code(), model: model).model == nil)
    #expect(try changed(code(""), from: model).0.contains(added))
  }

  @Test func `retires the numbers of what is gone, and counts on for what is new`() throws {
    let (model, code) = try changed(
      code("// objectbox: unique\nvar size = 0\nvar tag: ToOne<Tag> = nil")
    )
    #expect(model.contains("\"retiredPropertyUids\": [\n    768,\n    1280\n  ]"))
    #expect(model.contains("\"retiredIndexUids\": [\n    512,\n    2048\n  ]"))
    #expect(model.contains("\"retiredRelationUids\": [\n    1024\n  ]"))
    #expect(
      model.contains("\"removedNames\": [\n          \"title\",\n          \"tags\"\n        ]")
    )
    #expect(model.contains(/"lastPropertyId": "5:\d+"/) && model.contains(/"lastIndexId": "4:\d+"/))
    #expect(code.contains(/\.value\("size", Swift.Int.self, id: 5, uid: \d+, index: true, unique/))
    let (again, _) = try changed(self.code("var tag: ToOne<Tag> = nil"), from: model)
    #expect(again.contains(#""lastPropertyId": "5:"#), "a number is never used again")
  }

  @Test func `retires entities with their properties`() throws {
    let (model, _) = try changed("class Note: Entity { var id: Id = 0 }")
    #expect(model.contains("\"retiredEntityUids\": [\n    256,\n    6400\n  ]"))
    #expect(model.contains("\"lastEntityId\": \"4:6400\""))
    #expect(model.contains("    1280,\n    1536,\n    7168\n"))
  }

  @Test func `remembers that a removed name comes back with another meaning`() throws {
    let (without, _) = try changed(code("var tag: ToOne<Tag> = nil; var tags: ToMany<Tag> = nil"))
    let (model, code) = try changed(code("var Title = 0"), from: without)
    #expect(
      code.contains(/\.value\("Title", Swift.Int.self, id: 5, uid: \d+, replacesType: true\)/)
    )
    #expect(!model.contains("\"title\""))
    #expect(generate(self.code("var Title = 0"), model: model).code == code)
  }

  @Test func `remembers the former names of what is gone, too`() throws {
    let (renamed, _) = try changed(code("// objectbox: uid = 1280\nvar headline = \"\""))
    let (without, _) = try changed(code(""), from: renamed)
    let (_, code) = try changed(code("var title = 0"), from: without)
    #expect(
      code.contains(/\.value\("title", Swift.Int.self, id: 5, uid: \d+, replacesType: true\)/)
    )
    // A name that only a renamed property had is free.
    let (both, other) = try changed(
      self.code("var headline = \"\"\nvar title = 0"),
      from: renamed
    )
    #expect(other.contains(/\.value\("title", Swift.Int.self, id: 5, uid: \d+\)/))
    // It may still be that of the other one in a file, once nothing renames that any more.
    let (_, later) = try changed(self.code("var title = 0"), from: both)
    #expect(
      later.contains(/\.value\("title", Swift.Int.self, id: 5, uid: \d+, replacesType: true\)/)
    )
  }

  @Test func `finds names whatever their case, and then renames`() throws {
    let (model, code) = try changed(
      code("var Title: String; var TAG: ToOne<Tag> = nil").replacing(
        "var Title: String",
        with: "// objectbox: index\nvar Title = \"\""
      )
    )
    #expect(
      code.contains(
        #".value("Title", Swift.String.self, id: 2, uid: 1280, index: true, formerNames: ["title"])"#
      )
    )
    #expect(code.contains(#".toOne("TAG", Tag.self, id: 4, uid: 1536, formerNames: ["tag"])"#))
    #expect(
      model.contains(
        "\"kennel\": {\n            \"formerNames\": [\n              \"title\"\n            ]\n          }"
      )
    )
  }

  // MARK: - UIDs

  @Test func `tells the UID of what is to be renamed, and offers the same new one again`() throws {
    let source = code("// objectbox: uid\nvar title = \"\"")
    let first = generate(source, model: Self.written)
    let model = try #require(first.model)
    let message = try #require(first.diagnostics.first).message
    let offered = try #require(
      message.firstMatch(of: /type and drop its values with '\/\/ objectbox: uid = (\d+)'/)
    ).output.1
    #expect(first.code == nil && first.diagnostics.count == 1 && first.diagnostics[0].line == 3)
    #expect(
      message.hasPrefix(
        "'uid' needs a number. The UID of 'title' is 1280: keep it with '// objectbox: uid = 1280' and rename the property, or change its type"
      )
    )
    #expect(model.contains("\"newUidPool\": [\n    9984,\n    \(offered)\n  ]"))
    #expect(model.contains("\"name\": \"tags\""), "nothing else changes")
    let second = generate(source, model: model)
    #expect(second.model == nil && second.diagnostics == first.diagnostics)
  }

  @Test func `keeps the number of what is renamed by its UID, and remembers the names`() throws {
    let renamed = code("// objectbox: uid = 1280\nvar headline = \"\"")
    let (model, code) = try changed(renamed)
    #expect(
      code.contains(
        #".value("headline", Swift.String.self, id: 2, uid: 1280, formerNames: ["title"])"#
      )
    )
    #expect(generate(self.code("var headline = \"\""), model: model).code == code)
    let (back, _) = try changed(
      self.code("// objectbox: uid = 1280\nvar title = \"\""),
      from: model
    )
    #expect(back.contains("\"formerNames\": [\n              \"headline\"\n            ]"))
    let (_, other) = try changed(
      self.code("// objectbox: uid = 1280\nvar headline = \"\"\nvar title = 0"),
      from: model
    )
    #expect(other.contains(#"id: 2, uid: 1280, formerNames: ["title"])"#))
    #expect(other.contains(/\.value\("title", Swift.Int.self, id: 5, uid: \d+\)/))
  }

  @Test func `renames entities and relations by their UIDs`() throws {
    let source = code(
      "// objectbox: uid = 1024\nvar labels: ToMany<Tag> = nil",
      note: "// objectbox: uid = 5120\nclass Memo"
    )
    let (model, code) = try changed(source)
    #expect(
      code.contains(
        "    name: \"Memo\",\n    id: 2,\n    uid: 5120,\n    formerNames: [\"Note\"],\n"
      )
    )
    #expect(code.contains(#".toMany("labels", Tag.self, id: 1, uid: 1024, formerNames: ["tags"])"#))
    #expect(generate(source, model: model).model == nil)
  }

  @Test func `begins anew with a new UID`() throws {
    let (model, code) = try changed(code("// objectbox: uid = 9984\nvar title = 0"))
    #expect(
      code.contains(#".value("title", Swift.Int.self, id: 5, uid: 9984, replacesType: true)"#)
    )
    #expect(model.contains("\"retiredPropertyUids\": [\n    768,\n    1280,\n    1536\n  ]"))
    #expect(!model.contains("newUidPool"))
    #expect(generate(self.code("var title = 0"), model: model).code == code)
  }

  @Test(arguments: [
    ("class Note", "// objectbox: uid = 9984\nvar title = \"\"", 3, 1280, "title"),
    ("class Note", "// objectbox: uid = 9984\nvar title: String?", 3, 1280, "title"),
    ("class Note", "// objectbox: uid = 9984\nvar tag: ToOne<Tag> = nil", 3, 1536, "tag"),
    ("class Note", "// objectbox: uid = 9984\nvar tags: ToMany<Tag> = nil", 3, 1024, "tags"),
    ("// objectbox: uid = 9984\nclass Note", "", 1, 5120, "Note"),
  ])
  func `refuses a new UID that would not remove what is stored`(
    note: String,
    member: String,
    line: Int,
    uid: Int,
    name: String
  ) {
    #expect(
      generate(code(member, note: note), model: Self.written).diagnostics.map(\.description) == [
        "App.swift:\(line): error: A new UID removes nothing that is stored under the same name and "
          + "type; keep '// objectbox: uid = \(uid)', or give '\(name)' another name to begin anew"
      ]
    )
  }

  @Test func `takes a new UID for the type of another module`() throws {
    let (_, code) = try changed(code("// objectbox: uid = 9984\nvar title: Money"))
    #expect(code.contains(#".value("title", Money.self, id: 5, uid: 9984, replacesType: true)"#))
  }

  @Test func `begins an entity anew under another name`() throws {
    let result = generate(code(note: "// objectbox: uid\nclass Note"), model: Self.written)
    #expect(
      result.diagnostics.map(\.description) == [
        "App.swift:1: error: 'uid' needs a number. The UID of 'Note' is 5120: keep it with "
          + "'// objectbox: uid = 5120' and rename the entity"
      ]
    )
    #expect(result.model == nil)
    let (_, code) = try changed(code("", note: "// objectbox: uid = 9984\nclass Memo"))
    #expect(
      code.contains("    name: \"Memo\",\n    id: 5,\n    uid: 9984,\n    formerNames: [],\n")
    )
  }

  @Test func `offers what was offered, until a build without mistakes takes it`() throws {
    let taking = "// objectbox: uid = 9984\nvar title = 0\n"
    let tag = "var tag: ToOne<Tag> = nil\n"
    let mistake = generate(code(taking + "var tag = 0"), model: Self.written)
    let model = try #require(mistake.model)
    #expect(mistake.code == nil && model.contains("\"newUidPool\": [\n    9984,\n"))
    let offered = try #require(mistake.diagnostics.first?.message.firstMatch(of: /uid = (\d+)/))
    let (good, _) = try changed(code(taking + tag), from: model)
    #expect(good.contains("\"newUidPool\": [\n    \(offered.output.1)\n  ]"))
  }

  @Test func `never gives a retired UID again`() throws {
    let uid = /"name": "size",\n\s*"type"/
    let size = "var size = 0; var tag: ToOne<Tag> = nil; var tags: ToMany<Tag> = nil"
    let (first, code) = try changed(self.code(size))
    #expect(first.contains(uid))
    let pattern = /\.value\("size", Swift.Int.self, id: \d+, uid: (\d+)/
    let retired = try #require(code.firstMatch(of: pattern)).output.1
    let (without, _) = try changed(self.code("var tag: ToOne<Tag> = nil"), from: first)
    #expect(without.contains("    \(retired)\n  ],\n  \"retiredRelationUids\""))
    let (again, other) = try changed(self.code(size), from: without)
    #expect(try #require(other.firstMatch(of: pattern)).output.1 != retired)
    #expect(again.contains("    \(retired)\n  ],\n  \"retiredRelationUids\""))
  }

  @Test(arguments: [
    (
      "// objectbox: uid = 77\nvar title = \"\"", 3,
      "No property has the UID 77 in model.json; write 'uid' alone on an existing property to be told its UID"
    ),
    (
      "// objectbox: uid\nvar other = \"\"", 3,
      "'uid' needs a number: 'other' is new and has none in model.json; remove the annotation, or to rename, put it on the old name first"
    ),
    (
      "// objectbox: uid = 77\nvar tags: ToMany<Tag> = nil", 3,
      "No relation has the UID 77 in model.json; write 'uid' alone on an existing relation to be told its UID"
    ),
  ])
  func `contradicts a UID in the code`(members: String, line: Int, message: String) {
    let result = generate(code(members), model: Self.written)
    #expect(result.diagnostics.map(\.description) == ["App.swift:\(line): error: \(message)"])
    #expect(result.code == nil && result.model == nil)
  }

  @Test(arguments: [
    ("var title = 0", 3, "'title' was String before"),
    ("// objectbox: uid = 1280\nvar size: Int32 = 0", 4, "'size' was String before"),
    ("var tag = 0", 3, "'tag' was ToOne<Tag> before"),
    ("var tag: ToOne<Note> = nil", 3, "'tag' was ToOne<Tag> before"),
    ("var tags: ToMany<Note> = nil", 3, "'tags' was ToMany<Tag> before"),
  ])
  func `knows that a type changed, and both ways out`(
    member: String,
    line: Int,
    start: String
  ) throws {
    let result = generate(code(member), model: Self.written)
    let error = try #require(result.diagnostics.first)
    #expect(result.code == nil && result.diagnostics.count == 1 && error.line == line)
    let end = try #require(
      error.message.wholeMatch(
        of:
          /(.*), and values of that type are stored; declare it so again, or begin anew without them with '\/\/ objectbox: uid = (\d+)'/
      )
    )
    #expect(end.output.1 == start)
    // The offer is taken.
    let model = try #require(result.model)
    let taken = member.replacing("// objectbox: uid = 1280\n", with: "")
    let (_, code) = try changed(code("// objectbox: uid = \(end.output.2)\n\(taken)"), from: model)
    #expect(code.contains("uid: \(end.output.2)"))
  }

  @Test func `knows that a narrow integer got a sign`() throws {
    let model = try #require(generate(code("var size: UInt16 = 0; var count = 0")).model)
    let result = generate(code("var size: Int16 = 0; var count: UInt = 0"), model: model)
    #expect(result.diagnostics.count == 1)
    #expect(result.diagnostics.first?.message.hasPrefix("'size' was UInt16 before,") == true)
  }

  @Test(arguments: ["var title: String?", "var title: Text; typealias Text = String"])
  func `takes an optional for the same type`(member: String) {
    #expect(generate(code(member), model: Self.written).diagnostics.isEmpty)
  }

  @Test func `takes another type that is stored alike`() throws {
    let before = "var at = Date(); var size: UInt16 = 0; var data = Data()"
    let (model, _) = try changed(code(before))
    let after = """
      // objectbox: date-nano
      var at = Date()
      var size: Int32 = 0
      // objectbox: flex
      var data = Data()
      """
    let (again, _) = try changed(code(after), from: model)
    #expect(again.contains("\"type\": 12") && again.contains("\"type\": 13"))
  }

  @Test func `learns the types of a file that has none`() throws {
    let old = Self.written.replacing(/, "type": \d+/, with: "").replacing(
      "\"type\": 11, ",
      with: ""
    )
    let (model, _) = try changed(code(), from: old)
    #expect(model.contains("\"type\": 9"))
  }

  // MARK: - Broken files

  @Test(arguments: [
    (
      "", "", 1,
      "This file is not JSON: it ends too early; restore it from your version control system"
    ),
    (
      "\"Note\",", "\"Note\"", 10,
      "This file is not JSON: a comma or a closing brace is missing; restore it from your version control system"
    ),
    (
      "      \"name\": \"Note\",", "<<<<<<< ours", 9,
      "This file is not JSON: a name in quotes is missing; resolve the merge conflict in it"
    ),
    (
      "\"modelVersion\": 5,\n  \"modelVersionParserMinimum\": 4",
      "\"modelVersion\": 7,\n  \"modelVersionParserMinimum\": 6", 1,
      "This file has version 7; versions 4 to 5 can be read. Update Kennel, or write it with another version of the generator"
    ),
    (
      "\"modelVersion\": 5", "\"modelVersion\": 2", 1,
      "This file has version 2; versions 4 to 5 can be read. Write it with another version of the generator"
    ),
    (
      "\"modelVersion\": 5,", "", 1,
      "'modelVersion' is no whole number; restore this file from your version control system"
    ),
    (
      "\"4:6400\",\n      \"lastP", "\"2:6400\",\n      \"lastP", 21,
      "The ID 2 of 'Tag' belongs to another entity, too; give the newer one the next ID"
    ),
    (
      "\"lastEntityId\": \"4:6400\"", "\"lastEntityId\": \"3:6400\"", 21,
      "'Tag' has the ID 4:6400, but 'lastEntityId' is 3:6400; it must be the highest one"
    ),
    (
      "\"name\": \"Tag\"", "\"name\": \"note\"", 21,
      "The entity 'note' is here twice; remove the entry that a merge added"
    ),
    (
      "\"id\": \"2:1280\"", "\"id\": \"1:1280\"", 13,
      "The ID 1 of 'Note.title' belongs to another property, too; give the newer one the next ID"
    ),
    (
      "\"lastPropertyId\": \"4:1536\"", "\"lastPropertyId\": \"4:99\"", 14,
      "'Note.tag' has the ID 4:1536, but 'lastPropertyId' is 4:99; it must be the highest one"
    ),
    (
      "\"id\": \"2:1280\"", "\"id\": \"2:1024\"", 13,
      "The UID 1024 of 'Note.title' is used twice; remove the entry that a merge added"
    ),
    (
      "\"id\": \"2:1280\"", "\"id\": \"2:768\"", 13,
      "The UID 768 of 'Note.title' is used twice; remove the entry that a merge added"
    ),
    (
      "\"retiredRelationUids\": []", "\"retiredRelationUids\": [1024]", 19,
      "The UID 1024 of 'Note.tags' is used twice; remove the entry that a merge added"
    ),
    (
      "[512]", "[2048]", 13,
      "The UID 2048 of 'the index of Note.title' is used twice; remove the entry that a merge added"
    ),
    (
      "\"2:1280\"", "2", 13,
      "'id' must be two numbers such as \"1:123\"; restore this file from version control"
    ),
    (
      "\"id\": \"2:1280\", ", "", 13,
      "An \"id\" is missing here; restore this file from version control"
    ),
    (
      "\"name\": \"title\"", "\"nam\": \"title\"", 13,
      "A name is missing here; restore this file from version control"
    ),
    (
      "[256]", "[\"256\"]", 36,
      "'retiredEntityUids' must be a list of numbers; restore this file from version control"
    ),
    (
      "[9984]", "9984", 35,
      "'newUidPool' must be a list of numbers; restore this file from version control"
    ),
    (
      "\"type\": 9,", "\"type\": \"9\",", 13,
      "'type' must be a whole number; restore this file from version control"
    ),
    (
      "\"type\": 9,", "\"kennel\": { \"formerNames\": \"a\" },", 13,
      "'formerNames' must be a list of texts; restore this file from version control"
    ),
    (
      "\"relations\": []", "\"relations\": {}", 26,
      "'relations' must be a list of objects; restore this file from version control"
    ),
    (
      "\"entities\"", "\"entitys\"", 1,
      "'entities' is missing; restore this file from your version control system"
    ),
    (
      "\"name\": \"title\"", "\"name\": \"Tag\"", 14,
      "The property 'Note.tag' is here twice; remove the entry that a merge added"
    ),
    (
      "\"name\": \"tags\"", "\"name\": \"TAG\"", 19,
      "The relation 'Note.TAG' is here twice; remove the entry that a merge added"
    ),
    (
      "\"targetId\": \"4:6400\" }",
      "\"targetId\": \"4:6400\" }, { \"id\": \"1:333\", \"name\": \"others\" }", 19,
      "The ID 1 of 'Note.others' belongs to another relation, too; give the newer one the next ID"
    ),
    (
      "\"lastRelationId\": \"1:1024\"", "\"lastRelationId\": \"0:0\"", 19,
      "'Note.tags' has the ID 1:1024, but 'lastRelationId' is 0:0; it must be the highest one"
    ),
    (
      "\"3:2560\", \"name\"", "\"1:2560\", \"name\"", 14,
      "The ID 1 of 'the index of Note.tag' belongs to another index, too; give the newer one the next ID"
    ),
    (
      "\"3:2560\", \"name\"", "\"3:2048\", \"name\"", 14,
      "'the index of Note.tag' has the ID 3:2048, but 'lastIndexId' is 3:2560; it must be the highest one"
    ),
    (
      "\"1:2048\"", "\"1:+2048\"", 13,
      "'indexId' must be two numbers such as \"1:123\"; restore this file from version control"
    ),
    (
      "\"version\": 1", "\"version\": .5", 40,
      "This file is not JSON: '.5' is no value; restore it from your version control system"
    ),
    (
      "\"version\": 1", "\"version\": 01", 40,
      "This file is not JSON: '01' is no value; restore it from your version control system"
    ),
    (
      "\"version\": 1", "\"version\": nan", 40,
      "This file is not JSON: 'nan' is no value; restore it from your version control system"
    ),
    (
      "\"version\": 1", "\"version\": 1e999", 40,
      "'version' must be a whole number; restore this file from version control"
    ),
    (
      "KEEP", "\\ud83d", 2,
      "This file is not JSON: a text has an escape that JSON does not have; restore it from your version control system"
    ),
    (
      "KEEP", "\\ud83d\\u0041", 2,
      "This file is not JSON: a text has an escape that JSON does not have; restore it from your version control system"
    ),
    (
      "KEEP", "\\udc15\\udc15", 2,
      "This file is not JSON: a text has an escape that JSON does not have; restore it from your version control system"
    ),
    (
      "KEEP", "\\u+123", 2,
      "This file is not JSON: a text has an escape that JSON does not have; restore it from your version control system"
    ),
    (
      "KEEP", "\\x", 2,
      "This file is not JSON: a text has an escape that JSON does not have; restore it from your version control system"
    ),
  ])
  func `is not read if it is broken`(part: String, other: String, line: Int, message: String) {
    let model = part.isEmpty ? "" : Self.written.replacing(part, with: other)
    #expect(part.isEmpty || model != Self.written)
    let result = generate(code(), model: model)
    let expected = message == "nil" ? [] : ["model.json:\(line): error: \(message)"]
    #expect(result.diagnostics.map(\.description) == expected)
    #expect(result.model == nil || message == "nil")
  }
}
