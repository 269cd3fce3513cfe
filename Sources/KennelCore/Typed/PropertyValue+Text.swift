public import KennelStorage

extension String: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .string }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .string(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .string(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> Self? {
    if let bytes = snapshot.points.cell(object, property, .string), bytes.isASCII {
      return String(decoding: bytes, as: UTF8.self)
    }
    return try snapshot.loaded(object, property)
  }

  /// Sets a property, to null without a value.
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    guard var value else {
      try transaction.setCell(object, property, .string, nil)
      return
    }
    // The closure of `withUTF8` throws no typed errors.
    var failure: DatabaseError?
    value.withUTF8 { text in
      do throws(DatabaseError) {
        try transaction.setCell(object, property, .string, UnsafeRawBufferPointer(text))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are text of one byte each, which needs no further check to be UTF-8.
  @usableFromInline
  internal var isASCII: Bool {
    var bits: UInt64 = 0
    var position = 0
    while position &+ 8 <= count {
      bits |= loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    while position < count {
      bits |= UInt64(self[position])
      position &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
