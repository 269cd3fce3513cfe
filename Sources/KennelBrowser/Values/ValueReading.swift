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
    let hasMore = count > longestOfLine || text.contains(where: \.isNewline)
    if hasMore { return .text }
    // A short tree is still easier to read than its line.
    return (JSONOutline(Array(text.utf8))?.lines.count ?? 0) > 1 ? .text : nil
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
    case .bytes?: openBytes(spot)
    case .nested?:
      let lines = browser.value(at: spot).map(ValueFormatter(model).nested.lines) ?? []
      open(TextDialog(heading: name(of: spot), text: lines.joined(separator: "\n")))
    case .text?: openText(spot)
    case nil: return false
    }
    return true
  }

  /// Data as a picture or a tree, where they are such, else as bytes.
  private func openBytes(_ spot: Spot) {
    if let picture = PictureDialog(spot, in: browser) { return open(picture) }
    let kind = HexDialog.kind(of: spot, in: browser)
    let count = model.byteCount(at: spot)
    let isJSON = kind == "JSON text"
    guard count <= Self.mostRead, isJSON || kind == "data" || kind.hasPrefix("protobuf") else {
      return open(HexDialog(spot, in: browser))
    }
    let bytes = model.bytes(at: spot, in: 0..<count)
    let protobuf = isJSON ? nil : ProtobufOutline(bytes)
    guard let lines = isJSON ? JSONOutline(bytes)?.lines : protobuf?.lines else {
      return open(HexDialog(spot, in: browser))
    }
    let heading = HexDialog.heading(spot, in: browser, kind: protobuf?.kind ?? kind)
    open(TreeDialog(heading, lines, source: "bytes") { $0.dialog = HexDialog(spot, in: $0) })
  }

  /// Data that are a text, as one.
  func openAsText(_ spot: Spot) {
    let bytes = model.bytes(at: spot, in: 0..<min(Self.mostRead, model.byteCount(at: spot)))
    let heading = HexDialog.heading(spot, in: browser)
    open(TextDialog(heading: heading, text: DataKind.text(of: bytes)))
  }

  private func openText(_ spot: Spot) {
    let whole = spot.element?.value
    let preview = model.preview(of: spot.object, spot.property, limit: Self.mostRead)
    let count = whole?.textByteCount ?? preview?.count ?? 0
    guard case .string(let text)? = whole?.prefix(Self.mostRead) ?? preview?.value else { return }
    let shown = count > Self.mostRead ? ", the first \(DataKind.size(Self.mostRead))" : ""
    let heading = "\(name(of: spot))  \(DataKind.size(count))\(shown)"
    let dialog = TextDialog(heading: heading, text: text)
    guard shown.isEmpty, let tree = JSONOutline(Array(text.utf8)) else { return open(dialog) }
    open(TreeDialog(heading, tree.lines, source: "text") { $0.dialog = dialog })
  }
}
