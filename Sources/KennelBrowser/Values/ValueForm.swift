internal import KennelCore

/// The properties of an object one after the other: `Tab` sets a value and edits the next one.
struct ValueForm: BrowserPart {
  let browser: Browser

  static let hint = Hint("Tab", "set, next")

  /// Edits the next property where a value is set, and neither refused nor about to be confirmed.
  ///
  /// - Parameters:
  ///   - state: Whether the dialog of the value is still open.
  ///   - fromStart: Whether no property was edited yet.
  /// - Returns: The same.
  func goOn(after state: DialogState, fromStart: Bool = false) -> DialogState {
    guard state == .closed, browser.dialog == nil, message?.isError != true else { return state }
    let said = message
    var isFirst = fromStart
    while moveToNext(isFirst) {
      isFirst = false
      editNext()
      // There may be nothing to choose from.
      guard browser.dialog == nil else {
        message = said
        return state
      }
    }
    message = said
    if said == nil { say("This was the last property") }
    return state
  }

  /// Edits the property under the cursor, whose value gives way to what is typed; an embedded object is
  /// created where a person wants one.
  private func editNext() {
    guard let spot, property(of: spot)?.isEmbedded == true else {
      ValueEditing(browser).edit()
      return browser.updateDialog(EditorDialog.self) { $0.selectAll() }
    }
    let slot = spot.slot(in: model.schema)
    var menu = MenuDialog(
      name(of: spot),
      [
        .init("o", "create it, and go on there") { ObjectEditing($0).createEmbedded(slot) },
        .init("n", "leave it null") { _ in },
      ]
    )
    menu.isOfValue = true
    menu.index = 1
    open(menu)
  }

  /// Puts the cursor on the next property that is edited in a line, a menu or a list of objects.
  private func moveToNext(_ fromStart: Bool) -> Bool {
    let object = browser.table?.object ?? (entry.main as? ObjectView)?.object
    guard let object, spot?.element == nil else { return false }
    let schema = model.schema[object.classKey]
    func isInForm(_ key: PropertyKey) -> Bool {
      guard let property = schema?.properties.first(where: { $0.key == key }) else { return false }
      if property.isEmbedded, !property.isCollection {
        return browser.table == nil && model.value(of: object, key).isNull
      }
      return !property.isCollection && property.type.kind != .mixed && !property.isPrimaryKey
    }
    if let table = browser.table {
      let columns = table.columns(in: model)
      let place = columns.firstIndex(of: table.column).map { $0 + 1 } ?? 0
      let next = columns[min(place, columns.count)...].first { column in
        column.property(of: table.classKey, in: model.schema).map { isInForm($0.key) } ?? false
      }
      guard let next else { return false }
      updateTable { $0.column = next }
      return true
    }
    let keys = schema?.properties.map(\.key) ?? []
    let current = fromStart ? nil : spot.flatMap { keys.firstIndex(of: $0.property) }
    let place = current.map { $0 + 1 } ?? 0
    guard let next = keys[min(place, keys.count)...].first(where: isInForm) else { return false }
    browser.updateMain { (view: inout ObjectView) in view.cursor = .property(next) }
    return entry.main is ObjectView
  }
}
