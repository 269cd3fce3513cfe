internal import KennelCore

/// Edits values.
///
/// An edit goes into the draft at once; nothing is written before the commit.
struct ValueEditing: BrowserPart {
  let browser: Browser

  /// `e`: edits the value under the cursor with what suits its type.
  func edit() {
    guard let spot = browser.editedSpot ?? primaryKeySpot, let property = property(of: spot) else {
      return say("A key cannot be changed; \(key(of: "right")) moves to a property")
    }
    guard isInPlace(spot) else { return }
    if spot.marked.count > 1, property.isCollection || property.isEmbedded {
      return showError(
        "\(property.name) is edited in one object at a time; \(key(of: "cancel")) clears the marks"
      )
    }
    if isLong(spot, property) { return }
    guard let value = value(at: spot) else { return openOrAdd(spot, property) }
    edit(spot, property, value)
  }

  /// The end of a sentence about a value that says which key edits it; empty where nothing can be changed.
  var hint: String { model.draftOwner.exists ? "; \(key(of: "edit")) edits it" : "" }

  /// The primary key of the row under the cursor, where the cursor is on it.
  private var primaryKeySpot: Spot? {
    guard let table = browser.table, table.column == .key, table.marks.isEmpty,
      let object = table.object, let property = model.schema[table.classKey]?.primaryKey
    else { return nil }
    return Spot(object, property.key)
  }

  /// Edits a value with what suits its type.
  func edit(_ spot: Spot, _ property: PropertySchema, _ value: Value) {
    switch property.type.kind {
    case .link where property.isEmbedded: ObjectEditing(browser).editEmbedded(spot, property, value)
    case .link: pickTarget(spot, property)
    case .bool: ValueMenus(browser).openBoolMenu(spot, property)
    case .mixed: ValueMenus(browser).editMixed(spot, property, value)
    case .string where !labels(of: spot).isEmpty:
      ValueMenus(browser).openLabelMenu(spot, property, labels(of: spot))
    case _:
      openEditor(spot, property.type.element, value)
    }
  }

  /// The texts that the database of another program allows.
  private func labels(of spot: Spot) -> [String] {
    let notes = browser.settings.declarations.notes(on: spot.property, of: spot.object.classKey)
    return notes.labels.count <= ValueMenus.mostLabels ? notes.labels : []
  }

  private func openOrAdd(_ spot: Spot, _ property: PropertySchema) {
    if model.elementCount(of: spot.object, spot.property) == 0 {
      CollectionEditing(browser).add(spot, property)
    } else {
      Navigation(browser).goToElements(spot.object, spot.property)
    }
  }

  /// Longer texts are not edited on one line of the screen.
  private static let longestLine = 10_000

  /// Whether a value is too long for a line, which is found out without reading all of it; says what
  /// to do instead.
  private func isLong(_ spot: Spot, _ property: PropertySchema) -> Bool {
    guard spot.element == nil, !property.isCollection,
      let preview = model.preview(of: spot.object, spot.property, limit: 1),
      preview.count > Self.longestLine
    else { return false }
    if case .data = preview.value {
      FileActions(browser).showBytes()
      say("\(preview.count) bytes are too many for one line; l loads a file instead")
    } else {
      refuse("This text has \(preview.count) bytes")
    }
    return true
  }

  private func refuse(_ length: String) {
    showError("\(length); \(key(of: "edit-externally")) opens it in the editor")
  }

  func openEditor(_ spot: Spot, _ type: PropertyType, _ value: Value) {
    if case .string(let text) = value, text.utf8.count > Self.longestLine {
      return refuse("This text has \(text.utf8.count) bytes")
    }
    if case .data(let bytes) = value, bytes.count > Self.longestLine {
      return showError(
        "\(bytes.count) bytes are too many for one line; \(key(of: "open")) shows them"
      )
    }
    if value.isCollection, ScalarText.text(of: value).utf8.count > Self.longestLine {
      return refuse("This value is too long for one line")
    }
    let label = "\(name(of: spot)) (\(type))"
    open(EditorDialog(.replace, spot: spot, type: type, original: value, label: label))
  }

  /// Puts a value where the cursor was, if that is still the same place; asks first where it is for
  /// many objects, and the database of another program where it alone knows whether a text is a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - spot: The place.
  ///   - isConfirmed: Whether the person has seen what it does to many objects.
  /// - Returns: Whether it is set, or is asked about.
  @discardableResult
  func assign(_ value: Value, to spot: Spot, isConfirmed: Bool = false) -> Bool {
    let notes = browser.settings.declarations.notes(on: spot.property, of: spot.object.classKey)
    guard notes.isParsed, !isConfirmed, case .string(let text) = value,
      !notes.labels.contains(text), let original = browser.settings.original,
      let property = property(of: spot)
    else { return put(value, to: spot, isConfirmed) }
    let label = "\(name(of: spot)) (\(property.type.element))"
    let editAgain: (Browser, String) -> Void = { browser, problem in
      guard let old = ValueEditing(browser).value(at: spot) else { return }
      ValueEditing(browser).open(
        EditorDialog(
          .replace,
          spot: spot,
          type: property.type.element,
          original: old,
          label: label,
          text: text,
          problem: problem
        )
      )
    }
    Jobs(browser).launch("Asking whether it is a value", .question) { _ in
      original.accepts(text, spot.property, spot.object.classKey)
    } finish: { browser, answer in
      switch answer {
      case .accepted: ValueEditing(browser).put(value, to: spot, false)
      case .refused(let reason): editAgain(browser, reason)
      case .none(let reason):
        if ValueEditing(browser).put(value, to: spot, false) {
          browser.say("Whether it is a value is seen at the commit: \(reason)")
        }
      }
    } abandon: { browser in
      editAgain(browser, "It was not asked whether this is a value")
    }
    return true
  }

  @discardableResult
  private func put(_ value: Value, to spot: Spot, _ isConfirmed: Bool) -> Bool {
    guard isInPlace(spot), let property = property(of: spot) else { return false }
    if spot.marked.count > 1 {
      if isConfirmed { return assignToMarked(value, spot, property) }
      askToAssign(value, spot, property)
      return true
    }
    let name = name(of: spot)
    let text = describe(value, property)
    var isNew = true
    let done = change("\(name) is \(text)") { draft throws(DatabaseError) in
      let (object, key) = (spot.object, spot.property)
      guard let element = spot.element else {
        try draft.set(object, property: key, to: value)
        return
      }
      switch property.type.collection {
      case .map:
        try draft.setEntry(element.key ?? "", to: value, of: object, property: key)
      case .set:
        isNew = try draft.insertMember(value, of: object, property: key)
        if isNew { try draft.removeMember(element.value, of: object, property: key) }
      case .list, .none:
        try draft.replace(at: element.index, with: value, of: object, property: key)
      }
    }
    if done, !isNew { say("\(text) is already in the set; nothing was changed") }
    return done
  }

  /// A value as a sentence names it: data that no line has room for by its size.
  private func describe(_ value: Value, _ property: PropertySchema) -> String {
    if case .data(let bytes) = value, bytes.count > Self.mostShownBytes {
      return DataKind.size(bytes.count)
    }
    let isNested = property.type.kind == .mixed && value.isCollection
    let view = ValueFormatter(model)
    return view.show(value, isEmbedded: false, isMixed: isNested).text
  }

  private static let mostShownBytes = 16

  /// Shows what becomes of the values of the marked objects, and sets them after `y`.
  private func askToAssign(_ value: Value, _ spot: Spot, _ property: PropertySchema) {
    let objects = spot.marked.filter(model.contains)
    let assign = { (browser: Browser) -> Void in
      ValueEditing(browser).assign(value, to: spot, isConfirmed: true)
    }
    askToSet("Set \(name(of: spot))?", property, of: objects, to: { _ in value }, then: assign)
  }

  /// Shows the values that objects would get, and does it after `y`.
  ///
  /// - Parameters:
  ///   - heading: What is asked.
  ///   - property: The property.
  ///   - objects: The objects.
  ///   - value: The value of an object, by its place among the objects.
  ///   - action: Sets them.
  func askToSet(
    _ heading: String,
    _ property: PropertySchema,
    of objects: [ObjectIdentity],
    to value: @escaping (Int) -> Value,
    then action: @escaping (Browser) -> Void
  ) {
    let change = { (browser: Browser, index: Int) -> AssignmentDialog.Change in
      let old = ValueFormatter(browser.model).show(objects[index], property).text
      return (objects[index], old, ValueEditing(browser).describe(value(index), property))
    }
    open(AssignmentDialog(heading, count: objects.count, change: change, action: action))
  }

  /// Puts a value into the property of all marked objects that still exist, as one step of undo.
  private func assignToMarked(_ value: Value, _ spot: Spot, _ property: PropertySchema) -> Bool {
    let objects = spot.marked.filter(model.contains)
    let key = spot.property
    let text = describe(value, property)
    return LargeChanges(browser).changeEach(
      objects.count,
      title: "Editing \(objects.count) objects",
      done: "\(name(of: spot)) is \(text)"
    ) { draft, index throws(DatabaseError) in
      try draft.set(objects[index], property: key, to: value)
    }
  }

  /// Assigns, after a preview where the old value takes objects with it.
  func assignPreviewed(_ value: Value, to spot: Spot) {
    guard let property = property(of: spot), property.canLink else {
      assign(value, to: spot)
      return
    }
    if spot.marked.count < 2, let target = linkTarget(spot), case .link(target) = value {
      return say("Unchanged")
    }
    let position = spot.slot(in: model.schema).position
    let slots = spot.objects.map { Slot($0, spot.property, position) }
    let title = "Overwrite \(name(of: spot))?"
    let set = { (browser: Browser, isConfirmed: Bool) -> Void in
      ValueEditing(browser).assign(value, to: spot, isConfirmed: isConfirmed)
    }
    if slots.count > LargeChanges.mostAtOnce {
      return Deleting(browser).plan { snapshot, progress throws(DatabaseError) in
        try snapshot.blastRadius(overwriting: slots, limit: .max, progress: progress)
      } then: { browser, radius in
        let renewed: () -> BlastRadius? = {
          browser.showError("Another program committed; edit the marked objects once more")
          return nil
        }
        Deleting(browser).preview(title, known: radius, renewed, set)
      }
    }
    let model = model
    let renewed = {
      model.blastRadius(overwriting: slots.filter { model.contains($0.object) })
    }
    Deleting(browser).preview(title, renewed, set)
  }

  // MARK: - Links

  func pickTarget(_ spot: Spot, _ property: PropertySchema) {
    guard let target = property.target else { return }
    pickTarget(spot, class: target)
  }

  func pickTarget(_ spot: Spot, class target: ClassKey) {
    let title = "\(name(of: spot)) links to"
    PickerDialog.open(title, target, near: linkTarget(spot), in: browser) { browser, object in
      ValueEditing(browser).assignPreviewed(.link(object), to: spot)
    }
    if spot.element == nil { browser.updateDialog(PickerDialog.self) { $0.start = $0.index } }
  }

  // MARK: - In the person's editor

  func editExternally() {
    guard let spot = browser.editedSpot, let property = property(of: spot),
      let value = value(at: spot), isInPlace(spot)
    else {
      return say("Only a single value can be edited in $EDITOR")
    }
    guard value.isCollection || value.kind == .string else {
      return showError(
        "Only text is edited in $EDITOR; \(key(of: "edit")) edits this \(property.type.element)"
      )
    }
    let text = if case .string(let string) = value { string } else { Self.nestedText(value) }
    let token = browser.newNumber()
    browser.externalEdits[token] = (spot, value)
    ask(.editExternally(text: text, token: token))
  }

  func finishExternalEdit(token: Int, _ edited: Edited) {
    guard let (spot, old) = browser.externalEdits.removeValue(forKey: token) else { return }
    let text: String
    switch edited {
    case .saved(let saved): text = Self.withoutAddedBreak(saved, old)
    case .failed(let reason): return showError("\(reason); nothing is changed")
    }
    if old.isCollection { return assignNested(text, replacing: old, at: spot) }
    guard .string(text) != old else { return say("Unchanged") }
    assign(.string(text), to: spot)
  }

  /// A list or a map as it is edited: a line for each part, links by their numbers.
  private static func nestedText(_ value: Value) -> String {
    NestedFormatter { ValueText.describeMixed(.link($0)) }.lines(value).joined(separator: "\n")
      + "\n"
  }

  /// Sets what was saved in the place of a list or a map; what is none can be mended in the line.
  private func assignNested(_ text: String, replacing old: Value, at spot: Spot) {
    // Inside strings, line breaks are escapes.
    let line = String(text.map { $0.isNewline ? " " : $0 }).trimmed
    switch ScalarText.parse(line, as: .mixed) {
    case .success(old): say("Unchanged")
    case .success(let value): assign(value, to: spot)
    case .failure:
      let label = "\(name(of: spot)) (mixed)"
      let type = PropertyType.mixed
      open(EditorDialog(.replace, spot: spot, type: type, original: old, label: label, text: line))
    }
  }

  /// Drops the line break that editors put at the end of a text that had none.
  private static func withoutAddedBreak(_ text: String, _ old: Value) -> String {
    let lineBreak = UInt8(ascii: "\n")
    guard case .string(let old) = old, old.utf8.last != lineBreak, text.utf8.last == lineBreak
    else { return text }
    return String(decoding: text.utf8.dropLast(), as: UTF8.self)
  }
}
