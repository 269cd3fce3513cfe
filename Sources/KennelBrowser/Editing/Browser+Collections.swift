internal import KennelCore

// Elements of lists, members of sets, entries of maps.

extension Browser {
  /// The collection that the cursor is on or in.
  private var collectionSpot: (spot: Spot, property: PropertySchema)? {
    guard let spot, let property = property(of: spot), property.isCollection else { return nil }
    return (spot, property)
  }

  /// `o`: a new element where the cursor is on a collection, else a new object.
  func create() {
    if case .table = view.main {
      createObject(of: view.classKey)
    } else if let (spot, property) = collectionSpot {
      addElement(Spot(spot.object, spot.property), property)
    } else if let spot, let property = property(of: spot), property.isEmbedded,
      value(at: spot)?.isNull == true
    {
      createEmbedded(at: spot)
    } else {
      createObject(of: view.classKey)
    }
  }

  /// Adds to a collection: at the end of a list, so that it never conflicts with another's change.
  func addElement(_ spot: Spot, _ property: PropertySchema) {
    guard model.contains(spot.object) else {
      showError("\(model.text(spot.object)) does not exist any more")
      return
    }
    if property.type.collection == .map {
      overlay = .editor(
        CellEditor(
          .entryKey,
          spot: spot,
          type: .string,
          original: .null,
          label: "key of a new entry of \(name(of: spot))",
          text: ""
        )
      )
      return
    }
    switch property.type.kind {
    case .link where property.isEmbedded:
      let index = model.elementCount(of: spot.object, spot.property)
      createEmbedded(Slot(spot.object, spot.property, .index(index)))
    case .link:
      if let target = property.target { pickElement(spot, class: target) }
    case .mixed:
      openKindMenu(spot, purpose: .add)
    default:
      overlay = .editor(
        CellEditor(
          .add,
          spot: spot,
          type: property.type.element,
          original: .null,
          label: "new element of \(name(of: spot)) (\(property.type.element))",
          text: ""
        )
      )
    }
  }

  func add(_ value: Value, _ editor: CellEditor) {
    overlay = nil
    if !insert(value, editor.spot) { keepOpen(editor) }
  }

  @discardableResult
  func insert(_ value: Value, _ spot: Spot) -> Bool {
    guard let property = property(of: spot) else { return false }
    var isNew = true
    let text = ValueView(model: model, theme: theme).show(value, isEmbedded: false).text
    let done = change("\(text) is in \(name(of: spot))") { draft throws(DatabaseError) in
      if property.type.collection == .set {
        isNew = try draft.insertMember(value, of: spot.object, spot.property)
      } else {
        let end = model.elementCount(of: spot.object, spot.property)
        try draft.insert(value, at: end, of: spot.object, spot.property)
      }
    }
    guard done else { return false }
    if !isNew { say("The set has \(text) already") }
    showElement(of: spot) { property.type.collection == .set ? $0.value == value : true }
    return true
  }

  /// Puts the cursor on the last element that fits, where the collection is what is shown.
  private func showElement(of spot: Spot, where fits: (Element) -> Bool) {
    guard case .elements(var elements) = view.main, elements.object == spot.object,
      elements.property == spot.property
    else { return }
    let count = elements.count(in: model)
    let near = elements.elements(in: model, max(0, count - 1_000)..<count)
    guard let element = near.last(where: fits) else { return }
    elements.cursor = element
    view.main = .elements(elements)
  }

  /// The key of a new entry was typed; its value comes next.
  func addEntry(_ value: Value, _ editor: CellEditor) {
    guard case .string(let key) = value, let property = property(of: editor.spot) else { return }
    let count = model.elementCount(of: editor.spot.object, property.key)
    let existing = model.elements(of: editor.spot.object, property, in: 0..<min(count, 10_000))
    if existing.contains(where: { $0.key?.hasSameBytes(as: key) == true }) {
      var editor = editor
      editor.problem = "There is an entry “\(key)” already; e changes its value"
      overlay = .editor(editor)
      return
    }
    overlay = nil
    if property.isEmbedded {
      createEmbedded(Slot(editor.spot.object, property.key, .key(key)))
      return
    }
    let start: Value =
      property.type.isOptional || property.type.kind == .link
      ? .null : property.type.element.initialValue
    let done = change("“\(key)” is in \(name(of: editor.spot))") { draft throws(DatabaseError) in
      try draft.setEntry(key, start, of: editor.spot.object, property.key)
    }
    guard done else { return }
    showElement(of: editor.spot) { $0.key?.hasSameBytes(as: key) == true }
    let element = Element(index: 0, key: key, value: start)
    let all = model.elements(
      of: editor.spot.object,
      property,
      in: 0..<min(10_000, model.elementCount(of: editor.spot.object, property.key))
    )
    let place = all.first { $0.key?.hasSameBytes(as: key) == true } ?? element
    editElement(Spot(editor.spot.object, property.key, element: place), property)
  }

  private func editElement(_ spot: Spot, _ property: PropertySchema) {
    guard let value = spot.element?.value else { return }
    switch property.type.kind {
    case .link: pickTarget(spot, property)
    case .bool: openBoolMenu(spot, property)
    case .mixed: openKindMenu(spot)
    default: openEditor(spot, property.type.element, value)
    }
  }

  // MARK: - Order

  func moveElement(by distance: Int) {
    guard let (spot, _) = collectionSpot, let element = spot.element else {
      say("Only an element of a list can be moved")
      return
    }
    moveElement(to: element.index + distance)
  }

  func moveElement(to destination: Int) {
    guard let (spot, property) = collectionSpot, let element = spot.element,
      property.type.collection == .list
    else {
      showError("Only a list has an order")
      return
    }
    let count = model.elementCount(of: spot.object, spot.property)
    guard (0..<count).contains(destination) else {
      say(destination < 0 ? "It is the first already" : "It is the last already")
      return
    }
    guard isInPlace(spot) else { return }
    // The cursor goes along before the views settle: it belongs to the element.
    follow(element, to: destination)
    let moved = change("Moved to \(destination)") { draft throws(DatabaseError) in
      try draft.moveElement(
        from: element.index,
        to: destination,
        of: spot.object,
        spot.property
      )
    }
    if !moved { follow(element, to: element.index) }
  }

  private func follow(_ element: Element, to index: Int) {
    var moved = element
    moved.index = index
    switch view.main {
    case .elements(var elements):
      elements.cursor = moved
      view.main = .elements(elements)
    case .object(var object):
      if case .element(let property, _) = object.cursor {
        object.cursor = .element(property, moved)
        view.main = .object(object)
      }
    case .table:
      break
    }
  }
}
