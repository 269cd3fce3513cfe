import KennelCore

/// Everything that a snapshot says, compared with the twin.
extension TwinRun {
  static func compare(_ snapshot: DatabaseReader, _ twin: Twin, _ when: String) throws {
    do {
      let links = twin.allLinks
      let byTarget = Dictionary(grouping: links, by: \.target)
      for target in byTarget.keys where twin.objects[target] == nil {
        throw Difference("a link leads to \(target), which is not there")
      }
      let byClass = Dictionary(grouping: twin.objects.keys.sorted(), by: \.classKey)
      for schema in twin.classes.values.sorted(by: { $0.key < $1.key }) {
        let objects = byClass[schema.key] ?? []
        try compareKeys(snapshot, schema, objects)
        for object in objects {
          try compareValues(snapshot, twin, schema, object)
          try compareLinks(snapshot, schema, object, byTarget[object] ?? [])
        }
        try comparePrimaryKeys(snapshot, twin, schema, objects)
        try compareIndexes(snapshot, twin, schema, objects)
      }
    } catch let difference as Difference {
      throw Difference("\(when): \(difference)")
    } catch {
      throw Difference("\(when): \(error)")
    }
  }

  private static func expect<Result: Equatable>(
    _ actual: Result,
    _ expected: Result,
    _ what: @autoclosure () -> String
  ) throws {
    guard actual == expected else {
      throw Difference("\(what()) is \(actual), not \(expected)")
    }
  }

  private static func compareKeys(
    _ snapshot: DatabaseReader,
    _ schema: Twin.Class,
    _ objects: [ObjectIdentity]
  ) throws {
    let keys = objects.map(\.key)
    try expect(snapshot.count(of: schema.key), keys.count, "the count of \(schema.name)")
    try expect(snapshot.objects(of: schema.key).keys, keys, "the keys of \(schema.name)")
    try expect(
      snapshot.objects(of: schema.key, before: nil, limit: .max).keys,
      keys.reversed(),
      "the keys of \(schema.name) from the end"
    )
    if let middle = keys.indices.randomElementByCount {
      try expect(
        snapshot.position(of: objects[middle]),
        middle,
        "the position of \(objects[middle])"
      )
      try expect(
        snapshot.object(of: schema.key, at: middle)?.key,
        keys[middle],
        "the key of \(schema.name) at \(middle)"
      )
      try expect(
        snapshot.objects(of: schema.key, from: keys[middle], limit: 2).keys,
        Array(keys[middle...].prefix(2)),
        "the keys of \(schema.name) from \(keys[middle])"
      )
      try expect(
        snapshot.objects(of: schema.key, before: keys[middle], limit: 2).keys,
        keys[..<middle].suffix(2).reversed(),
        "the keys of \(schema.name) before \(keys[middle])"
      )
    }
  }

  private static func compareValues(
    _ snapshot: DatabaseReader,
    _ twin: Twin,
    _ schema: Twin.Class,
    _ object: ObjectIdentity
  ) throws {
    let values = twin.objects[object] ?? [:]
    for property in schema.properties {
      let expected = values[property.key] ?? .null
      let name = { "\(snapshot.describe(object)).\(property.name)" }
      try expect(snapshot.value(of: object, property: property.key), expected, name())
      let count: Int
      switch expected {
      case .list(let elements), .set(let elements): count = elements.count
      case .map(let entries): count = entries.count
      default: continue
      }
      try expect(
        snapshot.elementCount(of: object, property: property.key),
        count,
        "the number of elements of \(name())"
      )
    }
  }

  private static func compareLinks(
    _ snapshot: DatabaseReader,
    _ schema: Twin.Class,
    _ object: ObjectIdentity,
    _ links: [Twin.Link]
  ) throws {
    let name = { snapshot.describe(object) }
    if schema.isEmbedded {
      let owners = links.filter(\.property.holdsEmbedded).map(\.slot)
      try expect(owners.count, 1, "the number of owners of \(name()) in the twin")
      try expect(snapshot.owner(of: object), owners[0], "the owner of \(name())")
    } else {
      try expect(snapshot.owner(of: object), nil, "the owner of \(name())")
    }
    let origins = Dictionary(
      grouping: links.filter { !$0.property.holdsEmbedded },
      by: { Origin(classKey: $0.slot.object.classKey, property: $0.property.key) }
    )
    .mapValues { $0.map(\.slot.object.key).sorted() }
    var found: [Origin: [ObjectKey]] = [:]
    for group in try snapshot.backlinks(to: object) {
      let keys = try snapshot.origins(of: group, to: object, in: 0..<Int.max).keys
      found[Origin(classKey: group.origin, property: group.property)] = keys
      try expect(group.count, keys.count, "the number of backlinks to \(name())")
    }
    try expect(found, origins, "what links to \(name())")
  }

  private struct Origin: Hashable {
    let classKey: ClassKey
    let property: PropertyKey
  }

  private static func comparePrimaryKeys(
    _ snapshot: DatabaseReader,
    _ twin: Twin,
    _ schema: Twin.Class,
    _ objects: [ObjectIdentity]
  ) throws {
    guard let property = schema.properties.first(where: \.isPrimaryKey) else { return }
    for object in objects {
      let value = twin.objects[object]?[property.key] ?? .null
      try expect(
        snapshot.find(schema.key, primaryKey: value),
        object,
        "the \(schema.name) with primary key \(value)"
      )
    }
    for value in [Value.int(12_345), .string("nobody"), .null]
    where twin.find(schema.key, property.key, value).isEmpty {
      try expect(
        snapshot.find(schema.key, primaryKey: value),
        nil,
        "the \(schema.name) with primary key \(value)"
      )
    }
  }

  /// Asks for the objects that have the value of one of them in an indexed property.
  private static func compareIndexes(
    _ snapshot: DatabaseReader,
    _ twin: Twin,
    _ schema: Twin.Class,
    _ objects: [ObjectIdentity]
  ) throws {
    guard let middle = objects.indices.randomElementByCount else { return }
    for property in schema.properties where property.isIndexed {
      let value = twin.objects[objects[middle]]?[property.key] ?? .null
      let equal = objects.filter { twin.objects[$0]?[property.key]?.compare(value) == 0 }
      let predicate = try Predicate.parse(
        "\(property.name) == $0",
        for: schema.key,
        in: snapshot.schema,
        arguments: [value]
      )
      try expect(
        snapshot.objects(of: schema.key, where: predicate).keys,
        equal.map(\.key),
        "the keys of \(schema.name) with \(property.name) == \(value)"
      )
    }
  }

  // MARK: - Blast radius

  /// Compares what the engine says that a deletion takes along with what the twin says.
  static func compare(_ radius: BlastRadius, _ plan: Twin.Plan) throws {
    let dead = radius.deletions.map(\.object)
    try expect(dead.sorted(), plan.dead.sorted(), "deletions")
    try expect(counted(radius.nulled), counted(plan.nulled), "links that become null")
    try expect(counted(radius.removed), counted(plan.removed), "elements that vanish")
    try expect(radius.orphaned.sorted(), plan.orphaned.sorted(), "objects without a link")
    try expect(
      Set(
        radius.denied.map {
          Twin.Denial(
            object: $0.object,
            property: $0.property,
            target: $0.target,
            isOfTarget: $0.rule == .targetRule
          )
        }
      ),
      plan.denied,
      "denials"
    )
    try expect(radius.isComplete, true, "completeness")
    var counts: [ClassKey: Int] = [:]
    for object in dead { counts[object.classKey, default: 0] += 1 }
    try expect(radius.counts, counts, "deletions by class")
  }

  private static func counted(_ slots: [Slot]) -> [Slot: Int] {
    Dictionary(slots.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Whether every death follows from the one that it stands below in the tree.
  static func checkReasons(
    _ radius: BlastRadius,
    _ twin: Twin,
    asked: [ObjectIdentity],
    cut: [Slot]
  ) throws {
    var path: [ObjectIdentity] = []
    for death in radius.deletions {
      try expect(death.depth <= path.count, true, "the depth of \(death)")
      path.removeSubrange(death.depth...)
      let parent = path.last
      path.append(death.object)
      if case .targetDeleted(let target, let property) = death.reason {
        try expect(target, parent, "the cause of \(death)")
        let fits = twin.links(of: death.object).contains {
          $0.target == target && $0.property.key == property && $0.property.targetRule == .cascade
        }
        try expect(fits, true, "a link that is the reason of \(death)")
        continue
      }
      let slot: Slot?
      switch death.reason {
      case .asked:
        try expect(asked.contains(death.object), true, "that \(death) was asked for")
        slot = nil
      case .targetDeleted: slot = nil
      case .embedded(let owner): slot = owner
      case .cascade(let source, let property), .cascadeIfLast(let source, let property):
        slot = Slot(source, property)
      }
      guard let slot else { continue }
      let links = twin.links(of: slot.object).filter {
        $0.target == death.object && $0.property.key == slot.property
      }
      let fits = links.contains { link in
        switch death.reason {
        case .asked, .targetDeleted: false
        case .embedded(let owner): link.property.holdsEmbedded && link.slot == owner
        case .cascade: link.property.rule == .cascade
        case .cascadeIfLast: link.property.rule == .cascadeIfLast
        }
      }
      try expect(fits, true, "a link that is the reason of \(death)")
      if let parent {
        try expect(slot.object, parent, "the cause of \(death)")
      } else {
        let isCut = cut.contains { $0.object == slot.object && $0.property == slot.property }
        try expect(isCut, true, "a cut link that is the reason of \(death)")
      }
    }
  }
}

extension Range<Int> {
  /// One of the numbers, always the same of the same range.
  fileprivate var randomElementByCount: Int? {
    isEmpty ? nil : lowerBound + count * 5 / 8
  }
}
