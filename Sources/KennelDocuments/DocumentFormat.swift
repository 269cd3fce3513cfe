// # Documents
//
// A document is a database as text: lines of JSON, one for each thing that there is. It is what
// `kennel export` writes and `kennel import` reads; exporting what an import read gives the same
// bytes again.
//
// | line | meaning |
// |---|---|
// | `{"$kennel":1}` | the first line: a document of version 1 |
// | `{"$class":"Dog"}` | a class; `"embedded":true` where its objects are embedded |
// | `{"$property":"name","type":"string"}` | a property of the class above |
// | `{"$backlink":"clubs","origin":"DogClub","property":"members"}` | a backlink that the class above declares |
// | `{"$object":"Dog/7","name":"Rex","age":3}` | an object with its key |
//
// A property's line may say `"primaryKey":true`, `"unique":true`, `"indexed":true`,
// `"deleteRule":"cascade"`, `"targetRule":"cascade"` and `"default":…`, and how the JSON schema that it
// was read from wrote it: `"requiredInSchema":true` and `"shortInSchema":true`. The lines of the schema
// come before those of the objects. An object may link to one that comes later.
//
// Export writes classes, properties and objects in the order of the database, every property of
// every object, no spaces. Import takes spaces, lines that are empty or begin with `#`, members in
// any order, and objects without some of their properties, which get their defaults.
//
// ## Values
//
// | type | as JSON | example |
// |---|---|---|
// | any, without a value | `null`, which is not `""` | `null` |
// | `bool` | `true`, `false` | `true` |
// | `int` | a whole number, exact to 64 bits | `9223372036854775807` |
// | `float`, `double` | the shortest number that reads back as it was | `0.1` |
// | the same, where JSON has no number | a string | `"nan(0x8000000000001)"`, `"-inf"`, `"-0.0"` |
// | `string` | a string | `"Rex"` |
// | `data`, `date`, `objectId`, `uuid`, `decimal128` | the text of the value as a string | `"1969-12-31T23:59:59.5Z"` |
// | link | its target | `{"$ref":"Dog/7"}` |
// | embedded object | an object | `{"street":"High St 1","city":null}` |
// | list, set | an array | `[1,2,2]` |
// | map | an object | `{"en":"dog","fr":"chien"}` |
// | `mixed` | as above where that is unambiguous, else wrapped | `{"$date":"…"}`, `{"$float":"0.1"}`, `{"$double":"1.0"}` |
// | list, map in `mixed` | an array, an object, of mixed values | `[1,{"born":{"$date":"…"}}]` |
//
// The names of properties and the keys of maps, in mixed values too, that begin with `$` get a second
// one: `"$$ref"`. So an object in a mixed value with a single `$` wraps a value, and any other is a map.
//
// ## Invariants
//
// 1. What export writes has one form: two databases with the same schema, keys and values give the
//    same bytes.
// 2. Strings are valid UTF-8. What a terminal or a line reader could misunderstand, control
//    characters and marks that reorder text among them, is escaped as `\u`.
// 3. Nothing is rounded: a number that its type cannot hold exactly as written is refused.
// 4. An import that fails says line and path, as in `line 7, Person.dogs[2]: …`, and leaves the file as
//    it was.
// 5. Embedded objects nest as deep as memory allows: both directions recurse over a bounded number of
//    levels. What mixed values hold nests `Value.deepestNesting` deep; deeper is refused.
// 6. Memory is bounded by the longest line.

import KennelCore

/// The names in the lines of a document.
enum DocumentFormat {
  /// The version that is written, and the newest that is read.
  static let version: Int64 = 1

  static let header = "$kennel"
  static let classLine = "$class"
  static let propertyLine = "$property"
  static let backlinkLine = "$backlink"
  static let objectLine = "$object"
  static let link = "$ref"
  static let deleteRule = "deleteRule"
  static let targetRule = "targetRule"
  static let requiredInSchema = "requiredInSchema"
  static let shortInSchema = "shortInSchema"

  /// The members that say what a line is about.
  static let kinds = [objectLine, propertyLine, classLine, backlinkLine, header]

  /// The class and the key of `Dog/7`; `nil` for another text and for keys that no object has.
  static func object(_ text: String) -> (className: String, key: UInt64)? {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    // By hand: every line has a key, and most links do.
    var key: UInt64 = 0
    for byte in text.utf8[slash...].dropFirst() {
      guard case let digit = byte &- UInt8(ascii: "0"), digit < 10, key < 1 << 60 else {
        return nil
      }
      key = key * 10 + UInt64(digit)
    }
    guard key > 0, key < ObjectKey.firstProvisional else { return nil }
    return (String(text[..<slash]), key)
  }

  /// The only member of an object that wraps a value or a link; `nil` for any other object.
  static func wrapper(_ document: Document) -> Document.Member? {
    guard let member = document.members.first, document.members.count == 1,
      unescaped(member.name) == nil
    else { return nil }
    return member
  }

  /// A name as a member of a JSON object: names that begin with `$` get a second one.
  static func escaped(_ name: String) -> String {
    name.utf8.first == UInt8(ascii: "$") ? "$" + name : name
  }

  /// The name that a member of a JSON object stands for; `nil` for a word of the format.
  static func unescaped(_ member: String) -> String? {
    guard member.utf8.first == UInt8(ascii: "$") else { return member }
    let rest = member.utf8.dropFirst()
    return rest.first == UInt8(ascii: "$") ? String(Substring(rest)) : nil
  }
}
