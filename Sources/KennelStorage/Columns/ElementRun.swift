/// Cells one after the other.
struct CellRun {
  var bytes: [UInt8] = []
  /// Where each cell begins; then where the last one ends.
  private(set) var offsets: [UInt64] = [0]

  init(bytes: [UInt8], offsets: [UInt64]) {
    self.bytes = bytes
    self.offsets = offsets
  }

  init(capacity: Int = 0) {
    offsets.reserveCapacity(capacity + 1)
    bytes.reserveCapacity(16 * capacity)
  }

  var count: Int { offsets.count - 1 }

  /// Ends a cell with the bytes appended since the last one.
  mutating func endPlace() { offsets.append(UInt64(bytes.count)) }
}

/// Where the external places of a chunk have their values.
struct ExternalRun {
  private(set) var bitmap: [UInt8]
  private(set) var locations: [ExternalLocation] = []

  init(count: Int) {
    bitmap = Array(repeating: 0, count: ChunkLayout.bitmapByteCount(count))
  }

  var isEmpty: Bool { locations.isEmpty }

  /// Places come in ascending order.
  mutating func append(_ location: ExternalLocation, at place: Int) {
    bitmap[place >> 3] |= 1 << UInt8(place & 7)
    locations.append(location)
  }
}

/// The elements of collections one after the other, in the form that their chunk needs.
struct ElementRun {
  let type: ColumnType
  /// The elements so far.
  private(set) var count = 0
  /// Where each place's elements begin; then where the last one's end.
  private(set) var offsets: [UInt64] = [0]
  private(set) var first: [UInt64] = []
  private(set) var second: [UInt64] = []
  private(set) var cells = CellRun()
  private(set) var keys = CellRun()
  private var nulls: [UInt8] = []
  private var hasNulls = false

  init(_ type: ColumnType) { self.type = type }

  /// A bit per element, set where it is null; `nil` if none is.
  var nullBitmap: [UInt8]? { hasNulls ? nulls : nil }

  mutating func append(_ collection: Value) {
    switch collection.shape {
    case .list(let values), .set(let values):
      for value in values { append(element: value) }
    case .map(let entries):
      for entry in entries { append(entry) }
    case .null, .scalar, .link: break
    }
  }

  mutating func append(_ entry: MapEntry) {
    keys.bytes.append(contentsOf: entry.key.utf8)
    keys.endPlace()
    append(element: entry.value)
  }

  mutating func append(element value: Value) {
    let isNull: Bool
    switch ColumnType(type.kind).form {
    case .words, .pairs:
      let words = ElementCodec.words(value, type.kind)
      isNull = words == nil
      // A null element repeats the one before it, which costs no width.
      first.append(words?.0 ?? first.last ?? 0)
      second.append(words?.1 ?? second.last ?? 0)
    case .cells, .keys, .collections:
      isNull = !ElementCodec.append(value, type.kind, to: &cells.bytes)
      cells.endPlace()
    }
    if count & 7 == 0 { nulls.append(0) }
    if isNull {
      nulls[count >> 3] |= 1 << UInt8(count & 7)
      hasNulls = true
    }
    count += 1
  }

  mutating func endPlace() { offsets.append(UInt64(count)) }
}
