internal import KennelCore

/// The values that are chosen rather than typed.
struct ValueMenus: BrowserPart {
  let browser: Browser

  func openBoolMenu(_ spot: Spot, _ property: PropertySchema) {
    openMenu([("t", .bool(true)), ("f", .bool(false))], null: "n", spot, property)
  }

  /// More texts than this are typed.
  static let mostLabels = 25

  /// The texts of which one is the value, under the letters from a.
  func openLabelMenu(_ spot: Spot, _ property: PropertySchema, _ labels: [String]) {
    let values = zip("abcdefghijklmnopqrstuvwxy", labels).map { ($0, Value.string($1)) }
    openMenu(values, null: "z", spot, property)
  }

  /// Asks for one of some values, or for null where the property may be null.
  private func openMenu(
    _ values: [(letter: Character, value: Value)],
    null: Character,
    _ spot: Spot,
    _ property: PropertySchema
  ) {
    let values = values + (property.type.isOptional ? [(null, .null)] : [])
    let choices: [MenuDialog.Choice] = values.map { letter, value in
      .init(letter, ScalarText.text(of: value)) { ValueEditing($0).assign(value, to: spot) }
    }
    var menu = MenuDialog(name(of: spot), choices)
    (menu.isOfValue, menu.holdsNews) = (true, true)
    let current = value(at: spot)
    if current?.isNull == true { menu.index = choices.count - 1 }
    if let index = values.firstIndex(where: { $0.value == current }) { menu.index = index }
    open(menu)
  }

  /// `C`: the values that cannot be typed apart from others.
  func openValueMenu() {
    guard let spot = browser.editedSpot, let property = property(of: spot), isInPlace(spot) else {
      return say("A key cannot be changed; \(key(of: "right")) moves to a property")
    }
    let choices = choices(spot, property)
    guard !choices.isEmpty else {
      return showError("\(property.name) is a \(property.type): it has neither null nor empty")
    }
    var menu = MenuDialog(name(of: spot), choices)
    menu.holdsNews = true
    open(menu)
  }

  private func choices(_ spot: Spot, _ property: PropertySchema) -> [MenuDialog.Choice] {
    let isElement = spot.element != nil
    if property.isCollection, !isElement {
      let empty = property.type.collection.empty
      return [
        .init("e", "empty: take every element out") {
          ValueEditing($0).assignPreviewed(empty, to: spot)
        }
      ]
    }
    var choices: [MenuDialog.Choice] = []
    let type = property.type.element
    if type.isOptional || type.kind == (isElement ? .mixed : .link) {
      choices.append(
        .init("n", "null: no value") { ValueEditing($0).assignPreviewed(.null, to: spot) }
      )
    }
    if let empty = Self.empty(type) {
      choices.append(
        .init("e", "empty: a value of length 0") { ValueEditing($0).assign(empty, to: spot) }
      )
    }
    if !isElement, type.kind != .link {
      let value = property.defaultValue
      let text = ValueFormatter(model).show(value, isEmbedded: false).text
      choices.append(.init("d", "default: \(text)") { ValueEditing($0).assign(value, to: spot) })
    }
    if type.kind == .mixed {
      choices.append(.init("t", "a value of another type…") { ValueMenus($0).openKindMenu(spot) })
    }
    return choices
  }

  private static func empty(_ type: PropertyType) -> Value? {
    if type.kind == .mixed { return .string("") }
    let initial = type.kind.scalar.map { PropertyType($0.kind).initialValue }
    return initial?.textByteCount == nil ? nil : initial
  }

  // MARK: - Mixed

  func editMixed(_ spot: Spot, _ property: PropertySchema, _ value: Value) {
    switch value.shape {
    case .null:
      openKindMenu(spot)
    case .link(let target):
      ValueEditing(browser).pickTarget(spot, class: target.classKey)
    case .list, .set, .map:
      ValueEditing(browser).openEditor(spot, .mixed, value)
    case .scalar(let scalar):
      let kind = type(of: scalar).kind
      if kind == .bool { return openBoolMenu(spot, property) }
      ValueEditing(browser).openEditor(spot, PropertyType(kind), value)
    }
  }

  private static let nested: [(letter: Character, label: String, text: String)] = [
    ("a", "list, such as [1, \"two\"]", "[]"), ("p", "map, such as {\"key\": 1}", "{}"),
  ]

  /// Asks what type a mixed value is to have, then for the value.
  func openKindMenu(_ spot: Spot, purpose: EditorDialog.Purpose = .replace) {
    var choices: [MenuDialog.Choice] = KindEditor.choices.map { kind in
      .init(KindEditor(kind).letter, "\(kind)") { browser in
        ValueMenus(browser).openEditor(for: kind, spot, purpose)
      }
    }
    // A set holds single values alone.
    if property(of: spot)?.type.collection != .set {
      choices += Self.nested.map { letter, label, text in
        .init(letter, label) { browser in
          ValueMenus(browser).openEditor(.mixed, text: text, spot, purpose)
        }
      }
    }
    open(MenuDialog("\(name(of: spot)): a value of which type?", choices))
  }

  private func openEditor(for kind: ValueKind, _ spot: Spot, _ purpose: EditorDialog.Purpose) {
    switch kind {
    case .link:
      openClassMenu(spot, purpose)
    case .bool where purpose == .replace:
      if let property = property(of: spot) { openBoolMenu(spot, property) }
    case let kind:
      openEditor(PropertyType(kind), text: "", spot, purpose)
    }
  }

  private func openEditor(
    _ type: PropertyType,
    text: String,
    _ spot: Spot,
    _ purpose: EditorDialog.Purpose
  ) {
    let label = "\(name(of: spot)) (\(type))"
    open(EditorDialog(purpose, spot: spot, type: type, original: .null, label: label, text: text))
  }

  private func openClassMenu(_ spot: Spot, _ purpose: EditorDialog.Purpose) {
    let letters = Array("abcdefghijlmnopqrstuvwxyz")
    let classes = model.schema.classes.filter { !$0.isEmbedded }
    let choices: [MenuDialog.Choice] = zip(letters, classes).map { letter, schema in
      .init(letter, schema.name) { browser in
        if purpose == .replace {
          ValueEditing(browser).pickTarget(spot, class: schema.key)
        } else {
          CollectionEditing(browser).pick(spot, class: schema.key)
        }
      }
    }
    open(MenuDialog("\(name(of: spot)): a link to which class?", choices))
  }
}
