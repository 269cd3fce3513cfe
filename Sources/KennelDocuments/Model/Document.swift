public import KennelCore

/// A document: an ordered list of named values, as in JSON and BSON.
///
/// Every format is read into documents and written from documents.
///
/// ```swift
/// let dog: Document = ["name": .string("Rex"), "age": .int64(3)]
/// if case .string(let name)? = dog["name"] { print(name) }
/// ```
public struct Document: Hashable, Sendable {
  /// A name and its value.
  ///
  /// ```swift
  /// var dog: Document = ["name": .string("Rex")]
  /// dog.members.append(Document.Member("age", .int64(3)))
  /// ```
  public struct Member: Hashable, Sendable {
    /// The name, compared by its UTF-8 bytes.
    public var name: String
    /// The value.
    public var value: DocumentValue

    /// Creates a member.
    public init(_ name: String, _ value: DocumentValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members, in order.
  public var members: [Member]

  /// Creates a document.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value of the first member with a name; `nil` if there is none.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: String) -> DocumentValue? {
    members.first { $0.name.hasSameBytes(as: name) }?.value
  }
}

extension Document: ExpressibleByDictionaryLiteral {
  /// Creates a document with the members in the order of the literal, without those that are `nil`.
  public init(dictionaryLiteral elements: (String, DocumentValue?)...) {
    members = elements.compactMap { name, value in value.map { Member(name, $0) } }
  }
}

/// A value of a document.
///
/// ```swift
/// let dog: Document = ["name": .string("Rex"), "age": .int64(3)]
/// if case .string(let name)? = dog["name"] { print(name) }
/// ```
///
/// Its types are those of BSON.
///
/// `int32`, `int64` and `double` are different types, as they are in BSON. See the
/// [BSON specification](https://bsonspec.org/spec.html).
public enum DocumentValue: Hashable, Sendable {
  /// Null.
  case null
  /// A Boolean.
  case bool(Bool)
  /// A 32-bit integer, BSON's `int`.
  case int32(Int32)
  /// A 64-bit integer, BSON's `long`.
  case int64(Int64)
  /// A 64-bit floating-point number.
  case double(Double)
  /// A decimal number with 34 digits.
  case decimal128(Decimal128)
  /// Text.
  case string(String)
  /// A date.
  ///
  /// BSON has milliseconds.
  case date(Timestamp)
  /// A 12-byte identifier.
  case objectId(ObjectId)
  /// Bytes with their BSON subtype; a UUID is 16 bytes of subtype 4.
  case binary(subtype: UInt8, [UInt8])
  /// The elements of an array, in order.
  case array([DocumentValue])
  /// A nested document.
  case document(Document)
  /// A value of a type that no property can hold, such as `regex`: the name of its type, and the value
  /// as Extended JSON.
  case other(type: String, text: String)
}
