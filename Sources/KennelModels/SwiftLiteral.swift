import KennelCore
import SwiftScanning

/// Swift literals.
enum SwiftLiteral {
  /// The literal of a value as models of `Kennel` declare it, or `nil` if none is exact.
  static func native(_ value: Value) -> String? {
    if case .string(let text) = value { return SwiftText.literal(text) }
    if case .scalar(let scalar) = value.shape { return scalar.swiftLiteral }
    return nil
  }

  /// The literal of a value as Foundation's types have it, or `nil` if none is exact.
  static func of(_ value: Value) -> String? {
    switch value.kind {
    case .data: return native(value).map { "Data(\($0))" }
    case .date:
      // Foundation's dates are doubles, which hold whole seconds exactly.
      guard case .date(let date) = value, date.nanoseconds == 0, abs(date.seconds) < 1 << 50 else {
        return nil
      }
      return "Date(timeIntervalSince1970: \(date.seconds))"
    case .objectId: return "ObjectId(\"\(ValueText.describe(value))\")"
    case .uuid:
      guard case .uuid(let uuid) = value else { return nil }
      let bytes = [uuid.high, uuid.low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { "\(UInt8(truncatingIfNeeded: word >> $0))" }
      }
      return "UUID(uuid: (\(bytes.joined(separator: ", "))))"
    case .decimal128:
      let text = ValueText.describe(value)
      return text.hasPrefix("0x") ? nil : "\"\(text)\""
    case _: return native(value)
    }
  }
}

/// The types that the faces of other libraries have for the values of a kind.
struct FaceType {
  /// The type of a property of a Realm class; `nil` if there is none.
  let realm: String?
  /// The type of a property of an entity; `nil` if there is none.
  let box: String?
  /// The initial value of such a property.
  let boxInitial: String
  /// Whether an index of such a property can be declared.
  let isIndexed: Bool

  private init(
    _ realm: String?,
    indexed isIndexed: Bool = false,
    hasBox: Bool = true,
    initial: String = ""
  ) {
    self.realm = realm
    self.isIndexed = isIndexed
    box = hasBox ? realm : nil
    boxInitial = initial
  }

  init(_ kind: ValueKind) {
    self =
      switch kind {
      case .bool: FaceType("Bool", indexed: true, initial: " = false")
      case .int: FaceType("Int", indexed: true, initial: " = 0")
      case .float: FaceType("Float", initial: " = 0")
      case .double: FaceType("Double", initial: " = 0")
      case .string: FaceType("String", indexed: true, initial: " = \"\"")
      case .data: FaceType("Data", initial: " = Data()")
      case .date:
        FaceType("Date", indexed: true, initial: " = Date(timeIntervalSince1970: 0)")
      case .objectId: FaceType("ObjectId", indexed: true, hasBox: false)
      case .uuid: FaceType("UUID", indexed: true, hasBox: false)
      case .decimal128: FaceType("Decimal128", hasBox: false)
      case .mixed: FaceType("AnyRealmValue", hasBox: false)
      case .link: FaceType(nil)
      }
  }
}
