/// Sums of hashes by the key of a chunk: two collections with the same sum are the same, but
/// for a chance of 2^-64.
///
/// The seed is new for each check, so that no file can be made to defeat it.
struct HashSums {
  private let seed = UInt64.random(in: 1...UInt64.max)
  private var sums: [UInt64: UInt64] = [:]
  /// The sum that changed last, kept apart: neighbours mostly concern the same one.
  private var current: (key: UInt64, sum: UInt64) = (.max, 0)

  mutating func add(_ hash: UInt64, to key: UInt64) {
    if key != current.key { open(key) }
    current.sum &+= hash
  }

  mutating func subtract(_ hash: UInt64, from key: UInt64) {
    if key != current.key { open(key) }
    current.sum &-= hash
  }

  private mutating func open(_ key: UInt64) {
    close()
    current = (key, sums[key] ?? 0)
  }

  private mutating func close() {
    // A sum of nothing needs no memory.
    if current.key != .max { sums[current.key] = current.sum == 0 ? nil : current.sum }
  }

  /// The keys whose sums are not zero, ascending.
  mutating func unequal() -> [UInt64] {
    close()
    current = (.max, 0)
    return sums.keys.sorted()
  }

  /// The hash of a link.
  func hash(_ target: UInt64, _ origin: UInt64) -> UInt64 {
    Self.mix(Self.mix(target ^ seed) &+ origin)
  }

  /// The hash of an entry of an index.
  func hash(_ bytes: StoredBytes) -> UInt64 {
    var hash = seed &+ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = Self.mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return Self.mix(hash ^ rest)
  }

  /// The mixer of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A set of numbers that lie close together: a bit each, in pages of 4,096.
struct NumberSet {
  private var pages: [UInt64: [UInt64]] = [:]

  /// Puts a number in; false if it was there.
  mutating func insert(_ number: UInt64) -> Bool {
    let bit: UInt64 = 1 << (number & 63)
    let word = Int(number >> 6 & 63)
    let isNew = pages[number >> 12].map { $0[word] & bit == 0 } ?? true
    pages[number >> 12, default: Array(repeating: 0, count: 64)][word] |= bit
    return isNew
  }

  func contains(_ number: UInt64) -> Bool {
    guard let page = pages[number >> 12] else { return false }
    return page[Int(number >> 6 & 63)] & 1 << (number & 63) != 0
  }
}

/// In which column a class keeps the backlinks of a property of a class.
struct BacklinkColumnIndex {
  private var numbers: [Key: UInt16] = [:]

  private struct Key: Hashable {
    let target: ClassKey
    let origin: PropertyIdentity
  }

  init(_ schema: Schema) {
    for target in schema.classes {
      for column in target.backlinkColumns {
        let origin = PropertyIdentity(column.origin, column.property)
        numbers[Key(target: target.key, origin: origin)] = column.number
      }
    }
  }

  func number(_ target: ClassKey, _ origin: PropertyIdentity) -> UInt16? {
    numbers[Key(target: target, origin: origin)]
  }
}
