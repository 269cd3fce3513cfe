internal import KennelCore

// Creating, copying, and cutting off objects.

extension Browser {
  func createObject(of classKey: ClassKey) {
    guard let schema = model.schema[classKey] else { return }
    if schema.isEmbedded {
      showError("\(schema.name) is embedded: it is created in its owner, with o on its property")
      return
    }
    guard schema.primaryKey == nil else {
      askForPrimaryKey(schema, copyOf: nil)
      return
    }
    var created: ObjectIdentity?
    let done = change(created.map { "\(model.text($0)) is new" } ?? "") {
      draft throws(DatabaseError) in
      created = try draft.create(classKey, [:])
    }
    if done, let created { showNew(created) }
  }

  private func showNew(_ object: ObjectIdentity) {
    let said = message
    goToObject(object, step: "new")
    message = said
  }

  private func askForPrimaryKey(_ schema: ClassSchema, copyOf original: ObjectIdentity?) {
    guard let property = schema.primaryKey else { return }
    let spot = Spot(ObjectIdentity(schema.key, ObjectKey(rawValue: 0)), property.key)
    overlay = .editor(
      CellEditor(
        .newObject(copyOf: original),
        spot: spot,
        type: property.type,
        original: .null,
        label: "\(property.name) of the new \(schema.name) (\(property.type))",
        text: suggestedKey(schema, property)
      )
    )
  }

  /// One more than the number of the newest object, where that is free.
  private func suggestedKey(_ schema: ClassSchema, _ property: PropertySchema) -> String {
    guard property.type.kind == .int else { return "" }
    var next: Int64 = 1
    if let newest = model.keys(of: schema.key, before: nil, limit: 1).first,
      case .int(let number) = model.value(of: ObjectIdentity(schema.key, newest), property.key),
      number < .max
    {
      next = number + 1
    }
    return model.find(schema.key, primaryKey: .int(next)) == nil ? "\(next)" : ""
  }

  /// The primary key of a new object was typed.
  func createObject(_ key: Value, copyOf original: ObjectIdentity?, _ editor: CellEditor) {
    var created: ObjectIdentity?
    let classKey = editor.spot.object.classKey
    overlay = nil
    let done = change(created.map { "\(model.text($0)) is new" } ?? "") {
      draft throws(DatabaseError) in
      var values =
        try original.map { object throws(DatabaseError) in
          try ObjectCopy(draft.reader).plainValues(of: object)
        } ?? [:]
      values[editor.spot.property] = key
      created = try draft.create(classKey, values)
      if let original, let created {
        try ObjectCopy(draft.reader).copyEmbedded(of: original, to: created, in: draft)
      }
    }
    if done, let created {
      showNew(created)
    } else {
      keepOpen(editor)
    }
  }

  /// `O`: a copy of the object, with copies of what it owns and links to what it links to.
  func duplicate() {
    guard let object = duplicated, model.contains(object),
      let schema = model.schema[object.classKey]
    else { return }
    if schema.isEmbedded {
      showError("\(schema.name) is embedded and has one owner; duplicate that")
      return
    }
    guard schema.primaryKey == nil else {
      askForPrimaryKey(schema, copyOf: object)
      return
    }
    var created: ObjectIdentity?
    let done = change(created.map { "\(model.text($0)) is a copy" } ?? "") {
      draft throws(DatabaseError) in
      let copy = ObjectCopy(draft.reader)
      let new = try draft.create(object.classKey, try copy.plainValues(of: object))
      created = new
      try copy.copyEmbedded(of: object, to: new, in: draft)
    }
    if done, let created { showNew(created) }
  }

  private var duplicated: ObjectIdentity? {
    switch view.main {
    case .table(let table): table.object
    case .object(let object): object.object
    case .elements: nil
    }
  }

  // MARK: - Embedded objects

  func createEmbedded(at spot: Spot) {
    createEmbedded(spot.slot(in: model.schema))
  }

  func createEmbedded(_ slot: Slot) {
    var created: ObjectIdentity?
    let done = change(created.map { "\(model.text($0)) is new" } ?? "") {
      draft throws(DatabaseError) in
      created = try draft.createEmbedded(at: slot)
    }
    guard done, let created else { return }
    let said = message
    let step = model.schema.property(slot.property, of: slot.object.classKey)?.name
    goToObject(created, step: step)
    message = said
  }

  /// `e` on an embedded object: creates it where there is none, else offers another.
  func editEmbedded(_ spot: Spot, _ property: PropertySchema, _ value: Value) {
    guard case .link(let target) = value else {
      createEmbedded(at: spot)
      return
    }
    let choices = [
      Menu.Choice(letter: "o", label: "open \(model.label(target))") { browser in
        browser.goToObject(target, step: property.name)
      },
      Menu.Choice(letter: "r", label: "replace it by a new one…") { browser in
        browser.replaceEmbedded(spot)
      },
    ]
    overlay = .menu(Menu(title: name(of: spot), choices: choices))
  }

  private func replaceEmbedded(_ spot: Spot) {
    let slot = spot.slot(in: model.schema)
    let model = model
    let renewed = { model.blastRadius(overwriting: slot) }
    guard let radius = renewed() else { return }
    confirm(radius, title: "Replace \(name(of: spot))?", renewed: renewed) { browser in
      guard browser.isInPlace(spot) else { return }
      guard let element = spot.element, case .index(let index) = slot.position else {
        browser.createEmbedded(slot)
        return
      }
      // In a list, a new one goes in at the place, and the old one behind it goes out.
      var created: ObjectIdentity?
      let done = browser.change("Replaced element \(element.index)") {
        draft throws(DatabaseError) in
        created = try draft.createEmbedded(at: slot)
        try draft.removeElement(at: index + 1, of: spot.object, spot.property)
      }
      if done, let created { browser.goToObject(created, step: "\(index)") }
    }
  }
}

/// Copies objects: what they own is copied, what they link to is linked.
struct ObjectCopy {
  private let reader: DatabaseReader

  init(_ reader: DatabaseReader) {
    self.reader = reader
  }

  /// The values but for the primary key and what is embedded.
  func plainValues(
    of object: ObjectIdentity
  ) throws(DatabaseError) -> [PropertyKey: Value] {
    var values: [PropertyKey: Value] = [:]
    for property in reader.schema[object.classKey]?.properties ?? [] {
      if property.isEmbedded || property.isPrimaryKey { continue }
      values[property.key] = try reader.value(of: object, property.key)
    }
    return values
  }

  /// Copies what an object owns, to any depth, without recursion.
  func copyEmbedded(
    of source: ObjectIdentity,
    to destination: ObjectIdentity,
    in draft: Draft
  ) throws(DatabaseError) {
    var pending = [(source, destination)]
    while let (source, destination) = pending.popLast() {
      for property in reader.schema[source.classKey]?.properties ?? [] where property.isEmbedded {
        let value = try reader.value(of: source, property.key)
        for (owned, position) in Self.owned(value) {
          let slot = Slot(destination, property.key, position)
          let copy = try draft.createEmbedded(at: slot)
          for (key, value) in try plainValues(of: owned) { try draft.set(copy, key, value) }
          pending.append((owned, copy))
        }
      }
    }
  }

  private static func owned(_ value: Value) -> [(ObjectIdentity, Slot.Position)] {
    switch value {
    case .link(let object):
      return [(object, .value)]
    case .list(let values):
      return values.enumerated().compactMap { index, value in
        if case .link(let object) = value { (object, .index(index)) } else { nil }
      }
    case .map(let entries):
      return entries.compactMap { entry in
        if case .link(let object) = entry.value { (object, .key(entry.key)) } else { nil }
      }
    default:
      return []
    }
  }
}
