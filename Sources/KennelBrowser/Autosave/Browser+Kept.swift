internal import KennelCore

// The first dialog, where an earlier session left changes: restore, look later, or discard.

extension Browser {
  /// Asks about the drafts that can be restored or discarded, and tells of the others.
  func ask(about kept: [RecoveredDraft]) {
    let foreign = kept.filter { $0.state == .ofAnotherFile }.count
    let newer = kept.filter { if case .newerFormat = $0.state { true } else { false } }.count
    var sentences: [String] = []
    if model.database.undoneCommitNumber != nil {
      sentences.append("The last commit was cut off, by a power failure or so, and has been undone")
    }
    if foreign > 0 {
      let whose = foreign == 1 ? "A draft" : "\(foreign) drafts"
      sentences.append(
        "\(whose) of a file that was here before; ‘kennel drafts’ can remove \(them(foreign))"
      )
    }
    if newer > 0 {
      let whose = newer == 1 ? "A draft" : "\(newer) drafts"
      sentences.append(
        "\(whose) of a later version of kennel; ‘kennel drafts’ lists \(them(newer))"
      )
    }
    for case .inaccessible(let reason) in kept.map(\.state) {
      sentences.append(
        "Changes are kept that cannot be read: \(reason); ‘kennel drafts’ lists them"
      )
    }
    if !sentences.isEmpty { showError(sentences.joined(separator: ". ")) }
    let drafts = kept.filter { $0.state == .restorable || $0.state == .unreadable }
    overlay = drafts.isEmpty || model.draft == nil ? nil : .kept(KeptDialog(drafts: drafts))
  }

  private func them(_ number: Int) -> String { number == 1 ? "it" : "them" }

  func handle(_ key: Key, in dialog: KeptDialog) {
    guard let draft = dialog.drafts.first, let letter = key.typed else {
      return showError("\(key) is none of them")
    }
    switch (letter, dialog.isDiscarding) {
    case ("r", false) where !draft.records.isEmpty: restore(draft, dialog)
    case ("l", false), ("n", true): leave(dialog)
    case ("d", false):
      var dialog = dialog
      dialog.isDiscarding = true
      overlay = .kept(dialog)
    case ("D", true): discard(draft, dialog)
    default:
      let letters = choices(of: dialog).map(\.key).joined(separator: ", ")
      showError("\(key) is none of them: \(letters)")
    }
  }

  /// Back from the second question, or on without an answer to the first.
  func leave(_ dialog: KeptDialog) {
    if dialog.isDiscarding {
      overlay = .kept(KeptDialog(drafts: dialog.drafts))
      return
    }
    dialog.drafts.first?.release()
    say("Kept; the next start asks again")
    goOn(after: dialog)
  }

  private func goOn(after dialog: KeptDialog) {
    let rest = Array(dialog.drafts.dropFirst())
    overlay = rest.isEmpty ? nil : .kept(KeptDialog(drafts: rest))
  }

  private func restore(_ kept: RecoveredDraft, _ dialog: KeptDialog) {
    guard let draft = model.draft else { return showError(readOnlyReason ?? "") }
    overlay = nil
    // One draft is restored at a time; the others are for the next start.
    for other in dialog.drafts.dropFirst() { other.release() }
    let others = dialog.drafts.count - 1
    let records = kept.records
    if records.deletionCount > Self.mostAtOnce {
      changeBeside("Restoring") { draft throws(DatabaseError) -> String? in
        do throws(DatabaseError) {
          try draft.restore(records)
          return nil
        } catch {
          return error.message
        }
      } finish: { browser, problem in
        browser.model.returnDraft()
        if problem == nil { browser.model.noteRestored(records) }
        browser.finishRestoring(kept, others, problem)
      }
      return
    }
    do throws(DatabaseError) {
      try model.restore(records, into: draft)
      finishRestoring(kept, others, nil)
    } catch {
      finishRestoring(kept, others, error.message)
    }
  }

  private func finishRestoring(_ kept: RecoveredDraft, _ others: Int, _ problem: String?) {
    if let problem {
      kept.release()
      return showError("Nothing is restored, and all stays kept: \(problem)")
    }
    keeping.journal?.adopt(kept)
    keeping.hasChanges = true
    worldChanged()
    let conflicts = model.draft?.conflicts.count ?? 0
    let restored = "Restored \(count(kept.records.changeCount, "change"))"
    let rest = others > 0 ? "; \(count(others, "more draft")) at the next start" : ""
    if conflicts == 0 {
      say("\(restored); 4 shows them, u undoes" + rest)
    } else {
      showError("\(restored), \(count(conflicts, "conflict")); 4 shows them" + rest)
    }
  }

  private func discard(_ draft: RecoveredDraft, _ dialog: KeptDialog) {
    do throws(DatabaseError) {
      try draft.discard()
      say("Discarded")
    } catch {
      showError(error.message)
    }
    goOn(after: dialog)
  }

  // MARK: - What is said

  func text(of dialog: KeptDialog) -> (title: String, lines: [String]) {
    guard let draft = dialog.drafts.first else { return ("", []) }
    let number = draft.records.changeCount
    if dialog.isDiscarding {
      let what = number > 0 ? count(number, "change") : "what is left of the changes"
      return ("Discard \(what) for good?", [])
    }
    let time = settings.time(draft.modified)
    guard number > 0 else {
      let lines = [
        "Left on \(time), damaged from the beginning; nothing of it can be restored:",
        draft.journalPath,
      ]
      return ("What a session left is lost", lines)
    }
    var lines = ["Left on \(time) by a session that ended before a commit."]
    if let path = draft.formerPath { lines.append("The file was \(path) then.") }
    let newest = model.database.commitNumber
    if let onto = draft.committingOnto, newest > onto {
      lines.append("A commit was under way, and there is a newer one: it may have this already.")
    } else if newest > draft.lastCommit {
      let commits = newest - draft.lastCommit
      lines.append("Commits since then: \(commits); what they overtook will be a conflict.")
    }
    if draft.lostByteCount > 0 {
      lines.append("What followed, \(count(draft.lostByteCount, "byte")), is damaged and lost.")
    }
    return ("\(count(number, "change")) not committed", lines)
  }

  func choices(of dialog: KeptDialog) -> [Hint] {
    if dialog.isDiscarding {
      return [Hint(key: "n", label: "no, keep"), Hint(key: "D", label: "discard for good")]
    }
    let canRestore = dialog.drafts.first?.records.isEmpty == false
    let restore = Hint(key: "r", label: "restore as a draft", short: "restore")
    return (canRestore ? [restore] : []) + [
      Hint(key: "l", label: "look later, and keep until then", short: "later"),
      Hint(key: "d", label: "discard…"),
    ]
  }
}
