import KennelCore

extension OutputFormat {
  /// Tab-separated text: the names of the columns, then one line per object.
  public static let text = OutputFormat(
    name: "text",
    title: "text",
    fileExtension: "txt",
    letter: "t"
  ) { reader, options in TextWriter(reader: reader, linkTargets: options.documents.linkTargets) }
}

/// Writes objects as lines of text, their values between tabs.
private struct TextWriter: ObjectWriter {
  let reader: DatabaseReader
  let linkTargets: ObjectSet?
  var classSchema: ClassSchema?
  var bytes: [UInt8] = []

  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) {
    self.classSchema = classSchema
    append(["object"] + classSchema.properties.map { TerminalText.value($0.name) })
  }

  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
    guard let classSchema else { return }
    var values = ["\(TerminalText.line(classSchema.name))/\(object.key.rawValue)"]
    for property in classSchema.properties {
      var value = try reader.value(of: object, property: property.key)
      if let linkTargets, !property.isEmbedded {
        value = value.linking(to: linkTargets, isMany: property.isCollection)
      }
      values.append(text(of: value))
    }
    append(values)
    try bytes.flushIfLarge(output)
  }

  mutating func end(to output: ByteOutput) throws {
    try bytes.flush(output)
  }

  private mutating func append(_ values: [String]) {
    bytes += Array((values.joined(separator: "\t") + "\n").utf8)
  }

  private func text(of value: Value) -> String {
    switch value.shape {
    case .scalar(let scalar):
      if let string = scalar as? String { TerminalText.value(string) } else { scalar.valueText }
    case .link(let target):
      "\(TerminalText.line(reader.schema[target.classKey]?.name ?? "?"))/\(target.key.rawValue)"
    case .list(let values), .set(let values):
      "[" + values.map { text(of: $0) }.joined(separator: ", ") + "]"
    case .map(let entries):
      "{"
        + entries.map { "\(TerminalText.value($0.key)): \(text(of: $0.value))" }
        .joined(separator: ", ") + "}"
    case .null: ValueText.describe(value)
    }
  }
}

/// Escapes text for display in a terminal.
///
/// ```swift
/// print(TerminalText.line("Rex\u{1b}[2J"))
/// ```
public enum TerminalText {
  /// Returns whether a character is invisible or controls a terminal.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    if category == .format { return scalar.value != 0x200D && scalar.value != 0x200C }
    return [.control, .lineSeparator, .paragraphSeparator].contains(category)
  }

  /// Returns a hidden character as an escape.
  public static func escaped(_ scalar: Unicode.Scalar) -> String {
    ["\n": "\\n", "\t": "\\t"][scalar] ?? "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// Returns a text with hidden characters escaped, except tabs.
  public static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar == "\t" || !isHidden(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += escaped(scalar)
      }
    }
    return shown
  }

  /// Returns lines of cells, which begin or end below each other; the last cell of a line is as long
  /// as it is.
  @_spi(Faces)
  public static func aligned(_ lines: [[String]], toRight isRight: Bool = false) -> String {
    let columns = lines.first?.indices.dropLast() ?? 0..<0
    let widths = columns.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).map { cell, width in
        let space = String(repeating: " ", count: width - cell.count)
        return isRight ? space + cell : cell + space
      }
      return (cells + line.suffix(1)).joined(separator: "  ") + "\n"
    }
    .joined()
  }

  /// Returns a string as a value in a line: quoted and escaped as in JSON if it is ambiguous or has
  /// hidden characters.
  public static func value(_ string: String) -> String {
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
