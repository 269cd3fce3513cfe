import KennelStorage

/// What changing objects has to know of a schema, made once per version of it: where the backlinks of
/// each link property are kept, and which properties can be set without looking at anything else.
internal final class LinkIndex: Sendable {
  private let slots: [Key: UInt16]
  /// By class number: the properties whose values can be links.
  private let linking: [[PropertySchema]]
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
    var linking = [[PropertySchema]](repeating: [], count: count)
    let none = ClassPlan(ClassSchema(key: ClassKey(rawValue: 0), name: "", isEmbedded: false)) {
      _,
      _ in nil
    }
    var plans = [ClassPlan](repeating: none, count: count)
    for origin in schema.classes {
      let number = Int(origin.key.rawValue)
      linking[number] = origin.properties.filter(\.canLink)
      plans[number] = ClassPlan(origin) { target, property in
        slots[Key(target: target, origin: origin.key, property: property)]
      }
    }
    hasHoldingRules = schema.classes.contains { schema in
      schema.properties.contains { $0.deleteRule.asksWhoElseLinks }
    }
    self.none = none
    self.slots = slots
    self.linking = linking
    self.plans = plans
  }

  /// The slot in which objects of `target` keep the links from a property of `origin`.
  func slot(_ target: ClassKey, _ origin: ClassKey, _ property: PropertyKey) -> UInt16? {
    let known = plan(origin, property)
    if known.hasBacklinks, known.target == target { return known.backlinkSlot }
    return slots[Key(target: target, origin: origin, property: property)]
  }

  func properties(of classKey: ClassKey) -> [PropertySchema] {
    let number = Int(classKey.rawValue)
    return number < linking.count ? linking[number] : []
  }

  /// What setting a property takes.
  func plan(_ classKey: ClassKey, _ property: PropertyKey) -> SlotPlan {
    let number = Int(classKey.rawValue)
    let place = Int(property.rawValue)
    guard number < plans.count, place < plans[number].slots.count else { return SlotPlan() }
    return plans[number].slots[place]
  }

  /// How a property holds links; `nil` if it cannot.
  func link(_ classKey: ClassKey, _ property: PropertyKey) -> LinkPlan? {
    let number = Int(classKey.rawValue)
    return number < plans.count ? plans[number].links.first { $0.key == property } : nil
  }

  /// What making and deleting objects of a class takes.
  func plan(_ classKey: ClassKey) -> ClassPlan {
    let number = Int(classKey.rawValue)
    return number < plans.count ? plans[number] : none
  }
}

/// What making and deleting objects of a class takes.
internal final class ClassPlan: Sendable {
  /// Whether a new object has nothing but absent values: no default differs from what is read where
  /// nothing was stored, and but for a primary key no index has to be told.
  let isBlank: Bool
  let isEmbedded: Bool
  let primaryKey: PropertySchema?
  /// By property slot.
  let slots: [SlotPlan]
  /// The properties that have an index.
  let indexed: [IndexedSlot]
  /// The properties that can hold links.
  let links: [LinkPlan]
  /// Those whose targets die with an object of the class.
  let takers: [LinkPlan]
  /// Where the links of other objects to those of the class are kept.
  let backlinks: [BacklinkColumn]

  init(_ schema: ClassSchema, _ slot: (ClassKey, PropertyKey) -> UInt16?) {
    isEmbedded = schema.isEmbedded
    primaryKey = schema.primaryKey
    backlinks = schema.backlinkColumns
    indexed = schema.properties.filter(\.isIndexed).map(IndexedSlot.init)
    let linking = schema.properties.filter(\.canLink)
    let plan = { (property: PropertySchema) in
      LinkPlan(property, property.target.flatMap { slot($0, property.key) })
    }
    links = linking.map(plan)
    takers = linking.filter { $0.isEmbedded || $0.deleteRule == .cascade }.map(plan)
    isBlank = schema.properties.allSatisfy {
      $0.isPrimaryKey || (!$0.isIndexed && $0.initialValue == $0.absentValue)
    }
    var slots = Array(repeating: SlotPlan(), count: Int(schema.nextColumn))
    for property in schema.properties {
      let backlinkSlot = property.target.flatMap { slot($0, property.key) }
      slots[Int(property.key.rawValue)] = SlotPlan(property, backlinkSlot)
    }
    self.slots = slots
  }
}

/// How a property holds links: trivial, so that walking over the plans of a class counts no reference.
internal struct LinkPlan: Sendable {
  /// What it takes to meet each link.
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

/// What an index has to be told of a property.
internal struct IndexedSlot: Sendable {
  let key: PropertyKey
  /// Whether the values are integers.
  let isInt: Bool

  init(_ property: PropertySchema) {
    key = property.key
    isInt = property.type.kind == .int && property.type.collection == .none
  }
}

/// What setting a property takes.
internal struct SlotPlan: Sendable {
  /// How far a value has to be looked at before it is set.
  enum Care: Sendable {
    /// Any value of its kind may be set, and nothing else has to be done.
    case none
    /// A to-one link to an object of a class of its own, that holds nothing alive by itself.
    case link
    /// A list of such links.
    case list
    /// Everything else.
    case full
  }

  private(set) var care = Care.full
  private(set) var kind = ValueKind.mixed
  private(set) var isOptional = false
  private(set) var isEmbedded = false
  /// Whether the property is no collection.
  private(set) var isSingle = false
  private(set) var target = ClassKey(rawValue: 0)
  private(set) var hasBacklinks = false
  private(set) var backlinkSlot: UInt16 = 0

  init() {}

  init(_ property: PropertySchema, _ backlinkSlot: UInt16?) {
    kind = property.type.kind
    isOptional = property.type.isOptional
    isEmbedded = property.isEmbedded
    target = property.target ?? ClassKey(rawValue: 0)
    isSingle = property.type.collection == .none
    hasBacklinks = backlinkSlot != nil
    self.backlinkSlot = backlinkSlot ?? 0
    if property.isIndexed { return }
    switch property.type.collection {
    case .none where property.type.kind == .link:
      if !property.deleteRule.deletesWhenUnlinked, !isEmbedded, hasBacklinks { care = .link }
    case .none:
      if property.type.kind != .mixed, property.type.bitWidth == 64 { care = .none }
    case .list where property.type.kind == .link:
      if !isEmbedded, hasBacklinks { care = .list }
    case .list, .set, .map: break
    }
  }
}
