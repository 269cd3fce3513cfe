import KennelStorage

/// Deleting objects where no rule asks who else holds them or forbids it: what dies is then a walk along
/// embedded objects and `cascade` links, and each link that is cut is found by its backlink.
///
/// This does what the plan of ``DeletionPlanner`` says without making one, which would name a cause for
/// each death and look for what is left without links. A draft shows its plans and always makes them.
extension Workspace {
  /// Whether objects can be deleted so.
  var canDeleteWithoutPlan: Bool { !isDraft && !reader.links.hasHoldingRules }

  /// Deletes objects that exist, with what they take along; the number of those that die.
  func deleteWithoutPlan(_ objects: [ObjectIdentity]) throws(DatabaseError) -> Int {
    let dying = try marked(by: objects)
    try cutLinks(to: dying)
    try erase(dying)
    let view = view
    try storing { () throws(StorageError) in
      for object in dying { try view.objects.unmark(object) }
    }
    return dying.count
  }

  /// The objects that die, each marked, each after its cause.
  private func marked(by objects: [ObjectIdentity]) throws(DatabaseError) -> [ObjectIdentity] {
    for object in objects {
      guard try reader.contains(object) else { throw reader.missing(object) }
    }
    let links = reader.links
    let view = view
    return try storing { () throws(StorageError) in
      // What is marked need not be told that a link was cut, so what waits is told before.
      try view.backlinks.flush()
      var dying: [ObjectIdentity] = []
      dying.reserveCapacity(objects.count)
      for object in objects where try view.objects.mark(object) { dying.append(object) }
      var next = 0
      var plans = LastPlan(links)
      while next < dying.count {
        let object = dying[next]
        next += 1
        let plan = plans.plan(object.classKey)
        for index in plan.takers.indices {
          try Self.forEachTarget(of: object, plan.takers[index], view) {
            (target) throws(StorageError) in
            if try view.objects.mark(target) { dying.append(target) }
          }
        }
        for index in plan.followers.indices {
          let column = plan.followers[index]
          try view.backlinks.forEachKey(of: object, column.number) { (key) throws(StorageError) in
            let origin = ObjectIdentity(column.origin, ObjectKey(rawValue: key))
            if try view.objects.mark(origin) { dying.append(origin) }
          }
        }
      }
      return dying
    }
  }

  /// The targets of a property of any shape.
  private static func forEachTarget(
    of object: ObjectIdentity,
    _ property: LinkPlan,
    _ view: StoreView,
    _ body: (ObjectIdentity) throws(StorageError) -> Void
  ) throws(StorageError) {
    switch property.shape {
    case .single:
      if let key = try view.values.link(object, property.key) {
        try body(ObjectIdentity(property.target, key))
      }
    case .keys:
      try view.values.forEachKey(of: object, property.key) { (key) throws(StorageError) in
        try body(ObjectIdentity(property.target, ObjectKey(rawValue: key)))
      }
    case .values:
      guard let schema = view.schema[object.classKey]?[property.key] else { return }
      for target in try view.values.value(of: object, schema).links { try body(target) }
    }
  }

  /// Cuts the links of what lives on to what dies.
  private func cutLinks(to dying: [ObjectIdentity]) throws(DatabaseError) {
    // Collections are met once for each of the dying, and looked through once for all.
    var lists: [Slot] = []
    let links = reader.links
    try storing { () throws(StorageError) in
      let view = view
      var plans = LastPlan(links)
      for object in dying {
        let plan = plans.plan(object.classKey)
        for index in plan.backlinks.indices {
          let column = plan.backlinks[index]
          guard let property = links.link(column.origin, column.property) else { continue }
          var last: UInt64 = 0
          try view.backlinks.forEachKey(of: object, column.number) {
            (key) throws(StorageError) in
            // An object that links twice comes twice in a row.
            if key == last { return }
            last = key
            let origin = ObjectIdentity(column.origin, ObjectKey(rawValue: key))
            if try view.objects.isMarked(origin) { return }
            if case .single = property.shape,
              let schema = view.schema[column.origin]?[column.property]
            {
              try view.values.set(origin, schema, .null)
            } else {
              lists.append(Slot(origin, column.property))
            }
          }
        }
      }
    }
    lists.sort { ($0.object, $0.property) < ($1.object, $1.property) }
    var edges: [Edge] = []
    var targets: Set<ObjectIdentity> = []
    for (index, slot) in lists.enumerated() where index == 0 || lists[index - 1] != slot {
      guard let property = links.link(slot.object.classKey, slot.property) else { continue }
      if case .keys = property.shape {
        try storing(view.values.removeMarkedKeys(of: slot.object, slot.property, property.target))
        continue
      }
      let schema = try reader.property(slot.property, of: slot.object.classKey)
      for (position, target) in try reader.linkedSlots(of: slot.object, schema) {
        guard try storing(view.objects.isMarked(target)) else { continue }
        edges.append(Edge(slot.object, slot.property, position))
        targets.insert(target)
      }
    }
    try cutEdges(edges, to: targets)
  }

  /// Makes objects dead; what they link to forgets them, but for what dies as well.
  private func erase(_ objects: [ObjectIdentity]) throws(DatabaseError) {
    let links = reader.links
    let view = view
    try storing { () throws(StorageError) in
      var plans = LastPlan(links)
      for object in objects {
        let plan = plans.plan(object.classKey)
        try Self.erase(object, plan, links, view)
      }
      // While it is marked what need not forget them.
      try view.backlinks.flush()
    }
  }

  private static func erase(
    _ object: ObjectIdentity,
    _ plan: ClassPlan,
    _ links: LinkIndex,
    _ view: StoreView
  ) throws(StorageError) {
    for property in plan.links {
      try forEachTarget(of: object, property, view) { (target) throws(StorageError) in
        let known = target.classKey == property.target ? property.backlinkSlot : nil
        let slot = known ?? links.slot(target.classKey, object.classKey, property.key)
        guard let slot else { return }
        view.backlinks.note(from: object.key.rawValue, to: target, slot, isAdded: false)
      }
    }
    for property in plan.indexed {
      if property.isInt, view.indexes.removeIntEntry(object, property.key) { continue }
      guard let schema = view.schema[object.classKey]?[property.key] else { continue }
      view.indexes.removeEntry(object, schema, try view.values.value(of: object, schema))
    }
    try view.values.dropExternals(of: object)
    try view.objects.setLive(object, false)
  }
}

/// The plan of the class that was asked for last, at hand without a look at the others.
private struct LastPlan {
  private let links: LinkIndex
  private var classKey = ClassKey(rawValue: 0)
  private var last: ClassPlan

  init(_ links: LinkIndex) {
    self.links = links
    last = links.plan(classKey)
  }

  mutating func plan(_ classKey: ClassKey) -> ClassPlan {
    if classKey != self.classKey {
      self.classKey = classKey
      last = links.plan(classKey)
    }
    return last
  }
}
