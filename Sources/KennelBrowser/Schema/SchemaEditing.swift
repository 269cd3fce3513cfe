internal import KennelCore
internal import KennelReports

/// Changes of classes and properties in the draft.
struct SchemaEditing: BrowserPart {
  let browser: Browser

  /// Why the schema cannot be changed, where it cannot.
  static func whyNot(in browser: Browser) -> String? {
    if browser.settings.original != nil {
      return "The classes of an SQL database are its tables, which SQL changes: use ALTER TABLE"
    }
    if browser.settings.proposedName != nil {
      return
        "The classes are those of another program’s file; \(browser.key(of: "save-copy")) makes"
        + " a Kennel file, whose classes can be changed"
    }
    return browser.readOnlyReason
  }

  /// `i`: shows the schema of the class.
  func show() {
    let key =
      entry.focus == .collections ? browser.collections.cursor ?? entry.classKey : entry.classKey
    guard model.schema[key] != nil else { return say("There is no class yet") }
    show(key)
  }

  /// Shows the schema of the class of a change in the review, by the name that it had then.
  func open(_ className: String) {
    guard let key = model.schema[className]?.key else {
      return say("There is no class \(className) any more")
    }
    show(key)
  }

  private func show(_ key: ClassKey) {
    entry.focus = .main
    Navigation(browser).go(to: SchemaView(classKey: key))
  }

  private var view: SchemaView? { entry.main as? SchemaView }

  /// The class and the property that a key is about; the class alone in the collections, nothing on a
  /// backlink.
  var subject: (schema: ClassSchema, property: PropertySchema?)? {
    if entry.focus == .collections {
      return browser.collections.cursor.flatMap { model.schema[$0] }.map { ($0, nil) }
    }
    guard let view, view.backlink(in: browser) == nil, let schema = model.schema[view.classKey]
    else { return nil }
    return (schema, view.property(in: browser))
  }

  /// Opens a line for an action, which opens it again with what was typed where the draft refuses that,
  /// unless something else has been opened meanwhile.
  private func type(
    _ label: String,
    _ verb: String,
    text: String = "",
    _ action:
      @escaping (Browser, String, @escaping LargeChanges.Refusal)
      throws(ValidationError) -> Void
  ) {
    let kind = PromptKind.schema(label, verb: verb) { browser, typed throws(ValidationError) in
      try action(browser, typed) { browser, error in
        guard let error, browser.dialog == nil else {
          return LargeChanges.sayWhyNot(browser, error)
        }
        SchemaEditing(browser).type(label, verb, text: typed, action)
        var dialog = browser.dialog as? PromptDialog
        dialog?.problem = (error.message, 1)
        browser.dialog = dialog
      }
    }
    open(PromptDialog(kind, text: text, in: browser))
  }

  // MARK: - Adding

  /// `o` in the collections, or `:add-class NAME`.
  func addClass(
    typed text: String,
    else refuse: @escaping LargeChanges.Refusal = LargeChanges.sayWhyNot
  ) {
    guard !text.isEmpty else {
      type("new class", "add it") { SchemaEditing($0).addClass(typed: $1, else: $2) }
      return say("A name; ‘embedded’ before it makes a class whose objects others own")
    }
    let prefix = "embedded "
    let isEmbedded = text.hasPrefix(prefix)
    let name = (isEmbedded ? String(text.dropFirst(prefix.count)) : text).trimmed
    stage([.addClass(name, isEmbedded: isEmbedded)], "\(name) is added", else: refuse) { browser in
      guard let key = browser.model.schema[name]?.key else { return }
      browser.collections.show(key)
      SchemaEditing(browser).show(key)
    }
  }

  /// `o` in the schema.
  func addProperty() {
    guard let schema = view.flatMap({ model.schema[$0.classKey] }) else { return }
    type("add to \(schema.name)", "add it") { browser, text, refuse throws(ValidationError) in
      try SchemaEditing(browser).addProperty(typed: text, to: schema.name, else: refuse)
    }
    say("A name and a type, such as ‘city string?’ or ‘code int unique = 7’; ? allows null")
  }

  private func addProperty(
    typed text: String,
    to className: String,
    else refuse: @escaping LargeChanges.Refusal
  ) throws(ValidationError) {
    let definition = try PropertyLine(model.schema).definition(text)
    stage(
      [.addProperty(definition, of: className)],
      "\(className).\(definition.name) is added",
      else: refuse
    ) { browser in
      let key = browser.model.schema[className]?[definition.name]?.key
      browser.updateMain { (view: inout SchemaView) in
        view.cursor = key.map { .property($0) }
        view.cursorMoved(in: browser)
      }
    }
  }

  // MARK: - Changing

  /// `r`: renames the property, or the class on its line.
  func rename() {
    guard let (schema, property) = subject else { return noSubject() }
    let old = property?.name ?? schema.name
    let what = property.map { "\(schema.name).\($0.name)" } ?? "class \(schema.name)"
    type("rename \(what) to", "rename it", text: old) { browser, text, refuse in
      let new = text.trimmed
      let change: SchemaChange =
        property.map { .renameProperty($0.name, of: schema.name, to: new) }
        ?? .renameClass(schema.name, to: new)
      SchemaEditing(browser).stage([change], "\(what) is \(new) now", else: refuse)
    }
  }

  /// `e`: changes the type of the property.
  func retype() {
    guard let (schema, property) = subject, let property else { return noSubject() }
    type("type of \(schema.name).\(property.name)", "convert", text: "\(property.type)") {
      browser,
      text,
      refuse throws(ValidationError) in
      let type = try PropertyLine(browser.model.schema).type(text)
      let change = SchemaChange.retypeProperty(
        property.name,
        of: schema.name,
        to: type,
        clearing: false
      )
      SchemaEditing(browser).ask(change, else: refuse)
    }
  }

  private func noSubject() {
    if let backlink = view?.backlink(in: browser) {
      let origin = model.name(of: backlink.origin)
      let name = model.name(of: backlink.property, in: backlink.origin)
      return showError("\(backlink.name) goes and is named with \(origin).\(name): change that")
    }
    let class0 = view == nil ? "There is no class here" : "There is no property here"
    showError("\(class0); \(key(of: "add-property")) adds one in the schema")
  }

  /// `x`: deletes the property with its values, or the class with its objects.
  func delete() {
    guard let (schema, property) = subject else { return noSubject() }
    if let property { return ask(.deleteProperty(property.name, of: schema.name)) }
    deleteClass(schema)
  }

  // MARK: - Plans

  /// Looks at the objects, shows what would be lost, and makes the change.
  func ask(
    _ change: SchemaChange,
    else refuse: @escaping LargeChanges.Refusal = LargeChanges.sayWhyNot
  ) {
    look(at: [change], else: refuse) { browser, plans in
      SchemaEditing(browser).confirm(change, plans[0])
    }
  }

  /// Finds out the effect of changes; beside the screen where it takes long.
  private func look(
    at changes: [SchemaChange],
    else refuse: @escaping LargeChanges.Refusal = LargeChanges.sayWhyNot,
    then next: @escaping (Browser, [SchemaPlan]) -> Void
  ) {
    let count = objectCount(of: changes)
    LargeChanges(browser).perform(
      "Looking at \(counted(count, "object"))",
      as: .reading,
      isLarge: count > LargeChanges.mostAtOnce,
      canStop: true
    ) { draft, context throws(DatabaseError) in
      var plans: [SchemaPlan] = []
      for change in changes {
        plans.append(try draft.reader.plan(of: change, progress: QueryProgress(of: context)))
      }
      return plans
    } finish: { browser, plans, _ in
      next(browser, plans)
    } abandon: {
      refuse($0, $1)
    }
  }

  private func objectCount(of changes: [SchemaChange]) -> Int {
    changes.reduce(0) { count, change in
      count + (model.schema[change.className].map { model.count(of: $0.key) } ?? 0)
    }
  }

  private func confirm(_ change: SchemaChange, _ plan: SchemaPlan) {
    let done = "\(change)".prefix(1).uppercased() + "\(change)".dropFirst()
    if let double = plan.duplicates.first {
      return showError(
        "Cannot \(change): \(counted(plan.duplicateCount, "object")) would have the value of another,"
          + " such as \(model.label(double.object))"
      )
    }
    let isDeletion = if case .deleteProperty = change { true } else { false }
    guard plan.misfitCount > 0 || isDeletion && plan.valueCount > 0 else {
      return stage([change], done)
    }
    open(SchemaPlanDialog(change, plan) { SchemaEditing($0).stage([$1], done) })
  }

  // MARK: - Deleting a class

  /// Deletes a class: first the links from it and to it, whose rules then do nothing, then its objects.
  private func deleteClass(_ schema: ClassSchema) {
    var changes: [SchemaChange] = []
    for other in model.schema.classes {
      for property in other.properties
      where property.target == schema.key || other.key == schema.key && property.canLink {
        changes.append(.deleteProperty(property.name, of: other.name))
      }
    }
    let last = SchemaChange.deleteClass(schema.name)
    look(at: changes) { browser, plans in
      let count = browser.model.count(of: schema.key)
      var lines = count == 0 ? [] : ["\(counted(count, "object")) of \(schema.name)"]
      for (change, plan) in zip(changes, plans) where change.className != schema.name {
        lines.append(
          "\(change.className).\(change.propertyName ?? ""), \(SchemaPlanDialog.loss(plan))"
        )
      }
      let embedded = plans.reduce(0) { $0 + $1.embeddedCount }
      if embedded > 0 { lines.append(counted(embedded, "embedded object")) }
      let stage: (Browser) -> Void = {
        SchemaEditing($0).stageDeletion(of: schema, changes, last)
      }
      if lines.isEmpty { return stage(browser) }
      browser.dialog = SchemaPlanDialog(last, deleting: lines, stage)
    }
  }

  private func stageDeletion(
    of schema: ClassSchema,
    _ changes: [SchemaChange],
    _ last: SchemaChange
  ) {
    let count = model.count(of: schema.key) + objectCount(of: changes)
    LargeChanges(browser).perform(
      "Deleting class \(schema.name)",
      isLarge: count > LargeChanges.mostAtOnce,
      canStop: true
    ) { draft, context throws(DatabaseError) in
      let progress = QueryProgress(of: context)
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for change in changes { try draft.changeSchema(change, progress: progress) }
        let objects = try draft.reader.objects(of: schema.key)
        if !objects.isEmpty { _ = try draft.delete(Array(objects), progress: progress) }
        try draft.changeSchema(last, progress: progress)
      }
    } finish: { browser, _, hasChanged in
      browser.say("Class \(schema.name) is deleted", hasChanged: hasChanged)
      SchemaEditing(browser).leaveDeleted()
    }
  }

  /// Goes back to a class that is there where the one on the screen is gone.
  func leaveDeleted() {
    guard model.schema[entry.classKey] == nil, let first = model.schema.classes.first else {
      return repairCollections()
    }
    let focus = entry.focus
    while model.schema[entry.classKey] == nil, browser.history.canGoBack {
      Navigation(browser).goBack()
    }
    if model.schema[entry.classKey] == nil {
      Navigation(browser).goToTable(TableDefinition(classKey: first.key))
    }
    entry.focus = focus == .collections || focus == .changes ? focus : .main
    repairCollections()
  }

  /// Puts the cursor of the collections on a class that is there.
  private func repairCollections() {
    guard let key = browser.collections.cursor, model.schema[key] == nil else { return }
    browser.collections.show(entry.classKey)
  }

  // MARK: - Staging

  /// Puts changes into the draft as one step of undo, and says so.
  private func stage(
    _ changes: [SchemaChange],
    _ done: String,
    else refuse: @escaping LargeChanges.Refusal = LargeChanges.sayWhyNot,
    then next: @escaping (Browser) -> Void = { _ in }
  ) {
    LargeChanges(browser).perform(
      "Changing the schema",
      isLarge: objectCount(of: changes) > LargeChanges.mostAtOnce,
      canStop: true
    ) { draft, context throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for change in changes {
          try draft.changeSchema(change, progress: QueryProgress(of: context))
        }
      }
    } finish: { browser, _, hasChanged in
      browser.say(done, hasChanged: hasChanged)
      next(browser)
    } abandon: {
      refuse($0, $1)
    }
  }
}
