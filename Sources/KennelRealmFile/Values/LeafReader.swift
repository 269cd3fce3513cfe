/// Reads the values of leaves: of a column in a cluster, or of a collection.
struct LeafReader {
  let bytes: FileBytes
  let format: Int
  let budget: Budget

  /// The bits that stand for null in columns that may be null.
  private enum Null {
    static let float: UInt32 = 0x7fc0_00aa
    static let double: UInt64 = 0x7ff8_0000_0000_00aa
    static let bool: Int64 = 3
    static let decimal32: UInt32 = 0x7c00_00aa
    static let decimal64: UInt64 = 0x7c00_0000_0000_00aa
    static let decimalHigh: UInt64 = 0x7c00_0000_0000_0000
    static let decimalLow: UInt64 = 0xaa
  }

  /// The content of a leaf.
  struct Content {
    let kind: RealmKind
    let isOptional: Bool
    /// Keys in a cluster are stored plus one.
    var isInCluster = false
    var enumeration: [String?]?
  }

  /// The values of a leaf.
  func values(
    of node: Node,
    _ content: Content,
    level: Int = 0
  ) throws(RealmFileError) -> [RealmValue] {
    try budget.visit(node)
    switch content.kind {
    case .int: return try integers(node, content.isOptional)
    case .bool: return try bools(node, content.isOptional)
    case .string: return try texts(node, content)
    case .data: return try data(node)
    case .mixed:
      var reader = try MixedReader(node: node, leaves: self, level: level)
      return try reader.values()
    case .timestamp: return try timestamps(node)
    case .float:
      return try numbers(node, null: content.isOptional ? Null.float : nil) { .float(bits: $0) }
    case .double:
      return try numbers(node, null: content.isOptional ? Null.double : nil) { .double(bits: $0) }
    case .decimal: return try decimals(node)
    case .object(let target): return try links(node, to: target, content.isInCluster)
    case .objectId: return try identifiers(node, size: 12)
    case .uuid: return try identifiers(node, size: 16)
    }
  }

  private func integers(_ node: Node, _ isOptional: Bool) throws(RealmFileError) -> [RealmValue] {
    let integers = try node.integers()
    guard isOptional else { return integers.map { .int($0) } }
    guard let null = integers.first else {
      throw damaged("integers without the one that stands for null", at: node.offset)
    }
    return integers.dropFirst().map { $0 == null ? .null : .int($0) }
  }

  private func bools(_ node: Node, _ isOptional: Bool) throws(RealmFileError) -> [RealmValue] {
    try node.integers().enumerated().map { index, value throws(RealmFileError) in
      switch value {
      case 0, 1: return .bool(value == 1)
      case Null.bool where isOptional: return .null
      default: throw damaged("a truth value of \(value)", at: node.offset, element: index)
      }
    }
  }

  private func texts(_ node: Node, _ content: Content) throws(RealmFileError) -> [RealmValue] {
    let reader = try TextReader(
      node: node,
      bytes: bytes,
      isOptional: content.isOptional,
      enumeration: content.enumeration,
      budget: budget
    )
    return try (0..<reader.count).map { index throws(RealmFileError) in
      try reader.text(index).map { .string($0) } ?? .null
    }
  }

  private func data(_ node: Node) throws(RealmFileError) -> [RealmValue] {
    let reader = try TextReader(
      node: node,
      bytes: bytes,
      isOptional: true,
      isTerminated: false,
      budget: budget
    )
    return try (0..<reader.count).map { index throws(RealmFileError) in
      try reader.data(index).map { .data($0) } ?? .null
    }
  }

  private func timestamps(_ node: Node) throws(RealmFileError) -> [RealmValue] {
    let seconds = try node.child(0, in: bytes)
    let nanoseconds = try node.child(1, in: bytes)
    guard seconds.count == nanoseconds.count + 1 else {
      throw damaged("points in time of which a part is missing", at: node.offset)
    }
    try budget.visit(seconds)
    try budget.visit(nanoseconds)
    let all = try seconds.integers()
    return try nanoseconds.integers().enumerated().map { index, rest throws(RealmFileError) in
      guard all[index + 1] != all[0] else { return .null }
      return try timestamp(all[index + 1], rest, at: nanoseconds.offset, element: index)
    }
  }

  /// A point in time, if the nanoseconds can be those of the seconds.
  func timestamp(
    _ seconds: Int64,
    _ nanoseconds: Int64,
    at offset: Int,
    element: Int
  ) throws(RealmFileError) -> RealmValue {
    guard nanoseconds.magnitude < 1_000_000_000,
      seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
    else {
      throw damaged("\(seconds) s and \(nanoseconds) ns as a time", at: offset, element: element)
    }
    return .timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  private func expectBytes(_ node: Node, width: Int) throws(RealmFileError) {
    guard node.packing == .bytes, node.width == width || node.count == 0 else {
      throw damaged(
        "a node of other values where \(width) bytes each are expected",
        at: node.offset
      )
    }
  }

  /// Floating-point numbers, of which one pattern of bits stands for null where there is null.
  private func numbers<Bits: FixedWidthInteger & UnsignedInteger>(
    _ node: Node,
    null: Bits?,
    _ make: (Bits) -> RealmValue
  ) throws(RealmFileError) -> [RealmValue] {
    let width = MemoryLayout<Bits>.size
    try expectBytes(node, width: width)
    return try (0..<node.count).map { index throws(RealmFileError) in
      let bits = try node.bits(atByte: index * width, as: Bits.self)
      return bits == null ? .null : make(bits)
    }
  }

  private func links(
    _ node: Node,
    to target: Int,
    _ isInCluster: Bool
  ) throws(RealmFileError) -> [RealmValue] {
    // A key below null is that of an object that a server has not sent yet.
    let added: Int64 = isInCluster ? 1 : 0
    return try node.integers().map {
      $0 >= added ? .link(table: target, key: $0 - added) : .null
    }
  }

  private func decimals(_ node: Node) throws(RealmFileError) -> [RealmValue] {
    guard node.packing == .bytes, [0, 4, 8, 16].contains(node.width) else {
      throw damaged("a node of other values where decimals are expected", at: node.offset)
    }
    return try (0..<node.count).map { index throws(RealmFileError) in
      switch node.width {
      case 4:
        let bits = try node.bits(atByte: index * 4, as: UInt32.self)
        if bits == Null.decimal32 { return .null }
        return Self.decimal(UInt64(bits), size: 32, exponentSize: 8, bias: 101)
      case 8:
        let bits = try node.bits(atByte: index * 8, as: UInt64.self)
        if bits == Null.decimal64 { return .null }
        return Self.decimal(bits, size: 64, exponentSize: 10, bias: 398)
      case 16:
        let low = try node.bits(atByte: index * 16, as: UInt64.self)
        let high = try node.bits(atByte: index * 16 + 8, as: UInt64.self)
        if high == Null.decimalHigh, low == Null.decimalLow { return .null }
        return .decimal(high: high, low: low)
      default:
        return node.flag ? .decimal(high: Self.bias << 49, low: 0) : .null
      }
    }
  }

  /// Added to the exponent of 128 bits.
  private static let bias: UInt64 = 6176

  /// Widens a decimal of 32 or 64 bits.
  private static func decimal(
    _ bits: UInt64,
    size: UInt64,
    exponentSize: UInt64,
    bias: UInt64
  ) -> RealmValue {
    let coefficientSize = size - 1 - exponentSize
    let coefficient = bits & (1 << coefficientSize - 1)
    let exponent = bits >> coefficientSize & (1 << exponentSize - 1)
    let sign = bits >> (size - 1)
    return .decimal(high: sign << 63 | (exponent + Self.bias - bias) << 49, low: coefficient)
  }

  /// Identifiers, in blocks of a byte with a bit for each null and eight of them.
  private func identifiers(_ node: Node, size: Int) throws(RealmFileError) -> [RealmValue] {
    let block = 8 * size + 1
    let nulls = (node.count + block - 1) / block
    guard node.packing != .bits, node.width <= 1, (node.count - nulls) % size == 0 else {
      throw damaged("a node of other values where identifiers are expected", at: node.offset)
    }
    return try (0..<(node.count - nulls) / size).map { index throws(RealmFileError) in
      let start = index / 8 * block
      let nullBits = node.byteCount == 0 ? 0xff : try node.byte(start)
      if nullBits >> UInt8(index % 8) & 1 == 1 { return .null }
      return try Self.identifier(node, at: start + 1 + index % 8 * size, size: size)
    }
  }

  private static func identifier(
    _ node: Node,
    at start: Int,
    size: Int
  ) throws(RealmFileError) -> RealmValue {
    let high = try node.bits(atByte: start, as: UInt64.self).byteSwapped
    return size == 12
      ? .objectId(high: high, low: try node.bits(atByte: start + 8, as: UInt32.self).byteSwapped)
      : .uuid(high: high, low: try node.bits(atByte: start + 8, as: UInt64.self).byteSwapped)
  }
}
