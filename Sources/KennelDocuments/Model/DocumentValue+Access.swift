extension DocumentValue {
  /// The text of a string; `nil` for another value.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// True or false; `nil` for another value.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// A whole number of either width; `nil` for another value.
  public var integer: Int64? {
    switch self {
    case .int32(let number): Int64(number)
    case .int64(let number): number
    case .null, .bool, .double, .decimal128, .string, .date, .objectId, .binary, .array, .document,
      .other:
      nil
    }
  }

  /// The elements of an array; none for another value.
  public var elements: [DocumentValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The members of a document; none for another value.
  public var members: [Document.Member] {
    if case .document(let document) = self { document.members } else { [] }
  }

  /// A member of a document; `nil` where it has none of the name, and for another value.
  public func member(_ name: String) -> DocumentValue? {
    if case .document(let document) = self { document[name] } else { nil }
  }
}
