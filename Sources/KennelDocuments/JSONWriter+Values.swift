import KennelCore

extension JSONWriter {
  /// Appends a value, in the form that its kind gives it or its elements.
  ///
  /// Recurses as deep as values nest, which the database limits.
  mutating func append(_ value: Value, kind: ValueKind, in schema: Schema) {
    if case .int(let value) = value { return append(String(value)) }
    if case .string(let value) = value { return append(quoted: value) }
    switch value.shape {
    case .null: append("null")
    case .scalar(let scalar): append(scalar, kind: kind)
    case .link(let target):
      append("{\"$ref\":")
      append(quoted: Self.name(of: target, in: schema))
      append("}" as Unicode.Scalar)
    case .list(let values), .set(let values):
      append("[" as Unicode.Scalar)
      for (position, element) in values.enumerated() {
        if position > 0 { append("," as Unicode.Scalar) }
        append(element, kind: kind, in: schema)
      }
      append("]" as Unicode.Scalar)
    case .map(let entries):
      append("{" as Unicode.Scalar)
      for (position, entry) in entries.enumerated() {
        if position > 0 { append("," as Unicode.Scalar) }
        append(name: DocumentFormat.escaped(entry.key))
        append(entry.value, kind: kind, in: schema)
      }
      append("}" as Unicode.Scalar)
    }
  }

  /// The name of an object in a document: `Dog/7`.
  static func name(of object: ObjectIdentity, in schema: Schema) -> String {
    let name = schema[object.classKey]?.name ?? "#\(object.classKey.rawValue)"
    return "\(name)/\(object.key.rawValue)"
  }

  /// Whether JSON has a number that is this one; it has no negative zero to rely on.
  private static func isPlain(_ number: Double) -> Bool {
    number.isFinite && !(number == 0 && number.sign == .minus)
  }

  /// Appends a scalar: truth values and numbers as JSON has them, others by their text, with the name
  /// of their kind where that is not known.
  private mutating func append(_ scalar: any ScalarKind, kind: ValueKind) {
    let ownKind = type(of: scalar).kind
    let isPlain: Bool
    switch scalar.number {
    case .float(let number): isPlain = kind == .float && Self.isPlain(Double(number))
    case .double(let number):
      // In mixed, a whole number would come back as one.
      isPlain = Self.isPlain(number) && (kind == .double || number != number.rounded())
    case .int: isPlain = true
    case .decimal128: isPlain = false
    case nil: isPlain = ownKind == .bool
    }
    if isPlain { return append(scalar.valueText) }
    guard kind == .mixed else { return append(quoted: scalar.valueText) }
    append("{" as Unicode.Scalar)
    append(name: "$\(ownKind)")
    append(quoted: scalar.valueText)
    append("}" as Unicode.Scalar)
  }
}
