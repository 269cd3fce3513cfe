internal import KennelCore

// What a deletion takes with it may be a large part of the file. Then a job finds it out, and another one
// deletes: that one has the draft meanwhile, and the screen shows what the draft was.

/// A deletion that a person asked for.
struct Deletion {
  var objects: [ObjectIdentity]
  var title: String
  /// What was shown, where another program has committed since.
  var shown: BlastRadius?
}

extension Browser {
  /// So many objects are deleted while a person waits.
  static let mostAtOnce = 1_000

  /// Finds out what a deletion takes with it, however much that is.
  func plan(_ deletion: Deletion) {
    let objects = deletion.objects
    let job = start("Finding out what goes with it", .plan(deletion)) {
      snapshot,
      context throws(DatabaseError) in
      let progress = QueryProgress(
        isCancelled: { context.isCancelled },
        report: { context.report(progress: $0) }
      )
      return .radius(try snapshot.blastRadius(deleting: objects, limit: .max, progress: progress))
    }
    if let job { overlay = .planning(job) }
  }

  /// Shows what a deletion takes with it, and does it after `D`.
  func ask(_ deletion: Deletion, _ radius: BlastRadius) {
    let model = model
    let generation = model.generation
    let objects = deletion.objects
    let isLarge = radius.deletionCount > Self.mostAtOnce
    let renewed = {
      isLarge
        ? radius
        : model.blastRadius(deleting: objects.filter(model.contains), limit: Self.mostAtOnce)
    }
    confirm(radius, title: deletion.title, renewed: renewed) { browser in
      if isLarge {
        var deletion = deletion
        deletion.shown = model.generation == generation ? nil : radius
        browser.deleteMany(deletion, radius)
      } else {
        browser.deleteFew(deletion, radius)
      }
    }
  }

  private func deleteFew(_ deletion: Deletion, _ radius: BlastRadius) {
    let model = model
    let done = change("Deleted \(deathCounts(radius))") { draft throws(DatabaseError) in
      try draft.delete(deletion.objects.filter(model.contains))
    }
    if done { leave(deletion) }
  }

  private func leave(_ deletion: Deletion) {
    updateTable { $0.marks = [] }
    leaveDeleted(deletion.objects)
  }

  private func deleteMany(_ deletion: Deletion, _ radius: BlastRadius) {
    let objects = deletion.objects.filter(model.contains)
    guard let draft = model.lend() else { return showError(readOnlyReason ?? "") }
    let shown = deletion.shown
    _ = launch("Deleting \(deathCounts(radius))", .delete(deletion)) {
      context throws(DatabaseError) in
      let progress = QueryProgress(
        isCancelled: { context.isCancelled },
        report: { context.report(progress: $0) }
      )
      let radius = try draft.delete(objects, progress: progress)
      if let shown, !radius.isCovered(by: shown) {
        try draft.undo()
        return .grown(radius)
      }
      if context.isCancelled { try draft.undo() }
      return .done
    }
  }

  /// The job is over, whether it deleted or was stopped.
  func takeBackDraft(_ deletion: Deletion) {
    let hasChanged = model.takeBack()
    worldChanged()
    if hasChanged {
      say("Deleted; u undoes")
      leave(deletion)
    } else {
      say("Nothing is deleted")
    }
  }
}

// What is done with a draft that has such a deletion may take as long.

extension Browser {
  /// Takes a change back that deletes many; false where the next one does not.
  func undoMany() -> Bool {
    guard let draft = model.draft, draft.undoDeletionCount > Self.mostAtOnce, model.undoCount > 0
    else { return false }
    let count = model.undoCount
    changeBeside("Undoing") { draft throws(DatabaseError) in
      try draft.undo(count)
    } finish: { browser, what in
      browser.model.returnDraft()
      browser.model.noteUndo()
      browser.worldChanged()
      browser.say("Undid: \(what ?? "")")
    }
    return true
  }

  /// Does a change again that deletes many; false where the next one does not.
  func redoMany() -> Bool {
    guard let draft = model.draft, draft.redoDeletionCount > Self.mostAtOnce, model.redoCount > 0
    else { return false }
    let count = model.redoCount
    changeBeside("Doing it again") { draft throws(DatabaseError) in
      try draft.redo(count)
    } finish: { browser, what in
      browser.model.returnDraft()
      browser.model.noteRedo()
      browser.worldChanged()
      browser.say("Did again: \(what ?? "")")
    }
    return true
  }

  /// Moves a draft that deletes many onto another program's commit.
  func takeNewsOfMany(_ before: (ObjectIdentity, Bool)?) {
    changeBeside("Taking in another program's commit") { draft throws(DatabaseError) in
      try draft.refresh()
    } finish: { browser, _ in
      browser.model.returnDraft()
      browser.model.changed()
      browser.finishNews(before)
    }
  }

  /// Whether what is done with the draft as a whole takes longer than a person waits.
  var isDraftLarge: Bool { (model.draft?.deletionCount ?? 0) > Self.mostAtOnce }

  /// Lends the draft to a job.
  ///
  /// - Parameters:
  ///   - title: What the job does.
  ///   - work: What it does with the draft.
  ///   - finish: What is done with the result, first of all taking the draft back.
  func changeBeside<Result: Sendable>(
    _ title: String,
    _ work: @escaping @Sendable (Draft) throws(DatabaseError) -> Result,
    finish: @escaping (Browser, Result) -> Void
  ) {
    guard let draft = model.lend() else { return showError(readOnlyReason ?? "") }
    let purpose = RunningJob.Purpose.step { browser, found in
      if let found = found as? Found<Result> { finish(browser, found.result) }
    }
    _ = launch(title, purpose) { _ throws(DatabaseError) in
      .step(Found(result: try work(draft)))
    }
  }
}

/// What a job found, on its way through a result that does not know its type.
private struct Found<Result: Sendable>: Sendable {
  let result: Result
}

extension BlastRadius {
  /// Whether nothing dies that does not die in another one.
  func isCovered(by shown: BlastRadius) -> Bool {
    guard denied.isEmpty, deletionCount <= shown.deletionCount else { return false }
    let dead = Set(shown.deletions.map(\.object))
    return deletions.allSatisfy { dead.contains($0.object) }
  }
}
