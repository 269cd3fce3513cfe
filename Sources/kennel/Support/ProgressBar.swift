import Glibc

/// A progress bar on standard error, if that is a terminal.
struct ProgressBar {
  private let title: String
  private let isShown = isatty(STDERR_FILENO) != 0
  /// The bar on the screen; it is drawn again only if it differs.
  private var drawn = ""

  init(_ title: String) {
    self.title = title
  }

  /// Shows a progress from 0 to 1.
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

  /// Removes the bar.
  mutating func finish() {
    guard !drawn.isEmpty else { return }
    write("\r" + String(repeating: " ", count: drawn.count) + "\r")
    drawn = ""
  }

  private func write(_ text: String) {
    try? FileOutput(descriptor: STDERR_FILENO, name: "standard error")
      .writeAsTheyAre(Array(text.utf8))
  }
}
