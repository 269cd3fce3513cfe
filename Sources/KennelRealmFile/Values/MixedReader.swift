/// Reads a leaf of values of any type.
///
/// Each value is an integer: its type, and either the value or a position in one of the arrays
/// beside it.
struct MixedReader {
  /// How deeply collections may contain each other; Realm allows 100 levels.
  static let mostLevels = 110

  private let node: Node
  private let leaves: LeafReader
  private let level: Int
  private let integers: Node?
  private let pairs: Node?
  private let texts: TextReader?
  private let refs: Node?
  /// The positions of texts that were read.
  private var used: Set<Int> = []

  init(node: Node, leaves: LeafReader, level: Int) throws(RealmFileError) {
    guard level < Self.mostLevels else {
      throw damaged("collections that contain each other too deeply", at: node.offset)
    }
    self.node = node
    self.leaves = leaves
    self.level = level
    let bytes = leaves.bytes
    func part(_ index: Int) throws(RealmFileError) -> Node? {
      guard index < node.count, let part = try node.optionalChild(index, in: bytes) else {
        return nil
      }
      // A leaf of texts visits its nodes itself.
      if index != 3 { try leaves.budget.visit(part) }
      return part
    }
    integers = try part(1)
    pairs = try part(2)
    texts = try part(3).map { node throws(RealmFileError) in
      try TextReader(node: node, bytes: bytes, isOptional: true, budget: leaves.budget)
    }
    refs = try part(4)
  }

  mutating func values() throws(RealmFileError) -> [RealmValue] {
    let composites = try node.child(0, in: leaves.bytes)
    try leaves.budget.visit(composites)
    var values: [RealmValue] = []
    values.reserveCapacity(composites.count)
    for (index, composite) in try composites.integers().enumerated() {
      values.append(try composite == 0 ? .null : value(composite, element: index))
    }
    return values
  }

  private mutating func value(_ composite: Int64, element: Int) throws(RealmFileError) -> RealmValue
  {
    let position = composite >> 8
    let isStored = composite >> 5 & 7 != 0
    switch composite & 31 - 1 {
    case 0: return .int(isStored ? try integer(position) : position)
    case 1: return .bool(position != 0)
    case 2: return .string(try text(position, element))
    case 4: return .data(try data(position, element))
    case 8:
      let (seconds, nanoseconds) = try pair(position)
      return try leaves.timestamp(seconds, nanoseconds, at: node.offset, element: element)
    case 9: return .float(bits: UInt32(truncatingIfNeeded: try integer(position)))
    case 10: return .double(bits: UInt64(bitPattern: try integer(position)))
    case 11:
      let (low, high) = try pair(position)
      return .decimal(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    case 15:
      let words = try words(of: data(position, element), count: 12, element)
      return .objectId(high: words.high, low: UInt32(words.low))
    case 16:
      let (table, key) = try pair(position)
      return key < 0 ? .null : .link(table: Int(table), key: key)
    case 17:
      let words = try words(of: data(position, element), count: 16, element)
      return .uuid(high: words.high, low: words.low)
    case 19:
      return .list(try CollectionReader(leaves: leaves).mixedList(ref(position), level + 1))
    case 21:
      let reader = CollectionReader(leaves: leaves)
      return .dictionary(try reader.dictionary(ref(position), hasIntegerKeys: false, level + 1))
    default:
      throw damaged(
        "a value of the unknown type \(composite & 31 - 1)",
        at: node.offset,
        element: element
      )
    }
  }

  private func missing() -> RealmFileError {
    damaged("a value of any type that is missing", at: node.offset)
  }

  private func index(_ position: Int64) throws(RealmFileError) -> Int {
    guard (0..<1 << 24) ~= position else { throw missing() }
    return Int(position)
  }

  private func integer(_ position: Int64) throws(RealmFileError) -> Int64 {
    guard let integers else { throw missing() }
    return try integers.integer(index(position))
  }

  private func pair(_ position: Int64) throws(RealmFileError) -> (Int64, Int64) {
    guard let pairs else { throw missing() }
    let index = try index(position)
    return (try pairs.integer(2 * index), try pairs.integer(2 * index + 1))
  }

  private func ref(_ position: Int64) throws(RealmFileError) -> Int64 {
    guard let refs else { throw missing() }
    return try refs.reference(index(position))
  }

  private mutating func text(
    _ position: Int64,
    _ element: Int
  ) throws(RealmFileError) -> String {
    let (texts, index) = try place(position)
    guard let text = try locating({ $0.element = element }, try texts.text(index)) else {
      throw missing()
    }
    return text
  }

  private mutating func data(_ position: Int64, _ element: Int) throws(RealmFileError) -> [UInt8] {
    let (texts, index) = try place(position)
    guard let data = try texts.data(index) else { throw missing() }
    return data
  }

  /// The reader and the position in it, which no other value has.
  private mutating func place(_ position: Int64) throws(RealmFileError) -> (TextReader, Int) {
    guard let texts, position < texts.count else { throw missing() }
    let index = try index(position)
    guard used.insert(index).inserted else {
      throw damaged("two values of any type in one place", at: node.offset)
    }
    return (texts, index)
  }

  /// The first eight bytes and the others as big-endian words.
  private func words(
    of bytes: [UInt8],
    count: Int,
    _ element: Int
  ) throws(RealmFileError) -> (high: UInt64, low: UInt64) {
    guard bytes.count == count else {
      throw damaged("an identifier of \(bytes.count) bytes", at: node.offset, element: element)
    }
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return (word(bytes[..<8]), word(bytes[8...]))
  }
}
