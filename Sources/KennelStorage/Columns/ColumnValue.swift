/// Values to and from the words, pairs and cells that columns are made of.
extension Value {
  /// The scalar that a word means in a column of a kind.
  package init(word: UInt64, kind: ValueKind, target: ClassKey?) {
    switch kind {
    case .bool: self = .bool(word != 0)
    case .int: self = .int(Int64(bitPattern: word))
    case .float: self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case .double: self = .double(Double(bitPattern: word))
    case .link:
      self = target.map { .link(ObjectIdentity($0, ObjectKey(rawValue: word))) } ?? .null
    case .string, .data, .date, .objectId, .uuid, .decimal128, .mixed: self = .null
    }
  }

  /// The scalar that two words mean in a column of a kind.
  package init(pair: (UInt64, UInt64), kind: ValueKind) throws(StorageError) {
    switch kind {
    case .date:
      let seconds = Int64(bitPattern: pair.0)
      guard pair.1 < 1_000_000_000,
        let date = Timestamp(seconds: seconds, nanoseconds: UInt32(truncatingIfNeeded: pair.1))
      else {
        throw .damaged(in: "a date", "it has \(pair.1) nanoseconds")
      }
      self = .date(date)
    case .objectId:
      self = .objectId(ObjectId(high: pair.0, low: UInt32(truncatingIfNeeded: pair.1)))
    case .uuid: self = .uuid(UUIDValue(high: pair.0, low: pair.1))
    case .decimal128: self = .decimal128(Decimal128(high: pair.0, low: pair.1))
    case .bool, .int, .float, .double, .string, .data, .link, .mixed: self = .null
    }
  }

  /// The scalar that bytes mean in a column of a kind.
  package init(cell bytes: UnsafeRawBufferPointer, kind: ValueKind) throws(StorageError) {
    switch kind {
    case .string:
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .damaged(in: "a string", "its bytes are not UTF-8")
      }
      self = .string(text)
    case .data: self = .data(Array(bytes))
    case .bool, .int, .float, .double, .date, .objectId, .uuid, .decimal128, .link, .mixed:
      self = try MixedCodec.decode(bytes)
    }
  }

  /// The word that stands for this scalar, if it is one of a word's kinds.
  @inlinable
  package var word: UInt64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): UInt64(bitPattern: value)
    case .float(let value): UInt64(value.bitPattern)
    case .double(let value): value.bitPattern
    case .link(let identity): identity.key.rawValue
    case .null, .string, .data, .date, .objectId, .uuid, .decimal128, .list, .set, .map: nil
    }
  }

  /// The two words that stand for this scalar, if it is one of a pair's kinds.
  package var pair: (UInt64, UInt64)? {
    switch self {
    case .date(let date): (UInt64(bitPattern: date.seconds), UInt64(date.nanoseconds))
    case .objectId(let id): (id.high, UInt64(id.low))
    case .uuid(let id): (id.high, id.low)
    case .decimal128(let number): (number.high, number.low)
    case .null, .bool, .int, .float, .double, .string, .data, .link, .list, .set, .map: nil
    }
  }

  /// The bytes that stand for this scalar in a column of cells of a kind.
  package func cellBytes(kind: ValueKind) -> [UInt8]? {
    switch (kind, self) {
    case (.string, .string(let text)): Array(text.utf8)
    case (.data, .data(let bytes)): bytes
    case (.mixed, _): MixedCodec.encode(self)
    default: nil
    }
  }
}
