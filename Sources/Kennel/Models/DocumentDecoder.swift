internal import KennelCore

/// Decodes a value from a tree of values.
internal struct DocumentDecoder: Decoder, SingleValueDecodingContainer {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Reads a value of a type.
  func get<T: Decodable>(_ type: T.Type) throws -> T {
    if type == Value.self, let found = value as? T { return found }
    if type == [UInt8].self, case .data(let bytes) = value, let found = bytes as? T {
      return found
    }
    if let number = type as? any FixedWidthInteger.Type {
      if case .int(let whole) = value, let found = Self.exact(whole, number) as? T { return found }
      throw mismatch(type)
    }
    if type == Double.self, let found = value.asDouble as? T { return found }
    if type == Float.self, let found = value.asDouble.map({ Float($0) }) as? T { return found }
    if let scalar = type as? any Scalar.Type, let found = Self.scalar(value, scalar) as? T {
      return found
    }
    return try T(from: self)
  }

  private static func exact<I: FixedWidthInteger>(_ whole: Int64, _ type: I.Type) -> I? {
    I(exactly: whole)
  }

  private static func scalar<S: Scalar>(_ value: Value, _ type: S.Type) -> S? {
    S._scalar(of: value)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let entries) = value else { throw mismatch([String: Value].self) }
    let values = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    return KeyedDecodingContainer(KeyedReading(values: values, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = value else { throw mismatch([Value].self) }
    return UnkeyedReading(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // What a scalar decodes of itself would ask here again.
    let isScalar = type is any Scalar.Type || type is any FixedWidthInteger.Type
    if isScalar, let known = try? get(type) { return known }
    if isScalar { throw mismatch(type) }
    return try get(type)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    if value.isNull {
      return .valueNotFound(
        type,
        .init(codingPath: codingPath, debugDescription: "there is no value")
      )
    }
    return .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: "the value has another type")
    )
  }
}

private struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: Value]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  private func decoder(_ key: any CodingKey) throws -> DocumentDecoder {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)")
      )
    }
    return DocumentDecoder(value: value, codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNull }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(key).get(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(TextKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct UnkeyedReading: UnkeyedDecodingContainer {
  let elements: [Value]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  init(elements: [Value], codingPath: [any CodingKey]) {
    (self.elements, self.codingPath) = (elements, codingPath)
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func current() throws -> DocumentDecoder {
    let path = codingPath + [TextKey(position: currentIndex)]
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        Value.self,
        .init(codingPath: path, debugDescription: "the list has only \(elements.count) elements")
      )
    }
    return DocumentDecoder(value: elements[currentIndex], codingPath: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard try current().value.isNull else { return false }
    currentIndex += 1
    return true
  }

  private mutating func next<T>(_ read: (DocumentDecoder) throws -> T) throws -> T {
    let value = try read(current())
    currentIndex += 1
    return value
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.get(type) } }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

extension Value {
  fileprivate var asDouble: Double? { kind == .decimal128 ? nil : number?.nearestDouble }
}
