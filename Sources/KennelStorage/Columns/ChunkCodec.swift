/// Columns to and from chunks, whose bytes ``ChunkLayout`` explains.
package enum ChunkCodec {
  /// The chunk of a column; empty when there is nothing to store.
  ///
  /// See ``encode(_:live:keepsNulls:into:)``.
  package static func encode(
    _ column: MutableColumn,
    live: PlaceSet? = nil,
    keepsNulls: Bool = false
  ) -> [UInt8] {
    var output: [UInt8] = []
    _ = encode(column, live: live, keepsNulls: keepsNulls, into: &output)
    return output
  }

  /// Appends the chunk of a column; false, and nothing, when each live place is null or empty.
  ///
  /// Places that are not live are stored as null or empty. With `keepsNulls`, which properties
  /// with a fill value need, null and empty places are stored up to the last live one, since a
  /// place past the chunk's end reads as the fill value.
  package static func encode(
    _ column: MutableColumn,
    live: PlaceSet? = nil,
    keepsNulls: Bool = false,
    into output: inout [UInt8]
  ) -> Bool {
    let (full, count) = extent(column, live, keepsNulls)
    guard count > 0 else { return false }
    var writer = ChunkWriter(output)
    output = []
    switch column.type.form {
    case .words, .pairs: writer.appendWords(of: column, full, count)
    case .cells: writer.appendCells(of: column, full, count)
    case .keys: writer.appendKeys(of: column, full, count)
    case .collections: writer.appendCollections(of: column, full, count)
    }
    output = writer.bytes
    return true
  }

  /// Whether a column has a chunk, which ``encode(_:live:keepsNulls:into:)`` says, too.
  static func isStored(_ column: MutableColumn, live: PlaceSet, keepsNulls: Bool) -> Bool {
    if column.type.form == .keys, !keepsNulls {
      // Mostly the first place says so, and the rest need not come from memory.
      let body = column.body.pointee
      return (0..<body.count).contains { body.keyCount(at: $0) > 0 && live[$0] }
    }
    return extent(column, live, keepsNulls).count > 0
  }

  /// The live places whose value takes room, and how many places the chunk has.
  private static func extent(
    _ column: MutableColumn,
    _ live: PlaceSet?,
    _ keepsNulls: Bool
  ) -> (full: PlaceSet, count: Int) {
    let live = (live ?? PlaceSet(all: true)).intersection(PlaceSet(first: column.count))
    let full = filled(column).intersection(live)
    return (full, (keepsNulls ? live : full).previous(before: 256).map { $0 + 1 } ?? 0)
  }

  /// Reads a chunk after checking all its lengths.
  package static func decode(
    _ bytes: StoredBytes,
    type: ColumnType,
    key: ChunkKey
  ) throws(StorageError) -> MutableColumn {
    try ChunkView(bytes, type: type, key: key).decoded()
  }

  /// The places whose value takes room: neither null nor empty.
  private static func filled(_ column: MutableColumn) -> PlaceSet {
    switch column.type.form {
    case .words, .pairs, .cells:
      return column.nulls.inverted
    case .keys:
      let body = column.body.pointee
      var full = PlaceSet()
      for index in 0..<4 {
        var bits: UInt64 = 0
        for place in 64 * index..<max(64 * index, min(64 * index + 64, body.count)) {
          bits |=
            (body.keyCount(at: place) > 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: place & 63)
        }
        full.words[index] = bits
      }
      return full
    case .collections:
      var full = PlaceSet()
      for (place, cell) in column.collections.enumerated() where !cell.isEmpty {
        full[place] = true
      }
      return full
    }
  }
}

extension ChunkValue<Value> {
  /// Whether it is a collection without elements.
  var isEmpty: Bool {
    switch self {
    case .inline(.list(let values)), .inline(.set(let values)): values.isEmpty
    case .inline(.map(let entries)): entries.isEmpty
    case .inline: true
    case .external: false
    }
  }
}

extension ChunkView {
  /// The column, for changing.
  ///
  /// - Throws: `StorageError.damaged` where text is not UTF-8 or a mixed value is none.
  package func decoded() throws(StorageError) -> MutableColumn {
    let column = MutableColumn(ColumnType(kind, collection))
    column.grow(to: count)
    switch encoding {
    case .words:
      unsafe unpackWords(into: column.words.start)
      takeNulls(column)
      if hasNulls {
        for place in 0..<count where column.isNull(place) { column.words[place] = 0 }
      }
    case .pairs:
      takeNulls(column)
      for place in 0..<count where !column.isNull(place) {
        column.words[pair: place] = pair(place)
      }
    case .cells, .dictionary: decodeCells(into: column)
    case .keys: decodeKeys(into: column)
    case .elements, .entries:
      for place in 0..<count {
        column.collections[place] = try collection(place)
      }
    }
    return column
  }

  private func takeNulls(_ column: MutableColumn) {
    column.body.pointee.nulls = hasNulls ? nullBits() : PlaceSet()
  }

  private func decodeCells(into column: MutableColumn) {
    column.body.pointee.reserve(payloadByteCount + payloadByteCount / 4 + 64)
    for place in 0..<count {
      switch cell(place) {
      case .inline(let bytes): column.body.pointee.setCell(bytes, at: place)
      case .external(let location): column.body.pointee.setExternal(location, at: place)
      }
    }
    takeNulls(column)
  }

  /// All keys at once; each list has exactly the room it needs.
  private func decodeKeys(into column: MutableColumn) {
    let total = unsafe Int(offset(count))
    column.body.pointee.reserve(8 * (total + total / 4 + 8))
    if !hasExternals {
      let start = unsafe column.body.pointee.take(8 * total).assumingMemoryBound(to: UInt64.self)
      unsafe second.unpack(0..<total, into: start)
      for place in 0..<count {
        let begin = unsafe offset(place)
        let size = unsafe offset(place + 1) &- begin
        if size > column.body.pointee.longest {
          column.body.pointee.longest = Int(size)
        }
        column.words[first: place] = 8 &* begin
        column.words[second: place] = size | size << 32
      }
      return
    }
    for place in 0..<count {
      switch keys(place) {
      case .inline(let keys):
        unsafe keys.unpack().withUnsafeBufferPointer {
          unsafe column.body.pointee.setKeys($0, at: place)
        }
      case .external(let location): column.body.pointee.setExternal(location, at: place)
      }
    }
  }
}
