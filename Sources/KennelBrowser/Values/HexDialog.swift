internal import KennelCore

/// Bytes as hexadecimal digits and as ASCII; only those on the screen are read.
struct HexDialog: Dialog {
  static let title = "Looking at bytes"
  static let keys = [
    Hint("j", "down"), Hint("k", "up"), Hint("s", "save in a file…"), Hint("l", "load a file…"),
    Hint("o", "open in another program"), Hint("t", "as a text"), Hint("Esc", "back"),
  ]

  private static let bytesPerLine = 16

  private let spot: Spot
  private let count: Int
  private let heading: String
  private let isText: Bool
  private var top = 0

  init(_ spot: Spot, in browser: Browser) {
    self.spot = spot
    count = browser.model.byteCount(at: spot)
    let kind = Self.kind(of: spot, in: browser)
    isText = kind.hasSuffix("text")
    heading = Self.heading(spot, in: browser)
  }

  /// The kind of the bytes, by the first of them.
  static func kind(of spot: Spot, in browser: Browser) -> String {
    let beginning = browser.model.bytes(at: spot, in: 0..<DataKind.examined)
    let count = browser.model.byteCount(at: spot)
    return DataKind.name(of: beginning, isWhole: beginning.count == count)
  }

  /// The place of some bytes, their kind and their number.
  static func heading(_ spot: Spot, in browser: Browser, kind: String? = nil) -> String {
    let count = browser.model.byteCount(at: spot)
    let exact = count < 1_000 ? "" : " (\(count) bytes)"
    let kind = kind ?? self.kind(of: spot, in: browser)
    return "\(browser.name(of: spot)): \(kind), \(DataKind.size(count))\(exact)"
  }

  func hints(in browser: Browser) -> [Hint] {
    isText ? Self.keys : Self.keys.filter { $0.key != "t" }
  }

  private var lineCount: Int { (count + Self.bytesPerLine - 1) / Self.bytesPerLine }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    switch key.typed {
    case "s":
      FileActions(browser).saveValue(at: spot, toTyped: "")
      return .closed
    case "l":
      if let reason = browser.readOnlyReason {
        browser.showError(reason)
        return .open
      }
      FileActions(browser).loadValue(fromTyped: "", to: spot)
      return .closed
    case "o":
      FileActions(browser).openExternally(spot)
      return .open
    case "t" where isText:
      ValueReading(browser).openAsText(spot)
      return .closed
    case "q": return .closed
    default: break
    }
    let count = lineCount - Self.pageSize(in: browser) + 1
    if !Self.move(&top, among: count, by: key, in: browser) {
      browser.showError("j and k move, s saves, l loads, o opens it elsewhere, Esc goes back")
    }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let rows = frame.rows
    let start = top * Self.bytesPerLine
    let bytes = frame.browser.model.bytes(
      at: spot,
      in: start..<start + rows * Self.bytesPerLine
    )
    let lines = stride(from: 0, to: bytes.count, by: Self.bytesPerLine).map { offset in
      let part = bytes[offset..<min(bytes.count, offset + Self.bytesPerLine)]
      return (Self.line(part, at: start + offset), Style.standard)
    }
    let nothing = ("empty; l loads a file", frame.theme.null)
    frame.drawBox(heading, lines.isEmpty ? [nothing] : lines, on: &screen)
  }

  private static func line(_ bytes: ArraySlice<UInt8>, at offset: Int) -> String {
    let digits = bytes.enumerated().map { place, byte in
      byte.digits(2, radix: 16) + (place == 7 ? " " : "")
    }
    let text = String(
      decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") },
      as: UTF8.self
    )
    let column = TextWidth.pad(digits.joined(separator: " "), to: 48)
    return "\(offset.digits(8, radix: 16))  \(column)  \(text)"
  }
}
