internal import KennelCore

/// Every command that works where the help was asked for.
struct HelpDialog: Dialog {
  static let title = "The help"
  static let keys = [
    Hint("Enter", "run the line"), Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back"),
  ]

  private let heading: String
  private let commands: [Command]
  private var index = 0

  init(in browser: Browser) {
    let context = browser.context
    heading = "Keys that work in: \(context.rawValue)"
    commands = Command.all.filter { $0.contexts.contains(context) && !$0.keys.isEmpty }
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter {
      if commands.indices.contains(index) { browser.perform(commands[index]) }
      return .closed
    }
    guard let distance = distance(of: key, in: browser) else {
      return key.typed == "?" || key.typed == "q" ? .closed : .open
    }
    index = min(max(0, index + distance), commands.count - 1)
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let lines = commands.map { command in
      "\(TextWidth.pad(command.keys.joined(separator: " "), to: 18)) \(command.summary)"
    }
    frame.drawList(heading, lines, cursor: index, on: &screen)
  }
}
