import KennelCore
import KennelDocuments

/// JSON schemas, as the exports of App Services have them, and the classes that they become.
enum Schemas: FuzzTarget {
  private static let database = Scratch.database("schemas")

  static let seeds: [[UInt8]] = [
    ##"""
    {"title":"Dog","bsonType":"object","required":["_id","age"],"properties":{
      "_id":{"bsonType":"objectId"},"age":{"bsonType":["int","null"],"default":3},
      "tags":{"bsonType":"array","uniqueItems":true,"items":{"type":"string"}},
      "home":{"title":"Home","bsonType":"object","properties":{"city":{"type":["string","null"]}}},
      "any":{"bsonType":"mixed"},"map":{"bsonType":"object","additionalProperties":{"bsonType":"int"}}}}
    """##,
    ##"""
    {"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"Cat":{"type":"object",
      "properties":{"kitten":{"$ref":"#/$defs/Cat"},"n":{"type":"integer","minimum":-128,"maximum":127}}}},
      "title":"Cat","type":"object","properties":{"cat":{"$ref":"#/$defs/Cat"},
      "when":{"type":"string","format":"date-time"},"one":{"anyOf":[{"type":"null"},{"type":"number"}]}}}
    """##,
    ##"{"Dog.owner":{"ref":"#/relationship/x/d/Person","foreignKey":"_id","isList":false}}"##,
  ].map { Array($0.utf8) }

  private struct Done: Error {}

  static func run(_ input: [UInt8]) {
    do {
      var reader = JSONSchemaReader()
      try reader.add(input, file: "Dog.json")
      let schemas = try reader.schemas()
      let writer = JSONSchemaWriter(schemas.classes)
      for definition in schemas.classes {
        guard let schema = try writer.schema(of: definition.name) else { continue }
        _ = JSONSchemaWriter.text(of: schema)
      }
      try database.write { transaction in
        try schemas.define(in: transaction)
        throw Done()
      }
    } catch is JSONSchemaError {
    } catch is DocumentError {
    } catch is DatabaseError {
    } catch is Done {
    } catch {
      fatalError("\(error)")
    }
  }
}
