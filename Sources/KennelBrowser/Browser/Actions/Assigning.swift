internal import KennelCore

/// `:set`: computes a value for many objects, and sets it after a preview.
struct Assigning: BrowserPart {
  let browser: Browser

  /// `:set`, with or without an assignment.
  func open(_ text: String) {
    let name = model.schema[view.classKey]?.name ?? "?"
    var prompt = PromptDialog(
      .assignment(view.classKey),
      label: "set \(name)",
      text: text,
      in: browser
    )
    if !text.isEmpty, prompt.isFinished(in: browser) { return }
    open(prompt)
    if text.isEmpty {
      say("For example: \(example)   where … chooses others than what is shown or marked")
    }
  }

  private var example: String {
    let properties = (model.schema[view.classKey]?.properties ?? []).filter { !$0.isCollection }
    if let number = properties.first(where: { $0.type.kind == .int && !$0.isPrimaryKey }) {
      return "\(number.name) = \(number.name) + 1"
    }
    let text = properties.first { $0.type.kind == .string && !$0.isPrimaryKey }
    return text.map { "\($0.name) = trim(\($0.name))" } ?? "property = value"
  }

  /// Reads an assignment; what is wrong with it, and where.
  func parse(_ text: String, _ classKey: ClassKey) throws(PredicateError) -> Assignment {
    try Assignment.parse(text, for: classKey, in: model.schema, now: browser.settings.now())
  }

  /// Finds out beside the screen what an assignment changes, and shows it.
  func preview(_ assignment: Assignment) {
    let subjects = subjects(of: assignment)
    let job = browser.launch(
      "Computing the values",
      .plan,
      reading: { snapshot, context throws(DatabaseError) in
        try AssignmentPlan(assignment, for: subjects, snapshot, context)
      },
      finish: { browser, plan in
        guard browser.dialog is PlanDialog else { return }
        browser.dialog = nil
        browser.assigning.ask(plan)
      },
      abandon: { browser in
        if browser.dialog is PlanDialog { browser.dialog = nil }
      }
    )
    if let job { open(PlanDialog(job: job)) }
  }

  /// Where the assignment names no objects: the marked ones, else those that the table shows, else
  /// the one that is shown.
  private func subjects(of assignment: Assignment) -> AssignmentPlan.Subjects {
    if assignment.predicate != nil { return .matching }
    let marked = browser.markedObjects
    if !marked.isEmpty { return .keys(marked.map(\.key)) }
    guard case .table(let table) = view.main else {
      return .keys([view.subject].compactMap { $0?.key })
    }
    return table.definition.isPlain ? .matching : .keys(table.result?.keys ?? [])
  }

  private func ask(_ plan: AssignmentPlan) {
    let name = model.schema.property(plan.assignment.property, of: plan.assignment.classKey)?.name
    let className = model.schema[plan.assignment.classKey]?.name ?? "?"
    if let problem = plan.problem { return showError("Nothing is changed. \(problem)") }
    if plan.changeCount > AssignmentPlan.mostChanges {
      return showError(
        "\(plan.changeCount) \(className) would change, more than \(AssignmentPlan.mostChanges) "
          + "at once; where … chooses fewer"
      )
    }
    guard plan.changeCount > 0 else {
      let those = plan.unchangedCount == 0 ? "No object is meant" : "Every value is so already"
      return say("\(those); nothing has changed")
    }
    let heading = "Set \(name ?? "?") of \(plan.changeCount) \(className)?"
    open(AssignmentDialog(heading, plan))
  }

  /// Sets the values, as one step of undo.
  func perform(_ plan: AssignmentPlan) {
    let (classKey, property) = (plan.assignment.classKey, plan.assignment.property)
    let name = model.schema.property(property, of: classKey)?.name ?? "?"
    let className = model.schema[classKey]?.name ?? "?"
    let changes = plan.changes
    let many = changes.count == 1 ? "object" : "objects"
    browser.largeChanges.changeEach(
      changes.count,
      title: "Setting \(name) of \(changes.count) objects",
      done: "Set \(name) of \(changes.count) \(className) \(many)"
    ) { draft, index throws(DatabaseError) in
      let object = ObjectIdentity(classKey, changes[index].key)
      try draft.set(object, property, changes[index].new)
    }
  }
}
