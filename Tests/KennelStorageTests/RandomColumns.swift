import KennelStorage
import KennelTestSupport

extension SeededGenerator {
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
        column.words[place] = (isVaried ? word() : base &+ UInt64(below(100))) % limit
      case .pairs:
        column.setNull(place, false)
        let second = type.kind == .date ? UInt64(below(1_000_000_000)) : word()
        column.words[pair: place] =
          isVaried ? (word(), second) : (base &+ UInt64(below(9)), 0)
      case .cells:
        column.setNull(place, false)
        let value = isVaried ? value(type.kind) : few[below(3)]
        column.cells[place] =
          chance(externalPercent) ? .external(location()) : .inline(cell(of: value, type.kind))
      case .keys:
        let keys = (0..<below(5)).map { _ in word() % ObjectKey.limit }
        column.keys[place] = chance(externalPercent) ? .external(location()) : .inline(keys)
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
  var cell: ChunkValue<[UInt8]>?
  var keys: ChunkValue<[UInt64]>?
  var collection: ChunkValue<Value>?

  init(_ column: MutableColumn, _ place: Int) {
    switch column.type.form {
    case .words where !column.isNull(place): words = [column.words[place]]
    case .pairs where !column.isNull(place):
      words = [column.words[first: place], column.words[second: place]]
    case .cells where !column.isNull(place): cell = column.cells[place]
    case .keys:
      keys = place < column.count ? column.keys[place] : .inline([])
    case .collections:
      collection =
        place < column.count ? column.collections[place] : .inline(column.type.collection.empty)
    default: break
    }
  }
}
