/// The messages of this run, the newest last.
struct ActionLog {
  struct Entry {
    let time: String
    let text: String
    let isError: Bool
  }

  private(set) var entries: [Entry] = []

  /// More entries than these are not kept; the oldest go.
  private static let most = 1_000

  mutating func add(_ entry: Entry) {
    if let last = entries.last, last.text == entry.text, last.time == entry.time { return }
    entries.append(entry)
    if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
  }
}

extension Browser {
  /// Adds a message to the log; what is said about a line that is being typed is no action.
  func note(_ message: Message?) {
    guard let message, !(dialog is PromptDialog) else { return }
    log.add(
      ActionLog.Entry(time: settings.clockTime(), text: message.text, isError: message.isError)
    )
  }
}
