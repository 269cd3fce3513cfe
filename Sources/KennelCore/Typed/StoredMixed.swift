// swift-format-ignore-file: NoLeadingUnderscores

public import KennelStorage

/// The value of a mixed property: a single value, or a list or map in its stored form.
///
/// For interfaces built on this module: an entry of a map is read without the others.
@_spi(Faces)
public enum StoredMixed {
  /// A value that is not a collection.
  case single(Value)
  /// A list or map.
  case collection(StoredCollection)
}

/// A list or map in a mixed property, in its stored form.
@_spi(Faces)
public struct StoredCollection: Sendable {
  fileprivate let content: MixedBytes

  /// Whether it is a map.
  public var isMap: Bool { content.isMap }

  /// Returns the value under a key.
  ///
  /// Linear in the number of entries before it.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `nil` if there is none, or this is a list.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func entry(_ key: String) throws(DatabaseError) -> Value? {
    try storing(content.entry(key))
  }

  /// Returns the number of elements.
  ///
  /// Linear.
  ///
  /// - Returns: The number.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func count() throws(DatabaseError) -> Int {
    try storing(content.count())
  }

  /// Returns the list or map.
  ///
  /// Linear.
  ///
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func value() throws(DatabaseError) -> Value {
    try storing(content.value())
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@_spi(Faces)
extension StoredMixed: BytesValue, NullablePropertyValue {
  public static var kind: ValueKind { .mixed }
  public static var initial: StoredMixed { .single(.null) }

  public init?(_ value: Value) {
    self =
      value.isCollection
      ? .collection(StoredCollection(content: MixedBytes(value))) : .single(value)
  }

  public static func fromStored(_ bytes: RawSpan) -> StoredMixed? {
    if let content = MixedBytes(collection: bytes) {
      return .collection(StoredCollection(content: content))
    }
    return MixedBytes.single(bytes).map { .single($0) }
  }

  public func withStoredBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    switch self {
    case .single(let value): MixedBytes(value).withBytes(body)
    case .collection(let collection): collection.content.withBytes(body)
    }
  }

  /// The value; null where the bytes of a list or map are damaged.
  public var value: Value { (try? checkedValue()) ?? .null }

  private var isNull: Bool {
    if case .single(.null) = self { true } else { false }
  }

  private func checkedValue() throws(DatabaseError) -> Value {
    switch self {
    case .single(let value): value
    case .collection(let collection): try collection.value()
    }
  }

  public static func _setNullable(
    _ value: StoredMixed?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, !value.isNull,
      value.withStoredBytes({ transaction.pointWriter.setBytes(object, property, .mixed, $0) })
    {
      return
    }
    try transaction.set(object, property: property, to: value?.checkedValue() ?? .null)
  }
}
