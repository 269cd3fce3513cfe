internal import KennelCore

/// Shows the lists and maps that mixed values hold: on one line for a cell, line by line as a whole.
struct NestedFormatter {
  /// What a link is called.
  let linkText: (ObjectIdentity) -> String

  /// Strings of more scalars, and data of more bytes, are cut on the one line of a cell.
  private static let longestText = 60
  /// What is this short stands on one line of several.
  private static let shortest = 48

  /// The beginning of a value on one line, as in `[1, "a", …]`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - limit: How many values are shown, collections among them.
  /// - Returns: The text.
  func line(_ value: Value, limit: Int) -> String {
    var room = limit
    return line(value, &room)
  }

  private func line(_ value: Value, _ room: inout Int) -> String {
    room -= 1
    switch value {
    case .list(let values), .set(let values):
      var parts: [String] = []
      for value in values {
        if room <= 0 {
          parts.append("…")
          break
        }
        parts.append(line(value, &room))
      }
      return "[\(parts.joined(separator: ", "))]"
    case .map(let entries):
      var parts: [String] = []
      for entry in entries {
        if room <= 0 {
          parts.append("…")
          break
        }
        parts.append("\(Self.quoted(entry.key)): \(line(entry.value, &room))")
      }
      return "{\(parts.joined(separator: ", "))}"
    case .string(let text):
      return Self.quoted(text)
    case .data(let bytes) where bytes.count > Self.longestText:
      return single(.data(Array(bytes.prefix(Self.longestText)))) + "…"
    case .null, .bool, .int, .float, .double, .data, .date, .objectId, .uuid, .decimal128, .link:
      return single(value)
    }
  }

  /// The beginning of a text in quotes.
  private static func quoted(_ text: String) -> String {
    let beginning = text.beginning(scalars: longestText)
    return ValueText.quote(beginning ?? text) + (beginning == nil ? "" : "…")
  }

  private func single(_ value: Value) -> String {
    if case .link(let target) = value { return linkText(target) }
    return ValueText.describeMixed(value)
  }

  /// A whole value on one line.
  func text(_ value: Value) -> String {
    switch value {
    case .list(let values), .set(let values):
      "[\(values.map(text).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\(ValueText.quote($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .link:
      single(value)
    }
  }

  /// A whole value on as many lines as it has parts; what is short stays on one.
  func lines(_ value: Value) -> [String] {
    var lines: [String] = []
    append(value, before: "", after: "", indent: "", to: &lines)
    return lines
  }

  private func append(
    _ value: Value,
    before: String,
    after: String,
    indent: String,
    to lines: inout [String]
  ) {
    let parts: [(before: String, value: Value)]
    let marks: (String, String)
    switch value {
    case .list(let values), .set(let values):
      parts = values.map { ("", $0) }
      marks = ("[", "]")
    case .map(let entries):
      parts = entries.map { ("\(ValueText.quote($0.key)): ", $0.value) }
      marks = ("{", "}")
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .link:
      parts = []
      marks = ("", "")
    }
    if parts.isEmpty || isShort(value) {
      lines.append(indent + before + text(value) + after)
      return
    }
    lines.append(indent + before + marks.0)
    for (index, part) in parts.enumerated() {
      append(
        part.value,
        before: part.before,
        after: index + 1 < parts.count ? "," : "",
        indent: indent + "  ",
        to: &lines
      )
    }
    lines.append(indent + marks.1 + after)
  }

  /// Whether a collection has few parts, none of them a collection, and little text.
  private func isShort(_ value: Value) -> Bool {
    let parts: [Value]
    switch value {
    case .list(let values), .set(let values): parts = values
    case .map(let entries): parts = entries.map(\.value)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .link:
      return true
    }
    return parts.count < Self.shortest && !parts.contains(where: \.isCollection)
      && text(value).utf8.count <= Self.shortest
  }
}

extension NestedFormatter {
  /// The links inside a value, each with the way to it, as in `["owner"][0]`.
  static func links(in value: Value, limit: Int) -> [(path: String, target: ObjectIdentity)] {
    var found: [(String, ObjectIdentity)] = []
    collect(value, "", limit, &found)
    return found
  }

  private static func collect(
    _ value: Value,
    _ path: String,
    _ limit: Int,
    _ found: inout [(String, ObjectIdentity)]
  ) {
    guard found.count < limit else { return }
    switch value {
    case .link(let target): found.append((path, target))
    case .list(let values), .set(let values):
      for (index, value) in values.enumerated() {
        collect(value, "\(path)[\(index)]", limit, &found)
      }
    case .map(let entries):
      for entry in entries {
        collect(entry.value, "\(path)[\(ValueText.quote(entry.key))]", limit, &found)
      }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
      break
    }
  }
}
