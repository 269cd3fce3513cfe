/// A Swift type for properties that hold one value: a scalar, or a link.
///
/// ```swift
/// func elements<V: SingleValue>(of list: [Value], as type: V.Type) -> [V] {
///   list.compactMap { V($0) }
/// }
/// print(elements(of: [.int(3), .null, .int(5)], as: Int64.self))
/// ```
public protocol SingleValue: Sendable {
  /// The kind of the properties that hold it.
  static var kind: ValueKind { get }

  /// Makes it from a stored value; `nil` for one of another kind.
  init?(_ value: Value)

  /// The value to store.
  var value: Value { get }
}

extension ObjectIdentity: SingleValue {
  /// The kind of the properties that hold links.
  @inlinable public static var kind: ValueKind { .link }

  /// Makes it from a link; `nil` for a value of another kind.
  public init?(_ value: Value) {
    guard case .link(let link) = value else { return nil }
    self = link
  }

  /// The value to store.
  public var value: Value { .link(self) }
}

/// A Swift type whose values are scalars.
///
/// ```swift
/// func initial(_ type: any ScalarValue.Type) -> String { ValueText.describe(type.initial.value) }
/// print(initial(Int64.self), initial(Timestamp.self))
/// ```
///
/// A scalar type conforms to the protocol of its storage form: ``WordValue``, ``PairValue`` or
/// ``BytesValue``.
public protocol ScalarValue: SingleValue {
  /// What a new object has in a property that has no default and is never null.
  static var initial: Self { get }
}

/// A scalar that is stored as one word.
///
/// ```swift
/// let word = Int64(-1).storedWord
/// print(Int64.fromStored(word))
/// ```
public protocol WordValue: ScalarValue {
  /// Makes it from its word.
  static func fromStored(_ word: UInt64) -> Self

  /// The word that is stored.
  var storedWord: UInt64 { get }
}

/// A scalar that is stored as two words.
///
/// ```swift
/// let pair = Timestamp(seconds: 90).storedPair
/// print(Timestamp.fromStored(pair)?.seconds ?? 0)
/// ```
public protocol PairValue: ScalarValue {
  /// Makes it from its words; `nil` if they represent no value.
  static func fromStored(_ pair: (UInt64, UInt64)) -> Self?

  /// The words that are stored.
  var storedPair: (UInt64, UInt64) { get }
}

/// A scalar that is stored as any number of bytes.
///
/// ```swift
/// let name = "Rex".withStoredBytes { bytes in String.fromStored(bytes) }
/// print(name ?? "")
/// ```
public protocol BytesValue: ScalarValue {
  /// Makes it from its bytes; `nil` if they represent no value.
  static func fromStored(_ bytes: RawSpan) -> Self?

  /// Calls a function with the bytes that are stored.
  func withStoredBytes<Result>(_ body: (RawSpan) -> Result) -> Result
}

extension WordValue {
  /// Makes it from a stored value; `nil` for one of another kind.
  public init?(_ value: Value) {
    guard value.kind == Self.kind, let word = value.word else { return nil }
    self = .fromStored(word)
  }
}

extension PairValue {
  /// Makes it from a stored value; `nil` for one of another kind.
  public init?(_ value: Value) {
    guard value.kind == Self.kind, let pair = value.pair, let made = Self.fromStored(pair) else {
      return nil
    }
    self = made
  }
}

extension PropertyType {
  /// What a new object has in a property of this type that has no default.
  public var initialValue: Value {
    if collection != .none { return collection.empty }
    if isOptional { return .null }
    return switch kind {
    case .bool: Bool.initial.value
    case .int: Int64.initial.value
    case .float: Float.initial.value
    case .double: Double.initial.value
    case .string: String.initial.value
    case .data: [UInt8].initial.value
    case .date: Timestamp.initial.value
    case .objectId: ObjectId.initial.value
    case .uuid: UUIDValue.initial.value
    case .decimal128: Decimal128.initial.value
    case .mixed, .link: .null
    }
  }
}
