public import KennelCore

/// A document: named values in order, as JSON objects and BSON documents have them.
///
/// Every format is read into documents and written from them; objects are mapped to documents and
/// back in one place.
///
/// ```swift
/// let dog: Document = ["name": .string("Rex"), "age": .int64(3)]
/// ```
public struct Document: Hashable, Sendable {
  /// A name with its value.
  public struct Member: Hashable, Sendable {
    /// The name, compared by its UTF-8 bytes.
    public var name: String
    /// The value.
    public var value: DocumentValue

    /// Makes a member.
    public init(_ name: String, _ value: DocumentValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  public var members: [Member]

  /// Makes a document.
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
  /// Makes a document of the members in the order of the literal.
  public init(dictionaryLiteral elements: (String, DocumentValue)...) {
    members = elements.map { Member($0, $1) }
  }
}

/// A value of a document, of one of BSON's types.
///
/// `int32`, `int64` and `double` are different types, as they are in BSON. See the
/// [BSON specification](https://bsonspec.org/spec.html).
public enum DocumentValue: Hashable, Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number of 32 bits, BSON's `int`.
  case int32(Int32)
  /// A whole number of 64 bits, BSON's `long`.
  case int64(Int64)
  /// A floating point number.
  case double(Double)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// Text.
  case string(String)
  /// A point in time; BSON keeps milliseconds.
  case date(Timestamp)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// Bytes with their BSON subtype; a UUID is 16 bytes of subtype 4.
  case binary(subtype: UInt8, [UInt8])
  /// The elements of an array, in order.
  case array([DocumentValue])
  /// A nested document.
  case document(Document)
  /// A value of a BSON type that no property can hold, such as `regex`, by the name of its type.
  case other(String)
}
