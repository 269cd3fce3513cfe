internal import KennelCore
internal import KennelReports

/// The first dialog, where an earlier session left changes: restore, look later, or discard.
struct RecoveryDialog: Dialog {
  static let title = "Beginning where a session left changes"
  static let keys = [
    Hint("r", "restore as a draft"),
    Hint("a", "also restore what may be committed already"),
    Hint("l", "look later, and keep until then"),
    Hint("d", "discard, after asking again"), Hint("Esc", "look later, or back"),
  ]

  /// So many operations of a draft are shown.
  private static let mostShown = 5

  /// The drafts, of which the first is asked about.
  private let drafts: [RecoveredDraft]
  /// Whether the person wants to discard it, and is asked again.
  private var isDiscarding = false

  /// Asks about the drafts that can be restored or discarded, and tells of the others.
  static func open(for found: [RecoveredDraft], in browser: Browser) {
    let foreign = found.filter { $0.state == .ofAnotherFile }.count
    let newer = found.filter { if case .newerFormat = $0.state { true } else { false } }.count
    var sentences: [String] = []
    if browser.model.database.undoneCommitNumber != nil {
      sentences.append(
        "The last commit was interrupted, perhaps by a power failure, and was rolled back"
      )
    }
    let unusable = [
      (foreign, "of a file that was here before", "can remove"),
      (newer, "of a later version of kennel", "lists"),
    ]
    for (count, which, verb) in unusable where count > 0 {
      let (whose, them) = count == 1 ? ("A draft", "it") : ("\(count) drafts", "them")
      sentences.append("\(whose) \(which); ‘kennel drafts’ \(verb) \(them)")
    }
    for case .inaccessible(let reason) in found.map(\.state) {
      sentences.append("A kept draft cannot be read: \(reason); ‘kennel drafts’ lists it")
    }
    if !sentences.isEmpty { browser.showError(sentences.joined(separator: ". ")) }
    let left = found.filter { $0.state == .restorable || $0.state == .unreadable }
    let drafts = left.filter { draft in
      guard isStored(draft, in: browser) == true, draft.rest.isEmpty else { return true }
      // It was interrupted after the end: nothing is left of it.
      try? draft.discard()
      browser.say("The commit that was interrupted is stored")
      return false
    }
    if !drafts.isEmpty, browser.model.draftOwner.isAvailable {
      browser.dialog = Self(drafts: drafts)
    }
  }

  // MARK: - Keys

  func hints(in browser: Browser) -> [Hint] {
    if isDiscarding { return [Hint("n", "no, keep"), Hint("D", "discard for good")] }
    let canRestore = drafts.first?.records.isEmpty == false
    let restore = Hint("r", "restore as a draft", short: "restore")
    let all = Hint("a", "restore what the commit may have, too", short: "all")
    let hasMore =
      drafts.first.map {
        !Self.rest(of: $0, in: browser).isEmpty && Self.isStored($0, in: browser) == nil
      } ?? false
    return (canRestore ? [restore] : []) + (hasMore ? [all] : []) + [
      Hint("l", "look later, and keep until then", short: "later"), Hint("d", "discard…"),
    ]
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    guard let draft = drafts.first, let letter = key.typed else {
      browser.showError("\(key) is not one of them")
      return .open
    }
    switch (letter, isDiscarding) {
    case ("r", false) where !draft.records.isEmpty:
      restore(Self.offered(of: draft, in: browser), of: draft, in: browser)
      return .closed
    case ("a", false) where !Self.rest(of: draft, in: browser).isEmpty:
      restore(draft.records, of: draft, in: browser)
      return .closed
    case ("l", false), ("n", true):
      return cancel(in: browser)
    case ("d", false):
      isDiscarding = true
      return .open
    case ("D", true):
      discard(draft, in: browser)
      return .closed
    default:
      let letters = hints(in: browser).map(\.key).joined(separator: ", ")
      browser.showError("\(key) is not one of them: \(letters)")
      return .open
    }
  }

  /// Back from the second question, or on without an answer to the first.
  mutating func cancel(in browser: Browser) -> DialogState {
    if isDiscarding {
      isDiscarding = false
      return .open
    }
    drafts.first?.release()
    browser.say("Kept; the next start asks again")
    goOn(in: browser)
    return .closed
  }

  private func goOn(in browser: Browser) {
    if drafts.count > 1 { browser.dialog = Self(drafts: Array(drafts.dropFirst())) }
  }

  private func discard(_ draft: RecoveredDraft, in browser: Browser) {
    do throws(DatabaseError) {
      try draft.discard()
      browser.say("Discarded")
    } catch {
      browser.showError(error.message)
    }
    goOn(in: browser)
  }

  // MARK: - Restoring

  /// The records that a commit under way left in the draft, if there is a newer commit.
  private static func rest(of draft: RecoveredDraft, in browser: Browser) -> [DraftRecord] {
    isStored(draft, in: browser) == false ? [] : draft.rest
  }

  /// Whether the commit of a draft that was under way is stored; `nil` where that cannot be told.
  private static func isStored(_ draft: RecoveredDraft, in browser: Browser) -> Bool? {
    guard let onto = draft.committingOnto else { return false }
    if let original = browser.settings.original { return original.isStored(onto) }
    return browser.model.database.commitNumber > onto ? nil : false
  }

  /// The records to restore by default.
  private static func offered(of draft: RecoveredDraft, in browser: Browser) -> [DraftRecord] {
    let rest = rest(of: draft, in: browser)
    return rest.isEmpty ? draft.records : rest
  }

  private func restore(
    _ records: [DraftRecord],
    of recovered: RecoveredDraft,
    in browser: Browser
  ) {
    if let reason = browser.readOnlyReason { return browser.showError(reason) }
    // One draft is restored at a time; the others are for the next start.
    for other in drafts.dropFirst() { other.release() }
    let others = drafts.count - 1
    let isLarge = records.deletionCount > LargeChanges.mostAtOnce
    LargeChanges(browser).perform("Restoring", as: .restored(records), isLarge: isLarge) {
      draft,
      _ throws(DatabaseError) in
      try draft.restore(records)
    } finish: { browser, _, _ in
      Self.finish(records, recovered, others, in: browser)
    } abandon: { browser, error in
      recovered.release()
      let reason = error.map { ": \($0.message)" } ?? ""
      browser.showError("Nothing was restored; everything is kept\(reason)")
    }
  }

  private static func finish(
    _ records: [DraftRecord],
    _ recovered: RecoveredDraft,
    _ others: Int,
    in browser: Browser
  ) {
    browser.autosave.adopt(recovered)
    let conflicts = browser.model.draftOwner.conflicts.count
    let review = browser.key(of: "review")
    let restored = "Restored \(counted(records.changeCount, "change"))"
    let rest = others > 0 ? "; \(counted(others, "more draft")) at the next start" : ""
    if conflicts == 0 {
      browser.say("\(restored); \(review) shows them, \(browser.key(of: "undo")) undoes\(rest)")
    } else {
      browser.showError(
        "\(restored), \(counted(conflicts, "conflict")); \(review) shows them\(rest)"
      )
    }
  }

  // MARK: - Drawing

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let (heading, lines) = text(in: frame.browser)
    let answers = hints(in: frame.browser).map { ("\($0.key)  \($0.label)", Style.standard) }
    frame.drawBox(heading, lines.map { ($0, frame.theme.note) } + answers, on: &screen)
  }

  private func text(in browser: Browser) -> (heading: String, lines: [String]) {
    guard let draft = drafts.first else { return ("", []) }
    let rest = Self.rest(of: draft, in: browser)
    let records = Self.offered(of: draft, in: browser)
    let number = records.changeCount
    if isDiscarding {
      let what = number > 0 ? counted(number, "change") : "what is left of the changes"
      return ("Discard \(what) for good?", [])
    }
    let time = browser.settings.time(draft.modified)
    guard number > 0 else {
      let lines = [
        "Left on \(time), damaged from the start; nothing can be restored:",
        draft.journalPath,
      ]
      return ("The changes of an earlier session are lost", lines)
    }
    var lines = ["Left on \(time) by a session that ended without a commit:"]
    lines += DraftCounts(records).lines(in: browser.model).map { "  \($0)" }
    let view = RecordFormatter(model: browser.model)
    lines += records.prefix(Self.mostShown).map { "    \(view.text(of: $0))" }
    let more = records.count - Self.mostShown
    if more > 0 { lines.append("    … \(more) more") }
    if let path = draft.formerPath { lines.append("The file was \(path) then.") }
    let newest = browser.model.database.commitNumber
    if !rest.isEmpty {
      let fate =
        Self.isStored(draft, in: browser) == true
        ? "have been committed" : "were being committed; a newer commit probably has them"
      lines.append("Other changes \(fate).")
    } else if Self.isStored(draft, in: browser) == nil {
      lines.append(
        "A commit was under way, and there is a newer one, which may include these changes."
      )
    } else if newest > draft.lastCommit {
      let commits = newest - draft.lastCommit
      lines.append("Commits since then: \(commits); changes of the same values will conflict.")
    }
    if draft.lostByteCount > 0 {
      lines.append("What followed, \(counted(draft.lostByteCount, "byte")), is damaged and lost.")
    }
    return ("\(counted(number, "change")) not committed", lines)
  }
}
