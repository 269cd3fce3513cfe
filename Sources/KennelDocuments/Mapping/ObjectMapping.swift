// # Objects as documents
//
// One mapping serves every format that has documents: BSON, Extended JSON, JSON, CSV. A format knows
// nothing of the database, the mapping nothing of bytes.
//
// | in the database | in a document |
// |---|---|
// | class | a collection of the same name |
// | object | a document; its members have the names of its properties, in their order |
// | primary key | a member of its own name, and `_id` where it has another name |
// | no primary key | `_id` is the object's key, an int64; `_key` where a property is called `_id` |
// | bool, double, string, objectId, decimal128 | the BSON type of that name |
// | int | int64; int32 where the declared width is 32 bits or less |
// | float | double, which holds it exactly |
// | data, uuid | binary of subtype 0, of subtype 4 |
// | date | date where it is one of whole milliseconds, else an exact form |
// | link | the primary key of its target, or its key where it has none |
// | link in mixed, or to an object whose primary key is null | `{"$ref": "Dog", "$id": …}` |
// | embedded object | a nested document |
// | list, set | an array |
// | list in mixed | an array |
// | map in mixed | a document; an exact form where it could be taken for something else |
// | map | a document; an array of `{"k": …, "v": …}` where a key cannot be a name |
// | backlink | nothing: it comes back with its links |
// | null | nothing where an absent member gives null; else null |
//
// ## Exact forms
//
// What a format has no type for is written as `{"kennel": "date", "value": "…"}`, with the kind of
// the value and its text: dates between two milliseconds, a float in mixed (which would come back as
// a double), and in Extended JSON the NaNs and decimal numbers that its text cannot tell apart. It is
// read back to the same bits, wherever the type of the property allows the kind.
//
// A map in mixed is `{"kennel": "map", "value": [{"k": …, "v": …}]}` where a key cannot be a name, or
// where its keys are those of a link (`$ref`) or of an exact form (`kennel` and `value` alone).
//
// ## Back
//
// Names decide, not the order. A number is taken into a property that holds it exactly, whatever its
// type was; a string is taken for a date, uuid, objectId, decimal128 or data that it spells. `mixed`
// keeps what BSON says: int32 and int64 as int, double as double. What no property can hold (a
// regular expression, a binary subtype) is refused.
//
// A member that no property has is refused, but for `_id` where it repeats the primary key.

public import KennelCore

/// How objects become documents.
///
/// ```swift
/// var options = OutputOptions()
/// options.documents.roundsDates = true
/// try selection.write(from: snapshot, as: .bson, options) { bytes in file.write(bytes) }
/// ```
public struct DocumentOptions: Sendable {
  /// Whether dates are truncated to milliseconds, the precision of BSON.
  ///
  /// Otherwise, a more precise date is written as `{"kennel": "date", "value": "…"}`.
  public var roundsDates = false

  /// The objects to which links are kept; `nil` for all.
  ///
  /// A link to any other object is written as null, also inside a mixed value, and is left out of
  /// collections. So the documents of a part of a database can be imported on their own.
  public var linkTargets: ObjectSet?

  /// Creates options that lose nothing.
  public init() {}
}

/// A format with the names that it can hold.
enum DocumentDialect {
  case bson
  case extendedJSON

  /// Whether a map's key can be the name of a member.
  func canBeName(_ key: String) -> Bool {
    switch self {
    case .bson: !key.utf8.contains(0)
    // A name with a dollar could be taken for a type.
    case .extendedJSON: !key.utf8.contains(0) && key.utf8.first != UInt8(ascii: "$")
    }
  }
}

/// The names that the mapping uses beside those of properties.
enum MappingName {
  static let id = "_id"
  static let key = "_key"
  static let reference = "$ref"
  static let referenceID = "$id"
  static let kind = "kennel"
  static let value = "value"
  /// The kind that the exact form of a map in a mixed value has.
  static let map = "map"
  static let entryKey = "k"
  static let entryValue = "v"
}

extension ClassSchema {
  /// The member that holds an object's key, in a class without a primary key.
  var keyMember: String? {
    guard primaryKey == nil, !isEmbedded else { return nil }
    return self[MappingName.id] == nil ? MappingName.id : MappingName.key
  }
}

extension DocumentValue {
  /// A value that its format has no type for: its kind and its text.
  static func exact(_ value: Value) -> DocumentValue {
    .document([
      MappingName.kind: .string("\(value.kind ?? .mixed)"),
      MappingName.value: .string(ValueText.describe(value)),
    ])
  }
}
