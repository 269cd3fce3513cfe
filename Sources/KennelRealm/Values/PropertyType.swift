public import KennelCore

/// The type of a property.
///
/// ```swift
/// for property in ship.objectSchema.properties { print(property.name, property.type) }
/// ```
public enum PropertyType: Int, Sendable, CustomStringConvertible {
  /// Integers.
  case int
  /// Truth values.
  case bool
  /// Text.
  case string
  /// Bytes.
  case data
  /// Dates.
  case date
  /// Floating point numbers of 32 bits.
  case float
  /// Floating point numbers of 64 bits.
  case double
  /// Links to objects.
  case object
  /// The inverse of links.
  case linkingObjects
  /// Identifiers of 12 bytes.
  case objectId
  /// Decimal numbers.
  case decimal128
  /// Identifiers of 16 bytes.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID
  /// Any of these.
  case any

  /// The name of the type.
  public var description: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    case .any: "mixed"
    }
  }
}

extension PropertyType {
  @inlinable
  internal init(_ kind: ValueKind) {
    self =
      switch kind {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .objectId: .objectId
      case .uuid: .UUID
      case .decimal128: .decimal128
      case .mixed: .any
      case .link: .object
      }
  }

  /// The kind of its values; `nil` for an inverse relationship, which stores none.
  internal var kind: ValueKind? { ValueKind.allCases.first { PropertyType($0) == self } }
}
