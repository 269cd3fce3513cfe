import KennelStorage

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension SeededGenerator {
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Numbers of all magnitudes, both ends of the range among them.
  mutating func word() -> UInt64 {
    switch below(8) {
    case 0: 0
    case 1: .max
    case 2: 1 << 63
    case 3: UInt64(bitPattern: Int64.max)
    default: next() >> UInt64(below(64))
    }
  }

  mutating func bytes(upTo limit: Int) -> [UInt8] {
    (0..<below(limit + 1)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  mutating func text(upTo limit: Int = 12) -> String {
    let alphabet = ["a", "b", "z", "\0", "é", "e\u{301}", "ß", "日", "🐕", " ", "A"]
    return (0..<below(limit + 1)).map { _ in alphabet[below(alphabet.count)] }.joined()
  }

  mutating func value(_ kind: ValueKind) -> Value {
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

  mutating func element(_ kind: ValueKind) -> Value { chance(20) ? .null : value(kind) }

  mutating func collection(_ type: ColumnType) -> Value {
    let count = chance(1) ? 300 : below(5)
    switch type.collection {
    case .list: return .list((0..<count).map { _ in element(type.kind) })
    case .set: return .set((0..<count).map { _ in element(type.kind) })
    case .map: return .map((0..<count).map { MapEntry("\($0)" + text(), element(type.kind)) })
    case .none: return .null
    }
  }

  mutating func location() -> ExternalLocation {
    ExternalLocation(id: next(), count: word(), revision: UInt32(truncatingIfNeeded: next()))
  }

  /// A column whose values vary a lot, or a little, or not at all.
  mutating func column(_ type: ColumnType, count: Int) -> MutableColumn {
    let column = MutableColumn(type)
    column.grow(to: count)
    let nullPercent = [0, 30, 95, 100][below(4)]
    let externalPercent = [0, 0, 20][below(3)]
    let few = (0..<3).map { _ in value(type.kind) }
    let isVaried = chance(50)
    let base = word()
    for place in 0..<count where !chance(nullPercent) {
      switch type.form {
      case .words:
        column.setNull(place, false)
        let limit = type.kind == .link ? ObjectKey.limit : .max
        unsafe column.words[place] = (isVaried ? word() : base &+ UInt64(below(100))) % limit
      case .pairs:
        column.setNull(place, false)
        let second = type.kind == .date ? UInt64(below(1_000_000_000)) : word()
        unsafe (column.pairs[2 * place], column.pairs[2 * place + 1]) =
          isVaried ? (word(), second) : (base &+ UInt64(below(9)), 0)
      case .cells:
        column.setNull(place, false)
        let value = isVaried ? value(type.kind) : few[below(3)]
        unsafe column.cells[place] =
          chance(externalPercent) ? .external(location()) : .inline(cell(of: value, type.kind))
      case .keys:
        let keys = (0..<below(5)).map { _ in word() % ObjectKey.limit }
        unsafe column.keys[place] = chance(externalPercent) ? .external(location()) : .inline(keys)
      case .collections:
        column.collections[place] =
          chance(externalPercent) ? .external(location()) : .inline(collection(type))
      }
    }
    return column
  }

  private func cell(of value: Value, _ kind: ValueKind) -> [UInt8] {
    switch (kind, value) {
    case (.string, .string(let text)): Array(text.utf8)
    case (.data, .data(let bytes)): bytes
    default: MixedCodec.encode(value)
    }
  }
}

extension ColumnType {
  /// Every type that a column can have.
  static let all = [CollectionKind.none, .list, .set, .map].flatMap { collection in
    ValueKind.allCases.map { ColumnType($0, collection) }
  }
}

/// What a column says of a place, for comparison.
struct PlaceContents: Equatable {
  var words: [UInt64] = []
  var cell: Cell?
  var keys: KeyList?
  var collection: CollectionCell?

  init(_ column: MutableColumn, _ place: Int) {
    switch column.type.form {
    case .words where !column.isNull(place): words = unsafe [column.words[place]]
    case .pairs where !column.isNull(place):
      words = unsafe [column.pairs[2 * place], column.pairs[2 * place + 1]]
    case .cells where !column.isNull(place): cell = unsafe column.cells[place]
    case .keys:
      keys = unsafe place < column.count ? column.keys[place] : .inline([])
    case .collections:
      collection =
        place < column.count ? column.collections[place] : .inline(column.type.collection.empty)
    default: break
    }
  }
}
