extension Bool: WordValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .bool }
  /// False.
  public static var initial: Bool { false }

  /// Behind null.
  public static var rank: UInt8 { 1 }
  /// One byte.
  public static var byteCount: Int { 1 }
  /// False first.
  @inlinable public static var wordOrder: WordOrdering { .unsigned(upTo: 1) }
  /// Two words.
  public static var textForm: String { "true or false" }
  /// An example.
  public static var literalForm: String { "true or false" }
  /// The text, which says its kind.
  public var mixedText: String { valueText }
  /// The text.
  public var swiftLiteral: String? { valueText }

  /// Makes it from its word.
  @inlinable
  public static func fromStored(_ word: UInt64) -> Bool { word != 0 }

  /// 1 for true, 0 for false.
  @inlinable public var storedWord: UInt64 { self ? 1 : 0 }

  /// The value to store.
  public var value: Value { .bool(self) }
}

extension Int64: WordValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .int }
  /// 0.
  public static var initial: Int64 { 0 }

  /// That of numbers.
  public static var rank: UInt8 { NumericValue.rank }
  /// A primary key can be a number.
  public static var canBePrimaryKey: Bool { true }
  /// A whole word.
  public static var byteCount: Int { 8 }
  /// As numbers.
  @inlinable public static var wordOrder: WordOrdering { .signed }
  /// Digits.
  public static var textForm: String { "a whole number" }
  /// An example.
  public static var literalForm: String { "a number" }
  /// MongoDB's name of 64 bits.
  public static var schemaName: String { "long" }
  /// Swift's usual number.
  public static var swiftName: String { "Int" }
  /// The text, which says its kind.
  public var mixedText: String { valueText }
  /// The text.
  public var swiftLiteral: String? { self == .min ? "Int.min" : valueText }
  /// Itself.
  public var number: NumericValue? { .int(self) }

  /// Makes it from its word.
  @inlinable
  public static func fromStored(_ word: UInt64) -> Int64 { Int64(bitPattern: word) }

  /// Its bits.
  @inlinable public var storedWord: UInt64 { UInt64(bitPattern: self) }

  /// The value to store.
  public var value: Value { .int(self) }
}

extension Float: WordValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .float }
  /// 0.
  public static var initial: Float { 0 }

  /// Its size.
  public static var byteCount: Int { 4 }
  /// As numbers.
  @inlinable public static var wordOrder: WordOrdering { .float }
  /// A number alone is a double.
  public static var literalNames: [String] { ["float"] }
  /// Itself.
  public var number: NumericValue? { .float(self) }

  /// Makes it from its word.
  @inlinable
  public static func fromStored(_ word: UInt64) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: word))
  }

  /// Its bits.
  @inlinable public var storedWord: UInt64 { UInt64(bitPattern) }

  /// The value to store.
  public var value: Value { .float(self) }
}

extension Double: WordValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .double }
  /// 0.
  public static var initial: Double { 0 }

  /// Its size.
  public static var byteCount: Int { 8 }
  /// As numbers.
  @inlinable public static var wordOrder: WordOrdering { .double }
  /// The text, which says its kind where it is a number.
  public var mixedText: String { isFinite ? valueText : "double(\(valueText))" }
  /// Itself.
  public var number: NumericValue? { .double(self) }

  /// Makes it from its word.
  @inlinable
  public static func fromStored(_ word: UInt64) -> Double { Double(bitPattern: word) }

  /// Its bits.
  @inlinable public var storedWord: UInt64 { bitPattern }

  /// The value to store.
  public var value: Value { .double(self) }
}

extension ScalarKind where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// That of numbers.
  public static var rank: UInt8 { NumericValue.rank }
  /// Digits.
  public static var textForm: String { "a number such as 1.5 or 2e10, inf, -inf or nan" }
  /// Digits.
  public static var literalForm: String { "a number" }
  /// MongoDB has one kind of them.
  public static var schemaName: String { "double" }
  /// The shortest text that is read as this number, or the bits of a NaN.
  public var valueText: String { FloatText.text(self) }
  /// The text of a number.
  public var swiftLiteral: String? { isFinite ? valueText : nil }

  /// Reads a number.
  public static func parse(_ text: String) throws(ValueTextError) -> Self? {
    try FloatText.parse(text)
  }
}
