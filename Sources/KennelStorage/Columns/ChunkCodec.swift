/// Columns to and from chunks, whose bytes ``ChunkLayout`` explains.
package enum ChunkCodec {
  /// The chunk of a column; empty when there is nothing to store.
  ///
  /// See ``encode(_:key:live:keepsNulls:into:)``.
  package static func encode(
    _ column: MutableColumn,
    key: ChunkKey,
    live: PlaceBits? = nil,
    keepsNulls: Bool = false
  ) -> [UInt8] {
    var output: [UInt8] = []
    _ = encode(column, key: key, live: live, keepsNulls: keepsNulls, into: &output)
    return output
  }

  /// Appends the chunk of a column; false, and nothing, when each live place is null or empty.
  ///
  /// Places that are not live are stored as null or empty. With `keepsNulls`, which properties
  /// with a fill value need, null and empty places are stored up to the last live one, since a
  /// place past the chunk's end reads as the fill value.
  package static func encode(
    _ column: MutableColumn,
    key: ChunkKey,
    live: PlaceBits? = nil,
    keepsNulls: Bool = false,
    into output: inout [UInt8]
  ) -> Bool {
    let live = (live.map(PlaceSetBits.init) ?? .all).prefix(column.count)
    let full = filled(column).intersection(live)
    let count = keepsNulls ? live.end : full.end
    guard count > 0 else { return false }
    let start = output.count
    var writer = ChunkWriter(output)
    output = []
    switch column.type.form {
    case .words, .pairs: writer.appendWords(of: column, full, count)
    case .cells: writer.appendCells(of: column, full, count)
    case .keys: writer.appendKeys(of: column, full, count)
    case .collections: writer.appendCollections(of: column, full, count)
    }
    writer.appendChecksum(from: start, key: key)
    output = writer.bytes
    return true
  }

  /// Reads a chunk after checking its checksum and all its lengths.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer,
    type: ColumnType,
    key: ChunkKey
  ) throws(StorageError) -> MutableColumn {
    try ChunkView(bytes, type: type, key: key).decoded()
  }

  /// The places whose value takes room: neither null nor empty.
  private static func filled(_ column: MutableColumn) -> PlaceSetBits {
    switch column.type.form {
    case .words, .pairs, .cells:
      return PlaceSetBits(column.nulls).inverted
    case .keys:
      var full = PlaceSetBits((0, 0, 0, 0))
      for place in 0..<column.keys.count {
        if case .inline(let keys) = column.keys[place], keys.isEmpty { continue }
        full.insert(place)
      }
      return full
    case .collections:
      var full = PlaceSetBits((0, 0, 0, 0))
      for (place, cell) in column.collections.enumerated() where !cell.isEmpty {
        full.insert(place)
      }
      return full
    }
  }
}

extension CollectionCell {
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
    let type = ColumnType(kind, collection)
    let nulls = nullBits()
    switch encoding {
    case .words:
      return MutableColumn(type, count: count, nulls: nulls, words: decodedWords())
    case .pairs:
      return MutableColumn(type, count: count, nulls: nulls, pairs: decodedPairs())
    case .cells, .dictionary:
      var cells: [Cell] = []
      cells.reserveCapacity(count)
      for place in 0..<count {
        switch cell(place) {
        case .inline(let bytes): cells.append(.inline(Array(bytes)))
        case .external(let location): cells.append(.external(location))
        }
      }
      return MutableColumn(type, count: count, nulls: nulls, cells: cells)
    case .keys:
      var lists: [KeyList] = []
      lists.reserveCapacity(count)
      for place in 0..<count {
        switch keys(place) {
        case .inline(let keys): lists.append(.inline(keys.unpack()))
        case .external(let location): lists.append(.external(location))
        }
      }
      return MutableColumn(type, count: count, nulls: nulls, keys: lists)
    case .elements, .entries:
      var collections: [CollectionCell] = []
      collections.reserveCapacity(count)
      for place in 0..<count { collections.append(try decodedCollection(place)) }
      return MutableColumn(type, count: count, nulls: nulls, collections: collections)
    }
  }

  /// The words, 0 where null.
  private func decodedWords() -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let address = buffer.baseAddress { unpackWords(into: address) }
      if hasNulls {
        for place in 0..<count where isNull(place) { buffer[place] = 0 }
      }
      initialized = count
    }
  }

  /// Two words per place, 0 where null.
  private func decodedPairs() -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: 2 * count) { buffer, initialized in
      for place in 0..<count {
        let isNull = isNull(place)
        buffer.initializeElement(at: 2 * place, to: isNull ? 0 : first[place])
        buffer.initializeElement(at: 2 * place + 1, to: isNull ? 0 : second[place])
      }
      initialized = 2 * count
    }
  }

  private func decodedCollection(_ place: Int) throws(StorageError) -> CollectionCell {
    switch elements(place) {
    case .external(let location): .external(location)
    case .inline(let elements):
      switch collection {
      case .map: .inline(.map(try elements.entries()))
      case .set: .inline(.set(try elements.values()))
      case .list, .none: .inline(.list(try elements.values()))
      }
    }
  }
}
