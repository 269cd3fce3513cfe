internal import KennelCore

/// Shows a value of which its line has no room for all.
struct ValueReading: BrowserPart {
  let browser: Browser

  /// A text of more bytes is longer than its line, as a rule.
  private static let longestOfLine = 40
  /// As much of a text as is read for the screen.
  private static let mostRead = 4_000_000

  /// What has more to show than a line does.
  private enum Form {
    case bytes
    case nested
    case text
  }

  private func form(of spot: Spot) -> Form? {
    if let element = spot.element {
      return Self.form(of: element.value, count: element.value.textByteCount ?? 0)
    }
    guard property(of: spot)?.isCollection == false,
      let preview = model.preview(of: spot.object, spot.property, limit: Self.longestOfLine)
    else { return nil }
    return Self.form(of: preview.value, count: preview.count)
  }

  private static func form(of value: Value, count: Int) -> Form? {
    if case .data = value { return .bytes }
    if value.isCollection { return .nested }
    guard case .string(let text) = value else { return nil }
    return count > longestOfLine || text.contains(where: \.isNewline) ? .text : nil
  }

  /// Whether the value under a cursor is a text or a nested value that its line has no room for.
  func isLong(_ spot: Spot) -> Bool { [.nested, .text].contains(form(of: spot)) }

  /// Says what Enter does; `nil` where the line shows all.
  func label(of spot: Spot) -> String? {
    form(of: spot).map { $0 == .bytes ? "show the bytes" : "read all of it" }
  }

  /// Enter on a value: shows all of it; false where the line does.
  func open(_ spot: Spot) -> Bool {
    switch form(of: spot) {
    case .bytes?: open(HexDialog(spot, in: browser))
    case .nested?:
      let lines = browser.value(at: spot).map(ValueFormatter(model).nested.lines) ?? []
      open(TextDialog(heading: name(of: spot), text: lines.joined(separator: "\n")))
    case .text?: openText(spot)
    case nil: return false
    }
    return true
  }

  private func openText(_ spot: Spot) {
    let whole = spot.element?.value
    let preview = model.preview(of: spot.object, spot.property, limit: Self.mostRead)
    let count = whole?.textByteCount ?? preview?.count ?? 0
    guard case .string(let text)? = whole?.prefix(Self.mostRead) ?? preview?.value else { return }
    let shown = count > Self.mostRead ? ", the first \(DataKind.size(Self.mostRead))" : ""
    let heading = "\(name(of: spot))  \(DataKind.size(count))\(shown)"
    open(TextDialog(heading: heading, text: text))
  }
}
