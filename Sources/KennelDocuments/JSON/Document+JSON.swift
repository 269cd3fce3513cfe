@_spi(Faces) import KennelCore

extension Document {
  /// Reads a document from plain JSON.
  ///
  /// Whole numbers become `int64`, other numbers `double`. Nothing is taken for Extended JSON.
  ///
  /// ```swift
  /// let settings = try Document(json: Array(#"{"theme": "dark"}"#.utf8))
  /// ```
  ///
  /// - Parameter json: One object, with nothing behind it.
  /// - Throws: ``DocumentError`` with the line, if the bytes are not one object of JSON.
  public init(json: [UInt8]) throws(DocumentError) {
    let values = try rethrowing(try JSONFile.values(in: json, file: "")) {
      (error: JSONSchemaError) in DocumentError(line: error.line, error.message)
    }
    guard values.count == 1, case .document(let document)? = values.first else {
      throw DocumentError("This is not one JSON object")
    }
    self = document
  }

  /// The document as indented JSON that ends with a line break.
  ///
  /// Values that JSON lacks are written as in ``jsonLine``; 32-bit integers are read back as 64-bit
  /// ones.
  ///
  /// ```swift
  /// let settings: Document = ["theme": .string("dark")]
  /// let bytes = settings.json
  /// ```
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.append(.document(self), depth: 0)
    writer.append("\n" as Unicode.Scalar)
    return writer.bytes
  }

  /// The document as one line of JSON, without a line break.
  ///
  /// Values that JSON lacks are written as the lossless lines write them in mixed properties, such as
  /// `{"$date":"2024-05-01T00:00:00Z"}`.
  public var jsonLine: String {
    var writer = JSONWriter()
    writer.append(.document(self), depth: nil)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Appends a value on lines that are indented by its depth; on one line without a depth.
  fileprivate mutating func append(_ value: DocumentValue, depth: Int?) {
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
    // What Kennel's lines keep as text is JSON.
    case .other(JSONParser.number, let text), .other(JSONParser.deep, let text): append(text)
    case .other(_, let text): append(quoted: text)
    case .document(let document):
      appendAll(document.members, "{", "}", depth) { writer, member, depth in
        writer.append(quoted: member.name)
        writer.append(depth == nil ? ":" : ": ")
        writer.append(member.value, depth: depth)
      }
    case .array(let elements):
      appendAll(elements, "[", "]", depth) { writer, element, depth in
        writer.append(element, depth: depth)
      }
    }
  }

  private mutating func appendAll<Part>(
    _ parts: [Part],
    _ first: Unicode.Scalar,
    _ last: Unicode.Scalar,
    _ depth: Int?,
    _ append: (inout JSONWriter, Part, Int?) -> Void
  ) {
    self.append(first)
    for (index, part) in parts.enumerated() {
      if index > 0 { self.append("," as Unicode.Scalar) }
      breakLine(depth.map { $0 + 1 })
      append(&self, part, depth.map { $0 + 1 })
    }
    if !parts.isEmpty { breakLine(depth) }
    self.append(last)
  }

  private mutating func breakLine(_ depth: Int?) {
    if let depth { append("\n" + String(repeating: "  ", count: depth)) }
  }

  private mutating func append(scalar value: Value, kind: ValueKind = .mixed) {
    append(value, kind: kind, in: Schema())
  }
}
