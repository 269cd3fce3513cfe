import KennelCore

/// Objects as lines of text, their values between tabs.
///
/// A string that could be taken for something else, or that holds control characters, is quoted
/// and escaped as in JSON, so that a line is a line and a terminal gets no commands.
struct TextLines {
  private let snapshot: Snapshot
  private let classSchema: ClassSchema
  private var lines = ""

  init(_ snapshot: Snapshot, _ classSchema: ClassSchema) {
    self.snapshot = snapshot
    self.classSchema = classSchema
    let names = classSchema.properties.map { Self.text($0.name) }
    lines = (["object"] + names).joined(separator: "\t") + "\n"
  }

  mutating func write(_ objects: [ObjectIdentity]) throws {
    for object in objects {
      var values = ["\(printable(classSchema.name))/\(object.key.rawValue)"]
      for property in classSchema.properties {
        values.append(text(of: try snapshot.value(of: object, property.key)))
      }
      lines += values.joined(separator: "\t") + "\n"
      if lines.utf8.count > 1 << 16 { try flush() }
    }
    try flush()
  }

  private mutating func flush() throws {
    try StandardOutput.write(lines)
    lines = ""
  }

  private func text(of value: Value) -> String {
    switch value {
    case .string(let string): Self.text(string)
    case .link(let target):
      "\(printable(snapshot.schema[target.classKey]?.name ?? "?"))/\(target.key.rawValue)"
    case .list(let values), .set(let values):
      "[" + values.map { text(of: $0) }.joined(separator: ", ") + "]"
    case .map(let entries):
      "{"
        + entries.map { "\(Self.text($0.key)): \(text(of: $0.value))" }.joined(separator: ", ")
        + "}"
    default: ValueText.describe(value)
    }
  }

  /// A string that a line and a terminal can take.
  static func text(_ string: String) -> String {
    let isPlain = string.unicodeScalars.allSatisfy { !isHidden($0) }
    let isAmbiguous =
      string.isEmpty || string == "null" || string.hasPrefix("\"") || string.hasPrefix("[")
    if isPlain, !isAmbiguous { return string }
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where isHidden(scalar): quoted += escaped(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
