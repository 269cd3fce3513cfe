/// Writes the body of an entry of a journal: numbers little-endian, text and values with their length.
package struct JournalBodyWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ number: some FixedWidthInteger) {
    bytes.append(number: number)
  }

  package mutating func append(_ text: String) {
    append(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func append(_ value: Value) {
    bytes.append(length: UInt64.self) { MixedCodec.encode(value, into: &$0) }
  }

  package mutating func append(_ value: Value?) {
    append(UInt8(value == nil ? 0 : 1))
    if let value { append(value) }
  }

  package mutating func append(_ object: ObjectIdentity) {
    append(object.classKey.rawValue)
    append(object.key.rawValue)
  }
}

/// Reads what ``JournalBodyWriter`` wrote; every length is checked.
package struct JournalBodyReader {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// How many bytes are left; no count of anything can be greater.
  package var byteCount: Int { rest.count }

  package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(JournalFault) -> Number {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { throw Self.tooShort }
    defer { rest = rest.dropFirst(size) }
    return unsafe rest.withUnsafeBytes {
      unsafe Number(littleEndian: $0.loadUnaligned(as: Number.self))
    }
  }

  package mutating func text() throws(JournalFault) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw .damaged("its text is not UTF-8")
    }
    return text
  }

  package mutating func value() throws(JournalFault) -> Value {
    let bytes = Array(try bytes())
    guard let value = try? Value(cell: bytes, kind: .mixed) else {
      throw .damaged("it has a value that is none")
    }
    return value
  }

  package mutating func optionalValue() throws(JournalFault) -> Value? {
    try flag() ? try value() : nil
  }

  package mutating func flag() throws(JournalFault) -> Bool {
    let byte = try number(UInt8.self)
    guard byte < 2 else { throw .damaged("a truth value is neither true nor false") }
    return byte == 1
  }

  package mutating func object() throws(JournalFault) -> ObjectIdentity {
    let classKey = ClassKey(rawValue: try number())
    let key = ObjectKey(rawValue: try number())
    guard key.rawValue < ObjectKey.limit else { throw .damaged("an object key is too large") }
    return ObjectIdentity(classKey, key)
  }

  private mutating func bytes() throws(JournalFault) -> ArraySlice<UInt8> {
    let length = try number(UInt64.self)
    guard length <= UInt64(rest.count) else { throw Self.tooShort }
    defer { rest = rest.dropFirst(Int(length)) }
    return rest.prefix(Int(length))
  }

  private static let tooShort = JournalFault.damaged("it ends too early")
}
