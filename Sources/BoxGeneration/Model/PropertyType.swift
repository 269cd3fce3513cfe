/// The type of a stored value, with its number in `model.json`.
struct PropertyType: Hashable {
  /// The type in generated code, without its optional mark.
  let text: String
  /// `nil` for a type of another module, which only the compiler knows.
  let number: Int?
  var isUnsigned = false
  var isOptional = false
  /// Whether it is written as an alias that ObjectBox's generator cannot resolve: in `model.json` it has
  /// neither a type nor flags.
  var isAlias = false

  var fullText: String { text + (isOptional ? "?" : "") }

  static let long = 6
  static let string = 9
  static let date = 10
  static let relation = 11
  static let nanoseconds = 12
  static let flex = 13
  static let bytes = 23

  /// A type by its name alone.
  static func named(_ name: String) -> PropertyType? {
    switch name {
    case "Bool": PropertyType(text: "Swift.Bool", number: 1)
    case "Int8": PropertyType(text: "Swift.Int8", number: 2)
    case "UInt8": PropertyType(text: "Swift.UInt8", number: 2, isUnsigned: true)
    case "Byte": PropertyType(text: "Swift.UInt8", number: 2, isUnsigned: true, isAlias: true)
    case "Int16": PropertyType(text: "Swift.Int16", number: 3)
    case "UInt16": PropertyType(text: "Swift.UInt16", number: 3, isUnsigned: true)
    case "Int32": PropertyType(text: "Swift.Int32", number: 5)
    case "UInt32": PropertyType(text: "Swift.UInt32", number: 5, isUnsigned: true)
    case "Int", "Int64": PropertyType(text: "Swift.\(name)", number: long)
    case "UInt", "UInt64": PropertyType(text: "Swift.\(name)", number: long, isUnsigned: true)
    case "Float": PropertyType(text: "Swift.Float", number: 7)
    case "Double", "TimeInterval": PropertyType(text: "Swift.Double", number: 8)
    case "String": PropertyType(text: "Swift.String", number: string)
    case "Date": PropertyType(text: "Foundation.Date", number: date)
    case "Data": PropertyType(text: "Foundation.Data", number: bytes)
    case "Id": PropertyType(text: "KennelBox.Id", number: long)
    default: nil
    }
  }

  /// An array of a type.
  static func array(of name: String) -> PropertyType? {
    let number: Int? =
      switch name {
      case "UInt8", "Byte": bytes
      case "Int32": 26
      case "Int64": 27
      case "Float": 28
      case "String": 30
      default: nil
      }
    let element = name == "Byte" ? "UInt8" : name
    return number.map { PropertyType(text: "[Swift.\(element)]", number: $0) }
  }

  /// The number of the type that is stored alike: integers without a sign take twice the width.
  static func stored(_ number: Int, isUnsigned: Bool) -> Int {
    switch number {
    case 2 where isUnsigned: 3
    case 3 where isUnsigned: 5
    case 5 where isUnsigned: long
    case nanoseconds: date
    case flex: bytes
    default: number
    }
  }

  /// What the number of a type means, for messages.
  static func description(of number: Int) -> String {
    switch number {
    case 1: "Bool"
    case 2: "Int8"
    case 3: "Int16"
    case 5: "Int32"
    case long: "Int"
    case 7: "Float"
    case 8: "Double"
    case string: "String"
    case date: "Date"
    case relation: "ToOne"
    case nanoseconds: "Date with date-nano"
    case flex: "Data with flex"
    case bytes: "Data or [UInt8]"
    case 26: "[Int32]"
    case 27: "[Int64]"
    case 28: "[Float]"
    case 30: "[String]"
    default: "type \(number)"
    }
  }

  /// Whether values have an order or equality that an index can use.
  var canBeIndexed: Bool {
    guard let number else { return true }
    return ![7, 8, Self.flex, Self.bytes, 26, 27, 28, 30].contains(number)
  }
}

/// Types of Swift and Foundation that are not stored, with what to do.
let unstorableTypes = [
  "NSString": "declare it as String", "NSDate": "declare it as Date",
  "NSData": "declare it as Data", "NSNumber": "declare it as Int, Double or Bool",
  "NSTimeInterval": "declare it as Double", "CGFloat": "declare it as Double",
  "Float80": "declare it as Double", "Substring": "declare it as String",
  "Character": "declare it as String",
]

/// Types that are stored by a converter.
let convertibleTypes: Set = [
  "URL", "UUID", "Decimal", "Set", "Dictionary", "NSArray", "NSSet", "NSDictionary", "Any",
  "AnyObject", "Int128", "UInt128", "Calendar", "Locale", "TimeZone",
]
