/// Values to and from the words, pairs and cells that columns are made of.
extension Value {
  /// The scalar that a word means in a column of a kind.
  package init(word: UInt64, kind: ValueKind, target: ClassKey?) {
    switch kind {
    case .bool: self = Bool.fromStored(word).value
    case .int: self = Int64.fromStored(word).value
    case .float: self = Float.fromStored(word).value
    case .double: self = Double.fromStored(word).value
    case .link:
      self = target.map { .link(ObjectIdentity($0, ObjectKey(rawValue: word))) } ?? .null
    case .string, .data, .date, .objectId, .uuid, .decimal128, .mixed: self = .null
    }
  }

  /// The scalar that two words mean in a column of a kind.
  package init(pair: (UInt64, UInt64), kind: ValueKind) throws(StorageError) {
    switch kind {
    case .date:
      guard let date = Timestamp.fromStored(pair) else {
        throw .damaged(in: "a date", "it has \(pair.1) nanoseconds")
      }
      self = date.value
    case .objectId: self = ObjectId.fromStored(pair)?.value ?? .null
    case .uuid: self = UUIDValue.fromStored(pair)?.value ?? .null
    case .decimal128: self = Decimal128.fromStored(pair)?.value ?? .null
    case .bool, .int, .float, .double, .string, .data, .mixed, .link: self = .null
    }
  }

  /// The scalar that bytes mean in a column of a kind.
  package init(cell bytes: UnsafeRawBufferPointer, kind: ValueKind) throws(StorageError) {
    switch kind {
    case .string:
      guard let text = unsafe String(utf8: bytes) else {
        throw .damaged(in: "a string", "its bytes are not UTF-8")
      }
      self = .string(text)
    case .data: self = unsafe .data(Array(bytes))
    case .bool, .int, .float, .double, .date, .objectId, .uuid, .decimal128, .link, .mixed:
      self = try unsafe MixedCodec.decode(bytes)
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
