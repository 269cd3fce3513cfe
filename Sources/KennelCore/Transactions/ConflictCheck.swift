import KennelStorage

/// Compares what an operation of a draft saw with what is there now.
internal struct ConflictCheck {
  enum Outcome {
    /// It is performed, at the position where its element is, if that moved.
    case perform(Draft.Operation)
    /// It is done already.
    case nothingToDo
    /// Another commit has overtaken it; a person who insists means `insisting`, if anything.
    case conflict(Conflict, insisting: Draft.Operation?)
  }

  let reader: DatabaseReader
  let entry: DraftEntry

  private var operation: Draft.Operation { entry.operation }

  func outcome() throws(DatabaseError) -> Outcome {
    switch operation {
    case .create: return .perform(operation)
    case .delete(let objects): return try deletingWhatLives(objects)
    case .change(let slot, _): _ = try reader.existing(slot.object, slot.property)
    case .schema(let change, _): return changingSchema(change)
    }
    if case .end = entry.seen { return .perform(try appending()) }
    let now = try reader.currentPrecondition(of: operation)
    if now == entry.seen { return .perform(operation) }
    switch entry.seen {
    case .gap, .element, .move: return try finding()
    case .nothing, .value, .entry, .end, .schema:
      if entry.isForced || isAlreadyDone(now) { return .perform(operation) }
      return .conflict(
        conflict(
          .valueChanged,
          theirs: now.shownValue,
          "Another commit changed the same value",
          canKeepMine: true
        ),
        insisting: operation
      )
    }
  }

  /// A change of the schema is performed where the part that it changes is as it was.
  private func changingSchema(_ change: SchemaChange) -> Outcome {
    let now = reader.sight(of: change)
    if entry.isForced || entry.seen == .schema(now) { return .perform(operation) }
    let name = change.propertyName.map { "\(change.className).\($0)" } ?? change.className
    let what = now.isEmpty ? "Another commit changed \(name)" : "\(name) is now \(now)"
    return .conflict(
      conflict(.schemaChanged, theirs: nil, "Cannot \(change): \(what)", canKeepMine: true),
      insisting: nil
    )
  }

  private func deletingWhatLives(_ objects: [ObjectIdentity]) throws(DatabaseError) -> Outcome {
    var alive: [ObjectIdentity] = []
    for object in objects where try reader.contains(object) { alive.append(object) }
    return alive.isEmpty ? .nothingToDo : .perform(.delete(alive))
  }

  /// An operation whose result is there already does no harm.
  private func isAlreadyDone(_ now: Precondition) -> Bool {
    guard case .change(_, let change) = operation else { return false }
    return switch (change, now) {
    case (.set(let value), .value(let current)): value.canonical == current
    case (.set(let value), .entry(let current)): value == current
    case (.remove, .entry(let current)): current == nil
    case (.set, _), (.insert, _), (.add, _), (.remove, _), (.move, _), (.create, _): false
    }
  }

  private func appending() throws(DatabaseError) -> Draft.Operation {
    guard let slot = operation.slot else { return operation }
    return operation.moved(to: try reader.elementCount(of: slot.object, property: slot.property))
  }

  // MARK: - Lists

  /// The operation at the place that it saw, wherever that is now.
  private func finding() throws(DatabaseError) -> Outcome {
    guard let slot = operation.slot, case .index(let index) = slot.position else {
      return .perform(operation)
    }
    let property = try reader.existing(slot.object, slot.property)
    let count = try reader.elementCount(of: slot.object, property: slot.property)
    let places = ListPlaces(
      elements: try reader.elements(of: slot.object, property: slot.property, in: 0..<count),
      hasUniqueElements: property.isEmbedded
    )
    if let found = found(places) { return found }
    let insisted = insisting(places, index)
    if entry.isForced, let insisted { return .perform(insisted) }
    return .conflict(
      conflict(
        .listChanged,
        theirs: theirs(places, index),
        "Another commit changed this part of the list",
        canKeepMine: insisted != nil
      ),
      insisting: insisted
    )
  }

  private func found(_ places: ListPlaces) -> Outcome? {
    switch entry.seen {
    case .gap(let gap): return places.gap(gap).map { .perform(operation.moved(to: $0)) }
    case .element(let element, let neighbors):
      if let place = places.place(of: element, neighbors) {
        return .perform(operation.moved(to: place))
      }
      if places.elements.contains(element) { return nil }
      guard case .change(_, let change) = operation else { return nil }
      switch change {
      case .remove: return .nothingToDo
      case .set(let value):
        let place = places.placeOfReplacement(neighbors)
        return place.map { places.elements[$0] } == value ? .nothingToDo : nil
      case .insert, .add, .move, .create: return nil
      }
    case .move(let element, let neighbors, let target):
      guard let source = places.place(of: element, neighbors) else { return nil }
      let end = target.after == nil ? places.elements.count : nil
      return (end ?? places.gap(target)).map { .perform(moving(source, toGap: $0)) }
    case .nothing, .value, .entry, .end, .schema: return nil
    }
  }

  /// The operation of a person who insists on it; `nil` if its element is gone.
  private func insisting(_ places: ListPlaces, _ index: Int) -> Draft.Operation? {
    switch entry.seen {
    case .gap(let gap): return operation.moved(to: places.nearestGap(gap, to: index))
    case .element(let element, let neighbors):
      let place = places.nearest(element, to: index) ?? places.placeOfReplacement(neighbors)
      return place.map { operation.moved(to: $0) }
    case .move(let element, _, let target):
      guard let source = places.nearest(element, to: index),
        case .change(_, .move(let destination)) = operation
      else { return nil }
      let seenGap = destination > index ? destination + 1 : destination
      let end = target.after == nil ? places.elements.count : nil
      return moving(source, toGap: end ?? places.nearestGap(target, to: seenGap))
    case .nothing, .value, .entry, .end, .schema: return nil
    }
  }

  /// A gap before the element moves up by one when the element goes out.
  private func moving(_ index: Int, toGap gap: Int) -> Draft.Operation {
    guard case .change(let slot, .move) = operation else { return operation }
    let source = Slot(slot.object, slot.property, .index(index))
    return .change(source, .move(to: gap > index ? gap - 1 : gap))
  }

  /// The element that stands where the operation saw one.
  private func theirs(_ places: ListPlaces, _ index: Int) -> Value? {
    switch entry.seen {
    case .element(let element, let neighbors):
      if places.elements.contains(element) { return element }
      return places.placeOfReplacement(neighbors).map { places.elements[$0] }
    case .move(let element, _, _):
      return places.elements.contains(element) ? element : nil
    case .nothing, .value, .entry, .end, .gap, .schema:
      return places.elements.indices.contains(index) ? places.elements[index] : nil
    }
  }

  // MARK: - Conflicts

  /// The conflict that an error of an operation stands for that could be performed before.
  func conflict(_ error: DatabaseError) -> Conflict {
    let isTarget = error.object != nil && error.object != operation.slot?.object
    let kind = Conflict.Kind(error, isTarget: isTarget)
    let isDouble = kind == .duplicatePrimaryKey || kind == .duplicateValue
    let other = isDouble ? error.object : nil
    return conflict(
      kind,
      theirs: other.map(Value.link),
      error.message,
      property: isDouble ? property(named: error.propertyName) : nil
    )
  }

  /// The conflict of an operation that builds on something that cannot be made.
  func dependence(on what: String) -> Conflict {
    conflict(.dependsOnConflict, theirs: nil, "It depends on \(what) that cannot be created")
  }

  private func conflict(
    _ kind: Conflict.Kind,
    theirs: Value?,
    _ message: String,
    canKeepMine: Bool = false,
    property other: PropertyKey? = nil
  ) -> Conflict {
    let property = other ?? operation.slot?.property
    return Conflict(
      id: entry.id,
      operation: operation,
      kind: kind,
      object: object,
      property: property,
      base: entry.seen.shownValue,
      mine: mine(property),
      theirs: theirs,
      message: message,
      canKeepMine: canKeepMine
    )
  }

  private var object: ObjectIdentity? {
    switch operation {
    case .create: entry.created
    case .change(let slot, _): slot.object
    case .delete(let objects): objects.first
    case .schema: nil
    }
  }

  private func property(named name: String?) -> PropertyKey? {
    let classKey: ClassKey? =
      if case .create(let created, _) = operation { created } else { object?.classKey }
    guard let classKey, let name else { return nil }
    return reader.schema[classKey]?[name]?.key
  }

  private func mine(_ property: PropertyKey?) -> Value? {
    switch operation {
    case .create(let classKey, let values):
      let key = property ?? reader.schema[classKey]?.primaryKey?.key
      return key.flatMap { values[$0] }
    case .change(_, .create): return entry.created.map(Value.link)
    case .change(_, .move): return entry.seen.shownValue
    case .change, .delete, .schema: return operation.shownValue
    }
  }
}

extension Draft.Operation {
  /// The operation at another position of its list.
  fileprivate func moved(to index: Int) -> Draft.Operation {
    guard case .change(let slot, let change) = self, case .index = slot.position else {
      return self
    }
    return .change(Slot(slot.object, slot.property, .index(index)), change)
  }
}
