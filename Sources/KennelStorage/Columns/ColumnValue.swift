/// Values to and from the words, pairs and cells that columns are made of.
extension Value {
  /// The scalar that a word means in a column of a kind.
  package init(word: UInt64, kind: ValueKind, target: ClassKey?) {
    switch kind.form {
    case .word(let type): self = type.value(of: word)
    case .link:
      self = target.map { .link(ObjectIdentity($0, ObjectKey(rawValue: word))) } ?? .null
    case .pair, .bytes, .mixed: self = .null
    }
  }

  /// The scalar that two words mean in a column of a kind.
  package init(pair: (UInt64, UInt64), kind: ValueKind) throws(StorageError) {
    guard case .pair(let type) = kind.form else {
      self = .null
      return
    }
    guard let value = type.value(of: pair) else {
      throw .damaged(in: "a \(kind)", "its second word is \(pair.1)")
    }
    self = value
  }

  /// The scalar that bytes mean in a column of a kind.
  package init(cell bytes: StoredBytes, kind: ValueKind) throws(StorageError) {
    guard case .bytes(let type) = kind.form else {
      self = try MixedCodec.decode(bytes)
      return
    }
    guard let value = unsafe type.value(of: bytes.buffer.bytes) else {
      throw .damaged(in: "a \(kind)", "its bytes are not UTF-8")
    }
    self = value
  }

  /// The scalar, or what a mixed value holds, that gathered bytes mean in a column of a kind.
  init(cell bytes: [UInt8], kind: ValueKind) throws(StorageError) {
    if kind == .data {
      self = .data(bytes)
    } else {
      self = try bytes.withRawBytes { (raw) throws(StorageError) in
        try Value(cell: raw, kind: kind)
      }
    }
  }

  /// The bytes that stand for this scalar in a column of cells of a kind.
  package func cellBytes(kind: ValueKind) -> [UInt8]? {
    if kind == .mixed { return MixedCodec.encode(self) }
    guard self.kind == kind, case .scalar(let scalar) = shape,
      case .bytes(let bytes) = scalar.stored
    else { return nil }
    return bytes
  }
}
