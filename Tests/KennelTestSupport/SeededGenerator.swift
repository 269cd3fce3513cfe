package import KennelCore

/// SplitMix64: the same numbers for the same seed, everywhere.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension SeededGenerator {
  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Numbers of all magnitudes, both ends of the range among them.
  package mutating func word() -> UInt64 {
    switch below(8) {
    case 0: 0
    case 1: .max
    case 2: 1 << 63
    case 3: UInt64(bitPattern: Int64.max)
    default: next() >> UInt64(below(64))
    }
  }

  package mutating func bytes(upTo limit: Int) -> [UInt8] {
    (0..<below(limit + 1)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  package mutating func text(upTo limit: Int = 12) -> String {
    let alphabet = ["a", "b", "z", "\0", "é", "e\u{301}", "ß", "日", "🐕", " ", "A"]
    return (0..<below(limit + 1)).map { _ in alphabet[below(alphabet.count)] }.joined()
  }

  package mutating func value(_ kind: ValueKind) -> Value {
    switch kind {
    case .bool: return .bool(chance(50))
    case .int: return .int(Int64(bitPattern: word()))
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: word())))
    case .double: return .double(Double(bitPattern: word()))
    case .string: return .string(text())
    case .data: return .data(bytes(upTo: 9))
    case .date:
      let nanoseconds = chance(50) ? 0 : UInt32(below(1_000_000_000))
      return Timestamp(seconds: Int64(bitPattern: word()), nanoseconds: nanoseconds)
        .map(Value.date) ?? .null
    case .objectId:
      return .objectId(ObjectId(high: next(), low: UInt32(truncatingIfNeeded: word())))
    case .uuid: return .uuid(UUIDValue(high: next(), low: word()))
    case .decimal128: return .decimal128(Decimal128(high: next(), low: word()))
    case .link:
      let key = ObjectKey(rawValue: word() % ObjectKey.limit)
      return .link(ObjectIdentity(ClassKey(rawValue: UInt16(below(4095))), key))
    case .mixed:
      let kinds = ValueKind.allCases.filter { $0 != .mixed }
      return value(kinds[below(kinds.count)])
    }
  }
}
