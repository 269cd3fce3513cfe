/// The kinds of value that a property, or an element of its collection, can hold.
///
/// ```swift
/// let links = person.properties.filter { $0.type.kind == .link }
/// print(links.map(\.name))
/// ```
public enum ValueKind: UInt8, Sendable, CaseIterable {
  /// A truth value.
  case bool = 1
  /// A whole number.
  case int = 2
  /// A floating point number of 32 bits.
  case float = 3
  /// A floating point number of 64 bits.
  case double = 4
  /// Text.
  case string = 5
  /// Bytes.
  case data = 6
  /// A point in time.
  case date = 7
  /// An identifier of 12 bytes.
  case objectId = 8
  /// An identifier of 16 bytes.
  case uuid = 9
  /// A decimal number of 34 digits.
  case decimal128 = 10
  /// Any scalar, a link to an object of any class, or a list or map of such values.
  case mixed = 11
  /// A link to an object of one class, embedded or not.
  case link = 12

  /// The table of kinds: how each is stored, with the Swift type that says everything else of it.
  @inlinable
  package var form: KindForm {
    switch self {
    case .bool: .word(Bool.self)
    case .int: .word(Int64.self)
    case .float: .word(Float.self)
    case .double: .word(Double.self)
    case .string: .bytes(String.self)
    case .data: .bytes([UInt8].self)
    case .date: .pair(Timestamp.self)
    case .objectId: .pair(ObjectId.self)
    case .uuid: .pair(UUIDValue.self)
    case .decimal128: .pair(Decimal128.self)
    case .mixed: .mixed
    case .link: .link
    }
  }
}

/// How the values of a kind are stored, with their Swift type.
@usableFromInline
package enum KindForm {
  /// One word each.
  case word(any WordValue.Type)
  /// Two words each.
  case pair(any PairValue.Type)
  /// Any number of bytes each.
  case bytes(any (BytesValue & ScalarKind).Type)
  /// Bytes that say their kind.
  case mixed
  /// The key of an object.
  case link
}

extension ValueKind {
  /// The type whose values are the scalars of this kind; `nil` for mixed values and links.
  public var scalar: (any ScalarKind.Type)? {
    switch form {
    case .word(let type): type
    case .pair(let type): type
    case .bytes(let type): type
    case .mixed, .link: nil
    }
  }

  /// The kinds of scalars.
  public static let scalars = allCases.filter { $0.scalar != nil }

  /// Whether a property of this kind can be a primary key.
  public var canBePrimaryKey: Bool { scalar?.canBePrimaryKey ?? false }

  /// Whether values of this kind are numbers.
  public var isNumber: Bool { scalar?.rank == NumericValue.rank }

  /// How words of this kind compare; as they are where it is not stored as words.
  package var wordOrder: WordOrdering {
    if case .word(let type) = form { type.wordOrder } else { .unsigned(upTo: .max) }
  }

  /// The bits to flip in the first word of a pair, so that pairs compare in the order of their values;
  /// `nil` for a kind that is not stored as pairs, or for which no mask does that.
  package var pairOrderMask: UInt64? {
    if case .pair(let type) = form { type.orderMask } else { nil }
  }
}
