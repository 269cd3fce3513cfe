import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// What the plan of a deletion says is what the deletion does, on random classes, rules and links.
///
/// Where no rule needs a plan, a transaction deletes without one; a draft always makes one.
/// `KENNEL_SEED=n` runs one seed, `KENNEL_LONG=1` 2,000 instead of 60.
@Suite struct `A deletion by random rules in both directions` {
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["KENNEL_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...(environment["KENNEL_LONG"] == nil ? 60 : 2000))
  }()

  @Test(arguments: seeds)
  func `does what its plan says, in a transaction and in a draft`(seed: UInt64) throws {
    var world = DeletionWorld(seed: seed)
    try withTemporaryDatabase { database in
      let objects = try database.write { try world.fill($0) }
      for _ in 0..<20 {
        let snapshot = try database.snapshot()
        let alive = try objects.filter(snapshot.contains)
        guard !alive.isEmpty else { break }
        let asked = (0...world.random.below(2)).map { _ in world.random.pick(alive) }
        let plan = try snapshot.blastRadius(deleting: asked, limit: .max)
        try expectDraft(database, asked, plan)
        do {
          try database.write { transaction in
            let count = try transaction.delete(asked)
            #expect(count == plan.deletionCount && plan.denied.isEmpty, "KENNEL_SEED=\(seed)")
          }
        } catch let error as DatabaseError {
          #expect(error.code == .deletionDenied && !plan.denied.isEmpty, "KENNEL_SEED=\(seed)")
          try #expect(database.snapshot().commitNumber == snapshot.commitNumber)
          continue
        }
        let after = try database.snapshot()
        try expectDone(plan, snapshot, after, alive)
      }
    }
  }

  private func expectDraft(
    _ database: Database,
    _ asked: [ObjectIdentity],
    _ plan: BlastRadius
  ) throws {
    let draft = try database.makeDraft()
    if plan.denied.isEmpty {
      try #expect(draft.delete(asked) == plan.deletionCount)
      #expect(draft.deletionPlan == plan)
      for deletion in plan.deletions { try #expect(!draft.reader.contains(deletion.object)) }
    } else {
      #expect(code { try draft.delete(asked) } == .deletionDenied)
    }
  }

  /// The dead are gone, the others are there, and only the links of the plan have changed.
  private func expectDone(
    _ plan: BlastRadius,
    _ before: Snapshot,
    _ after: Snapshot,
    _ alive: [ObjectIdentity]
  ) throws {
    let dead = Set(plan.deletions.map(\.object))
    let cut = Set((plan.nulled + plan.removed).map { Slot($0.object, $0.property) })
    #expect(dead.count == plan.deletionCount)
    for object in alive {
      try #expect(after.contains(object) != dead.contains(object))
      guard !dead.contains(object), let schema = after.schema[object.classKey] else { continue }
      for property in schema.properties {
        let old = try before.value(of: object, property: property.key)
        let new = try after.value(of: object, property: property.key)
        #expect((old != new) == cut.contains(Slot(object, property.key)))
        #expect(new.links.allSatisfy { !dead.contains($0) })
      }
    }
    for object in plan.orphaned { try #expect(after.backlinks(to: object).isEmpty) }
  }
}

/// Random classes with links of every shape and both rules, and objects that link to each other.
private struct DeletionWorld {
  var random: SplitMix64
  private let classes: [ClassDefinition]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed ^ 0xDE1E_7E00)
    let names = (0..<(2 + random.below(4))).map { "Class\($0)" }
    let isSimple = random.once(in: 3)
    let deleteRules = isSimple ? [DeleteRule.nullify, .cascade] : DeleteRule.allCases
    let targetRules = isSimple ? [TargetRule.nullify, .cascade] : TargetRule.allCases
    var classes: [ClassDefinition] = []
    for (index, name) in names.enumerated() {
      var properties: [PropertyDefinition] = []
      for number in 0...random.below(5) {
        let link = random.once(in: 4) ? PropertyType.mixed : .link(random.pick(names))
        let isMixed = link.kind == .mixed
        let shapes: [PropertyType] = [
          link, link, .list(link), .set(link), .map(isMixed ? link : link.optional),
        ]
        properties.append(
          PropertyDefinition(
            "link\(number)",
            random.pick(shapes),
            deleteRule: random.once(in: 2) ? .nullify : random.pick(deleteRules),
            targetRule: random.once(in: 2) ? .nullify : random.pick(targetRules)
          )
        )
      }
      if index > 0 { properties.append(PropertyDefinition("part", .link("Part"))) }
      classes.append(ClassDefinition(name, properties: properties))
    }
    let part = PropertyDefinition("of", .link(names[0]), targetRule: random.pick(targetRules))
    classes.append(ClassDefinition("Part", isEmbedded: true, properties: [part]))
    self.classes = classes
  }

  /// Makes the objects; those that are not embedded come first.
  mutating func fill(_ transaction: WriteTransaction) throws -> [ObjectIdentity] {
    try transaction.define(classes)
    var objects: [ObjectIdentity] = []
    for _ in 0..<(10 + random.below(30)) {
      objects.append(try transaction.make("Class\(random.below(classes.count - 1))"))
    }
    var parts: [ObjectIdentity] = []
    for object in objects {
      for property in try #require(transaction.schema[object.classKey]).properties {
        if property.isEmbedded {
          if random.once(in: 2) { parts.append(try transaction.embed(object, property.name)) }
        } else if random.once(in: 2) {
          try transaction.set(
            object,
            property: property.key,
            to: value(property, objects)
          )
        }
      }
    }
    let owners = objects.filter { $0.classKey.rawValue == 0 }
    for part in parts where !owners.isEmpty {
      try transaction.put(part, "of", .link(random.pick(owners)))
    }
    return objects + parts
  }

  private mutating func value(_ property: PropertySchema, _ objects: [ObjectIdentity]) -> Value {
    let targets = objects.filter {
      property.type.kind == .mixed || $0.classKey == property.target
    }
    guard !targets.isEmpty else { return property.type.initialValue }
    let links = (0...random.below(3)).map { _ in Value.link(random.pick(targets)) }
    return switch property.type.collection {
    case .none: property.type.kind == .mixed && random.once(in: 3) ? .list(links) : links[0]
    case .list: .list(links)
    case .set: .set(links)
    case .map: .map(links.enumerated().map { MapEntry("\($0.offset)", $0.element) })
    }
  }
}
