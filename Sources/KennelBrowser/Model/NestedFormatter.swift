internal import KennelCore

/// Shows the lists and maps that mixed values hold: on one line for a cell, line by line as a whole.
struct NestedFormatter {
  let linkText: (ObjectIdentity) -> String

  /// Strings of more scalars, and data of more bytes, are cut on the one line of a cell.
  private static let longestText = 60
  /// Collections of fewer bytes stand on one line of several.
  private static let shortest = 48

  /// The beginning of a value on one line, as in `[1, "a", …]`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - limit: How many values are shown, collections among them.
  /// - Returns: The text.
  func line(_ value: Value, limit: Int) -> String {
    var room = limit
    return line(value, &room, longest: Self.longestText)
  }

  private func line(_ value: Value, _ room: inout Int, longest: Int) -> String {
    room -= 1
    if case .string(let text) = value { return Self.quoted(text, longest) }
    if case .data(let bytes) = value, bytes.count > longest {
      return single(.data(Array(bytes.prefix(longest)))) + "…"
    }
    guard value.isCollection else { return single(value) }
    var parts: [String] = []
    for part in value.parts {
      if room <= 0 {
        parts.append("…")
        break
      }
      let key = part.key.map { "\(Self.quoted($0, longest)): " } ?? ""
      parts.append(key + line(part.value, &room, longest: longest))
    }
    let text = parts.joined(separator: ", ")
    return value.isMap ? "{\(text)}" : "[\(text)]"
  }

  /// The beginning of a text in quotes.
  private static func quoted(_ text: String, _ longest: Int) -> String {
    let beginning = text.beginning(scalars: longest)
    return ValueText.quote(beginning ?? text) + (beginning == nil ? "" : "…")
  }

  private func single(_ value: Value) -> String {
    if case .link(let target) = value { return linkText(target) }
    return ValueText.describeMixed(value)
  }

  /// A whole value on one line.
  func text(_ value: Value) -> String {
    var room = Int.max
    return line(value, &room, longest: .max)
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
    let parts = value.parts
    let marks = value.isMap ? ("{", "}") : ("[", "]")
    if parts.isEmpty || isShort(value) {
      lines.append(indent + before + text(value) + after)
      return
    }
    lines.append(indent + before + marks.0)
    for (index, part) in parts.enumerated() {
      append(
        part.value,
        before: part.key.map { "\(ValueText.quote($0)): " } ?? "",
        after: index + 1 < parts.count ? "," : "",
        indent: indent + "  ",
        to: &lines
      )
    }
    lines.append(indent + marks.1 + after)
  }

  /// Whether a collection has few parts, none of them a collection, and little text.
  private func isShort(_ value: Value) -> Bool {
    let parts = value.parts
    return parts.count < Self.shortest && !parts.contains { $0.value.isCollection }
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
    if case .link(let target) = value { found.append((path, target)) }
    for (index, part) in value.parts.enumerated() {
      let step = part.key.map(ValueText.quote) ?? "\(index)"
      collect(part.value, "\(path)[\(step)]", limit, &found)
    }
  }
}

extension Value {
  /// The elements of a list, the members of a set, the entries of a map with their keys; none of a single
  /// value.
  var parts: [(key: String?, value: Value)] {
    switch shape {
    case .list(let values), .set(let values): values.map { (nil, $0) }
    case .map(let entries): entries.map { ($0.key, $0.value) }
    case .null, .scalar, .link: []
    }
  }

  fileprivate var isMap: Bool {
    if case .map = self { true } else { false }
  }
}
