internal import KennelCore

/// `:set`: computes a value for many objects, and sets it after a preview.
struct Assigning: BrowserPart {
  let browser: Browser

  /// `:set`, with or without an assignment.
  func open(_ text: String) {
    let name = model.name(of: entry.classKey)
    var prompt = PromptDialog(.assignment(entry.classKey, name), text: text, in: browser)
    if !text.isEmpty, prompt.isFinished(in: browser) { return }
    open(prompt)
    if text.isEmpty {
      say("For example: \(example)   where … chooses others than what is shown or marked")
    }
  }

  private var example: String {
    let properties = (model.schema[entry.classKey]?.properties ?? []).filter { !$0.isCollection }
    if let number = properties.first(where: { $0.type.kind == .int && !$0.isPrimaryKey }) {
      return "\(number.name) = \(number.name) + 1"
    }
    let text = properties.first { $0.type.kind == .string && !$0.isPrimaryKey }
    return text.map { "\($0.name) = trim(\($0.name))" } ?? "property = value"
  }

  /// Reads an assignment; what is wrong with it, and where.
  func parse(_ text: String, _ classKey: ClassKey) throws(PredicateError) -> Assignment {
    let now = browser.settings.now()
    return try DatedText.read(text, now: now) { text throws(PredicateError) in
      try Assignment.parse(text, for: classKey, in: model.schema, now: now)
    }.found
  }

  /// Finds out beside the screen what an assignment changes, and shows it.
  ///
  /// - Parameters:
  ///   - assignment: The assignment.
  ///   - confirmed: What the person has agreed to; where that is what it changes still, it is done.
  func preview(_ assignment: Assignment, confirmed: AssignmentPlan? = nil) {
    guard let subjects = subjects(of: assignment) else { return showError(TableView.notFoundYet) }
    let (generation, keys) = (model.generation, subjects.keys)
    plan("Computing the values") { snapshot, context throws(DatabaseError) in
      try AssignmentPlan(assignment, for: keys, snapshot, context)
    } then: { browser, plan in
      Assigning(browser).ask(plan, generation, confirmed: confirmed)
    }
  }

  /// Where the assignment names no objects: the marked ones, else those that the table shows, else
  /// the one that is shown.
  private func subjects(of assignment: Assignment) -> TableView.Selection? {
    if assignment.predicate != nil { return .all }
    let marked = browser.markedObjects
    if !marked.isEmpty { return .keys(marked.map(\.key)) }
    guard let table = browser.table else { return .keys([entry.subject].compactMap { $0?.key }) }
    return table.selection
  }

  private func ask(_ plan: AssignmentPlan, _ generation: Int, confirmed: AssignmentPlan?) {
    let property = model.schema.property(plan.assignment.property, of: plan.assignment.classKey)
    let className = model.name(of: plan.assignment.classKey)
    if let problem = plan.problem { return showError("Nothing is changed. \(problem)") }
    if plan.changeCount > AssignmentPlan.mostChanges {
      return showError(
        "More than \(AssignmentPlan.mostChanges) \(className) would change, which is too many at "
          + "once; where … chooses fewer"
      )
    }
    guard plan.changeCount > 0 else {
      let those = plan.unchangedCount == 0 ? "No object is meant" : "Every value is so already"
      return say("\(those); nothing has changed")
    }
    if let confirmed {
      if plan.isLike(confirmed), model.generation == generation { return perform(plan, generation) }
      say("The data has changed meanwhile; this is what would be set now")
    }
    let heading = "Set \(property?.name ?? "?") of \(plan.changeCount) \(className)?"
    open(
      AssignmentDialog(
        heading,
        count: plan.changeCount,
        listedCount: plan.olds.count,
        unchangedCount: plan.unchangedCount
      ) { browser, index in
        let (change, view) = (plan.changes[index], ValueFormatter(browser.model))
        let object = ObjectIdentity(plan.assignment.classKey, change.key)
        let old = view.text(plan.olds[index], of: property)
        return (object, old, view.text(change.new, of: property))
      } action: { browser in
        Assigning(browser).perform(plan, generation)
      }
    )
  }

  /// Sets the values that were shown, after a look at what goes with links that they replace.
  ///
  /// - Parameters:
  ///   - plan: What was shown.
  ///   - generation: The generation of the data that it was computed from.
  func perform(_ plan: AssignmentPlan, _ generation: Int) {
    guard model.generation == generation else { return preview(plan.assignment, confirmed: plan) }
    let (classKey, property) = (plan.assignment.classKey, plan.assignment.property)
    guard let schema = model.schema.property(property, of: classKey), schema.canLink else {
      return set(plan)
    }
    let slots = plan.changes.map { Slot(ObjectIdentity(classKey, $0.key), property, .value) }
    Deleting(browser).plan { snapshot, progress throws(DatabaseError) in
      try snapshot.blastRadius(overwriting: slots, limit: .max, progress: progress)
    } then: { browser, radius in
      guard browser.model.generation == generation else {
        return Assigning(browser).preview(plan.assignment, confirmed: plan)
      }
      let renewed: () -> BlastRadius? = {
        browser.showError("Another program committed; write :set once more")
        return nil
      }
      let title = "Set \(schema.name) of \(plan.changeCount) objects?"
      Deleting(browser).preview(title, known: radius, renewed) { browser, _ in
        Assigning(browser).set(plan)
      }
    }
  }

  /// Sets the values, as one step of undo.
  private func set(_ plan: AssignmentPlan) {
    let (classKey, property) = (plan.assignment.classKey, plan.assignment.property)
    let name = model.name(of: property, in: classKey)
    let className = model.name(of: classKey)
    let changes = plan.changes
    let many = changes.count == 1 ? "object" : "objects"
    LargeChanges(browser).changeEach(
      changes.count,
      title: "Setting \(name) of \(changes.count) objects",
      done: "Set \(name) of \(changes.count) \(className) \(many)"
    ) { draft, index throws(DatabaseError) in
      let object = ObjectIdentity(classKey, changes[index].key)
      try draft.set(object, property: property, to: changes[index].new)
    }
  }
}
