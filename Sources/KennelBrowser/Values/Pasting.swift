internal import KennelCore

/// `p`: pastes what was copied, with its type.
///
/// | copied | pasted into | what it does |
/// |---|---|---|
/// | a value | a property | sets it, in all marked objects where some are |
/// | values | a property of as many marked objects | sets one in each, in their order |
/// | values | a list or a set | inserts them, in a list after the cursor |
/// | an embedded object | a property of its class | creates a copy there |
/// | objects | a link or a collection of links to their class | links to them |
/// | objects | a table of their class | creates copies, with copies of what they own |
struct Pasting: BrowserPart {
  let browser: Browser

  func paste() {
    switch browser.copied {
    case nil: say("Nothing was copied; \(key(of: "copy")) copies what the cursor is on")
    case .values(let values): paste(values)
    case .objects(let objects): paste(objects)
    }
  }

  // MARK: - Values

  private func paste(_ values: [Value]) {
    guard let spot = browser.editedSpot, let property = property(of: spot), isInPlace(spot) else {
      return showError("A value is pasted into a property; \(key(of: "right")) moves to one")
    }
    if let gone = values.lazy.flatMap(\.links).first(where: { !model.contains($0) }) {
      return showError("\(model.text(gone)) no longer exists; copy again")
    }
    if property.isEmbedded {
      pasteEmbedded(values, spot, property)
    } else if property.isCollection, spot.marked.count < 2 {
      pasteElements(values, spot, property)
    } else if values.count == 1 {
      ValueEditing(browser).assignPreviewed(values[0], to: spot)
    } else if spot.objects.count == values.count, !property.canLink, !property.isCollection {
      pasteEach(values, spot)
    } else {
      showError(
        "\(values.count) values were copied: mark \(values.count) objects, or paste into a list"
      )
    }
  }

  private func pasteElements(_ values: [Value], _ spot: Spot, _ property: PropertySchema) {
    guard property.type.collection != .map else {
      if spot.element != nil, values.count == 1 {
        ValueEditing(browser).assignPreviewed(values[0], to: spot)
      } else {
        showError(
          "An entry of a map needs a key; \(key(of: "create")) adds one, "
            + "and \(key(of: "paste")) sets its value"
        )
      }
      return
    }
    CollectionEditing(browser).insert(values, spot)
  }

  /// One value in each marked object, in the order of the objects and of the values.
  private func pasteEach(_ values: [Value], _ spot: Spot) {
    guard let property = property(of: spot) else { return }
    let heading = "Paste \(values.count) values into \(name(of: spot))?"
    ValueEditing(browser).askToSet(heading, property, of: spot.marked) {
      values[$0]
    } then: {
      Pasting($0).setEach(values, spot)
    }
  }

  private func setEach(_ values: [Value], _ spot: Spot) {
    let objects = spot.marked
    LargeChanges(browser).changeEach(
      objects.count,
      title: "Pasting \(objects.count) values",
      done: "Pasted \(objects.count) values"
    ) { draft, index throws(DatabaseError) in
      try draft.set(objects[index], property: spot.property, to: values[index])
    }
  }

  // MARK: - Objects

  private func paste(_ objects: [ObjectIdentity]) {
    guard let first = objects.first else { return }
    if let gone = objects.first(where: { !model.contains($0) }) {
      return showError("\(model.text(gone)) no longer exists; copy again")
    }
    if let spot = browser.editedSpot, let property = property(of: spot), property.canLink,
      property.target == first.classKey || property.type.kind == .mixed
    {
      paste(objects.map(Value.link))
      return
    }
    guard browser.table?.classKey == first.classKey,
      let schema = model.schema[first.classKey], !schema.isEmbedded
    else {
      let name = model.name(of: first.classKey)
      return showError("A \(name) is pasted into a link to \(name), or into a table of \(name)")
    }
    pasteCopies(of: objects, schema)
  }

  private func pasteCopies(of objects: [ObjectIdentity], _ schema: ClassSchema) {
    guard let primaryKey = schema.primaryKey else {
      return create(copiesOf: objects, keys: nil, schema)
    }
    if objects.count == 1 {
      return ObjectEditing(browser).askForPrimaryKey(schema, copyOf: objects[0])
    }
    guard let keys = ObjectEditing(browser).freeKeys(schema, primaryKey, count: objects.count)
    else {
      return showError(
        "Each \(schema.name) needs a \(primaryKey.name) of its own: paste one at a time"
      )
    }
    create(copiesOf: objects, keys: keys, schema)
  }

  private static func copies(_ count: Int) -> String {
    count == 1 ? "1 copy" : "\(count) copies"
  }

  private func create(
    copiesOf objects: [ObjectIdentity],
    keys: [Value]?,
    _ schema: ClassSchema
  ) {
    LargeChanges(browser).changeEach(
      objects.count,
      title: "Copying \(objects.count) objects",
      done: "Created \(Self.copies(objects.count)) of \(schema.name) objects"
    ) { draft, index throws(DatabaseError) in
      let copy = ObjectCopy(reader: draft.reader)
      try copy.create(from: objects[index], primaryKey: keys?[index], in: draft)
    }
  }

  // MARK: - Embedded objects

  private func pasteEmbedded(_ values: [Value], _ spot: Spot, _ property: PropertySchema) {
    let sources = values.flatMap(\.links).filter { $0.classKey == property.target }
    let name = model.schema[property.target ?? spot.object.classKey]?.name ?? "?"
    guard sources.count == values.count, spot.marked.count < 2 else {
      return showError(
        "\(property.name) takes a copy of an embedded \(name); \(key(of: "copy")) on one copies it"
      )
    }
    if property.type.collection == .map, spot.element == nil {
      return showError(
        "An entry of a map needs a key; \(key(of: "create")) adds one, "
          + "and \(key(of: "paste")) replaces it"
      )
    }
    guard sources.count == 1 || property.type.collection == .list else {
      return showError("\(sources.count) \(name) were copied, and \(property.name) takes one")
    }
    let count = model.elementCount(of: spot.object, spot.property)
    let start = spot.insertionIndex(count: count)
    let slots =
      property.type.collection == .list
      ? sources.indices.map { Slot(spot.object, spot.property, .index(start + $0)) }
      : [spot.slot(in: model.schema)]
    if property.type.collection == .list { return fill(slots, sources, name) }
    let model = model
    let title = "Replace \(self.name(of: spot))?"
    let radius = { model.blastRadius(overwriting: slots) }
    Deleting(browser).preview(title, radius) { browser, _ in
      Pasting(browser).fill(slots, sources, name)
    }
  }

  private func fill(_ slots: [Slot], _ sources: [ObjectIdentity], _ name: String) {
    change("Pasted \(Self.copies(slots.count)) of \(name)") { draft throws(DatabaseError) in
      for (slot, source) in zip(slots, sources) {
        try ObjectCopy(reader: draft.reader).createEmbedded(from: source, at: slot, in: draft)
      }
    }
  }
}
