/// A mixed value as the file has it, of which parts are read without the rest.
package struct MixedBytes: Sendable {
  private let bytes: [UInt8]

  /// Encodes a value.
  package init(_ value: Value) { bytes = MixedCodec.encode(value) }

  /// Copies a list or map that is stored; `nil` for bytes of another value.
  package init?(collection stored: RawSpan) {
    let bytes = unsafe stored.withUnsafeBytes { unsafe StoredBytes($0) }
    guard MixedCodec.isCollection(bytes) else { return nil }
    self.bytes = Array(bytes)
  }

  /// The single value that is stored; `nil` for bytes of no value.
  package static func single(_ stored: RawSpan) -> Value? {
    unsafe stored.withUnsafeBytes { unsafe try? MixedCodec.decode(StoredBytes($0)) }
  }

  /// Whether it is a map.
  package var isMap: Bool { bytes.withRawBytes { MixedCodec.isMap($0) } }

  /// The value under a key of a map; `nil` if there is none.
  ///
  /// Linear in the number of entries before it; no other value is made.
  package func entry(_ key: String) throws(StorageError) -> Value? {
    try bytes.withRawBytes { (bytes) throws(StorageError) in try MixedCodec.entry(key, of: bytes) }
  }

  /// The number of elements.
  package func count() throws(StorageError) -> Int {
    try bytes.withRawBytes { (bytes) throws(StorageError) in try MixedCodec.elementCount(bytes) }
  }

  /// The value.
  package func value() throws(StorageError) -> Value {
    try bytes.withRawBytes { (bytes) throws(StorageError) in try MixedCodec.decode(bytes) }
  }

  /// Calls a function with the bytes.
  package func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    unsafe body(bytes.span.bytes)
  }
}
