extension Bool: WordValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .bool }
  /// False.
  public static var initial: Bool { false }

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

  /// Makes it from its word.
  @inlinable
  public static func fromStored(_ word: UInt64) -> Double { Double(bitPattern: word) }

  /// Its bits.
  @inlinable public var storedWord: UInt64 { bitPattern }

  /// The value to store.
  public var value: Value { .double(self) }
}
