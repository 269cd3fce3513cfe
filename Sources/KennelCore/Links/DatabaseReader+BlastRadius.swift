public import KennelStorage

extension DatabaseReader {
  /// Returns everything that deleting objects would delete or change.
  ///
  /// - Parameters:
  ///   - objects: The objects, deleted as one operation.
  ///   - limit: The maximum number of deletions, and of links of remaining objects, to list.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The blast radius, incomplete if the limit was reached.
  /// - Throws: `DatabaseError` if an object does not exist, `progress` cancelled the call, or the
  ///   file is damaged.
  public final func blastRadius(
    deleting objects: [ObjectIdentity],
    limit: Int = 10_000,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> BlastRadius {
    var planner = DeletionPlanner(self, limit: limit)
    planner.progress = progress
    try planner.delete(objects)
    return try planner.finish()
  }

  /// Returns the blast radius of a deletion if it is small; `nil` if it is large or takes long to
  /// compute.
  ///
  /// - Parameters:
  ///   - objects: The objects, deleted as one operation.
  ///   - limit: The maximum number of deletions, and of links of remaining objects. At most twenty
  ///     times as many links are read.
  /// - Returns: The complete blast radius, or `nil`.
  /// - Throws: `DatabaseError` if an object does not exist, or the file is damaged.
  public final func smallBlastRadius(
    deleting objects: [ObjectIdentity],
    limit: Int
  ) throws(DatabaseError) -> BlastRadius? {
    var planner = DeletionPlanner(self, limit: limit)
    planner.budget = 20 * limit
    do throws(DatabaseError) {
      try planner.delete(objects)
      let radius = try planner.finish()
      return radius.isComplete ? radius : nil
    } catch {
      if error.code == .cancelled { return nil }
      throw error
    }
  }

  /// Returns everything that removing a link would delete: an embedded target, or the target of a
  /// `cascadeIfLast` link if no other `cascade` or `cascadeIfLast` link to it remains.
  ///
  /// - Parameters:
  ///   - edge: The slot with the link.
  ///   - limit: The maximum number of deletions, and of links of remaining objects, to list.
  /// - Returns: The blast radius, empty if the slot holds no link.
  /// - Throws: `DatabaseError` if the slot does not exist, or the file is damaged.
  public final func blastRadius(
    unlinking edge: Edge,
    limit: Int = 10_000
  ) throws(DatabaseError) -> BlastRadius {
    var planner = DeletionPlanner(self, limit: limit)
    for target in try self.value(in: edge)?.links ?? [] { try planner.cutLink(edge, to: target) }
    return try planner.finish()
  }

  /// Returns everything that overwriting some slots would delete: the same as removing their links.
  ///
  /// - Parameters:
  ///   - slots: The slots, usually of embedded objects, without duplicates.
  ///   - limit: The maximum number of deletions, and of links of remaining objects, to list.
  ///   - progress: Asked whether to stop.
  /// - Returns: The blast radius, empty if no slot holds a link.
  /// - Throws: `DatabaseError` if a slot does not exist, or the file is damaged.
  public final func blastRadius(
    overwriting slots: [Slot],
    limit: Int = 10_000,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> BlastRadius {
    var planner = DeletionPlanner(self, limit: limit)
    planner.progress = progress
    for slot in slots {
      if case .value = slot.position {
        let property = try existing(slot.object, slot.property)
        for (position, target) in try linkedSlots(of: slot.object, property) {
          try planner.cutLink(Slot(slot.object, slot.property, position), to: target)
        }
      } else {
        let targets = try self.value(in: slot)?.links ?? []
        for target in targets { try planner.cutLink(slot, to: target) }
      }
    }
    return try planner.finish()
  }

  /// Returns the object that a slot links to; `nil` if it holds no link.
  ///
  /// - Parameter slot: The slot.
  /// - Returns: The target.
  /// - Throws: `DatabaseError` if there is no such object, property or list position, or the file
  ///   is damaged.
  public final func target(of slot: Slot) throws(DatabaseError) -> ObjectIdentity? {
    try value(in: slot)?.link
  }

  /// Reads a slot; `nil` for a key that its map does not have.
  internal final func value(in slot: Slot) throws(DatabaseError) -> Value? {
    let property = try existing(slot.object, slot.property)
    switch slot.position {
    case .value: return try value(of: slot.object, property: slot.property)
    case .index(let index):
      guard (0..<Int.max).contains(index),
        let element = try elements(of: slot.object, property: slot.property, in: index..<index + 1)
          .first
      else { throw noElement(index, slot.object, property) }
      return element
    case .member(let member): return member
    case .key(let key):
      return try value(of: slot.object, property: slot.property).element(.key(key))
    }
  }

  internal final func noElement(
    _ index: Int,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) -> DatabaseError {
    DatabaseError(
      .noSuchElement,
      "\(describe(object)).\(property.name) has no element \(index)",
      className: view.schema[object.classKey]?.name,
      propertyName: property.name,
      object: object
    )
  }
}
