import KennelCore
import Testing

/// Numbers that are the same for the same seed.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Makes objects with any values and links, embedded ones in them.
struct RandomObjects {
  var random: SplitMix64
  let transaction: WriteTransaction
  var targets: [ObjectIdentity] = []
  /// Whether each embedded object in a to-one has a value.
  var fillsEmbedded = false

  static let kinds = ValueKind.allCases.filter { $0 != .link }

  static var definitions: [ClassDefinition] {
    var properties: [PropertyDefinition] = []
    for collection in CollectionKind.allCases {
      for kind in kinds {
        let type = PropertyType(kind, collection: collection, isOptional: true)
        properties.append(PropertyDefinition("\(collection)-\(kind)", type))
      }
      let link = PropertyType.link("Thing")
      let types: [CollectionKind: PropertyType] = [
        .list: .list(link), .set: .set(link), .map: .map(link),
      ]
      properties.append(PropertyDefinition("\(collection)-link", types[collection] ?? link))
    }
    let owned = [
      PropertyDefinition("part", .link("Part")), PropertyDefinition("parts", .list(.link("Part"))),
      PropertyDefinition("named", .map(.link("Part"))),
    ]
    return [
      ClassDefinition("Thing", properties: properties + owned),
      ClassDefinition("Part", isEmbedded: true, properties: properties + owned),
    ]
  }

  mutating func make(_ count: Int) throws {
    try transaction.define(Self.definitions)
    let thing = try #require(transaction.schema["Thing"])
    for _ in 0..<count { targets.append(try transaction.create(thing.key, [:])) }
    for target in targets { try fill(target, depth: 0) }
    let dead = targets.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
    _ = try transaction.delete(dead)
  }

  private mutating func fill(_ object: ObjectIdentity, depth: Int) throws {
    let schema = try #require(transaction.schema[object.classKey])
    for property in schema.properties where Int.random(in: 0..<4, using: &random) == 0 {
      if property.isEmbedded {
        if depth < 3 { try fillEmbedded(property, of: object, depth: depth) }
      } else {
        try transaction.set(object, property: property.key, to: value(of: property.type))
      }
    }
  }

  private mutating func fillEmbedded(
    _ property: PropertySchema,
    of object: ObjectIdentity,
    depth: Int
  ) throws {
    let positions: [Slot.Position]
    switch property.type.collection {
    case .none: positions = [.value]
    case .map: positions = [.key(""), .key("$ref")]
    default: positions = [.index(0), .index(1), .index(0)]
    }
    for position in positions {
      let part = try transaction.createEmbedded(at: Slot(object, property.key, position))
      try fill(part, depth: depth + 1)
      if fillsEmbedded, let mark = transaction.schema[part.classKey]?["none-int"] {
        try transaction.set(part, property: mark.key, to: .int(1))
      }
    }
    if property.type.collection == .map {
      try transaction.setEntry("none", to: .null, of: object, property: property.key)
    }
  }

  private mutating func value(of type: PropertyType) -> Value {
    let count = Int.random(in: 0..<5, using: &random)
    switch type.collection {
    case .none: return single(type.kind)
    case .list:
      return .list((0..<count).map { _ in type.kind == .mixed ? mixed(3) : element(type) })
    case .set: return .set(Array(Set((0..<count).map { _ in element(type) })))
    case .map:
      let keys = ["", "a", "$", "$ref", "\u{1b}", "é", "e\u{301}"].prefix(count)
      return .map(keys.map { MapEntry($0, single(type.kind)) })
    }
  }

  /// Lists and sets of links hold no null.
  private mutating func element(_ type: PropertyType) -> Value {
    type.kind == .link ? link() : scalar(type.kind)
  }

  private mutating func single(_ kind: ValueKind) -> Value {
    kind == .mixed ? mixed(3) : scalar(kind)
  }

  /// A mixed value, which may be a list or a map, also one that looks like something else.
  mutating func mixed(_ depth: Int) -> Value {
    let choice = Int.random(in: 0..<6, using: &random)
    guard depth > 0, choice < 3 else { return scalar(.mixed) }
    let count = Int.random(in: 0..<4, using: &random)
    if choice == 0 { return .list((0..<count).map { _ in mixed(depth - 1) }) }
    let keys = [
      ["", "$ref", "$id", "\0"], ["kennel", "value"], ["$id", "$ref"], ["a", "k", "v"],
      ["$date"], ["kennel", "value", "x"], ["é", "e\u{301}"],
    ]
    let names = keys[Int.random(in: 0..<keys.count, using: &random)]
    // A key of an exact form beside a text is what could be taken for one.
    let isText = Bool.random(using: &random)
    return .map(
      names.map { MapEntry($0, isText ? .string("map") : mixed(depth - 1)) }
        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    )
  }

  private mutating func link() -> Value {
    .link(targets[Int.random(in: 0..<targets.count, using: &random)])
  }

  private mutating func scalar(_ kind: ValueKind) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    let bits = random.next()
    let isOdd = bits & 1 == 0
    switch kind {
    case .bool: return .bool(isOdd)
    case .int: return .int(isOdd ? Int64(bitPattern: bits) : Int64(bits & 15))
    case .float: return .float(isOdd ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)) : 0.5)
    case .double: return .double(isOdd ? Double(bitPattern: bits) : Double(bits & 15))
    case .string: return .string(string())
    case .data: return .data((0..<Int(bits >> 3 & 300)).map { _ in UInt8(random.next() & 255) })
    case .date:
      let seconds = isOdd ? Int64(bitPattern: bits) : Int64(bits >> 32)
      let date = Timestamp(seconds: seconds, nanoseconds: UInt32(random.next() % 1_000_000_000))
      return .date(date ?? Timestamp(seconds: 0))
    case .objectId: return .objectId(ObjectId(high: bits, low: 7))
    case .uuid: return .uuid(UUIDValue(high: bits, low: ~bits))
    case .decimal128: return .decimal128(Decimal128(high: bits, low: random.next()))
    case .link: return link()
    case .mixed:
      let others = Self.kinds.filter { $0 != .mixed } + [.link]
      return scalar(others[Int(bits % UInt64(others.count))])
    }
  }

  private mutating func string() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\u{0}", "\u{1b}", "\u{9b}", "\u{202e}", "日", "\u{1f415}", "\u{301}",
      "\u{200d}", "\u{feff}", "\u{10ffff}", "\u{2028}", "\u{7f}",
    ]
    var text = ""
    for _ in 0..<Int(random.next() % 12) {
      text.unicodeScalars.append(scalars[Int(random.next() % UInt64(scalars.count))])
    }
    return text
  }
}
