public import KennelCore

// Reading and writing once more for the values that most properties hold. A generic call goes through
// a witness, which the compiler does not inline into programs; these have none on their way.

extension EntityReader {
  /// Returns the value of an integer property.
  @inlinable
  public func read<V: EntityScalar & FixedWidthInteger>(at number: Int) throws -> V
  where V.Stored == Int64 {
    guard let value: V = try integer(number) else {
      throw unreadable(object, map.columns[number], V.self, reader)
    }
    return value
  }

  /// Returns the value of an optional integer property.
  @inlinable
  public func read<V: EntityScalar & FixedWidthInteger>(at number: Int) throws -> V?
  where V.Stored == Int64 {
    try integer(number)
  }

  @inlinable
  func integer<V: EntityScalar & FixedWidthInteger>(_ number: Int) throws -> V?
  where V.Stored == Int64 {
    guard let stored = try Int64._readWord(object, map.columns[number], in: reader) else {
      return nil
    }
    guard let value = V(word: stored) else {
      throw unreadable(object, map.columns[number], V.self, reader)
    }
    return value
  }

  /// Returns the value of a property that is stored as one word.
  @inlinable
  public func read<V: EntityScalar & ScalarPropertyValue & WordValue>(
    at number: Int
  ) throws -> V where V.Stored == V {
    guard let value = try V._readWord(object, map.columns[number], in: reader) else {
      throw unreadable(object, map.columns[number], V.self, reader)
    }
    return value
  }

  /// Returns the value of an optional property that is stored as one word.
  @inlinable
  public func read<V: EntityScalar & ScalarPropertyValue & WordValue>(
    at number: Int
  ) throws -> V? where V.Stored == V {
    try V._readWord(object, map.columns[number], in: reader)
  }

  /// Returns the value of a text property.
  @inlinable
  public func read(at number: Int) throws -> String {
    guard let value = try String._readBytes(object, map.columns[number], in: reader) else {
      throw unreadable(object, map.columns[number], String.self, reader)
    }
    return value
  }

  /// Returns the value of an optional text property.
  @inlinable
  public func read(at number: Int) throws -> String? {
    try String._readBytes(object, map.columns[number], in: reader)
  }
}

extension EntityWriter {
  /// Writes the value of an integer property.
  @inlinable
  public mutating func write<V: EntityScalar & FixedWidthInteger>(
    _ value: V,
    at number: Int
  ) throws where V.Stored == Int64 {
    try write(Int64(truncatingIfNeeded: value) as Int64?, word: number)
  }

  /// Writes the value of an optional integer property.
  @inlinable
  public mutating func write<V: EntityScalar & FixedWidthInteger>(
    _ value: V?,
    at number: Int
  ) throws where V.Stored == Int64 {
    try write(value.map { value in Int64(truncatingIfNeeded: value) }, word: number)
  }

  /// Writes the value of a property that is stored as one word.
  @inlinable
  public mutating func write<V: EntityScalar & ScalarPropertyValue & WordValue>(
    _ value: V,
    at number: Int
  ) throws where V.Stored == V {
    try write(value as V?, word: number)
  }

  /// Writes the value of an optional property that is stored as one word.
  @inlinable
  public mutating func write<V: EntityScalar & ScalarPropertyValue & WordValue>(
    _ value: V?,
    at number: Int
  ) throws where V.Stored == V {
    try write(value, word: number)
  }

  @inlinable
  mutating func write<V: ScalarPropertyValue & WordValue>(
    _ value: V?,
    word number: Int
  ) throws {
    if isCollecting {
      collected?[number] = value?.value ?? .null
      return
    }
    let column = map.columns[number]
    if try isBlank ? value == nil : V._isStored(value, object, column, in: transaction) { return }
    try V._setWord(value, object, column, in: transaction)
  }

  /// Writes the value of a text property.
  @inlinable
  public mutating func write(_ value: String, at number: Int) throws {
    try write(value as String?, at: number)
  }

  /// Writes the value of an optional text property.
  @inlinable
  public mutating func write(_ value: String?, at number: Int) throws {
    if isCollecting {
      collected?[number] = value.map(Value.string) ?? .null
      return
    }
    let column = map.columns[number]
    if try isBlank ? value == nil : String._isStored(value, object, column, in: transaction) {
      return
    }
    try String._setBytes(value, object, column, in: transaction)
  }
}
