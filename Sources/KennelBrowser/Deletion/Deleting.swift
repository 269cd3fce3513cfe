internal import KennelCore
internal import KennelReports

/// Deletes objects and cuts links.
///
/// A deletion with consequences is shown first.
struct Deleting: BrowserPart {
  let browser: Browser

  /// A deletion that a person asked for.
  private struct Deletion {
    var objects: [ObjectIdentity]
    var title: String
    /// Edits of links to make before.
    var edits: [LinkEdit] = []
    /// The effects that were shown, where another program has committed since.
    var shown: BlastRadius?
    /// Where the cursor was when it was steered.
    var place = DeletionDialog.Place()

    mutating func remove(_ edit: LinkEdit) {
      // An object is kept by one edit for each of those that it would go with.
      edits.removeAll { other in
        other == edit
          || edit.replacement == nil && other.replacement == nil && other.kept == edit.kept
      }
    }
  }

  /// The objects that `d` is about: the marked ones, else the one under the cursor.
  private var marked: [ObjectIdentity] {
    let marked = browser.markedObjects
    if !marked.isEmpty { return marked }
    let single =
      entry.main is ElementsView ? browser.spot?.element?.target : entry.subject
    return [single].compactMap(\.self)
  }

  func askToDelete() {
    let objects = marked.filter(model.contains)
    guard !objects.isEmpty else {
      return showError(
        "There is no object to delete here; \(key(of: "unlink")) takes an element out"
      )
    }
    let deletion = Deletion(objects: objects, title: question(objects))
    let most = LargeChanges.mostAtOnce
    if objects.count <= most, let radius = model.smallBlastRadius(deleting: objects, limit: most) {
      ask(deletion, radius)
    } else {
      plan(deletion)
    }
  }

  private func question(_ objects: [ObjectIdentity]) -> String {
    objects.count == 1 ? "Delete \(model.label(objects[0]))?" : "Delete \(objects.count) objects?"
  }

  /// Finds out what a deletion takes with it, however much that is.
  private func plan(_ deletion: Deletion) {
    let objects = deletion.objects
    plan { snapshot, progress throws(DatabaseError) in
      try snapshot.blastRadius(deleting: objects, limit: .max, progress: progress)
    } then: { browser, radius in
      Deleting(browser).ask(deletion, radius)
    }
  }

  /// Finds out beside the screen what goes with a change.
  func plan(
    _ find: @escaping @Sendable (Snapshot, QueryProgress) throws(DatabaseError) -> BlastRadius,
    then next: @escaping (Browser, BlastRadius) -> Void
  ) {
    plan("Finding out what goes with it") { snapshot, context throws(DatabaseError) in
      try find(snapshot, QueryProgress(of: context))
    } then: {
      next($0, $1)
    }
  }

  /// Shows what a deletion takes with it, and does it after `D`.
  private func ask(_ deletion: Deletion, _ radius: BlastRadius) {
    let model = model
    let generation = model.generation
    let objects = deletion.objects
    let browser = browser
    let isLarge = radius.deletionCount > LargeChanges.mostAtOnce
    let renewed = { isLarge ? radius : Deleting(browser).radius(of: deletion) }
    let all = radius.deletionCount
    let title =
      objects.count > 1 && all > objects.count
      ? "Delete \(objects.count) objects, \(all) with what goes with them?" : deletion.title
    let question = DeletionDialog.Question(
      title: title,
      edits: deletion.edits,
      renewed: renewed,
      steer: isLarge ? nil : { Deleting($0).steer(deletion, $1) }
    ) { browser in
      var deletion = deletion
      deletion.shown = isLarge && model.generation != generation ? radius : nil
      Deleting(browser).delete(deletion, radius, isLarge: isLarge)
    }
    open(DeletionDialog(question, radius, at: deletion.place, in: model))
  }

  /// The present effects of a deletion of a few objects.
  private func radius(of deletion: Deletion) -> BlastRadius? {
    let objects = deletion.objects.filter(model.contains)
    let limit = LargeChanges.mostAtOnce
    if deletion.edits.isEmpty { return model.blastRadius(deleting: objects, limit: limit) }
    return model.attempt { () throws(DatabaseError) in
      try model.draftOwner.blastRadius(deleting: objects, after: deletion.edits, limit: limit)
    } ?? nil
  }

  private func delete(_ deletion: Deletion, _ radius: BlastRadius, isLarge: Bool) {
    let objects = deletion.objects.filter(model.contains)
    let counts = DeletionFormatter(model: model).counts(of: radius)
    let (edits, shown) = (deletion.edits, deletion.shown)
    LargeChanges(browser).perform("Deleting \(counts)", isLarge: isLarge, canStop: true) {
      draft,
      context throws(DatabaseError) -> BlastRadius? in
      var grown: BlastRadius?
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for edit in edits { try edit.perform(in: draft) }
        let radius = try draft.delete(objects, progress: QueryProgress(of: context))
        if let shown, !radius.isCovered(by: shown) { grown = radius }
        if grown != nil || context.isCancelled { try draft.undo() }
      }
      return grown
    } finish: { browser, grown, hasChanged in
      if let grown {
        Deleting(browser).ask(deletion, grown)
        browser.showError("Another program committed; this is what goes with it now")
      } else if hasChanged {
        browser.say("Deleted \(counts)", hasChanged: true)
        Deleting(browser).leave(deletion.objects)
      } else {
        browser.say("Nothing was deleted")
      }
    } abandon: { browser, error in
      error.map { browser.showError($0.message) } ?? browser.say("Nothing was deleted")
    }
  }

  /// The view of an object that was just deleted here gives way to the one before.
  private func leave(_ objects: [ObjectIdentity]) {
    updateTable { $0.clearMarks() }
    guard let shown = entry.main as? ObjectView, objects.contains(shown.object),
      browser.history.canGoBack
    else { return }
    let said = message
    Navigation(browser).goBack()
    message = said
  }

  /// Does something at once, or after a confirmation where it takes objects with it.
  ///
  /// - Parameters:
  ///   - title: What is asked.
  ///   - known: What it takes with it, where that is known.
  ///   - radius: Finds out what it takes with it now.
  ///   - action: Does it; is told whether the person has confirmed it.
  func preview(
    _ title: String,
    known: BlastRadius? = nil,
    _ radius: @escaping () -> BlastRadius?,
    _ action: @escaping (Browser, _ isConfirmed: Bool) -> Void
  ) {
    guard let now = known ?? radius() else { return }
    guard !now.deletions.isEmpty else { return action(browser, false) }
    let question = DeletionDialog.Question(title: title, renewed: radius) { action($0, true) }
    open(DeletionDialog(question, now, in: model))
  }

  /// Whether what was shown is all that is deleted; shows it anew where it is not.
  func isAsShown(_ dialog: DeletionDialog) -> Bool {
    guard model.generation != dialog.generation else { return true }
    guard let now = dialog.question.renewed() else { return false }
    if now.isCovered(by: dialog.radius) { return true }
    open(DeletionDialog(dialog.question, now, in: model))
    showError("Another program committed; this is what goes with it now")
    return false
  }

  // MARK: - Unlinking

  /// `x`: the link becomes null, or the element goes; the target stays unless it is embedded.
  func unlink() {
    var edited = browser.editedSpot
    // Where the links to an object are shown, a row is one of them.
    if edited?.marked.count ?? 0 < 2, edited.flatMap(linkTarget) == nil {
      edited = BacklinkEditing(browser).linkOfRow ?? edited
    }
    guard let spot = edited, let property = property(of: spot) else {
      return showError("There is no link under the cursor; \(key(of: "delete")) deletes the object")
    }
    guard isInPlace(spot) else { return }
    if spot.marked.count > 1 { return unlinkMarked(spot, property) }
    if spot.element == nil {
      guard !property.isCollection else {
        return showError(
          "\(key(of: "open")) opens \(property.name); \(key(of: "unlink")) takes a single element out "
            + "of it"
        )
      }
      guard linkTarget(spot) != nil else {
        let (unlink, value) = (key(of: "unlink"), key(of: "value"))
        return showError(
          "\(unlink) cuts links and takes elements out; \(value) offers null for \(property.name)"
        )
      }
    }
    let slot = spot.slot(in: model.schema)
    let model = model
    let radius = { model.blastRadius(unlinking: slot) }
    preview("Cut \(name(of: spot))?", radius) { browser, _ in
      guard browser.isInPlace(spot) else { return }
      Deleting(browser).cut(spot, property)
    }
  }

  /// Cuts the links of all marked objects.
  private func unlinkMarked(_ spot: Spot, _ property: PropertySchema) {
    guard property.canLink, !property.isCollection else {
      return showError(
        "\(property.name) is no link; \(key(of: "value")) offers null for all that are marked"
      )
    }
    ValueEditing(browser).assignPreviewed(.null, to: spot)
  }

  private func cut(_ spot: Spot, _ property: PropertySchema) {
    let name = name(of: spot)
    let (object, key) = (spot.object, spot.property)
    guard let element = spot.element else {
      change("\(name) is null") { draft throws(DatabaseError) in
        try draft.set(object, property: key, to: .null)
      }
      return
    }
    change("Took out \(name)") { draft throws(DatabaseError) in
      switch property.type.collection {
      case .map: try draft.setEntry(element.key ?? "", to: nil, of: object, property: key)
      case .set: try draft.removeMember(element.value, of: object, property: key)
      case .list, .none: try draft.removeElement(at: element.index, of: object, property: key)
      }
    }
  }
}

// MARK: - Steering

extension Deleting {
  /// Asks about a deletion again, with what the person wants of some lines of it.
  private func steer(_ deletion: Deletion, _ wish: DeletionWish) {
    var deletion = deletion
    deletion.place = wish.place
    switch wish.kind {
    case .linkElsewhere: linkElsewhere(wish.subjects, in: deletion)
    case .toggle where wish.subjects.count == 1: toggle(wish.subjects[0], in: deletion)
    case .toggle:
      for subject in wish.subjects {
        switch subject {
        case .effect(.orphan(let object)): deletion.objects.append(object)
        case .edit(let edit): deletion.remove(edit)
        case .effect: break
        }
      }
      askAnew(deletion)
    }
  }

  private func toggle(_ subject: DeletionLine.Subject, in deletion: Deletion) {
    var deletion = deletion
    switch subject {
    case .effect(.deletion(let deleted)): return keep(deleted, in: deletion)
    case .effect(.orphan(let object)): deletion.objects.append(object)
    case .effect(.denial(let denial)): deletion.objects.append(denial.remaining)
    case .edit(let edit): deletion.remove(edit)
    case .effect(.edge): return showError("t links it to another object; it cannot stay as it is")
    case .effect(.heading), .effect(.note): return showError("Space keeps objects, t changes links")
    }
    askAnew(deletion)
  }

  private func askAnew(_ deletion: Deletion) {
    guard let radius = radius(of: deletion) else {
      return showError(model.problem ?? "This cannot be changed now")
    }
    guard radius.isComplete else {
      let most = LargeChanges.mostAtOnce
      return showError("More than \(most) objects would go with it; steer fewer at once")
    }
    var deletion = deletion
    deletion.title = question(deletion.objects)
    ask(deletion, radius)
  }

  /// Has an object not deleted: it was asked for, or it is taken out of what it goes with.
  private func keep(_ kept: BlastRadius.Deletion, in deletion: Deletion) {
    var deletion = deletion
    var deleted = kept
    // It may go with several others that are deleted.
    for _ in 0..<Self.mostCauses {
      switch deleted.reason {
      case .asked:
        guard deletion.objects.count > 1 else { return showError("Esc leaves everything as it is") }
        deletion.objects.removeAll { $0 == kept.object }
      case .cascade(let from, let property):
        deletion.edits.append(LinkEdit(object: from, property: property, target: kept.object))
      case .embedded:
        return showError("An embedded object is deleted with its owner")
      case .cascadeIfLast:
        return showError("It is deleted with the last link to it; link to it from elsewhere first")
      case .targetDeleted(let target, let property):
        deletion.edits.append(
          LinkEdit(object: kept.object, property: property, target: target, keepsObject: true)
        )
      }
      guard let radius = radius(of: deletion) else { break }
      guard let next = radius.deletions.first(where: { $0.object == kept.object }) else { break }
      deleted = next
    }
    askAnew(deletion)
  }

  /// More causes than an object that a person steers by hand has.
  private static let mostCauses = 100

  /// Picks another object for links that the deletion would cut, that delete what has them, or that
  /// stand in the way; of several lines, for those whose links lead to the class of the first.
  private func linkElsewhere(_ subjects: [DeletionLine.Subject], in deletion: Deletion) {
    let deleted = Set(radius(of: deletion)?.deletions.map(\.object) ?? deletion.objects)
    let all = subjects.compactMap { edit(of: $0, deleted) }
    guard let first = all.first, let picked = target(of: first) else {
      switch subjects.first {
      case .effect(.deletion)?: return showError("It is deleted, and its links with it")
      case .effect(.denial)?: return showError("Space deletes the target, too")
      case .effect(.edge)?: return showError("There is no link here any more")
      default: return showError("Space keeps objects, t changes links")
      }
    }
    let edits = all.filter { target(of: $0) == picked }
    let name = model.name(of: first.property, in: first.object.classKey)
    PickerDialog.open(
      edits.count == 1
        ? "Link \(model.label(first.object)) .\(name) to"
        : "Link all \(edits.count) to another \(model.name(of: picked))",
      picked,
      near: first.target,
      excluding: deleted,
      in: browser,
      orElse: { Deleting($0).askAnew(deletion) },
      { browser, object in
        var deletion = deletion
        for var edit in edits {
          edit.replacement = object
          // One edit changes all links of a property to a target.
          if !deletion.edits.contains(edit) { deletion.edits.append(edit) }
        }
        Deleting(browser).askAnew(deletion)
      }
    )
  }

  /// The class that the link of an edit leads to.
  private func target(of edit: LinkEdit) -> ClassKey? {
    let property = model.schema.property(edit.property, of: edit.object.classKey)
    return property.map { $0.target ?? edit.target.classKey }
  }

  /// The edit that would have the link of a line lead elsewhere; `nil` where it has none.
  private func edit(
    of subject: DeletionLine.Subject,
    _ deleted: Set<ObjectIdentity>
  ) -> LinkEdit? {
    guard case .effect(let effect) = subject else { return nil }
    switch effect {
    case .edge(let edge):
      guard let property = model.schema.property(edge.property, of: edge.object.classKey),
        let links = value(at: edge, property)?.links, !links.isEmpty
      else { return nil }
      // Of the links inside a mixed value, the first that is to be cut.
      let target = links.first(where: deleted.contains) ?? links[0]
      return LinkEdit(object: edge.object, property: edge.property, target: target)
    case .deletion(let deletion):
      guard case .targetDeleted(let target, let property) = deletion.reason else { return nil }
      return LinkEdit(
        object: deletion.object,
        property: property,
        target: target,
        keepsObject: true
      )
    case .denial(let denial):
      guard denial.rule == .targetRule else { return nil }
      return LinkEdit(
        object: denial.object,
        property: denial.property,
        target: denial.target,
        keepsObject: true
      )
    case .heading, .orphan, .note: return nil
    }
  }

  private func value(at edge: Edge, _ property: PropertySchema) -> Value? {
    switch edge.position {
    case .value: return model.value(of: edge.object, edge.property)
    case .member(let member): return member
    case .index(let index):
      return model.elements(of: edge.object, property, in: index..<index + 1).first?.value
    case .key(let key):
      guard case .map(let entries) = model.value(of: edge.object, edge.property) else { return nil }
      return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
  }
}

extension BlastRadius {
  /// Whether nothing is deleted that is not deleted in another one; not, where that is not known.
  fileprivate func isCovered(by shown: BlastRadius) -> Bool {
    guard isComplete, shown.isComplete, denied.isEmpty, deletionCount <= shown.deletionCount else {
      return false
    }
    let known = Set(shown.deletions.map(\.object))
    return deletions.allSatisfy { known.contains($0.object) }
  }
}
