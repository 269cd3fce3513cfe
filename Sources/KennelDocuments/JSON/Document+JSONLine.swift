import KennelCore

extension Document {
  /// The document as one line of JSON, without a line break.
  ///
  /// Values that JSON lacks are written as the lossless lines write them in mixed properties, such as
  /// `{"$date":"2024-05-01T00:00:00Z"}`.
  public var jsonLine: String {
    var writer = JSONWriter()
    writer.append(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Appends a document as an object.
  fileprivate mutating func append(_ document: Document) {
    append("{" as Unicode.Scalar)
    for (index, member) in document.members.enumerated() {
      if index > 0 { append("," as Unicode.Scalar) }
      append(name: member.name)
      append(member.value)
    }
    append("}" as Unicode.Scalar)
  }

  private mutating func append(_ value: DocumentValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(scalar: .bool(value))
    case .int32(let value): append(scalar: .int(Int64(value)))
    case .int64(let value): append(scalar: .int(value))
    case .double(let value): append(scalar: .double(value), kind: .double)
    case .decimal128(let value): append(scalar: .decimal128(value))
    case .string(let value): append(quoted: value)
    case .date(let value): append(scalar: .date(value))
    case .objectId(let value): append(scalar: .objectId(value))
    case .binary(_, let bytes): append(scalar: .data(bytes))
    case .other(_, let text): append(quoted: text)
    case .document(let document): append(document)
    case .array(let values):
      append("[" as Unicode.Scalar)
      for (index, value) in values.enumerated() {
        if index > 0 { append("," as Unicode.Scalar) }
        append(value)
      }
      append("]" as Unicode.Scalar)
    }
  }

  private mutating func append(scalar value: Value, kind: ValueKind = .mixed) {
    append(value, kind: kind, in: Schema())
  }
}
