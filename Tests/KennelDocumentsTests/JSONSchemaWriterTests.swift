import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// The schema of the first of some classes, as text.
func jsonSchema(_ classes: ClassDefinition...) throws -> String {
  let writer = JSONSchemaWriter(classes)
  return JSONSchemaWriter.text(of: try #require(try writer.schema(of: classes[0].name)))
}

@Suite struct `A JSON schema` {
  private let author = ClassDefinition(
    "Author",
    properties: [
      PropertyDefinition("_id", .objectId, isPrimaryKey: true),
      PropertyDefinition("name", .string),
      PropertyDefinition("born", .int.optional),
    ],
    backlinks: [BacklinkDefinition("books", origin: "Book", property: "author")]
  )

  @Test func `names the class, what is required, and the properties in order`() throws {
    #expect(
      try jsonSchema(author) == """
        {
          "title": "Author",
          "bsonType": "object",
          "required": [
            "_id",
            "name"
          ],
          "properties": {
            "_id": {
              "bsonType": "objectId"
            },
            "name": {
              "bsonType": "string"
            },
            "born": {
              "bsonType": "long"
            }
          }
        }

        """
    )
  }

  @Test(arguments: [
    (PropertyType.bool, "bool"), (.int, "long"), (.int(bitWidth: 32), "int"),
    (.int(bitWidth: 16), "int"), (.int(bitWidth: 8), "int"), (.float, "double"),
    (.double, "double"), (.string, "string"), (.data, "binData"), (.date, "date"),
    (.objectId, "objectId"), (.uuid, "uuid"), (.decimal128, "decimal"), (.mixed, "mixed"),
  ])
  func `has a BSON type for each type`(type: PropertyType, name: String) throws {
    let schema = try jsonSchema(ClassDefinition("A", properties: [PropertyDefinition("b", type)]))
    #expect(schema.contains("\"b\": {\n      \"bsonType\": \"\(name)\"\n    }"))
    #expect(schema.contains("\"required\"") == (type.kind != .mixed))
  }

  @Test func `has the type of the target's primary key for links of every shape`() throws {
    let link = PropertyType.link("Author")
    let book = ClassDefinition(
      "Book",
      properties: [
        PropertyDefinition("author", link), PropertyDefinition("editors", .list(link)),
        PropertyDefinition("readers", .set(link)), PropertyDefinition("roles", .map(link)),
      ]
    )
    #expect(
      try jsonSchema(book, author) == """
        {
          "title": "Book",
          "bsonType": "object",
          "properties": {
            "author": {
              "bsonType": "objectId"
            },
            "editors": {
              "bsonType": "array",
              "items": {
                "bsonType": "objectId"
              }
            },
            "readers": {
              "bsonType": "array",
              "uniqueItems": true,
              "items": {
                "bsonType": "objectId"
              }
            },
            "roles": {
              "bsonType": "object",
              "additionalProperties": {
                "bsonType": "objectId"
              }
            }
          }
        }

        """
    )
    var keyless = author
    keyless.properties.removeFirst()
    #expect(try jsonSchema(book, keyless).contains("\"author\": {\n      \"bsonType\": \"long\""))
  }

  @Test func `nests the schemas of embedded objects`() throws {
    let shelf = ClassDefinition(
      "Shelf",
      isEmbedded: true,
      properties: [
        PropertyDefinition("label", .string), PropertyDefinition("tags", .list(.string.optional)),
      ]
    )
    let library = ClassDefinition(
      "Library",
      properties: [
        PropertyDefinition("desk", .link("Shelf")),
        PropertyDefinition("all", .list(.link("Shelf"))),
        PropertyDefinition("named", .map(.link("Shelf"))),
      ]
    )
    func nested(_ indentation: String) -> String {
      """
      {
        "title": "Shelf",
        "bsonType": "object",
        "required": [
          "label"
        ],
        "properties": {
          "label": {
            "bsonType": "string"
          },
          "tags": {
            "bsonType": "array",
            "items": {
              "bsonType": [
                "string",
                "null"
              ]
            }
          }
        }
      }
      """.split(separator: "\n").joined(separator: "\n\(indentation)")
    }
    #expect(
      try jsonSchema(library, shelf) == """
        {
          "title": "Library",
          "bsonType": "object",
          "properties": {
            "desk": \(nested("    ")),
            "all": {
              "bsonType": "array",
              "items": \(nested("      "))
            },
            "named": {
              "bsonType": "object",
              "additionalProperties": \(nested("      "))
            }
          }
        }

        """
    )
  }

  @Test func `names an embedded class inside itself by its title`() throws {
    let box = ClassDefinition("Box", properties: [PropertyDefinition("part", .link("Part"))])
    let part = ClassDefinition(
      "Part",
      isEmbedded: true,
      properties: [PropertyDefinition("parts", .list(.link("Part")))]
    )
    let schema = try jsonSchema(box, part)
    #expect(
      schema.contains(
        "\"items\": {\n            \"title\": \"Part\",\n            \"bsonType\": \"object\"\n"
      )
    )
    #expect(try classes(of: [("Box.json", schema)]) == [box, part])
  }

  @Test func `stays small where classes are embedded in each other many times`() throws {
    let classes = (0..<90).map { level in
      ClassDefinition(
        "C\(level)",
        isEmbedded: level > 0,
        properties: level == 89
          ? [PropertyDefinition("end", .bool)]
          : ["a", "b"].map { PropertyDefinition($0, .link("C\(level + 1)")) }
      )
    }
    let writer = JSONSchemaWriter(classes)
    let text = JSONSchemaWriter.text(of: try #require(try writer.schema(of: "C0")))
    #expect(text.utf8.count < 4_000_000)
    #expect(try KennelDocumentsTests.classes(of: [("C0.json", text)]).count == 90)
    #expect(writer.relationships(of: "C0", database: "x").members.isEmpty)
  }

  @Test func `says that a hundred levels are enough`() throws {
    let classes = (0..<200).map { level in
      ClassDefinition(
        "C\(level)",
        isEmbedded: level > 0,
        properties: level == 199 ? [] : [PropertyDefinition("next", .link("C\(level + 1)"))]
      )
    }
    let error = #expect(throws: DocumentError.self) {
      try JSONSchemaWriter(classes).schema(of: "C0")
    }
    #expect(error?.description.hasPrefix("C0: more than 100 embedded classes") == true)
  }

  @Test func `comes with relationships that say where links lead`() throws {
    let page = ClassDefinition(
      "Page",
      isEmbedded: true,
      properties: [PropertyDefinition("painter", .link("Author"))]
    )
    let book = ClassDefinition(
      "Book",
      properties: [
        PropertyDefinition("authors", .list(.link("Author"))),
        PropertyDefinition("cover", .link("Page")),
      ]
    )
    let relationships = JSONSchemaWriter([book, page, author])
      .relationships(of: "Book", database: "shop")
    #expect(
      JSONSchemaWriter.text(of: relationships) == """
        {
          "authors": {
            "ref": "#/relationship/mongodb-atlas/shop/Author",
            "foreign_key": "_id",
            "is_list": true
          },
          "cover.painter": {
            "ref": "#/relationship/mongodb-atlas/shop/Author",
            "foreign_key": "_id",
            "is_list": false
          }
        }

        """
    )
  }

  @Test func `quotes names that need it`() throws {
    let schema = try jsonSchema(
      ClassDefinition("A\"b", properties: [PropertyDefinition("\u{202e}", .bool)])
    )
    #expect(schema.contains("\"title\": \"A\\\"b\""))
    #expect(schema.contains("\"\\u202e\": {"))
  }
}
