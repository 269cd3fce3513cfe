package import KennelCore

/// Makes classes that use everything a schema can say, the same for the same seed.
package struct RandomSchema {
  /// A generator that gives the same numbers for the same seed.
  private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private var random: SplitMix64
  private let prefix: String
  private var names: Set<String> = []

  /// - Parameters:
  ///   - seed: What decides everything.
  ///   - prefix: What the names of all classes begin with.
  package init(seed: UInt64, prefix: String = "") {
    random = SplitMix64(state: seed)
    self.prefix = prefix
  }

  /// Words that are names in Swift, keywords, and no names at all.
  private static let words = [
    "name", "age", "class", "default", "self", "init", "Type", "description", "hash", "realm",
    "first name", "1st", "größe", "日本", "a-b", "_", "__", "$money", "x\"y", "back\\slash", "🐕",
    "tail ", "isFrozen", "observe", "Int", "String", "List", "Any", "e\u{301}", "where", "`tick`",
    "observationInfo", "context", "identity", "value", "set", "get", "in", "Self", "id", "_id",
    "some", "any", "isEqual", "freeze", "Sendable", "lazy", "٣", "ǅ", "wrappedValue", "elements",
  ]

  /// The classes.
  package mutating func classes() -> [ClassDefinition] {
    let count = Int.random(in: 2...6, using: &random)
    var classes: [ClassDefinition] = []
    for index in 0..<count {
      // The first is a class of its own, so that there is something to link to.
      let isEmbedded = index > 0 && chance(3)
      classes.append(ClassDefinition(freshName(prefix), isEmbedded: isEmbedded))
    }
    for index in classes.indices {
      names = []
      if !classes[index].isEmbedded, !chance(3) {
        let kind = pick([ValueKind.int, .string, .objectId, .uuid])
        let type = PropertyType(kind, isOptional: chance(4))
        classes[index].properties.append(
          PropertyDefinition(freshName(), type, isPrimaryKey: true)
        )
      }
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        classes[index].properties.append(property(in: classes))
      }
      classes[index].properties.shuffle(using: &random)
    }
    for index in classes.indices where !classes[index].isEmbedded {
      names = Set(classes[index].properties.map(\.name))
      classes[index].backlinks = backlinks(to: classes[index].name, in: classes)
    }
    let embedded = Set(classes.filter(\.isEmbedded).map(\.name))
    for index in classes.indices {
      for place in classes[index].properties.indices {
        let target = classes[index].properties[place].type.target
        guard let target, !embedded.contains(target), chance(3) else { continue }
        classes[index].properties[place].targetRule = pick([.cascade, .deny])
      }
    }
    return classes
  }

  private mutating func backlinks(
    to name: String,
    in classes: [ClassDefinition]
  ) -> [BacklinkDefinition] {
    var backlinks: [BacklinkDefinition] = []
    for origin in classes {
      for property in origin.properties where property.type.target == name && chance(2) {
        backlinks.append(
          BacklinkDefinition(freshName(), origin: origin.name, property: property.name)
        )
      }
    }
    return backlinks
  }

  private mutating func property(in classes: [ClassDefinition]) -> PropertyDefinition {
    let kind = pick(ValueKind.allCases)
    var collection = chance(2) ? CollectionKind.none : pick(CollectionKind.allCases)
    var definition: PropertyDefinition
    if kind == .link {
      let target = pick(classes)
      if target.isEmbedded, collection == .set { collection = .list }
      let link = PropertyType.link(target.name)
      let types: [CollectionKind: PropertyType] = [
        .list: .list(link), .set: .set(link), .map: .map(link),
      ]
      definition = PropertyDefinition(freshName(), types[collection] ?? link)
      if !target.isEmbedded, chance(3) {
        definition.deleteRule = pick([.cascade, .cascadeIfLast, .deny])
      }
    } else {
      let type = PropertyType(
        kind,
        collection: collection,
        isOptional: kind == .mixed || chance(2),
        bitWidth: kind == .int ? pick([8, 16, 32, 64]) : 64
      )
      definition = PropertyDefinition(freshName(), type)
      if collection == .none, kind != .mixed {
        definition.isIndexed = chance(4)
        if chance(3) { definition.defaultValue = value(kind) }
      }
    }
    return definition
  }

  private mutating func value(_ kind: ValueKind) -> Value {
    let bits = random.next()
    switch kind {
    case .bool: return .bool(true)
    case .int: return .int(Int64(bits & 126) - 61)
    case .float: return .float(Float(bits & 1023) / 8 + 0.125)
    case .double: return .double(Double(bits & 0xFFFF) / 1024 - 0.0001)
    case .string: return .string(pick(Self.words) + "\n\u{1b}\\(x)")
    case .data: return .data([0, 1, UInt8(bits & 255)])
    case .date: return .date(Timestamp(seconds: Int64(bits & 0xFFFF_FFFF) + 1))
    case .objectId: return .objectId(ObjectId(high: bits, low: 7))
    case .uuid: return .uuid(UUIDValue(high: bits, low: ~bits))
    case .decimal128: return .decimal128(Decimal128(high: 0x3040_0000_0000_0000, low: bits >> 16))
    case .mixed, .link: return .null
    }
  }

  // MARK: - Choices

  private mutating func freshName(_ prefix: String = "") -> String {
    var name = prefix + pick(Self.words)
    while !names.insert(name).inserted { name += chance(2) ? "2" : pick(Self.words) }
    return name
  }

  /// Whether something is the case that is so once in some times.
  private mutating func chance(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &random) == 0
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
