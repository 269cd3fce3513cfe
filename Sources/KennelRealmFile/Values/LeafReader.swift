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

  /// What a leaf holds.
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
    case .float: return try floats(node, content.isOptional)
    case .double: return try doubles(node, content.isOptional)
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
    var values: [RealmValue] = []
    values.reserveCapacity(node.count)
    for (index, value) in try node.integers().enumerated() {
      switch value {
      case 0, 1: values.append(.bool(value == 1))
      case Null.bool where isOptional: values.append(.null)
      default: throw damaged("a truth value of \(value)", at: node.offset, element: index)
      }
    }
    return values
  }

  private func texts(_ node: Node, _ content: Content) throws(RealmFileError) -> [RealmValue] {
    let reader = try TextReader(
      node: node,
      bytes: bytes,
      isOptional: content.isOptional,
      enumeration: content.enumeration,
      budget: budget
    )
    var values: [RealmValue] = []
    values.reserveCapacity(reader.count)
    for index in 0..<reader.count {
      values.append(try reader.text(index).map { .string($0) } ?? .null)
    }
    return values
  }

  private func data(_ node: Node) throws(RealmFileError) -> [RealmValue] {
    let reader = try TextReader(
      node: node,
      bytes: bytes,
      isOptional: true,
      isTerminated: false,
      budget: budget
    )
    var values: [RealmValue] = []
    values.reserveCapacity(reader.count)
    for index in 0..<reader.count {
      values.append(try reader.data(index).map { .data($0) } ?? .null)
    }
    return values
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
    var values: [RealmValue] = []
    values.reserveCapacity(nanoseconds.count)
    for (index, rest) in try nanoseconds.integers().enumerated() {
      guard all[index + 1] != all[0] else {
        values.append(.null)
        continue
      }
      values.append(try timestamp(all[index + 1], rest, at: nanoseconds.offset, element: index))
    }
    return values
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

  private func floats(_ node: Node, _ isOptional: Bool) throws(RealmFileError) -> [RealmValue] {
    try expectBytes(node, width: 4)
    var values: [RealmValue] = []
    values.reserveCapacity(node.count)
    for index in 0..<node.count {
      let bits = try node.bits(atByte: index * 4, as: UInt32.self)
      values.append(isOptional && bits == Null.float ? .null : .float(bits: bits))
    }
    return values
  }

  private func doubles(_ node: Node, _ isOptional: Bool) throws(RealmFileError) -> [RealmValue] {
    try expectBytes(node, width: 8)
    var values: [RealmValue] = []
    values.reserveCapacity(node.count)
    for index in 0..<node.count {
      let bits = try node.bits(atByte: index * 8, as: UInt64.self)
      values.append(isOptional && bits == Null.double ? .null : .double(bits: bits))
    }
    return values
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
    var values: [RealmValue] = []
    values.reserveCapacity(node.count)
    for index in 0..<node.count {
      switch node.width {
      case 4:
        let bits = try node.bits(atByte: index * 4, as: UInt32.self)
        values.append(
          bits == Null.decimal32
            ? .null
            : Self.decimal(UInt64(bits), size: 32, exponentSize: 8, bias: 101)
        )
      case 8:
        let bits = try node.bits(atByte: index * 8, as: UInt64.self)
        values.append(
          bits == Null.decimal64
            ? .null : Self.decimal(bits, size: 64, exponentSize: 10, bias: 398)
        )
      case 16:
        let low = try node.bits(atByte: index * 16, as: UInt64.self)
        let high = try node.bits(atByte: index * 16 + 8, as: UInt64.self)
        values.append(
          high == Null.decimalHigh && low == Null.decimalLow
            ? .null : .decimal(high: high, low: low)
        )
      default:
        values.append(node.flag ? .decimal(high: Self.bias << 49, low: 0) : .null)
      }
    }
    return values
  }

  /// What is added to the exponent of 128 bits.
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
    var values: [RealmValue] = []
    let count = (node.count - nulls) / size
    values.reserveCapacity(count)
    for index in 0..<count {
      let start = index / 8 * block
      let nullBits = node.byteCount == 0 ? 0xff : try node.byte(start)
      if nullBits >> UInt8(index % 8) & 1 == 1 {
        values.append(.null)
      } else {
        let first = start + 1 + index % 8 * size
        values.append(try Self.identifier(node, at: first, size: size))
      }
    }
    return values
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
