/// The type of a stored value, with its number in `model.json`.
struct EntityPropertyType: Hashable {
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

  /// The types by name: what messages call their numbers comes first.
  private static let scalars: [(name: String, type: EntityPropertyType)] = [
    ("Bool", EntityPropertyType(text: "Swift.Bool", number: 1)),
    ("Int8", EntityPropertyType(text: "Swift.Int8", number: 2)),
    ("UInt8", EntityPropertyType(text: "Swift.UInt8", number: 2, isUnsigned: true)),
    ("Byte", EntityPropertyType(text: "Swift.UInt8", number: 2, isUnsigned: true, isAlias: true)),
    ("Int16", EntityPropertyType(text: "Swift.Int16", number: 3)),
    ("UInt16", EntityPropertyType(text: "Swift.UInt16", number: 3, isUnsigned: true)),
    ("Int32", EntityPropertyType(text: "Swift.Int32", number: 5)),
    ("UInt32", EntityPropertyType(text: "Swift.UInt32", number: 5, isUnsigned: true)),
    ("Int", EntityPropertyType(text: "Swift.Int", number: long)),
    ("Int64", EntityPropertyType(text: "Swift.Int64", number: long)),
    ("UInt", EntityPropertyType(text: "Swift.UInt", number: long, isUnsigned: true)),
    ("UInt64", EntityPropertyType(text: "Swift.UInt64", number: long, isUnsigned: true)),
    ("Id", EntityPropertyType(text: "KennelBox.Id", number: long)),
    ("Float", EntityPropertyType(text: "Swift.Float", number: 7)),
    ("Double", EntityPropertyType(text: "Swift.Double", number: 8)),
    ("TimeInterval", EntityPropertyType(text: "Swift.Double", number: 8)),
    ("String", EntityPropertyType(text: "Swift.String", number: string)),
    ("Date", EntityPropertyType(text: "Foundation.Date", number: date)),
    ("Data", EntityPropertyType(text: "Foundation.Data", number: bytes)),
  ]

  private static let arrays = [
    "UInt8": bytes, "Byte": bytes, "Int32": 26, "Int64": 27, "Float": 28, "String": 30,
  ]

  /// A type by its name alone.
  static func named(_ name: String) -> EntityPropertyType? {
    scalars.first { $0.name == name }?.type
  }

  /// An array of a type.
  static func array(of name: String) -> EntityPropertyType? {
    guard let number = arrays[name], let element = named(name)?.text else { return nil }
    return EntityPropertyType(text: "[\(element)]", number: number)
  }

  /// The number of the type that is stored alike: integers without a sign take twice the width.
  static func stored(_ number: Int, isUnsigned: Bool) -> Int {
    let alike = isUnsigned ? [2: 3, 3: 5, 5: long] : [:]
    return alike[number] ?? [nanoseconds: date, flex: bytes][number] ?? number
  }

  /// The type of a number, for messages.
  static func description(of number: Int) -> String {
    let special = [
      relation: "ToOne", nanoseconds: "Date with date-nano", flex: "Data with flex",
      bytes: "Data or [UInt8]",
    ]
    return special[number] ?? scalars.first { $0.type.number == number }?.name
      ?? arrays.first { $0.value == number }.map { "[\($0.key)]" } ?? "type \(number)"
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
