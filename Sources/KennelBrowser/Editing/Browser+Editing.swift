internal import KennelCore

// Editing goes into the draft at once; nothing is written before the commit.

extension Browser {
  /// Changes the draft, and brings the screen up to date; whether it worked.
  @discardableResult
  func change(
    _ done: @autoclosure () -> String,
    _ body: (Draft) throws(DatabaseError) -> Void
  ) -> Bool {
    guard let draft = model.draft else {
      showError(readOnlyReason ?? "")
      return false
    }
    let hasChanged: Bool
    do throws(DatabaseError) {
      hasChanged = try model.change(draft, body)
    } catch {
      showError(error.message)
      return false
    }
    worldChanged()
    say(done() + (hasChanged ? "; u undoes" : "; nothing has changed"))
    return true
  }

  /// Brings everything on the screen up to date after a change.
  func worldChanged() {
    model.changed()
    settle()
    renewResult()
    changes.settle(in: model)
  }

  // MARK: - Edit

  /// `e`: edits the value under the cursor with what suits its type.
  func editValue() {
    guard let spot, let property = property(of: spot) else {
      say("A key is never changed; l moves to a property")
      return
    }
    guard isInPlace(spot) else { return }
    guard let value = value(at: spot) else {
      openOrAdd(spot, property)
      return
    }
    switch property.type.kind {
    case .link where property.isEmbedded: editEmbedded(spot, property, value)
    case .link: pickTarget(spot, property)
    case .bool: openBoolMenu(spot, property)
    case .mixed: editMixed(spot, property, value)
    default: openEditor(spot, property.type.element, value)
    }
  }

  private func openOrAdd(_ spot: Spot, _ property: PropertySchema) {
    if model.elementCount(of: spot.object, spot.property) == 0 {
      addElement(spot, property)
    } else {
      goToElements(spot.object, spot.property)
    }
  }

  /// Longer texts are not edited on one line of the screen.
  private static let longestLine = 10_000

  func openEditor(_ spot: Spot, _ type: PropertyType, _ value: Value) {
    if case .string(let text) = value, text.utf8.count > Self.longestLine {
      showError("This text has \(text.utf8.count) bytes; E opens it in the editor")
      return
    }
    if case .data(let bytes) = value, bytes.count > Self.longestLine {
      showError("These are \(bytes.count) bytes, too many for one line")
      return
    }
    let label = "\(name(of: spot)) (\(type))"
    overlay = .editor(
      CellEditor(.replace, spot: spot, type: type, original: value, label: label)
    )
  }

  /// Enter in the editor.
  func finish(_ editor: CellEditor) {
    switch editor.value {
    case .failure(let refusal):
      var editor = editor
      editor.problem = refusal.message
      overlay = .editor(editor)
    case .success(let value):
      switch editor.purpose {
      case .replace: set(value, editor)
      case .add: add(value, editor)
      case .entryKey: addEntry(value, editor)
      case .newObject(let original): createObject(value, copyOf: original, editor)
      }
    }
  }

  private func set(_ value: Value, _ editor: CellEditor) {
    if value == editor.original {
      overlay = nil
      say("Unchanged")
      return
    }
    if assign(value, to: editor.spot) {
      overlay = nil
    } else {
      keepOpen(editor)
    }
  }

  /// Leaves what was typed where it is, with the reason why it is not taken.
  func keepOpen(_ editor: CellEditor) {
    var editor = editor
    editor.problem = message?.text
    overlay = .editor(editor)
  }

  /// Puts a value where the cursor was, if that is still the same place.
  @discardableResult
  func assign(_ value: Value, to spot: Spot) -> Bool {
    guard isInPlace(spot), let property = property(of: spot) else { return false }
    let name = name(of: spot)
    let text = ValueView(model: model, theme: theme).show(value, isEmbedded: false).text
    var isNew = true
    let done = change("\(name) is \(text)") { draft throws(DatabaseError) in
      let (object, key) = (spot.object, spot.property)
      guard let element = spot.element else {
        try draft.set(object, key, value)
        return
      }
      switch property.type.collection {
      case .map:
        try draft.setEntry(element.key ?? "", value, of: object, key)
      case .set:
        isNew = try draft.insertMember(value, of: object, key)
        if isNew { try draft.removeMember(element.value, of: object, key) }
      default:
        try draft.replace(at: element.index, with: value, of: object, key)
      }
    }
    if done, !isNew { say("The set has \(text) already; nothing is changed") }
    return done
  }

  // MARK: - In the person's editor

  func editExternally() {
    guard let spot, let property = property(of: spot), let value = value(at: spot),
      isInPlace(spot)
    else {
      say("Only a single value can be edited outside")
      return
    }
    guard case .string(let text) = value, property.type.kind != .link else {
      showError("Only text is edited in $EDITOR; e edits this \(property.type.element)")
      return
    }
    let token = newNumber()
    externalEdits[token] = (spot, value)
    ask(.editExternally(text: text, token: token))
  }

  func finishExternalEdit(token: Int, text: String?) {
    guard let (spot, old) = externalEdits.removeValue(forKey: token) else { return }
    guard let text = text.map({ Self.withoutAddedBreak($0, old) }) else {
      showError("$EDITOR failed, or what it saved is not UTF-8; nothing is changed")
      return
    }
    guard .string(text) != old else {
      say("Unchanged")
      return
    }
    assign(.string(text), to: spot)
  }
  /// What was saved, without the line break that editors put at the end of a text that had none.
  private static func withoutAddedBreak(_ text: String, _ old: Value) -> String {
    let lineBreak = UInt8(ascii: "\n")
    guard case .string(let old) = old, old.utf8.last != lineBreak, text.utf8.last == lineBreak
    else { return text }
    return String(decoding: text.utf8.dropLast(), as: UTF8.self)
  }
}
