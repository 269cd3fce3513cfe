import KennelCore

/// Values of any type, mostly few different ones, so that they meet; with those that break programs.
enum RandomValues {
  private static let strings = [
    "", "a", "b", "caf\u{E9}", "cafe\u{301}", "\u{1B}[31m", "日本語", "👩‍👩‍👧", "\0",
    String(repeating: "long ", count: 12), String(repeating: "x", count: 300),
  ]
  private static let integers: [Int64] = [0, 1, 2, -1, 127, -128, 32767, 1 << 31, .max, .min]
  private static let doubles: [Double] = [
    // Often, since a number that is equal and yet another is rarely set over it otherwise.
    0, -0.0, 0, -0.0, 0, -0.0, 1, 1.5, -1, .infinity, .nan,
    Double(bitPattern: 0x7FF8_0000_0000_0007),
    .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]

  /// A value that fits a type; links are chosen by the caller, `nil` where there is none.
  static func value(
    of type: PropertyType,
    _ random: inout SplitMix64,
    link: (inout SplitMix64) -> Value?
  ) -> Value {
    let count = random.once(in: 20) ? random.below(60) : random.below(5)
    func elements(_ random: inout SplitMix64) -> [Value] {
      (0..<count).compactMap { _ in element(of: type, &random, link: link) }
    }
    switch type.collection {
    case .none: return element(of: type, &random, link: link) ?? .null
    case .list: return .list(elements(&random))
    case .set: return .set(elements(&random))
    case .map:
      var entries: [MapEntry] = []
      for value in elements(&random) {
        let key = random.pick(strings)
        if !entries.contains(where: { $0.key.hasSameBytes(as: key) }) {
          entries.append(MapEntry(key, value))
        }
      }
      return .map(entries)
    }
  }

  /// A value that fits an element of a type; `nil` where a link is needed and there is none.
  static func element(
    of type: PropertyType,
    _ random: inout SplitMix64,
    link: (inout SplitMix64) -> Value?
  ) -> Value? {
    let holdsNoNull = type.kind == .link && [.list, .set].contains(type.collection)
    if type.isOptional, !holdsNoNull, random.once(in: 5) { return .null }
    switch type.kind {
    case .link: return link(&random) ?? (holdsNoNull ? nil : .null)
    case .mixed:
      if type.collection != .set, random.once(in: 4) {
        return nested(3, &random, link: link)
      }
      if random.once(in: 2), let link = link(&random) { return link }
      let kinds = ValueKind.allCases.filter { $0 != .mixed && $0 != .link }
      return scalar(random.pick(kinds), 64, &random)
    default: return scalar(type.kind, type.bitWidth, &random)
    }
  }

  /// A list or map of mixed values, which may be lists and maps again.
  private static func nested(
    _ depth: Int,
    _ random: inout SplitMix64,
    link: (inout SplitMix64) -> Value?
  ) -> Value {
    let elements = (0..<random.below(4)).compactMap { _ in
      depth > 1 && random.once(in: 3)
        ? nested(depth - 1, &random, link: link) : element(of: .mixed, &random, link: link)
    }
    if random.once(in: 2) { return .list(elements) }
    return .map(elements.map { MapEntry(random.pick(strings), $0) })
  }

  static func key(_ random: inout SplitMix64) -> String { random.pick(strings) }

  private static func scalar(
    _ kind: ValueKind,
    _ bitWidth: Int,
    _ random: inout SplitMix64
  ) -> Value {
    let isFree = random.once(in: 4)
    switch kind {
    case .bool: return .bool(random.once(in: 2))
    case .int:
      let number = isFree ? Int64(bitPattern: random.next()) : random.pick(integers)
      return .int((number << (64 - bitWidth)) >> (64 - bitWidth))
    case .float:
      let bits = UInt32(truncatingIfNeeded: random.next())
      return .float(isFree ? Float(bitPattern: bits) : Float(random.pick(doubles)))
    case .double:
      return .double(isFree ? Double(bitPattern: random.next()) : random.pick(doubles))
    case .string: return .string(isFree ? "s\(random.below(100))" : random.pick(strings))
    case .data:
      let count = random.pick([0, 1, 3, 40, 700])
      return .data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    case .date:
      let seconds = isFree ? Int64(bitPattern: random.next()) : random.pick(integers)
      let nanoseconds: UInt32 = random.pick([0, 0, 1, 999_999_999])
      return Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .date($0) } ?? .null
    case .objectId: return .objectId(ObjectId(high: UInt64(random.below(3)), low: 7))
    case .uuid: return .uuid(UUIDValue(high: 9, low: UInt64(random.below(3))))
    case .decimal128:
      let coefficient = UInt64(random.below(3))
      let exponent = UInt64(0x3040 - 2 * random.below(3)) << 48
      return .decimal128(Decimal128(high: exponent, low: coefficient))
    case .mixed, .link: return .null
    }
  }

  /// A value that fits hardly any type.
  static func wrong(_ random: inout SplitMix64) -> Value {
    random.pick([
      .null, .bool(true), .int(.max), .string("wrong"), .data([1]), .list([]), .map([]),
      .set([.int(1)]), .list([.null]), .list([.list([])]),
      .link(ObjectIdentity(ClassKey(rawValue: 0), ObjectKey(rawValue: 999_999))),
      .link(ObjectIdentity(ClassKey(rawValue: 2), ObjectKey(rawValue: 1))),
      .link(ObjectIdentity(ClassKey(rawValue: 3), ObjectKey(rawValue: 1))),
    ])
  }
}
