internal import KennelCore

/// Edits elements of lists, members of sets, entries of maps.
struct CollectionEditing: BrowserPart {
  let browser: Browser

  /// The collection that the cursor is on or in.
  var collectionSpot: (spot: Spot, property: PropertySchema)? {
    guard let spot, let property = property(of: spot), property.isCollection else { return nil }
    return (spot, property)
  }

  /// Adds to a collection; to a list beside the element of the cursor, else at the end.
  func add(_ spot: Spot, _ property: PropertySchema) {
    guard isInPlace(spot) else { return }
    var spot = spot
    if property.type.collection != .list { spot.element = nil }
    if property.type.collection == .map {
      let label = "key of a new entry of \(name(of: spot))"
      return open(
        EditorDialog(.entryKey, spot: spot, type: .string, original: .null, label: label, text: "")
      )
    }
    switch property.type.kind {
    case .link where property.isEmbedded:
      let count = model.elementCount(of: spot.object, spot.property)
      let index = spot.insertionIndex(count: count)
      ObjectEditing(browser).createEmbedded(Slot(spot.object, spot.property, .index(index)))
    case .link:
      if let target = property.target { pick(spot, class: target) }
    case .mixed:
      ValueMenus(browser).openKindMenu(spot, purpose: .add)
    case _:
      let type = property.type.element
      let label = "new element of \(collectionName(of: spot)) (\(type))"
      open(EditorDialog(.add, spot: spot, type: type, original: .null, label: label, text: ""))
    }
  }

  /// Picks an object for a new element of a list or a new member of a set.
  func pick(_ spot: Spot, class target: ClassKey) {
    let title = "Add to \(collectionName(of: spot))"
    PickerDialog.open(title, target, near: nil, in: browser) { browser, object in
      CollectionEditing(browser).insert([.link(object)], spot)
    }
  }

  /// Adds values in their order, as one step of undo; whether that worked.
  @discardableResult
  func insert(_ values: [Value], _ spot: Spot) -> Bool {
    guard let property = property(of: spot), let last = values.last, isInPlace(spot) else {
      return false
    }
    let isSet = property.type.collection == .set
    let start = spot.insertionIndex(count: model.elementCount(of: spot.object, spot.property))
    var newCount = 0
    let view = ValueFormatter(model)
    let text =
      values.count == 1
      ? "\(view.show(last, isEmbedded: false, isMixed: last.isCollection).text) is"
      : "\(values.count) values are"
    let done = change("\(text) in \(collectionName(of: spot))") { draft throws(DatabaseError) in
      for (offset, value) in values.enumerated() {
        if isSet {
          if try draft.insertMember(value, of: spot.object, property: spot.property) {
            newCount += 1
          }
        } else {
          try draft.insert(value, at: start + offset, of: spot.object, property: spot.property)
        }
      }
    }
    guard done else { return false }
    if isSet, newCount == 0 { say("\(text) already in the set") }
    if isSet {
      showElement(of: spot) { $0.value == last }
    } else {
      showElement(of: spot, at: start + values.count - 1)
    }
    return true
  }

  /// The collection as a sentence names it, wherever in it the cursor is.
  private func collectionName(of spot: Spot) -> String {
    name(of: Spot(spot.object, spot.property))
  }

  /// Puts the cursor on an element of a list.
  private func showElement(of spot: Spot, at index: Int) {
    guard let property = property(of: spot),
      let element = model.elements(of: spot.object, property, in: index..<index + 1).first
    else { return }
    follow(element, of: spot, to: index)
  }

  /// Puts the cursor on the last element that fits, where the collection is what is shown.
  private func showElement(of spot: Spot, where fits: (Element) -> Bool) {
    guard let elements = entry.main as? ElementsView, elements.object == spot.object,
      elements.property == spot.property
    else { return }
    let count = elements.count(in: model)
    let near = elements.elements(in: model, max(0, count - 1_000)..<count)
    if let element = near.last(where: fits) { follow(element, of: spot, to: element.index) }
  }

  /// The key of a new entry was typed, and its value comes next; whether there is such an entry now.
  func addEntry(_ value: Value, _ spot: Spot) -> Bool {
    guard case .string(let key) = value, let property = property(of: spot) else { return false }
    if entry(key, of: spot, property) != nil {
      showError("There is already an entry “\(key)”; \(browser.key(of: "edit")) changes its value")
      return false
    }
    if property.isEmbedded {
      ObjectEditing(browser).createEmbedded(Slot(spot.object, property.key, .key(key)))
      return true
    }
    let start: Value =
      property.type.isOptional || property.type.kind == .link
      ? .null : property.type.element.initialValue
    let done = change("“\(key)” is in \(name(of: spot))") { draft throws(DatabaseError) in
      try draft.setEntry(key, to: start, of: spot.object, property: property.key)
    }
    guard done else { return true }
    showElement(of: spot) { $0.key?.hasSameBytes(as: key) == true }
    let place = entry(key, of: spot, property) ?? Element(index: 0, key: key, value: start)
    let edited = Spot(spot.object, property.key, element: place)
    ValueEditing(browser).edit(edited, property, place.value)
    return true
  }

  /// The entry of a key; linear in the number of entries, as reading any of them is.
  private func entry(_ key: String, of spot: Spot, _ property: PropertySchema) -> Element? {
    let count = model.elementCount(of: spot.object, property.key)
    return model.elements(of: spot.object, property, in: 0..<count)
      .first { $0.key?.hasSameBytes(as: key) == true }
  }

  // MARK: - Order

  func move(by distance: Int) {
    guard let (spot, _) = collectionSpot, let element = spot.element else {
      return say("Only an element of a list can be moved")
    }
    move(to: element.index + distance)
  }

  /// `:move` with the position as it was typed.
  func move(toTyped text: String) {
    if text.isEmpty { return showError("Say where to, as in ‘:move 3’") }
    guard let index = Int(text) else {
      return showError("“\(text)” is not a position; the first element is 0")
    }
    if let (spot, property) = collectionSpot {
      let count = model.elementCount(of: spot.object, spot.property)
      guard (0..<count).contains(index) else {
        return showError("\(property.name) has the positions 0 to \(count - 1)")
      }
    }
    move(to: index)
  }

  private func move(to destination: Int) {
    guard let (spot, property) = collectionSpot, let element = spot.element,
      property.type.collection == .list
    else {
      return showError("Only a list has an order")
    }
    let count = model.elementCount(of: spot.object, spot.property)
    guard (0..<count).contains(destination) else {
      return say(destination < 0 ? "It is already the first" : "It is already the last")
    }
    guard isInPlace(spot) else { return }
    // The cursor goes along before the views settle: it belongs to the element.
    follow(element, of: spot, to: destination)
    let moved = change("Moved to \(destination)") { draft throws(DatabaseError) in
      try draft.moveElement(
        from: element.index,
        to: destination,
        of: spot.object,
        property: spot.property
      )
    }
    if !moved { follow(element, of: spot, to: element.index) }
  }

  private func follow(_ element: Element, of spot: Spot, to index: Int) {
    var moved = element
    moved.index = index
    browser.update(.main) { $0.select(moved, of: spot) }
  }
}
