internal import KennelCore

// The target of a link is picked from its class: by looking, or by typing a part of its text.

extension Browser {
  func pickTarget(_ spot: Spot, _ property: PropertySchema) {
    guard let target = property.target else { return }
    pickTarget(spot, class: target)
  }

  func pickTarget(_ spot: Spot, class target: ClassKey) {
    openPicker("\(name(of: spot)) links to", target, near: linkTarget(spot)) { browser, object in
      browser.assignPreviewed(.link(object), to: spot)
    }
  }

  /// Picks an object for a new element of a list or a new member of a set.
  func pickElement(_ spot: Spot, class target: ClassKey) {
    openPicker("Add to \(name(of: spot))", target, near: nil) { browser, object in
      browser.insert(.link(object), spot)
    }
  }

  func openPicker(
    _ title: String,
    _ target: ClassKey,
    near object: ObjectIdentity?,
    _ action: @escaping (Browser, ObjectIdentity) -> Void
  ) {
    let near = object?.classKey == target ? object?.key : nil
    var found = model.keys(of: target, from: near, limit: Self.mostPicked)
    if found.count < Self.mostPicked, let first = found.first ?? near {
      let missing = model.keys(of: target, before: first, limit: Self.mostPicked - found.count)
      found = missing.reversed() + found
    }
    guard !found.isEmpty else {
      showError("There is no \(model.schema[target]?.name ?? "?") to link to; o creates one")
      return
    }
    var picker = Picker(title: title, target: target, found: found, action: action)
    picker.cursor = near ?? found.first
    overlay = .picker(picker)
  }

  /// More than anybody looks through; typing narrows them.
  static let mostPicked = 200

  func handle(_ key: Key, in picker: Picker) {
    var picker = picker
    if key.code == .enter {
      guard picker.job == nil else {
        showError("What was typed is still being looked for")
        return
      }
      guard let cursor = picker.cursor else {
        showError("No object is chosen")
        return
      }
      overlay = nil
      picker.action(self, ObjectIdentity(picker.target, cursor))
      return
    }
    if let distance = distance(of: key, allowsLetters: false) {
      picker.move(by: distance)
      overlay = .picker(picker)
      return
    }
    let before = picker.line.text
    guard picker.line.handle(key) else { return }
    overlay = .picker(picker)
    if picker.line.text != before { searchPicker() }
  }

  /// Looks for what was typed: as a key, as a primary key, or as a part of any text.
  private func searchPicker() {
    guard case .picker(var picker) = overlay else { return }
    if let job = picker.job { cancelJob(job) }
    let text = picker.line.text.trimmed
    if text.isEmpty {
      picker.job = nil
      picker.found = model.keys(of: picker.target, from: nil, limit: Self.mostPicked)
      picker.cursor = picker.found.first
      overlay = .picker(picker)
      return
    }
    let name = model.schema[picker.target]?.name ?? "?"
    let search = PickerSearch(text: text, target: picker.target, limit: Self.mostPicked)
    let generation = model.generation
    let job = start("Finding \(name)", .pick) { snapshot, context throws(DatabaseError) in
      .keys(try search.run(in: snapshot, context), generation: generation)
    }
    picker.job = job
    overlay = .picker(picker)
  }
}

/// Finds objects by a part of their text.
struct PickerSearch: Sendable {
  let text: String
  let target: ClassKey
  let limit: Int

  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [ObjectKey] {
    guard let schema = snapshot.schema[target] else { return [] }
    var keys: [ObjectKey] = []
    if let number = UInt64(text), number > 0, number < ObjectKey.firstProvisional {
      let key = ObjectKey(rawValue: number)
      if try snapshot.contains(ObjectIdentity(target, key)) { keys.append(key) }
    }
    if let primaryKey = schema.primaryKey,
      case .success(let value) = ScalarText.parse(text, as: primaryKey.type),
      let object = try snapshot.find(target, primaryKey: value), !keys.contains(object.key)
    {
      keys.append(object.key)
    }
    let texts = schema.properties.filter { $0.type.kind == .string && !$0.isCollection }
    guard !texts.isEmpty else { return keys }
    let query = texts.indices.map { "\(texts[$0].name) CONTAINS[c] $0" }
    let predicate: Predicate
    do {
      predicate = try Predicate.parse(
        query.joined(separator: " OR "),
        for: target,
        in: snapshot.schema,
        arguments: [.string(text)]
      )
    } catch {
      return keys
    }
    let progress = QueryProgress(
      isCancelled: { context.isCancelled },
      report: { context.report(progress: $0) }
    )
    let found = try snapshot.query(target, predicate, limit: limit, progress: progress)
    return keys + found.filter { !keys.contains($0) }
  }
}
