extension String: BytesValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .string }
  /// Empty.
  public static var initial: String { "" }

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

extension Array: SingleValue, ScalarValue, BytesValue where Element == UInt8 {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .data }
  /// Empty.
  public static var initial: [UInt8] { [] }

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
