import Glibc

/// A bar on standard error that shows how far long work has come, where that is a terminal.
struct ProgressBar {
  private let title: String
  private let isShown = isatty(STDERR_FILENO) != 0
  /// The bar as it stands; it is drawn again only where it differs.
  private var drawn = ""

  init(_ title: String) {
    self.title = title
  }

  /// Shows a part between 0 and 1.
  mutating func show(_ part: Double) {
    guard isShown else { return }
    let width = 30
    let part = min(max(part, 0), 1)
    let filled = Int(part * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let text = "\r\(title) [\(bar)] \(Int(part * 100))%"
    guard text != drawn else { return }
    drawn = text
    write(text)
  }

  /// Takes the bar away.
  mutating func finish() {
    guard !drawn.isEmpty else { return }
    write("\r" + String(repeating: " ", count: drawn.count) + "\r")
    drawn = ""
  }

  private func write(_ text: String) {
    try? FileOutput(descriptor: STDERR_FILENO, name: "standard error").write(Array(text.utf8))
  }
}
