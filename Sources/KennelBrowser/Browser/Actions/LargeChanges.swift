internal import KennelCore

/// Changes of very many objects, and of a draft with such changes: a job makes them and has the draft
/// meanwhile, while the screen shows what the draft was.
struct LargeChanges: BrowserPart {
  let browser: Browser

  /// So many objects are changed while a person waits.
  static let mostAtOnce = 1_000

  /// Whether what is done with the draft as a whole takes longer than a person waits.
  var isDraftLarge: Bool {
    model.draft.deletionCount + model.draft.operationCount > Self.mostAtOnce
  }

  /// Undoes a change of many objects; false where the next one is not.
  func undo() -> Bool {
    let count = model.draft.undoCount
    guard max(count, model.draft.undoDeletionCount) > Self.mostAtOnce else { return false }
    change("Undoing") { draft throws(DatabaseError) in
      try draft.undo(count)
    } finish: { browser, what in
      browser.model.draft.takeBack(as: .undone)
      browser.say("Undid: \(what ?? "")")
    }
    return true
  }

  /// Redoes a change of many objects; false where the next one is not.
  func redo() -> Bool {
    let count = model.draft.redoCount
    guard max(count, model.draft.redoDeletionCount) > Self.mostAtOnce else { return false }
    change("Redoing") { draft throws(DatabaseError) in
      try draft.redo(count)
    } finish: { browser, what in
      browser.model.draft.takeBack(as: .redone)
      browser.say("Redid: \(what ?? "")")
    }
    return true
  }

  /// Makes many changes as one step of undo, or none; a job makes very many, which can be stopped.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - title: What the job does.
  ///   - done: What is said when they are made.
  ///   - body: Makes one of them.
  /// - Returns: Whether they are made, or a job is at it.
  @discardableResult
  func changeEach(
    _ count: Int,
    title: String,
    done: String,
    _ body: @escaping @Sendable (Draft, Int) throws(DatabaseError) -> Void
  ) -> Bool {
    if count <= Self.mostAtOnce {
      return change(done) { draft throws(DatabaseError) in
        for index in 0..<count { try body(draft, index) }
      }
    }
    guard let draft = model.draft.lend() else {
      showError(browser.readOnlyReason ?? "")
      return false
    }
    Jobs(browser).launch(title, .change(canStop: true)) { context throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for index in 0..<count {
          if index % 256 == 0 {
            if context.isCancelled { throw DatabaseError(.cancelled, "It was stopped") }
            context.report(progress: Double(index) / Double(count))
          }
          try body(draft, index)
        }
      }
    } finish: { browser, _ in
      let hasChanged = browser.model.draft.takeBack(as: .step)
      browser.say(
        done + (hasChanged ? "; \(browser.key(of: "undo")) undoes" : "; nothing has changed")
      )
    } abandon: { browser in
      browser.model.draft.takeBack(as: .step)
      browser.say("Nothing was changed")
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
    Jobs(browser).launch(
      title,
      .change(canStop: false),
      work: { _ throws(DatabaseError) in try work(draft) },
      finish: finish,
      abandon: { $0.model.draft.takeBack(as: .noStep) }
    )
  }
}
