internal import KennelCore

/// Deletes objects and cuts links.
///
/// Whatever takes an object with it is shown first.
struct Deleting: BrowserPart {
  let browser: Browser

  /// A deletion that a person asked for.
  private struct Deletion {
    var objects: [ObjectIdentity]
    var title: String
    /// How much goes, as in `1 Person, 2 Address`.
    var counts = ""
    /// What was shown, where another program has committed since.
    var shown: BlastRadius?
  }

  /// The objects that `d` is about: the marked ones, else the one under the cursor.
  private var marked: [ObjectIdentity] {
    let marked = browser.markedObjects
    if !marked.isEmpty { return marked }
    let single: ObjectIdentity? =
      switch view.main {
      case .table(let table): table.object
      case .object(let object): object.object
      case .elements(let elements): elements.cursor?.target
      case .summary, .diagram: nil
      }
    return [single].compactMap(\.self)
  }

  func askToDelete() {
    let objects = marked.filter(model.contains)
    guard let first = objects.first else {
      showError("There is no object to delete here; x takes an element out")
      return
    }
    let title =
      objects.count == 1 ? "Delete \(model.label(first))?" : "Delete \(objects.count) objects?"
    let deletion = Deletion(objects: objects, title: title)
    let most = LargeChanges.mostAtOnce
    if objects.count <= most, let radius = model.smallBlastRadius(deleting: objects, limit: most) {
      ask(deletion, radius)
    } else {
      plan(deletion)
    }
  }

  /// Finds out what a deletion takes with it, however much that is.
  private func plan(_ deletion: Deletion) {
    let objects = deletion.objects
    plan { snapshot, progress throws(DatabaseError) in
      try snapshot.blastRadius(deleting: objects, limit: .max, progress: progress)
    } then: { browser, radius in
      browser.deleting.ask(deletion, radius)
    }
  }

  /// Finds out beside the screen what goes with a change, while a dialog waits.
  ///
  /// - Parameters:
  ///   - find: Finds it out.
  ///   - next: What is done with it, unless the person has stopped it.
  func plan(
    _ find: @escaping @Sendable (Snapshot, QueryProgress) throws(DatabaseError) -> BlastRadius,
    then next: @escaping (Browser, BlastRadius) -> Void
  ) {
    let job = browser.launch(
      "Finding out what goes with it",
      .plan,
      reading: { snapshot, context throws(DatabaseError) in
        try find(snapshot, QueryProgress(of: context))
      },
      finish: { browser, radius in
        guard browser.dialog is PlanDialog else { return }
        browser.dialog = nil
        next(browser, radius)
      },
      abandon: { browser in
        if browser.dialog is PlanDialog { browser.dialog = nil }
      }
    )
    if let job { open(PlanDialog(job: job)) }
  }

  /// Shows what a deletion takes with it, and does it after `D`.
  private func ask(_ deletion: Deletion, _ radius: BlastRadius) {
    let model = model
    let generation = model.generation
    let objects = deletion.objects
    let isLarge = radius.deletionCount > LargeChanges.mostAtOnce
    let renewed = {
      isLarge
        ? radius
        : model.blastRadius(
          deleting: objects.filter(model.contains),
          limit: LargeChanges.mostAtOnce
        )
    }
    let all = radius.deletionCount
    let title =
      objects.count > 1 && all > objects.count
      ? "Delete \(objects.count) objects, \(all) with what goes with them?" : deletion.title
    confirm(radius, title: title, renewed: renewed) { browser in
      if isLarge {
        var deletion = deletion
        deletion.shown = model.generation == generation ? nil : radius
        browser.deleting.deleteMany(deletion, radius)
      } else {
        browser.deleting.deleteFew(deletion, radius)
      }
    }
  }

  private func deleteFew(_ deletion: Deletion, _ radius: BlastRadius) {
    let model = model
    let done = change("Deleted \(counts(of: radius))") { draft throws(DatabaseError) in
      try draft.delete(deletion.objects.filter(model.contains))
    }
    if done { leave(deletion) }
  }

  /// What became of a deletion that a job was to make.
  private enum Outcome: Sendable {
    case done
    /// It would take more with it than was shown, and was not done.
    case grown(BlastRadius)
  }

  private func deleteMany(_ deletion: Deletion, _ radius: BlastRadius) {
    let objects = deletion.objects.filter(model.contains)
    guard let draft = model.draft.lend() else { return showError(browser.readOnlyReason ?? "") }
    let shown = deletion.shown
    var deletion = deletion
    deletion.counts = counts(of: radius)
    browser.launch("Deleting \(counts(of: radius))", .change(canStop: true)) {
      context throws(DatabaseError) -> Outcome in
      let radius = try draft.delete(objects, progress: QueryProgress(of: context))
      if let shown, !radius.isCovered(by: shown) {
        try draft.undo()
        return .grown(radius)
      }
      if context.isCancelled { try draft.undo() }
      return .done
    } finish: { browser, outcome in
      browser.deleting.takeBackDraft(deletion)
      if case .grown(let radius) = outcome {
        browser.deleting.ask(deletion, radius)
        browser.showError("Another program committed; this is what goes with it now")
      }
    } abandon: { browser in
      browser.deleting.takeBackDraft(deletion)
    }
  }

  /// The job is over, whether it deleted or was stopped.
  private func takeBackDraft(_ deletion: Deletion) {
    if model.draft.takeBack(as: .step) {
      say("Deleted \(deletion.counts); u undoes")
      leave(deletion)
    } else {
      say("Nothing was deleted")
    }
  }

  private func leave(_ deletion: Deletion) {
    updateTable { $0.clearMarks() }
    leaveDeleted(deletion.objects)
  }

  /// The view of an object that was just deleted here gives way to the one before.
  private func leaveDeleted(_ objects: [ObjectIdentity]) {
    guard case .object(let object) = view.main, objects.contains(object.object),
      browser.history.canGoBack
    else { return }
    let said = message
    browser.navigation.goBack()
    message = said
  }

  /// The count above which a person types it.
  private static let mostWithoutCount = 100

  /// Shows what dies, and does it after `D`.
  ///
  /// - Parameters:
  ///   - radius: What is shown.
  ///   - title: What is asked.
  ///   - renewed: Finds out what it takes with it now; another program may have committed.
  ///   - action: What `D` does.
  func confirm(
    _ radius: BlastRadius,
    title: String,
    renewed: @escaping () -> BlastRadius?,
    _ action: @escaping (Browser) -> Void
  ) {
    let refusal = radius.denied.first.map { denial in
      let name = model.schema.property(denial.property, of: denial.object.classKey)?.name ?? "?"
      return "\(model.text(denial.object)).\(name) forbids it while "
        + "\(model.text(denial.target)) exists"
    }
    open(
      DeletionDialog(
        heading: title,
        radius: radius,
        lines: DeletionView(model: model, theme: theme).lines(of: radius),
        wantedCount: radius.deletionCount > Self.mostWithoutCount ? radius.deletionCount : nil,
        refusal: refusal,
        generation: model.generation,
        renewed: renewed,
        action: action
      )
    )
  }

  /// Whether what was shown is all that dies; shows it anew where it is not.
  func isAsShown(_ dialog: DeletionDialog) -> Bool {
    guard model.generation != dialog.generation else { return true }
    guard let now = dialog.renewed() else { return false }
    if now.isCovered(by: dialog.radius) { return true }
    confirm(now, title: dialog.heading, renewed: dialog.renewed, dialog.action)
    showError("Another program committed; this is what goes with it now")
    return false
  }

  /// The deletions per class, as in `1 Person, 2 Address`.
  private func counts(of radius: BlastRadius) -> String {
    DeletionView(model: model, theme: theme).counts(of: radius)
  }

  // MARK: - Unlinking

  /// `x`: the link becomes null, or the element goes; the target stays unless it is embedded.
  func unlink() {
    guard let spot = browser.editedSpot, let property = property(of: spot) else {
      showError("There is no link under the cursor; d deletes the object")
      return
    }
    guard isInPlace(spot) else { return }
    if spot.marked.count > 1 { return unlinkMarked(spot, property) }
    if spot.element == nil {
      guard !property.isCollection else {
        showError("Enter opens \(property.name); x takes a single element out of it")
        return
      }
      guard linkTarget(spot) != nil else {
        showError("x cuts links and takes elements out; C offers null for \(property.name)")
        return
      }
    }
    let slot = spot.slot(in: model.schema)
    let model = model
    let renewed = { model.blastRadius(unlinking: slot) }
    guard let radius = renewed() else { return }
    if radius.deletions.isEmpty {
      cut(spot, property)
    } else {
      confirm(radius, title: "Cut \(name(of: spot))?", renewed: renewed) { browser in
        guard browser.isInPlace(spot) else { return }
        browser.deleting.cut(spot, property)
      }
    }
  }

  /// Cuts the links of all marked objects.
  private func unlinkMarked(_ spot: Spot, _ property: PropertySchema) {
    guard property.canLink, !property.isCollection else {
      showError("\(property.name) is no link; C offers null for all that are marked")
      return
    }
    browser.editing.assignPreviewed(.null, to: spot)
  }

  private func cut(_ spot: Spot, _ property: PropertySchema) {
    let name = name(of: spot)
    let (object, key) = (spot.object, spot.property)
    guard let element = spot.element else {
      change("\(name) is null") { draft throws(DatabaseError) in
        try draft.set(object, key, .null)
      }
      return
    }
    change("Took out \(name)") { draft throws(DatabaseError) in
      switch property.type.collection {
      case .map: try draft.setEntry(element.key ?? "", nil, of: object, key)
      case .set: try draft.removeMember(element.value, of: object, key)
      case .list, .none: try draft.removeElement(at: element.index, of: object, key)
      }
    }
  }
}

extension BlastRadius {
  /// Whether nothing is deleted that is not deleted in another one.
  fileprivate func isCovered(by shown: BlastRadius) -> Bool {
    guard denied.isEmpty, deletionCount <= shown.deletionCount else { return false }
    let known = Set(shown.deletions.map(\.object))
    return deletions.allSatisfy { known.contains($0.object) }
  }
}
