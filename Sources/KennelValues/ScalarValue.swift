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
  /// The value of a new object in a property that has no default and is never null.
  static var initial: Self { get }
}

/// The Swift type of a kind of scalar, which says all that is to know of the kind.
///
/// ``ValueKind/scalar`` is the type of a kind, and the scalars of ``Value/shape`` are its values: what
/// works with scalars of every kind asks them, and lists no kinds.
public protocol ScalarKind: ScalarValue {
  /// The place of the kind in the order of all values, which indexes store; numbers share one.
  static var rank: UInt8 { get }

  /// Whether a property of the kind can be a primary key.
  static var canBePrimaryKey: Bool { get }

  /// Describes its text, to end a sentence with.
  static var textForm: String { get }

  /// The names that the query language has for its literals, as in `uuid(…)`; none where a literal
  /// says its kind by itself.
  static var literalNames: [String] { get }

  /// An example of a literal in the query language.
  static var literalForm: String { get }

  /// The name of the type in JSON schemas.
  static var schemaName: String { get }

  /// The type in generated models.
  static var swiftName: String { get }

  /// Reads what ``valueText`` writes; `nil` for another text, if no sentence says more than
  /// ``textForm``.
  static func parse(_ text: String) throws(ValueTextError) -> Self?

  /// The value as text.
  var valueText: String { get }

  /// The value as text that says its kind.
  var mixedText: String { get }

  /// An expression of Swift that makes the value; `nil` if none does exactly.
  var swiftLiteral: String? { get }

  /// The value as a number, if it is one.
  var number: NumericValue? { get }

  /// The stored form.
  var stored: StoredScalar { get }

  /// Compares with a value of the same kind: negative, 0 or positive.
  func order(_ other: Self) -> Int
}

/// The stored form of a scalar.
public enum StoredScalar: Hashable, Sendable {
  /// One word, of which so many bytes matter.
  case word(UInt64, byteCount: Int)
  /// Two words, of whose second so many bytes matter.
  case pair(UInt64, UInt64, byteCount: Int)
  /// Bytes.
  case bytes([UInt8])
}

extension ScalarKind {
  /// Literals that say their kind by themselves.
  public static var literalNames: [String] { [] }

  /// Most kinds cannot be a primary key.
  public static var canBePrimaryKey: Bool { false }

  /// The name of the kind.
  public static var schemaName: String { "\(kind)" }

  /// The name of the type.
  public static var swiftName: String { "\(Self.self)" }

  /// The text with the name of the kind.
  public var mixedText: String { "\(Self.kind)(\(valueText))" }

  /// Most kinds are no numbers.
  public var number: NumericValue? { nil }

  /// Compares with a value, which has to be of the same kind.
  package func order(with value: Value) -> Int { Self(value).map(order) ?? 0 }

  /// Reads a text as a value.
  static func parsed(_ text: String) throws(ValueTextError) -> Value? { try parse(text)?.value }
}

extension ScalarValue {
  /// The value of a new object, without its type.
  package static var initialValue: Value { initial.value }
}

extension ScalarKind where Self: LosslessStringConvertible {
  /// The description.
  public var valueText: String { description }

  /// Reads a description.
  public static func parse(_ text: String) throws(ValueTextError) -> Self? { Self(text) }
}

/// A scalar that is stored as one word.
///
/// ```swift
/// let word = Int64(-1).storedWord
/// print(Int64.fromStored(word))
/// ```
public protocol WordValue: ScalarKind {
  /// How many bytes of the word matter.
  static var byteCount: Int { get }

  /// How words compare in the order of their values.
  static var wordOrder: WordOrdering { get }

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
public protocol PairValue: ScalarKind {
  /// How many bytes of the second word matter.
  static var byteCount: Int { get }

  /// The bits to flip in the first word, so that words compare in the order of their values; `nil` if
  /// no mask does that.
  static var orderMask: UInt64? { get }

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

  /// Its word.
  public var stored: StoredScalar { .word(storedWord, byteCount: Self.byteCount) }

  /// Compares the words.
  public func order(_ other: Self) -> Int {
    let ranks = (Self.wordOrder.rank(of: storedWord), Self.wordOrder.rank(of: other.storedWord))
    return ranks.0 < ranks.1 ? -1 : ranks.0 > ranks.1 ? 1 : 0
  }

  /// The value of a word.
  package static func value(of word: UInt64) -> Value { fromStored(word).value }

  /// The value of a word; `nil` if no value has it.
  package static func checkedValue(of word: UInt64) -> Value? {
    let value = fromStored(word)
    return value.storedWord == word ? value.value : nil
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

  /// Its words.
  public var stored: StoredScalar {
    .pair(storedPair.0, storedPair.1, byteCount: Self.byteCount)
  }

  /// Compares the words.
  public func order(_ other: Self) -> Int {
    let mask = Self.orderMask ?? 0
    let pairs = (
      (storedPair.0 ^ mask, storedPair.1), (other.storedPair.0 ^ mask, other.storedPair.1)
    )
    return pairs.0 < pairs.1 ? -1 : pairs.0 == pairs.1 ? 0 : 1
  }

  /// The value of two words; `nil` if no value has them.
  package static func checkedValue(of pair: (UInt64, UInt64)) -> Value? {
    guard let value = fromStored(pair), value.storedPair == pair else { return nil }
    return value.value
  }

  /// The value of two words, of which what no value has is left out; `nil` if that is not enough.
  package static func value(of pair: (UInt64, UInt64)) -> Value? { fromStored(pair)?.value }
}

extension BytesValue where Self: ScalarKind {
  /// Its bytes.
  public var stored: StoredScalar {
    withStoredBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe .bytes(Array($0)) } }
  }

  /// Compares the bytes.
  public func order(_ other: Self) -> Int {
    withStoredBytes { bytes in
      other.withStoredBytes { others in
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe others.withUnsafeBytes { others in unsafe orderBytes(bytes, others) }
        }
      }
    }
  }

  /// The value of bytes; `nil` if no value has them.
  package static func value(of bytes: RawSpan) -> Value? { fromStored(bytes)?.value }
}

extension PropertyType {
  /// The value of a new object in a property of this type that has no default.
  public var initialValue: Value {
    if collection != .none { return collection.empty }
    return isOptional ? .null : kind.scalar?.initialValue ?? .null
  }
}
