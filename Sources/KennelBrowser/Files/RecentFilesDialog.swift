/// The files that were opened before; typing narrows them.
struct RecentFilesDialog: Dialog {
  static let title = "The recent files"
  static let keys = [
    Hint("Enter", "open the file"), Hint("Down", "next"), Hint("Up", "previous"),
    Hint("type", "search"), Hint("Esc", "back"),
  ]

  private let files: [RecentFile]
  /// What Esc leads to.
  private let escape: String
  private var shown: [RecentFile]
  private var line = LineEditor()
  private var index = 0

  init(_ files: [RecentFile], escape: String) {
    self.escape = escape
    self.files = files
    shown = files
  }

  func hints(in browser: Browser) -> [Hint] {
    Self.keys.dropLast() + [Hint("Esc", escape)]
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return open(in: browser) }
    if let distance = distance(of: key, in: browser, allowsLetters: false) {
      index = min(max(0, index + distance), max(0, shown.count - 1))
    } else if line.handle(key) {
      let text = line.text.trimmed.lowercased()
      shown = files.filter { text.isEmpty || $0.path.lowercased().contains(text) }
      index = 0
    }
    return .open
  }

  private func open(in browser: Browser) -> DialogState {
    guard shown.indices.contains(index) else {
      browser.showError("No recent file has “\(line.text)” in its path")
      return .open
    }
    let file = shown[index]
    guard file.exists else {
      browser.showError("\(file.path) is no longer there")
      return .open
    }
    FileActions(browser).openFile(file.path)
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let width = max(10, frame.layout.body.columns - 24)
    let charset = screen.charset
    frame.drawSearch(
      "Open a recent file",
      line,
      shown.count,
      cursor: index,
      nothing: "no such file",
      on: &screen
    ) { index in
      let file = shown[index]
      let note = file.exists ? file.time : "no longer there"
      return "\(TextWidth.pad(file.path, to: width, in: charset))  \(note)"
    }
  }
}
