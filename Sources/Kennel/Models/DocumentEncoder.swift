internal import KennelCore

/// Encodes a value as a tree of values.
internal struct DocumentEncoder: Encoder, SingleValueEncodingContainer {
  /// A place of the tree that containers fill.
  final class Node {
    var value = Value.null
    var elements: [Node]?
    var entries: [(String, Node)]?

    var whole: Value {
      if let elements { return .list(elements.map(\.whole)) }
      if let entries { return .map(entries.map { MapEntry($0.0, $0.1.whole) }) }
      return value
    }
  }

  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func encode(_ value: some Encodable) throws -> Value {
    let node = Node()
    try DocumentEncoder(node: node, codingPath: []).encode(value)
    return node.whole
  }

  func encodeNil() { node.value = .null }

  /// Puts a value into the node.
  func encode(_ value: some Encodable) throws {
    switch value {
    case let value as Value: node.value = value
    // An empty array of anything else can be cast, too.
    case let bytes as [UInt8] where type(of: value) is [UInt8].Type: node.value = .data(bytes)
    case let scalar as any Scalar: node.value = scalar._singleValue
    case let number as any FixedWidthInteger:
      guard let whole = Int64(exactly: number) else {
        throw EncodingError.invalidValue(
          value,
          .init(codingPath: codingPath, debugDescription: "\(number) does not fit 64 bits")
        )
      }
      node.value = .int(whole)
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if node.entries == nil { node.entries = [] }
    return KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if node.elements == nil { node.elements = [] }
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func child(_ key: any CodingKey) -> DocumentEncoder {
    let child = Node()
    node.entries = (node.entries ?? []) + [(key.stringValue, child)]
    return DocumentEncoder(node: child, codingPath: codingPath + [key])
  }

  fileprivate func next() -> DocumentEncoder {
    let child = Node()
    node.elements = (node.elements ?? []) + [child]
    return DocumentEncoder(node: child, codingPath: codingPath)
  }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: DocumentEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { _ = encoder.child(key) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    try encoder.child(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.child(TextKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  let encoder: DocumentEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elements?.count ?? 0 }

  func encodeNil() { _ = encoder.next() }
  func encode(_ value: some Encodable) throws { try encoder.next().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.next().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.next() }
}

/// A key that is a text or a position.
internal struct TextKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ text: String) { (stringValue, intValue) = (text, nil) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(position: intValue) }
  init(position: Int) { (stringValue, intValue) = ("\(position)", position) }
}
