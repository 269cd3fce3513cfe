/// The files that were opened before; typing narrows them.
struct RecentFilesDialog: SearchList {
  static let title = "The recent files"
  static let keys = [
    Hint("Enter", "open the file"), Hint("Down", "next"), Hint("Up", "previous"),
    Hint("type", "search"), Hint("Esc", "back"),
  ]

  private let files: [RecentFile]
  /// Names where Esc leads.
  private let escape: String
  private var shown: [RecentFile]
  let heading = "Open a recent file"
  let nothing = "no such file"
  var line = LineEditor()
  var index = 0

  var count: Int { shown.count }

  init(_ files: [RecentFile], escape: String) {
    self.escape = escape
    self.files = files
    shown = files
  }

  func hints(in browser: Browser) -> [Hint] {
    Self.keys.dropLast() + [Hint("Esc", escape)]
  }

  mutating func narrow(in browser: Browser) {
    let text = line.text.trimmed.lowercased()
    shown = files.filter { text.isEmpty || $0.path.lowercased().contains(text) }
    index = 0
  }

  mutating func choose(in browser: Browser) -> DialogState {
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

  func text(at index: Int, width: Int, _ charset: Charset, in browser: Browser) -> String {
    let file = shown[index]
    let path = TextWidth.pad(file.path, to: max(10, width - 22), in: charset)
    return "\(path)  \(file.exists ? file.time : "no longer there")"
  }
}
