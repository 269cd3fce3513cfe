internal import KennelCore

/// Creates, copies and replaces objects.
struct ObjectEditing: BrowserPart {
  let browser: Browser

  /// `o`: a new element after that of the cursor where it is on a collection, another link where links to
  /// an object are shown, else a new object.
  func create() {
    if let links = BacklinkEditing(browser).links {
      BacklinkEditing(browser).add(links)
    } else if browser.table != nil {
      createObject(of: entry.classKey)
    } else if let (spot, property) = CollectionEditing(browser).collectionSpot {
      CollectionEditing(browser).add(spot, property)
    } else if let spot, let property = property(of: spot), property.isEmbedded,
      value(at: spot)?.isNull == true
    {
      createEmbedded(spot.slot(in: model.schema))
    } else {
      createObject(of: entry.classKey)
    }
  }

  private func createObject(of classKey: ClassKey) {
    guard let schema = model.schema[classKey] else { return }
    if schema.isEmbedded {
      return showError(
        "\(schema.name) is embedded: it is created in its owner, with \(key(of: "create")) on its property"
      )
    }
    guard schema.primaryKey == nil else { return askForPrimaryKey(schema, copyOf: nil) }
    let done = make("new") { draft throws(DatabaseError) in try draft.create(classKey, [:]) }
    if done { fillIn() }
  }

  /// Edits the first property of an object that was just created; Tab goes on to the next.
  private func fillIn() {
    _ = ValueForm(browser).goOn(after: .closed, fromStart: true)
  }

  /// Creates an object as one step of undo, says so and shows it; false where that failed.
  @discardableResult
  private func make(
    _ what: String,
    step: String? = HistoryEntry.created,
    _ create: (Draft) throws(DatabaseError) -> ObjectIdentity
  ) -> Bool {
    var created: ObjectIdentity?
    let done = change(created.map { "\(model.text($0)) is \(what)" } ?? "") {
      draft throws(DatabaseError) in created = try create(draft)
    }
    guard done, let created else { return false }
    let said = message
    Navigation(browser).goToObject(created, step: step)
    message = said
    return true
  }

  func askForPrimaryKey(_ schema: ClassSchema, copyOf original: ObjectIdentity?) {
    guard let property = schema.primaryKey else { return }
    let spot = Spot(ObjectIdentity(schema.key, ObjectKey(rawValue: 0)), property.key)
    open(
      EditorDialog(
        .newObject(copyOf: original),
        spot: spot,
        type: property.type,
        original: .null,
        label: "\(property.name) of the new \(schema.name) (\(property.type))",
        text: suggestedKey(schema, property)
      )
    )
  }

  /// Numbers that no object has as its primary key; `nil` where keys are no numbers.
  func freeKeys(_ schema: ClassSchema, _ property: PropertySchema, count: Int) -> [Value]? {
    guard var next = Int64(suggestedKey(schema, property)) else { return nil }
    var keys: [Value] = []
    while keys.count < count, next < property.type.intRange.upperBound {
      if model.find(schema.key, primaryKey: .int(next)) == nil { keys.append(.int(next)) }
      next += 1
    }
    return keys.count == count ? keys : nil
  }

  /// One more than the number of the newest object, or else than how many there are, where that is free.
  private func suggestedKey(_ schema: ClassSchema, _ property: PropertySchema) -> String {
    guard property.type.kind == .int else { return "" }
    var numbers = [Int64(clamping: model.count(of: schema.key))]
    if let newest = model.keys(of: schema.key, before: nil, limit: 1).first,
      case .int(let number) = model.value(of: ObjectIdentity(schema.key, newest), property.key)
    {
      numbers.insert(number, at: 0)
    }
    let free = numbers.lazy.filter { $0 < property.type.intRange.upperBound }.map { $0 + 1 }
      .first { model.find(schema.key, primaryKey: .int($0)) == nil }
    return free.map { "\($0)" } ?? ""
  }

  /// The primary key of a new object was typed; whether it is made.
  func create(_ key: Value, at spot: Spot, copyOf original: ObjectIdentity?) -> Bool {
    let classKey = spot.object.classKey
    return make("new") { draft throws(DatabaseError) in
      guard let original else { return try draft.create(classKey, [spot.property: key]) }
      return try ObjectCopy(reader: draft.reader).create(from: original, primaryKey: key, in: draft)
    }
  }

  /// `O`: a new element before that of the cursor where it is in a collection, else a copy of the
  /// object, with copies of what it owns and links to what it links to.
  func duplicate() {
    if let (spot, property) = CollectionEditing(browser).collectionSpot,
      entry.main is ElementsView || spot.element != nil
    {
      var place = spot
      place.isBefore = true
      return CollectionEditing(browser).add(place, property)
    }
    guard let object = entry.subject, model.contains(object),
      let schema = model.schema[object.classKey]
    else { return }
    if schema.isEmbedded {
      return showError("\(schema.name) is embedded and has one owner; duplicate that")
    }
    guard schema.primaryKey == nil else { return askForPrimaryKey(schema, copyOf: object) }
    make("a copy") { draft throws(DatabaseError) in
      try ObjectCopy(reader: draft.reader).create(from: object, primaryKey: nil, in: draft)
    }
  }

  // MARK: - Embedded objects

  func createEmbedded(_ slot: Slot) {
    let step = model.schema.property(slot.property, of: slot.object.classKey)?.name
    let done = make("new", step: step) { draft throws(DatabaseError) in
      try draft.createEmbedded(at: slot)
    }
    if done { fillIn() }
  }

  /// `e` on an embedded object: creates it where there is none, else offers another.
  func editEmbedded(_ spot: Spot, _ property: PropertySchema, _ value: Value) {
    guard case .link(let target) = value else {
      return createEmbedded(spot.slot(in: model.schema))
    }
    let choices: [MenuDialog.Choice] = [
      .init("o", "open \(model.label(target))") { browser in
        Navigation(browser).goToObject(target, step: property.name)
      },
      .init("r", "replace it by a new one…") { browser in
        ObjectEditing(browser).replaceEmbedded(spot)
      },
    ]
    open(MenuDialog(name(of: spot), choices))
  }

  private func replaceEmbedded(_ spot: Spot) {
    let slot = spot.slot(in: model.schema)
    let model = model
    let renewed = { model.blastRadius(overwriting: [slot]) }
    guard let radius = renewed() else { return }
    let title = "Replace \(name(of: spot))?"
    let question = DeletionDialog.Question(title: title, renewed: renewed) { browser in
      guard browser.isInPlace(spot) else { return }
      guard let element = spot.element, case .index(let index) = slot.position else {
        return ObjectEditing(browser).createEmbedded(slot)
      }
      // In a list, a new one goes in at the place, and the old one behind it goes out.
      var created: ObjectIdentity?
      let done = ObjectEditing(browser).change("Replaced element \(element.index)") {
        draft throws(DatabaseError) in
        created = try draft.createEmbedded(at: slot)
        try draft.removeElement(at: index + 1, of: spot.object, property: spot.property)
      }
      if done, let created { Navigation(browser).goToObject(created, step: "\(index)") }
    }
    open(DeletionDialog(question, radius, in: model))
  }
}
