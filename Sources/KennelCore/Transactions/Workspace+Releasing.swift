import KennelStorage

/// Cutting a link deletes an embedded object with its slot, and an object that was held by the last
/// strong link of the rule `cascadeIfLast`.
///
/// The link is cut first and the plan is made of what is there then, so that a new value holds what
/// it links to, and positions in lists are those that the plan's own cuts find. A plan that a rule
/// forbids takes the cut back.
extension Workspace {
  /// Performs a change that cuts links of a property, and lets go what they held.
  func releasing(
    _ lost: [(position: Slot.Position, target: ObjectIdentity)],
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    keepsOwner: Bool = false,
    _ change: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    if lost.isEmpty { return try change() }
    let edits = try recording(change)
    var planner = DeletionPlanner(reader, limit: .max)
    for (position, target) in lost {
      planner.release(target, Slot(object, property.key, position), property)
    }
    let plan: BlastRadius
    do throws(DatabaseError) {
      plan = try allowed(planner.finish())
      if keepsOwner, plan.dead.contains(object) { throw losesOwner(object, property) }
    } catch {
      for edit in edits.reversed() { try apply(edit.inverse) }
      throw error
    }
    try execute(plan)
  }

  /// The same for a single value that is replaced or removed.
  func releasing(
    _ old: Value,
    replacedBy new: Value = .null,
    at position: Slot.Position,
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ change: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    guard holds(property) else { return try change() }
    try releasing(lost(old.links.map { (position, $0) }, keeping: new), object, property, change)
  }

  /// The links of a property that a new whole value does not have.
  func linksLost(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    new: Value
  ) throws(DatabaseError) -> [(position: Slot.Position, target: ObjectIdentity)] {
    guard holds(property) else { return [] }
    return lost(try reader.linkedSlots(of: object, property), keeping: new)
  }

  /// The links that a new value does not have, or not as often.
  private func lost(
    _ old: [(position: Slot.Position, target: ObjectIdentity)],
    keeping new: Value
  ) -> [(position: Slot.Position, target: ObjectIdentity)] {
    var kept: [ObjectIdentity: Int] = [:]
    for link in new.links { kept[link, default: 0] += 1 }
    return old.filter { _, target in
      guard let count = kept[target], count > 0 else { return true }
      kept[target] = count - 1
      return false
    }
  }

  /// Empties a slot that gets a new embedded object; the old one goes.
  func vacate(_ slot: Slot, _ property: PropertySchema) throws(DatabaseError) {
    if case .index = slot.position { return }
    guard let old = try reader.target(of: slot) else { return }
    try releasing([(slot.position, old)], slot.object, property, keepsOwner: true) {
      () throws(DatabaseError) in
      if case .key(let name) = slot.position {
        try setMapEntry(name, .null, of: slot.object, property)
      } else {
        try set(slot.object, property, .null)
      }
    }
  }

  private func losesOwner(
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) -> DatabaseError {
    DatabaseError(
      .ownership,
      "Cannot replace the object in \(reader.describe(object)).\(property.name): it holds the last "
        + "strong link to its owner, which would be deleted with it",
      className: view.schema[object.classKey]?.name,
      propertyName: property.name,
      object: object
    )
  }

  private func holds(_ property: PropertySchema) -> Bool {
    property.isEmbedded || property.deleteRule == .cascadeIfLast
  }
}
