internal import KennelCore

/// A value as one line of the screen.
struct ShownValue {
  var text: String
  var style: Style
}

/// Shows values: null apart from "" apart from "null", links by name, collections by their size.
///
/// | value | text |
/// |---|---|
/// | null | `∅` |
/// | "" | `""` |
/// | "null", "∅" | in quotes |
/// | `"5"`, a string with quotes of its own | as it is; `"\"5\""` among mixed values |
/// | a string among mixed values | in quotes: `"5"` |
/// | another one that looks like a number there | with its kind: `float(5.0)` |
/// | a link | `→Dog/3 Rex` |
/// | an embedded object | `{street: High St, city: ∅}` |
/// | a collection | `[2] →Dog/3 Rex, →Dog/4 Ada` |
/// | a list or a map that a mixed value is | `[1, "a", {"dog": →Dog/3 Rex}]` |
struct ValueFormatter {
  /// Enough of a value for any cell that a screen has room for: bytes of data, scalars of a text.
  private static let mostBytes = 1_024
  private static let mostElements = 3
  private static let mostProperties = 4
  private static let mostNested = 24

  let model: BrowserModel
  /// Whether a fraction of a second stands behind dates; where it does not, `…` says so.
  var showsFractions = true
  var theme: Theme { model.theme }

  init(_ model: BrowserModel) { self.model = model }

  static let null = "∅"

  func show(_ object: ObjectIdentity, _ property: PropertySchema) -> ShownValue {
    let limit = property.isCollection ? Self.mostElements : Self.mostBytes
    guard let preview = model.preview(of: object, property.key, limit: limit) else {
      return ShownValue(text: "?", style: theme.error)
    }
    guard property.isCollection else {
      return show(preview.value, of: property, isCut: preview.isCut)
    }
    return collection(preview, property)
  }

  /// Shows a value of a property, or an element of its collection.
  func show(_ value: Value, of property: PropertySchema, isCut: Bool = false) -> ShownValue {
    let isMixed = property.type.kind == .mixed
    return show(value, isEmbedded: property.isEmbedded, isMixed: isMixed, isCut: isCut)
  }

  /// A value of a property as text, where it is that of one.
  func text(_ value: Value, of property: PropertySchema?) -> String {
    (property.map { show(value, of: $0) } ?? show(value, isEmbedded: false)).text
  }

  /// Shows a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isEmbedded: Whether it links to an embedded object.
  ///   - isMixed: Whether values of other kinds can stand in its place, so that it has to say its own.
  ///   - isCut: Whether it is only the beginning of a value.
  /// - Returns: The text.
  func show(
    _ value: Value,
    isEmbedded: Bool,
    isMixed: Bool = false,
    isCut: Bool = false
  ) -> ShownValue {
    if case .string(let whole) = value {
      let beginning = whole.beginning(scalars: Self.mostBytes)
      let text = beginning ?? whole
      let isCut = isCut || beginning != nil
      let shown =
        isMixed ? Self.quoted(text) + (isCut ? "…" : "") : Self.text(text, isCut: isCut)
      return ShownValue(text: shown, style: theme.standard)
    }
    switch value.shape {
    case .null: return ShownValue(text: Self.null, style: theme.null)
    case .scalar where value.textByteCount ?? 0 > Self.mostBytes:
      let beginning = value.prefix(Self.mostBytes)
      return show(beginning, isEmbedded: false, isMixed: isMixed, isCut: true)
    case .link(let target) where isEmbedded && model.contains(target):
      return ShownValue(text: summary(of: target), style: theme.embedded)
    case .link(let target):
      let sign = isEmbedded ? "" : "→"
      return ShownValue(text: sign + model.label(target), style: theme.link)
    case .list where isMixed, .map where isMixed:
      let style = value.links.isEmpty ? theme.standard : theme.link
      return ShownValue(text: nested.line(value, limit: Self.mostNested), style: style)
    case .list(let values), .set(let values):
      let parts = values.prefix(Self.mostElements).map { show($0, isEmbedded: false).text }
      return ShownValue(
        text: "[\(values.count)] " + parts.joined(separator: ", "),
        style: .standard
      )
    case .map(let entries):
      return ShownValue(text: "{\(entries.count)}", style: theme.standard)
    case .scalar:
      let kind = isMixed ? ValueText.describeMixed(value) : ScalarText.text(of: value)
      let isDate = if case .date = value { true } else { false }
      let second = isDate && !showsFractions ? kind.split(separator: ".", maxSplits: 1) : []
      let text = second.count == 2 ? "\(second[0])…" : kind + (isCut ? "…" : "")
      return ShownValue(text: text, style: theme.standard)
    }
  }

  /// How lists and maps inside mixed values are shown, with the names of what they link to.
  var nested: NestedFormatter { NestedFormatter { "→" + model.label($0) } }

  private func collection(
    _ preview: DatabaseReader.Preview,
    _ property: PropertySchema
  ) -> ShownValue {
    var parts = preview.value.parts.map { key, value in
      let text = show(value, of: property).text
      return key.map { "\(show(.string($0), isEmbedded: false).text): \(text)" } ?? text
    }
    if preview.count > parts.count { parts.append("…") }
    let text = "[\(preview.count)]" + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
    let style = property.canLink ? theme.link : theme.standard
    return ShownValue(text: text, style: preview.count == 0 ? theme.null : style)
  }

  /// A string so that it cannot be taken for null, for nothing, or for a quoted one.
  private static func text(_ text: String, isCut: Bool = false) -> String {
    if isCut { return text + "…" }
    return isAmbiguous(text[...]) ? quoted(text) : text
  }

  /// Whether a string would be taken for another one, or for null, without quotes around it.
  private static func isAmbiguous(_ text: Substring) -> Bool {
    if text.isEmpty || text == null || text == "null" { return true }
    if text.first == " " || text.last == " " { return true }
    // One with quotes of its own, where they would be taken for those that are put around.
    guard text.count > 1, text.first == "\"", text.last == "\"" else { return false }
    let inside = text.dropFirst().dropLast()
    return inside.first == "\\" || isAmbiguous(inside)
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\\\""))\""
  }

  /// The first properties of an object on one line.
  func summary(of object: ObjectIdentity) -> String {
    guard let schema = model.schema[object.classKey] else { return "{}" }
    var parts: [String] = []
    for property in schema.properties {
      if parts.count == Self.mostProperties {
        parts.append("…")
        break
      }
      if property.isCollection || property.isEmbedded { continue }
      parts.append("\(property.name): \(show(object, property).text)")
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
