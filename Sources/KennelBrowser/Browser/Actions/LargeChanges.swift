internal import KennelCore

/// Changes of a draft that deletes very many objects: a job makes them and has the draft meanwhile, while
/// the screen shows what the draft was.
struct LargeChanges: BrowserPart {
  let browser: Browser

  /// So many objects are deleted while a person waits.
  static let mostAtOnce = 1_000

  /// Whether what is done with the draft as a whole takes longer than a person waits.
  var isDraftLarge: Bool { model.draft.deletionCount > Self.mostAtOnce }

  /// Undoes a change that deletes many; false where the next one does not.
  func undo() -> Bool {
    guard model.draft.undoDeletionCount > Self.mostAtOnce else { return false }
    let count = model.draft.undoCount
    change("Undoing") { draft throws(DatabaseError) in
      try draft.undo(count)
    } finish: { browser, what in
      browser.model.draft.takeBack(as: .undone)
      browser.say("Undid: \(what ?? "")")
    }
    return true
  }

  /// Redoes a change that deletes many; false where the next one does not.
  func redo() -> Bool {
    guard model.draft.redoDeletionCount > Self.mostAtOnce else { return false }
    let count = model.draft.redoCount
    change("Redoing") { draft throws(DatabaseError) in
      try draft.redo(count)
    } finish: { browser, what in
      browser.model.draft.takeBack(as: .redone)
      browser.say("Redid: \(what ?? "")")
    }
    return true
  }

  /// Lends the draft to a job, which nobody can stop.
  ///
  /// - Parameters:
  ///   - title: What the job does.
  ///   - work: What it does with the draft.
  ///   - finish: What is done with the result, first of all taking the draft back.
  func change<Found: Sendable>(
    _ title: String,
    work: @escaping @Sendable (Draft) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found) -> Void
  ) {
    guard let draft = model.draft.lend() else { return showError(browser.readOnlyReason ?? "") }
    browser.launch(
      title,
      .change(canStop: false),
      work: { _ throws(DatabaseError) in try work(draft) },
      finish: finish,
      abandon: { $0.model.draft.takeBack(as: .noStep) }
    )
  }
}
