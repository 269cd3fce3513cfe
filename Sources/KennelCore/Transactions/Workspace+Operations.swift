import KennelStorage

/// Carries out each operation, after it has checked everything.
extension Workspace {
  // MARK: - Making objects

  func create(
    _ classKey: ClassKey,
    key: ObjectKey?,
    _ values: [PropertyKey: Value]
  ) throws(DatabaseError) -> ObjectIdentity {
    let schema = try reader.classSchema(classKey)
    if schema.isEmbedded {
      throw DatabaseError(
        .ownership,
        "Cannot create a \(schema.name) alone: its class is embedded; create it in the slot of "
          + "the object that owns it",
        className: schema.name
      )
    }
    for property in values.keys where schema[property] == nil {
      throw DatabaseError(
        .noSuchProperty,
        "Class \(schema.name) has no property with key \(property.rawValue)",
        className: schema.name
      )
    }
    var initial: [(PropertySchema, Value)] = []
    initial.reserveCapacity(values.count)
    for property in schema.properties {
      let value: Value
      if let given = values[property.key] {
        value = given.canonical
        try check(value, schema, property)
      } else {
        value = property.initialValue
      }
      if property.isReserved(value) { try requireUnique(value, schema, property, except: nil) }
      if property.isEmbedded, !value.links.isEmpty {
        throw reader.secondOwner(schema, property, value.links[0])
      }
      if value != property.absentValue { initial.append((property, value)) }
    }
    return try create(classKey, key: key, initial)
  }

  func createEmbedded(at slot: Slot, key: ObjectKey? = nil) throws(DatabaseError) -> ObjectIdentity
  {
    let owner = try reader.classSchema(slot.object.classKey)
    let property = try reader.existing(slot.object, slot.property)
    let target = try reader.embeddedClass(of: property, owner.key)
    switch (property.type.collection, slot.position) {
    case (.none, .value), (.map, .key): break
    case (.list, .index(let index)):
      let count = try reader.elementCount(of: slot.object, property: slot.property)
      guard (0...count).contains(index) else {
        throw reader.noElement(index, slot.object, property)
      }
    case (.none, _), (.list, _), (.set, _), (.map, _):
      throw owner.error(property, "is a \(property.type): the position does not fit", .wrongType)
    }
    try vacate(slot, property)
    let initial = try reader.classSchema(target).properties
      .filter { $0.initialValue != $0.absentValue }.map { ($0, $0.initialValue) }
    let embedded = try create(target, key: key, initial)
    switch slot.position {
    case .index(let index):
      try insert(embedded.key.rawValue, at: index, of: slot.object, property)
    case .key(let key):
      try setMapEntry(key, .link(embedded), of: slot.object, property)
    case .value, .member:
      try set(slot.object, property, .link(embedded))
    }
    return embedded
  }

  // MARK: - Whole values

  func setValue(
    _ object: ObjectIdentity,
    _ key: PropertyKey,
    _ given: Value,
    old known: Value? = nil
  ) throws(DatabaseError) {
    let property = try reader.existing(object, key)
    let schema = try reader.classSchema(object.classKey)
    let value = given.canonical
    try check(value, schema, property)
    let old =
      if let known {
        known
      } else {
        try storing(view.values.value(of: object, property))
      }
    if old == value { return }
    if property.isReserved(value) { try requireUnique(value, schema, property, except: object) }
    if property.isEmbedded { try requireSameOwner(value, old: old, schema, property) }
    let lost = try linksLost(object, property, new: value)
    try releasing(lost, object, property) { () throws(DatabaseError) in
      if property.columnType.form == .keys {
        try setKeys(object, property, old: old.linkedKeys, new: value.linkedKeys)
      } else {
        try set(object, property, from: old, to: value)
      }
    }
  }

  /// Turns one list of keys into another by changing the part in which they differ.
  private func setKeys(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    old: [UInt64],
    new: [UInt64]
  ) throws(DatabaseError) {
    let (start, end) = old.sharedEnds(with: new)
    for index in (start..<old.count - end).reversed() {
      _ = try remove(at: index, of: object, property)
    }
    for index in start..<new.count - end {
      try insert(new[index], at: index, of: object, property)
    }
  }

  // MARK: - Lists

  func insertElement(
    _ given: Value,
    at index: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) {
    let value = given.canonical
    let (schema, property) = try collection(.list, object, key)
    let count = try reader.elementCount(of: object, property: key)
    guard (0...count).contains(index) else { throw reader.noElement(index, object, property) }
    try checkElement(value, schema, property)
    if property.columnType.form == .keys {
      try insert(value.word ?? 0, at: index, of: object, property)
    } else {
      try changeList(object, property) { $0.insert(value, at: index) }
    }
  }

  func replaceElement(
    at index: Int,
    with given: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) {
    let value = given.canonical
    let (schema, property) = try collection(.list, object, key)
    guard (0..<Int.max).contains(index),
      let old = try reader.elements(of: object, property: key, in: index..<index + 1).first
    else { throw reader.noElement(index, object, property) }
    if old == value { return }
    try checkElement(value, schema, property)
    try releasing(old, replacedBy: value, at: .index(index), object, property) {
      () throws(DatabaseError) in
      if property.columnType.form == .keys {
        _ = try remove(at: index, of: object, property)
        try insert(value.word ?? 0, at: index, of: object, property)
      } else {
        try changeList(object, property) { $0[index] = value }
      }
    }
  }

  func removeElement(
    at index: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) {
    let (_, property) = try collection(.list, object, key)
    guard (0..<Int.max).contains(index),
      let old = try reader.elements(of: object, property: key, in: index..<index + 1).first
    else { throw reader.noElement(index, object, property) }
    try releasing(old, at: .index(index), object, property) { () throws(DatabaseError) in
      if property.columnType.form == .keys {
        _ = try remove(at: index, of: object, property)
      } else {
        try changeList(object, property) { $0.remove(at: index) }
      }
    }
  }

  func moveElement(
    from source: Int,
    to destination: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) {
    let (_, property) = try collection(.list, object, key)
    let count = try reader.elementCount(of: object, property: key)
    for index in [source, destination] where !(0..<count).contains(index) {
      throw reader.noElement(index, object, property)
    }
    if source == destination { return }
    if property.columnType.form == .keys {
      let moved = try remove(at: source, of: object, property)
      try insert(moved, at: destination, of: object, property)
    } else {
      try changeList(object, property) { $0.insert($0.remove(at: source), at: destination) }
    }
  }

  private func changeList(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ change: (inout [Value]) -> Void
  ) throws(DatabaseError) {
    guard case .list(let elements) = try reader.value(of: object, property: property.key) else {
      return
    }
    var changed = elements
    change(&changed)
    try set(object, property, from: .list(elements), to: .list(changed))
  }

  // MARK: - Sets and maps

  func insertMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) -> Bool {
    let (schema, property) = try collection(.set, object, key)
    try checkElement(value, schema, property)
    let members = try reader.value(of: object, property: property.key).listed ?? []
    let index = members.partitioningIndex { !$0.isOrdered(before: value) }
    if index < members.count, members[index].isEquivalent(to: value) { return false }
    if property.columnType.form == .keys {
      try insert(value.word ?? 0, at: index, of: object, property)
    } else {
      var changed = members
      changed.insert(value, at: index)
      try set(object, property, from: .set(members), to: .set(changed))
    }
    return true
  }

  func removeMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) -> Bool {
    let (_, property) = try collection(.set, object, key)
    let members = try reader.value(of: object, property: property.key).listed ?? []
    guard let index = members.firstIndex(where: { $0.isEquivalent(to: value) }) else {
      return false
    }
    let old = members[index]
    try releasing(old, at: .member(old), object, property) { () throws(DatabaseError) in
      if property.columnType.form == .keys {
        _ = try remove(at: index, of: object, property)
      } else {
        var changed = members
        changed.remove(at: index)
        try set(object, property, from: .set(members), to: .set(changed))
      }
    }
    return true
  }

  func setEntry(
    _ name: String,
    _ given: Value?,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) {
    let value = given?.canonical
    let (schema, property) = try collection(.map, object, key)
    let entries = try reader.value(of: object, property: key).entries
    let old = entries.first { $0.key.hasSameBytes(as: name) }?.value
    if old == value { return }
    if let value { try checkElement(value, schema, property) }
    try releasing(old ?? .null, replacedBy: value ?? .null, at: .key(name), object, property) {
      () throws(DatabaseError) in
      try setMapEntry(name, value, of: object, property, in: entries)
    }
  }

  func setMapEntry(
    _ name: String,
    _ value: Value?,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    let entries = try reader.value(of: object, property: property.key).entries
    try setMapEntry(name, value, of: object, property, in: entries)
  }

  private func setMapEntry(
    _ name: String,
    _ value: Value?,
    of object: ObjectIdentity,
    _ property: PropertySchema,
    in entries: [MapEntry]
  ) throws(DatabaseError) {
    var changed = entries
    let index = entries.partitioningIndex { !$0.key.hasBytes(before: name) }
    let isThere = index < entries.count && entries[index].key.hasSameBytes(as: name)
    if isThere { changed.remove(at: index) }
    if let value { changed.insert(MapEntry(name, value), at: index) }
    try set(object, property, from: .map(entries), to: .map(changed))
  }

  // MARK: - Deleting

  /// Deletes objects with all that delete and target rules take along; the number of those that die.
  func delete(_ objects: [ObjectIdentity]) throws(DatabaseError) -> Int {
    if canDeleteWithoutPlan { return try deleteWithoutPlan(objects) }
    var planner = DeletionPlanner(reader, limit: .max)
    planner.progress = progress?.part(0...0.6)
    try planner.delete(objects)
    let plan = try allowed(planner.finish())
    try execute(plan)
    return plan.deletionCount
  }

  /// A plan that no rule forbids.
  func allowed(_ plan: BlastRadius) throws(DatabaseError) -> BlastRadius {
    guard let denial = plan.denied.first else { return plan }
    let schema = try reader.classSchema(denial.object.classKey)
    let property = try reader.property(denial.property, of: denial.object.classKey)
    let (object, target) = (reader.describe(denial.object), reader.describe(denial.target))
    let message: String
    switch denial.rule {
    case .deleteRule:
      message =
        "Cannot delete \(object): its \(property.name) still links to \(target), and the delete rule "
        + "of \(schema.name).\(property.name) is deny. Unlink or delete \(target) first"
    case .targetRule:
      let others =
        plan.denied.count {
          $0.rule == .targetRule && $0.target == denial.target && $0.property == denial.property
            && $0.object.classKey == denial.object.classKey
        } - 1
      let (links, them) =
        others == 0
        ? ("\(object) still links", "it")
        : ("\(object) and \(others) more of its class still link", "them")
      message =
        "Cannot delete \(target): \(links) to it, and the target rule of \(schema.name)."
        + "\(property.name) is deny. Unlink or delete \(them) first"
    }
    throw DatabaseError(
      .deletionDenied,
      message,
      className: schema.name,
      propertyName: property.name,
      object: denial.object
    )
  }

  /// Does what a plan says.
  func execute(_ plan: BlastRadius) throws(DatabaseError) {
    executedPlan = plan
    try cutEdges(plan.nulled + plan.removed, to: plan.dead)
    for (index, deletion) in plan.deletions.reversed().enumerated() {
      if let progress, index & 1023 == 0 {
        if progress.isCancelled() { throw .cancelledDeletion }
        progress.part(0.6...1).report(Double(index) / Double(plan.deletionCount))
      }
      try erase(deletion.object)
    }
  }

  /// Empties slots that link to objects, those of one collection at once; collections in slots of mixed
  /// values stay, with null for these links.
  func cutEdges(_ edges: [Edge], to dying: Set<ObjectIdentity>) throws(DatabaseError) {
    var collections: [Slot: [Slot.Position]] = [:]
    for edge in edges {
      if case .value = edge.position {
        let property = try reader.property(edge.property, of: edge.object.classKey)
        let old = try reader.value(of: edge.object, property: edge.property)
        try set(edge.object, property, from: old, to: old.cut(dying.contains) ?? .null)
      } else {
        collections[Slot(edge.object, edge.property), default: []].append(edge.position)
      }
    }
    let sorted = collections.sorted {
      ($0.key.object, $0.key.property) < ($1.key.object, $1.key.property)
    }
    for (slot, positions) in sorted {
      let property = try reader.property(slot.property, of: slot.object.classKey)
      switch property.type.collection {
      case .list: try cutElements(positions, slot.object, property, dying)
      case .set: try cutMembers(positions, slot.object, property)
      case .map: try cutEntries(positions, slot.object, property, dying)
      case .none: break
      }
    }
  }

  /// From the end, so that positions stay true.
  private func cutElements(
    _ positions: [Slot.Position],
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ dying: Set<ObjectIdentity>
  ) throws(DatabaseError) {
    let indexes = Set(
      positions.compactMap { if case .index(let index) = $0 { index } else { nil } }
    )
    if property.columnType.form == .keys {
      for index in indexes.sorted(by: >) { _ = try remove(at: index, of: object, property) }
    } else {
      try changeList(object, property) { elements in
        elements = elements.enumerated().compactMap { index, element in
          indexes.contains(index) ? element.cut(dying.contains) : element
        }
      }
    }
  }

  private func cutMembers(
    _ positions: [Slot.Position],
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    let lost = Set(
      positions.compactMap { if case .member(let member) = $0 { member } else { nil } }
    )
    let members = try reader.value(of: object, property: property.key).listed ?? []
    if property.columnType.form == .keys {
      for index in members.indices.reversed() where lost.contains(members[index]) {
        _ = try remove(at: index, of: object, property)
      }
    } else {
      try set(object, property, .set(members.filter { !lost.contains($0) }))
    }
  }

  private func cutEntries(
    _ positions: [Slot.Position],
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ dying: Set<ObjectIdentity>
  ) throws(DatabaseError) {
    let lost = Set(positions)
    let kept = try reader.value(of: object, property: property.key).entries.map { entry in
      lost.contains(.key(entry.key))
        ? MapEntry(entry.key, entry.value.cut(dying.contains) ?? .null) : entry
    }
    try set(object, property, .map(kept))
  }
}
