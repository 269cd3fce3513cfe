extension String: BytesValue, ScalarKind {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .string }
  /// Empty.
  public static var initial: String { "" }

  /// Behind numbers.
  public static var rank: UInt8 { 6 }
  /// A primary key can be a text.
  public static var canBePrimaryKey: Bool { true }
  /// Anything.
  public static var textForm: String { "text" }
  /// An example.
  public static var literalForm: String { "text in quotes" }
  /// Itself.
  public var valueText: String { self }
  /// The text in quotes.
  public var mixedText: String { ValueText.quote(self) }
  /// The text in quotes.
  public var swiftLiteral: String? { ValueText.quote(self, with: "\"") }

  /// Makes it from its bytes; `nil` for bytes that are not UTF-8.
  @inlinable
  public static func fromStored(_ bytes: RawSpan) -> String? {
    unsafe bytes.withUnsafeBytes { unsafe String(utf8: $0) }
  }

  /// Calls a function with the UTF-8 bytes.
  @inlinable
  public func withStoredBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    unsafe body(utf8Span.span.bytes)
  }

  /// Makes it from a stored value; `nil` for one of another kind.
  public init?(_ value: Value) {
    guard case .string(let text) = value else { return nil }
    self = text
  }

  /// The value to store.
  public var value: Value { .string(self) }
}

extension String {
  /// Makes a text of its bytes; `nil` if they are not UTF-8.
  ///
  /// `String(validating:as:)` looks types up in the runtime each time: a short text takes four times as
  /// long.
  @inlinable
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    let units = unsafe bytes.assumingMemoryBound(to: UInt8.self)
    guard let text = try? UTF8Span(validating: unsafe units.span) else { return nil }
    self.init(copying: text)
  }
}

extension Array: SingleValue, ScalarValue, ScalarKind, BytesValue where Element == UInt8 {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .data }
  /// Empty.
  public static var initial: [UInt8] { [] }

  /// Behind strings.
  public static var rank: UInt8 { 7 }
  /// Digits or base64.
  public static var textForm: String { "bytes as hex:0aff or base64:Cv8=" }
  /// The name of the kind.
  public static var literalNames: [String] { ["data"] }
  /// An example.
  public static var literalForm: String { "data such as data(0aff)" }
  /// MongoDB's name.
  public static var schemaName: String { "binData" }
  /// An array.
  public static var swiftName: String { "[UInt8]" }
  /// Hexadecimal digits.
  public var valueText: String { "hex:" + BytesText.hexadecimal(self) }
  /// An array of numbers; `nil` of more bytes than a source file should have.
  public var swiftLiteral: String? {
    count <= 1024 ? "[\(map { "\($0)" }.joined(separator: ", "))]" : nil
  }

  /// Reads hexadecimal digits or base64.
  public static func parse(_ text: String) throws(ValueTextError) -> [UInt8]? {
    if text.hasPrefix("hex:") { return BytesText.bytes(hexadecimal: text.utf8.dropFirst(4)) }
    if text.hasPrefix("base64:") { return BytesText.bytes(base64: text.utf8.dropFirst(7)) }
    return nil
  }

  /// Makes it from its bytes.
  @inlinable
  public static func fromStored(_ bytes: RawSpan) -> [UInt8]? {
    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  /// Calls a function with the bytes.
  @inlinable
  public func withStoredBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    unsafe body(span.bytes)
  }

  /// Makes it from a stored value; `nil` for one of another kind.
  public init?(_ value: Value) {
    guard case .data(let bytes) = value else { return nil }
    self = bytes
  }

  /// The value to store.
  public var value: Value { .data(self) }
}
