internal import KennelCore

// The values that are chosen rather than typed.

extension Browser {
  func openBoolMenu(_ spot: Spot, _ property: PropertySchema) {
    var choices = [
      Menu.Choice(letter: "t", label: "true") { $0.assign(.bool(true), to: spot) },
      Menu.Choice(letter: "f", label: "false") { $0.assign(.bool(false), to: spot) },
    ]
    if property.type.isOptional {
      choices.append(Menu.Choice(letter: "n", label: "null") { $0.assign(.null, to: spot) })
    }
    var menu = Menu(title: name(of: spot), choices: choices)
    if case .bool(false)? = value(at: spot) { menu.index = 1 }
    overlay = .menu(menu)
  }

  /// `C`: the values that cannot be typed apart from others.
  func openValueMenu() {
    guard let spot, let property = property(of: spot), isInPlace(spot) else {
      say("A key is never changed; l moves to a property")
      return
    }
    var choices: [Menu.Choice] = []
    if let element = spot.element {
      choices = elementChoices(spot, property, element)
    } else {
      choices = propertyChoices(spot, property)
    }
    guard !choices.isEmpty else {
      showError("\(property.name) is a \(property.type): it has neither null nor empty")
      return
    }
    overlay = .menu(Menu(title: name(of: spot), choices: choices))
  }

  private func propertyChoices(_ spot: Spot, _ property: PropertySchema) -> [Menu.Choice] {
    var choices: [Menu.Choice] = []
    if property.isCollection {
      let empty: Value =
        switch property.type.collection {
        case .set: .set([])
        case .map: .map([])
        default: .list([])
        }
      choices.append(
        Menu.Choice(letter: "e", label: "empty: take every element out") {
          $0.assignPreviewed(empty, to: spot)
        }
      )
      return choices
    }
    if property.type.isOptional || property.type.kind == .link {
      choices.append(
        Menu.Choice(letter: "n", label: "null: no value") { $0.assignPreviewed(.null, to: spot) }
      )
    }
    if let empty = Self.empty(property.type) {
      choices.append(
        Menu.Choice(letter: "e", label: "empty: a value of length 0") { $0.assign(empty, to: spot) }
      )
    }
    if !property.isEmbedded, property.type.kind != .link {
      let value = property.defaultValue
      let text = ValueView(model: model, theme: theme).show(value, isEmbedded: false).text
      choices.append(
        Menu.Choice(letter: "d", label: "default: \(text)") { $0.assign(value, to: spot) }
      )
    }
    if property.type.kind == .mixed {
      choices.append(
        Menu.Choice(letter: "t", label: "a value of another type…") { browser in
          browser.openKindMenu(spot)
        }
      )
    }
    return choices
  }

  private func elementChoices(
    _ spot: Spot,
    _ property: PropertySchema,
    _ element: Element
  ) -> [Menu.Choice] {
    var choices: [Menu.Choice] = []
    let type = property.type.element
    if type.isOptional || property.type.kind == .mixed {
      choices.append(
        Menu.Choice(letter: "n", label: "null: no value") { $0.assignPreviewed(.null, to: spot) }
      )
    }
    if let empty = Self.empty(type) {
      choices.append(
        Menu.Choice(letter: "e", label: "empty: a value of length 0") { $0.assign(empty, to: spot) }
      )
    }
    if property.type.kind == .mixed {
      choices.append(
        Menu.Choice(letter: "t", label: "a value of another type…") { browser in
          browser.openKindMenu(spot)
        }
      )
    }
    return choices
  }

  private static func empty(_ type: PropertyType) -> Value? {
    switch type.kind {
    case .string, .mixed: .string("")
    case .data: .data([])
    default: nil
    }
  }

  // MARK: - Mixed

  func editMixed(_ spot: Spot, _ property: PropertySchema, _ value: Value) {
    switch value {
    case .null:
      openKindMenu(spot)
    case .link(let target):
      pickTarget(spot, class: target.classKey)
    case .bool:
      openBoolMenu(spot, property)
    default:
      guard let kind = value.kind else { return }
      openEditor(spot, PropertyType(kind), value)
    }
  }

  private static let kinds: [(letter: Character, kind: ValueKind)] = [
    ("s", .string), ("i", .int), ("d", .double), ("f", .float), ("b", .bool), ("t", .date),
    ("x", .data), ("o", .objectId), ("u", .uuid), ("m", .decimal128), ("l", .link),
  ]

  /// Asks what type a mixed value is to have, then for the value.
  func openKindMenu(_ spot: Spot, purpose: CellEditor.Purpose = .replace) {
    let choices = Self.kinds.map { letter, kind in
      Menu.Choice(letter: letter, label: "\(kind)") { browser in
        browser.openEditor(for: kind, spot, purpose)
      }
    }
    overlay = .menu(Menu(title: "\(name(of: spot)): a value of which type?", choices: choices))
  }

  private func openEditor(for kind: ValueKind, _ spot: Spot, _ purpose: CellEditor.Purpose) {
    switch kind {
    case .link:
      openClassMenu(spot, purpose)
    case .bool where purpose == .replace:
      if let property = property(of: spot) { openBoolMenu(spot, property) }
    default:
      let type = PropertyType(kind)
      overlay = .editor(
        CellEditor(
          purpose,
          spot: spot,
          type: type,
          original: .null,
          label: "\(name(of: spot)) (\(type))",
          text: ""
        )
      )
    }
  }

  private func openClassMenu(_ spot: Spot, _ purpose: CellEditor.Purpose) {
    let letters = Array("abcdefghijlmnopqrstuvwxyz")
    let classes = model.schema.classes.filter { !$0.isEmbedded }
    let choices = zip(letters, classes).map { letter, schema in
      Menu.Choice(letter: letter, label: schema.name) { browser in
        if purpose == .replace {
          browser.pickTarget(spot, class: schema.key)
        } else {
          browser.pickElement(spot, class: schema.key)
        }
      }
    }
    overlay = .menu(Menu(title: "\(name(of: spot)): a link to which class?", choices: choices))
  }
}
