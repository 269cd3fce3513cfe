import KennelCore

/// A schema that a seed decides: two classes, two embedded ones, links of every shape and rule.
struct TwinSchema {
  private(set) var definitions: [ClassDefinition] = []
  static let names = ["Node", "Other", "Part", "Leaf"]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed ^ 0x5C4E_3A00)
    definitions = [
      ClassDefinition("Node", properties: Self.primaryKey(&random)),
      ClassDefinition("Other", properties: Self.primaryKey(&random)),
      ClassDefinition("Part", isEmbedded: true),
      ClassDefinition("Leaf", isEmbedded: true),
    ]
    definitions[0].properties += [
      PropertyDefinition("part", .link("Part")),
      PropertyDefinition("parts", .list(.link("Part"))),
      PropertyDefinition("partByName", .map(.link("Part"))),
    ]
    definitions[1].properties += [PropertyDefinition("leaves", .list(.link("Leaf")))]
    definitions[2].properties += [
      PropertyDefinition("inner", .link("Part")),
      PropertyDefinition("leaves", .list(.link("Leaf"))),
      PropertyDefinition("leafByName", .map(.link("Leaf"))),
    ]
    let rules = Rules(&random)
    for (index, counts) in [(9, 6), (6, 5), (4, 3), (2, 2)].enumerated() {
      for _ in 0..<counts.0 { addNumbered(Self.link(&random, rules), to: index) }
      for _ in 0..<counts.1 {
        var property = Self.scalar(&random)
        let mayBeUnique = property.isIndexed && property.type.kind != .bool
        property.isUnique = mayBeUnique && !definitions[index].isEmbedded && random.once(in: 3)
        addNumbered(property, to: index)
      }
    }
  }

  private mutating func addNumbered(_ property: PropertyDefinition, to index: Int) {
    var property = property
    property.name += "\(definitions[index].properties.count)"
    definitions[index].properties.append(property)
  }

  mutating func add(_ property: PropertyDefinition, at index: Int) {
    definitions[index].properties.append(property)
  }

  mutating func setDefault(_ value: Value, at index: Int, _ slot: Int) {
    definitions[index].properties[slot].defaultValue = value
  }

  private static func primaryKey(_ random: inout SplitMix64) -> [PropertyDefinition] {
    if random.once(in: 4) { return [] }
    let type = random.pick([PropertyType.int, .string, .objectId, .uuid, .int(bitWidth: 16)])
    return [
      PropertyDefinition("id", random.once(in: 2) ? type : type.optional, isPrimaryKey: true)
    ]
  }

  /// The rules that the links of a schema may have.
  private struct Rules {
    var delete: [DeleteRule] = [.nullify, .cascadeIfLast, .cascadeIfLast, .cascade, .deny]
    var target: [TargetRule] = [.nullify]

    init(_ random: inout SplitMix64) {
      // Classes without the others are deleted from without a plan.
      let isWithoutPlan = random.once(in: 4)
      if isWithoutPlan { delete = [.nullify, .cascade] }
      // Chains of such links, which hold each other, are rare among others.
      if !isWithoutPlan, random.once(in: 3) { delete = [.cascadeIfLast] }
      if random.once(in: 2) {
        target += isWithoutPlan ? [.nullify, .cascade] : [.nullify, .nullify, .cascade, .deny]
      }
    }
  }

  private static func link(_ random: inout SplitMix64, _ rules: Rules) -> PropertyDefinition {
    let element = random.pick([PropertyType.link("Node"), .link("Node"), .link("Other"), .mixed])
    return PropertyDefinition(
      "link",
      collected(element, &random),
      deleteRule: random.once(in: 3) ? .nullify : random.pick(rules.delete),
      targetRule: random.pick(rules.target)
    )
  }

  static func scalar(_ random: inout SplitMix64) -> PropertyDefinition {
    let kinds: [PropertyType] = [
      .bool, .int, .int(bitWidth: 8), .int(bitWidth: 16), .int(bitWidth: 32), .float, .double,
      .string, .data, .date, .objectId, .uuid, .decimal128,
    ]
    let kind = random.pick(kinds)
    let type = collected(random.once(in: 2) ? kind : kind.optional, &random)
    var property = PropertyDefinition("value", type)
    property.isIndexed = type.collection == .none && random.once(in: 2)
    if random.once(in: 3) {
      property.defaultValue = RandomValues.value(of: type, &random) { _ in nil }
    }
    return property
  }

  private static func collected(
    _ type: PropertyType,
    _ random: inout SplitMix64
  ) -> PropertyType {
    switch random.below(5) {
    case 0: .list(type)
    case 1: .set(type)
    case 2: .map(type)
    default: type
    }
  }

  /// The twin of a file with these classes and no objects: keys are given out in order.
  var twin: Twin {
    var twin = Twin()
    for (index, definition) in definitions.enumerated() {
      let key = ClassKey(rawValue: UInt16(index))
      let properties = definition.properties.enumerated().map { slot, property in
        self.property(property, PropertyKey(rawValue: UInt16(slot)))
      }
      twin.classes[key] = Twin.Class(
        key,
        definition.name,
        isEmbedded: definition.isEmbedded,
        properties
      )
    }
    return twin
  }

  func property(_ definition: PropertyDefinition, _ key: PropertyKey) -> Twin.Property {
    let target = definition.type.target.flatMap { name in
      definitions.firstIndex { $0.name == name }
    }
    return Twin.Property(
      key: key,
      name: definition.name,
      type: definition.type,
      target: target.map { ClassKey(rawValue: UInt16($0)) },
      holdsEmbedded: target.map { definitions[$0].isEmbedded } ?? false,
      isPrimaryKey: definition.isPrimaryKey,
      isUnique: definition.isUnique,
      isIndexed: definition.isIndexed || definition.isPrimaryKey || definition.isUnique,
      rule: definition.deleteRule ?? .nullify,
      targetRule: definition.targetRule ?? .nullify,
      initial: definition.defaultValue.map(Twin().normal) ?? Self.initialValue(definition.type)
    )
  }

  /// What an object gets for a property without a default of its own.
  static func initialValue(_ type: PropertyType) -> Value {
    switch type.collection {
    case .list: return .list([])
    case .set: return .set([])
    case .map: return .map([])
    case .none: break
    }
    if type.isOptional { return .null }
    return switch type.kind {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(Timestamp(seconds: 0))
    case .objectId: .objectId(ObjectId(high: 0, low: 0))
    case .uuid: .uuid(UUIDValue(high: 0, low: 0))
    case .decimal128: .decimal128(Decimal128(high: 0x3040_0000_0000_0000, low: 0))
    case .mixed, .link: .null
    }
  }
}
