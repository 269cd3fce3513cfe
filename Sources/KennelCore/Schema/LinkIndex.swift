import KennelStorage

/// Where the backlinks of each link property are kept, and what deleting objects takes: made once per
/// version of a schema.
internal final class LinkIndex: Sendable {
  private let slots: [Key: UInt16]
  /// By class number.
  private let plans: [ClassPlan]
  /// The plan of a class that does not exist.
  private let none: ClassPlan
  /// Whether a rule asks who else holds an object, or forbids that one dies.
  let hasHoldingRules: Bool

  private struct Key: Hashable {
    let target: ClassKey
    let origin: ClassKey
    let property: PropertyKey
  }

  init(_ schema: Schema) {
    var slots: [Key: UInt16] = [:]
    for target in schema.classes {
      for column in target.backlinkColumns {
        slots[Key(target: target.key, origin: column.origin, property: column.property)] =
          column.number
      }
    }
    let count = schema.classes.map { Int($0.key.rawValue) + 1 }.max() ?? 0
    let none = ClassPlan(
      ClassSchema(key: ClassKey(rawValue: 0), name: "", isEmbedded: false),
      []
    ) { _, _ in nil }
    var plans = [ClassPlan](repeating: none, count: count)
    for origin in schema.classes {
      let followers = origin.backlinkColumns.filter {
        schema.property($0.property, of: $0.origin)?.targetRule == .cascade
      }
      plans[Int(origin.key.rawValue)] = ClassPlan(origin, followers) { target, property in
        slots[Key(target: target, origin: origin.key, property: property)]
      }
    }
    hasHoldingRules = schema.classes.contains { schema in
      schema.properties.contains { $0.deleteRule.asksWhoElseLinks || $0.targetRule == .deny }
    }
    self.none = none
    self.slots = slots
    self.plans = plans
  }

  /// The slot in which objects of `target` keep the links from a property of `origin`.
  func slot(_ target: ClassKey, _ origin: ClassKey, _ property: PropertyKey) -> UInt16? {
    if let known = link(origin, property), let slot = known.backlinkSlot, known.target == target {
      return slot
    }
    return slots[Key(target: target, origin: origin, property: property)]
  }

  /// The properties of a class whose values can be links.
  func properties(of classKey: ClassKey) -> [PropertySchema] { plan(classKey).linking }

  /// How a property holds links; `nil` if it cannot.
  func link(_ classKey: ClassKey, _ property: PropertyKey) -> LinkPlan? {
    plan(classKey).links.first { $0.key == property }
  }

  func plan(_ classKey: ClassKey) -> ClassPlan {
    let number = Int(classKey.rawValue)
    return number < plans.count ? plans[number] : none
  }
}

/// A plan for deleting objects of a class.
internal final class ClassPlan: Sendable {
  /// The properties that have an index.
  let indexed: [IndexedSlot]
  /// The properties that can hold links.
  let linking: [PropertySchema]
  let links: [LinkPlan]
  /// Those whose targets die with an object of the class.
  let takers: [LinkPlan]
  /// Where the links of other objects to those of the class are kept.
  let backlinks: [BacklinkColumn]
  /// Those of them whose objects die with an object of the class, by their target rule.
  let followers: [BacklinkColumn]

  init(
    _ schema: ClassSchema,
    _ followers: [BacklinkColumn],
    _ slot: (ClassKey, PropertyKey) -> UInt16?
  ) {
    backlinks = schema.backlinkColumns
    self.followers = followers
    indexed = schema.properties.filter(\.isIndexed).map(IndexedSlot.init)
    linking = schema.properties.filter(\.canLink)
    let plan = { (property: PropertySchema) in
      LinkPlan(property, property.target.flatMap { slot($0, property.key) })
    }
    links = linking.map(plan)
    takers = linking.filter { $0.isEmbedded || $0.deleteRule == .cascade }.map(plan)
  }
}

/// How a property holds links: trivial, so that walking over the plans of a class counts no reference.
internal struct LinkPlan: Sendable {
  /// Says how the links of a property are read.
  enum Shape: UInt8, Sendable {
    /// One link to an object of one class.
    case single
    /// A list or set of links to objects of one class.
    case keys
    /// Values among which are links.
    case values
  }

  let key: PropertyKey
  let target: ClassKey
  let shape: Shape
  /// Whether the targets are embedded in the objects that link to them.
  let isEmbedded: Bool
  /// Where the targets keep the links; `nil` if they do not, or are of several classes.
  let backlinkSlot: UInt16?

  init(_ property: PropertySchema, _ backlinkSlot: UInt16?) {
    key = property.key
    target = property.target ?? ClassKey(rawValue: 0)
    isEmbedded = property.isEmbedded
    self.backlinkSlot = backlinkSlot
    if property.columnType.form == .keys, property.target != nil {
      shape = .keys
    } else if property.type.collection == .none, property.type.kind == .link,
      property.target != nil, !property.isIndexed
    {
      shape = .single
    } else {
      shape = .values
    }
  }
}

/// A property with an index.
internal struct IndexedSlot: Sendable {
  let key: PropertyKey
  /// Whether the values are integers.
  let isInt: Bool

  init(_ property: PropertySchema) {
    key = property.key
    isInt = property.type.kind == .int && property.type.collection == .none
  }
}
