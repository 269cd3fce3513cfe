internal import KennelCore

// `d` deletes objects and `x` cuts links. Whatever takes an object with it is shown first.

extension Browser {
  /// The objects that `d` is about: the marked ones, else the one under the cursor.
  private var marked: [ObjectIdentity] {
    let single: ObjectIdentity?
    switch view.main {
    case .table(let table):
      if !table.marks.isEmpty { return marked(table.marks, of: table.classKey) }
      single = table.object
    case .object(let object): single = object.object
    case .elements(let elements): single = elements.cursor?.target
    }
    return [single].compactMap(\.self)
  }

  /// The marked objects that are still there, in the order of their keys.
  private func marked(_ marks: Set<ObjectKey>, of classKey: ClassKey) -> [ObjectIdentity] {
    var objects: [ObjectIdentity] = []
    for key in marks.sorted() {
      let object = ObjectIdentity(classKey, key)
      if model.contains(object) { objects.append(object) }
    }
    return objects
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
    if objects.count <= Self.mostAtOnce,
      let radius = model.smallBlastRadius(deleting: objects, limit: Self.mostAtOnce)
    {
      ask(deletion, radius)
    } else {
      plan(deletion)
    }
  }

  /// The view of an object that was just deleted here gives way to the one before.
  func leaveDeleted(_ objects: [ObjectIdentity]) {
    guard case .object(let object) = view.main, objects.contains(object.object),
      history.canGoBack
    else { return }
    let said = message
    goBack()
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
    overlay = .deletion(
      DeletionDialog(
        title: title,
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
    confirm(now, title: dialog.title, renewed: dialog.renewed, dialog.action)
    showError("Another program committed: now it takes this with it")
    return false
  }

  /// The deletions per class, as in `1 Person, 2 Address`.
  func deathCounts(_ radius: BlastRadius) -> String {
    DeletionView(model: model, theme: theme).counts(of: radius)
  }

  // MARK: - Unlinking

  /// `x`: the link becomes null, or the element goes; the target stays unless it is embedded.
  func unlink() {
    guard let spot, let property = property(of: spot) else {
      showError("There is no link under the cursor; d deletes the object")
      return
    }
    guard isInPlace(spot) else { return }
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
        browser.cut(spot, property)
      }
    }
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
      default: try draft.removeElement(at: element.index, of: object, key)
      }
    }
  }

  /// Assigns, after a preview where the old value takes objects with it.
  func assignPreviewed(_ value: Value, to spot: Spot) {
    guard let property = property(of: spot), property.canLink else {
      assign(value, to: spot)
      return
    }
    if let target = linkTarget(spot), case .link(target) = value {
      say("Unchanged")
      return
    }
    let slot = spot.slot(in: model.schema)
    let model = model
    let renewed = { model.blastRadius(overwriting: slot) }
    guard let radius = renewed(), !radius.deletions.isEmpty else {
      assign(value, to: spot)
      return
    }
    confirm(radius, title: "Overwrite \(name(of: spot))?", renewed: renewed) {
      $0.assign(value, to: spot)
    }
  }
}
