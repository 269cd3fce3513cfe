import KennelCore

extension JSONWriter {
  /// Appends one value, in the form that its kind gives it: a list or a map only where it is mixed.
  ///
  /// Recurses as deep as values nest, which the database limits.
  mutating func append(_ value: Value, kind: ValueKind, in schema: Schema) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .int(let value): append(String(value))
    case .string(let value): append(quoted: value)
    case .link(let target): append(linkTo: target, in: schema)
    case .float(let number):
      let isPlain = kind == .float && Self.isPlain(Double(number))
      append(number: value, text: number.description, isPlain: isPlain, kind: kind)
    case .double(let number):
      // In mixed, a whole number would come back as one.
      let isPlain = Self.isPlain(number) && (kind == .double || number != number.rounded())
      append(number: value, text: number.description, isPlain: isPlain, kind: kind)
    case .data, .date, .objectId, .uuid, .decimal128:
      append(text: ValueText.describe(value), of: value, kind: kind)
    case .list(let values), .set(let values):
      append("[" as Unicode.Scalar)
      for (position, element) in values.enumerated() {
        if position > 0 { append("," as Unicode.Scalar) }
        append(element, kind: kind, in: schema)
      }
      append("]" as Unicode.Scalar)
    case .map(let entries): append(entries: entries, kind: kind, in: schema)
    }
  }

  /// Appends the entries of a map as an object.
  mutating func append(entries: [MapEntry], kind: ValueKind, in schema: Schema) {
    append("{" as Unicode.Scalar)
    for (position, entry) in entries.enumerated() {
      if position > 0 { append("," as Unicode.Scalar) }
      append(name: DocumentFormat.escaped(entry.key))
      append(entry.value, kind: kind, in: schema)
    }
    append("}" as Unicode.Scalar)
  }

  /// Appends a link.
  mutating func append(linkTo target: ObjectIdentity, in schema: Schema) {
    append("{\"$ref\":")
    append(quoted: Self.name(of: target, in: schema))
    append("}" as Unicode.Scalar)
  }

  /// What a document calls an object: `Dog/7`.
  static func name(of object: ObjectIdentity, in schema: Schema) -> String {
    let name = schema[object.classKey]?.name ?? "#\(object.classKey.rawValue)"
    return "\(name)/\(object.key.rawValue)"
  }

  /// Whether JSON has a number that is this one; it has no negative zero to rely on.
  private static func isPlain(_ number: Double) -> Bool {
    number.isFinite && !(number == 0 && number.sign == .minus)
  }

  private mutating func append(number: Value, text: String, isPlain: Bool, kind: ValueKind) {
    if isPlain {
      append(text)
    } else {
      append(text: ValueText.describe(number), of: number, kind: kind)
    }
  }

  /// Appends the text of a value as a string, with the name of its kind where that is not known.
  private mutating func append(text: String, of value: Value, kind: ValueKind) {
    guard kind == .mixed, let wrapper = value.wrapper else { return append(quoted: text) }
    append("{" as Unicode.Scalar)
    append(name: wrapper)
    append(quoted: text)
    append("}" as Unicode.Scalar)
  }
}

extension Value {
  /// The member that wraps a value whose kind JSON cannot tell.
  var wrapper: String? {
    switch self {
    case .float: "$float"
    case .double: "$double"
    case .data: "$data"
    case .date: "$date"
    case .objectId: "$objectId"
    case .uuid: "$uuid"
    case .decimal128: "$decimal128"
    case .null, .bool, .int, .string, .link, .list, .set, .map: nil
    }
  }
}
