public import KennelCore

// Reading and writing once more for integers and texts. A generic call goes through a witness, which the
// compiler does not inline into programs; these have none on their way.

extension EntityReader {
  /// Returns the value of an integer property.
  @inlinable
  public func read<V: EntityScalar & FixedWidthInteger>(at number: Int) throws -> V
  where V.Stored == Int64 {
    guard let stored = try Int64._readWord(object, map.columns[number], in: reader),
      let value = V(word: stored)
    else { throw unreadable(object, map.columns[number], V.self, reader) }
    return value
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
    let stored = Int64(truncatingIfNeeded: value)
    if isCollecting {
      collected?[number] = .int(stored)
      return
    }
    let column = map.columns[number]
    if try !isBlank && Int64._isStored(stored, object, column, in: transaction) { return }
    try Int64._setWord(stored, object, column, in: transaction)
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
