/// One property of one cluster, read in place.
///
/// Everything that the bytes say about lengths is checked when the view is made, so that
/// reading needs no more than to stay below `count`: a place at or past it reads as null.
///
/// Safe to use while the snapshot is pinned: places are checked, but for those of offsets.
@usableFromInline
@safe package struct ChunkView {
  /// The kind of the values, or of the elements of collections.
  package let kind: ValueKind
  /// Which collections the values are, if they are any.
  package let collection: CollectionKind
  @usableFromInline package let encoding: ChunkEncoding
  /// The places that the chunk has; those after it are null or have the fill value.
  @usableFromInline package let count: Int
  @usableFromInline let nulls: ChunkBitmap
  @usableFromInline let externals: ChunkBitmap
  /// Words, first words, offsets; of a dictionary the entry numbers.
  @usableFromInline package let first: PackedView
  /// The step from one offset to the next, beside the packed ones; of cells and keys.
  @usableFromInline let slope: UInt64
  /// Second words, object keys; of a dictionary the offsets.
  @usableFromInline package let second: PackedView
  /// The entries of a dictionary, otherwise 0.
  @usableFromInline package let dictionaryCount: Int
  /// The bytes of cells or dictionary entries; the chunks of elements.
  @usableFromInline let payload: UnsafeRawPointer
  @usableFromInline let payloadByteCount: Int

  /// Reads a chunk after checking all its lengths.
  package init(_ bytes: StoredBytes, type: ColumnType, key: ChunkKey) throws(StorageError) {
    do {
      try ChunkVerifier.verify(bytes, type: type)
      self.init(verified: bytes, type: type)
    } catch {
      throw error.storageError(in: key)
    }
  }

  /// Reads a chunk whose bytes passed ``init(_:type:key:)`` before.
  package init(verified bytes: StoredBytes, type: ColumnType) {
    let parts = ChunkParts(bytes)
    kind = type.kind
    collection = type.collection
    encoding = parts.header.encoding ?? .words
    count = parts.header.count
    nulls = parts.nulls
    externals = parts.externals
    slope = parts.slope
    var next = unsafe parts.rest
    var entryCount = 0
    if encoding == .dictionary {
      entryCount = unsafe Int(UInt32(littleEndian: next.loadUnaligned(as: UInt32.self)))
      unsafe next += 4
    }
    dictionaryCount = entryCount
    let hasOffsets = encoding.rawValue > ChunkEncoding.dictionary.rawValue || encoding == .cells
    let firstCount = hasOffsets ? count + 1 : count
    unsafe first = PackedView(next, count: firstCount, width: parts.header.firstWidth)
    unsafe next += PackedView.byteCount(firstCount, width: parts.header.firstWidth)
    let secondCount: Int? =
      switch encoding {
      case .pairs: count
      case .dictionary: entryCount + 1
      case .keys: unsafe Int(first[count] &+ slope &* UInt64(count))
      case .words, .cells, .elements, .entries: nil
      }
    if let secondCount {
      unsafe second = PackedView(next, count: secondCount, width: parts.header.secondWidth)
      unsafe next += PackedView.byteCount(secondCount, width: parts.header.secondWidth)
    } else {
      second = first
    }
    unsafe payload = next
    unsafe payloadByteCount = parts.end - next
  }

  /// Whether any place may be null.
  @inlinable
  package var hasNulls: Bool { nulls.isThere }

  /// Whether any place may be external.
  @inlinable
  package var hasExternals: Bool { externals.isThere }

  /// Whether it has words, or keys, in each of 256 places, and nothing outside.
  var isDense: Bool {
    count == ChunkLayout.placeLimit && !hasNulls && !hasExternals
      && (encoding == .words || encoding == .keys)
  }

  /// Whether a place is null; of columns of words, pairs and cells.
  @inlinable
  package func isNull(_ place: Int) -> Bool {
    guard UInt(bitPattern: place) < UInt(bitPattern: count) else { return true }
    return nulls[place]
  }

  /// The word of a place; anything where the place is null.
  @inlinable
  package func word(_ place: Int) -> UInt64 {
    guard UInt(bitPattern: place) < UInt(bitPattern: count) else { return 0 }
    return unsafe first[place]
  }

  /// The two words of a place; anything where the place is null.
  @inlinable
  package func pair(_ place: Int) -> (UInt64, UInt64) {
    guard UInt(bitPattern: place) < UInt(bitPattern: count) else { return (0, 0) }
    return unsafe (first[place], second[place])
  }

  /// The bytes of a place, without any where the place is null.
  @inlinable
  package func cell(_ place: Int) -> ChunkValue<StoredBytes> {
    guard UInt(bitPattern: place) < UInt(bitPattern: count) else { return .inline(.empty) }
    if encoding == .dictionary {
      if nulls[place] { return .inline(.empty) }
      return unsafe .inline(dictionaryCell(Int(truncatingIfNeeded: first[place])))
    }
    if let location = external(place) { return .external(location) }
    return unsafe .inline(slice(offset(place), offset(place &+ 1)))
  }

  /// Where the bytes or keys of a place begin; of cells and keys.
  @inlinable
  @unsafe package func offset(_ place: Int) -> UInt64 {
    unsafe first[place] &+ slope &* UInt64(truncatingIfNeeded: place)
  }

  /// The object keys of a place.
  @inlinable
  package func keys(_ place: Int) -> ChunkValue<PackedKeys> {
    guard UInt(bitPattern: place) < UInt(bitPattern: count) else {
      return .inline(PackedKeys(first, start: 0, count: 0))
    }
    if let location = external(place) { return .external(location) }
    let start = unsafe Int(truncatingIfNeeded: offset(place))
    let end = unsafe Int(truncatingIfNeeded: offset(place &+ 1))
    return .inline(PackedKeys(second, start: start, count: end &- start))
  }

  /// Where a place's value lies, if that is outside the chunk.
  @inlinable
  package func external(_ place: Int) -> ExternalLocation? {
    guard place < count, externals[place] else { return nil }
    return location(place)
  }

  @usableFromInline
  func location(_ place: Int) -> ExternalLocation {
    let externals = unsafe externals.start.unsafelyUnwrapped
    var rank = 0
    for byte in 0..<(place >> 3) {
      unsafe rank += externals.load(fromByteOffset: byte, as: UInt8.self).nonzeroBitCount
    }
    let last = unsafe externals.load(fromByteOffset: place >> 3, as: UInt8.self)
    rank += (last & ((1 << UInt8(place & 7)) - 1)).nonzeroBitCount
    let start =
      unsafe externals + ChunkLayout.bitmapByteCount(count) + rank * ChunkLayout.externalByteCount
    return unsafe ExternalLocation(
      id: UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)),
      count: UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      revision: UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    )
  }

  @inlinable
  @unsafe func slice(_ start: UInt64, _ end: UInt64) -> StoredBytes {
    unsafe StoredBytes(
      payload + Int(truncatingIfNeeded: start),
      count: Int(truncatingIfNeeded: end &- start)
    )
  }
}

// MARK: - Whole chunks at once

extension ChunkView {
  /// Writes the word of each place, `count` in all; of pairs the first, of cells the entry in the
  /// dictionary; anything where null.
  package func unpackWords(into words: UnsafeMutablePointer<UInt64>) {
    unsafe first.unpack(0..<count, into: words)
  }

  /// A bit per place, set where it is null or past the chunk's end.
  package func nullBits() -> PlaceSet {
    PlaceSet(bitmap: nulls, count: count).union(PlaceSet(first: count).inverted)
  }

  /// The bytes of all inline cells one after the other, or of all dictionary entries.
  package var cellBytes: StoredBytes {
    unsafe StoredBytes(payload, count: payloadByteCount)
  }

  /// The entry of a place in the dictionary of a dictionary-coded column of cells.
  @inlinable
  package func code(_ place: Int) -> Int {
    Int(truncatingIfNeeded: word(place))
  }

  /// The bytes of a dictionary entry.
  @inlinable
  package func dictionaryCell(_ code: Int) -> StoredBytes {
    guard UInt(bitPattern: code) < UInt(bitPattern: dictionaryCount) else { return .empty }
    return unsafe slice(second[code], second[code &+ 1])
  }

  /// Where the inline cells of a column without dictionary begin in ``cellBytes``; the last
  /// offset, at `count`, is where they end.
  @inlinable
  @unsafe package func cellOffset(_ place: Int) -> Int {
    unsafe Int(truncatingIfNeeded: offset(place))
  }
}

/// The object keys of one place of a chunk.
///
/// Safe to use while the snapshot is pinned: positions are checked.
@usableFromInline
@safe package struct PackedKeys {
  @usableFromInline let packed: PackedView
  @usableFromInline let start: Int
  @usableFromInline package let count: Int

  @inlinable
  init(_ packed: PackedView, start: Int, count: Int) {
    self.packed = packed
    self.start = start
    self.count = count
  }

  /// A key; 0, which no object has, at a position that is not below `count`.
  @inlinable
  package subscript(position: Int) -> UInt64 {
    guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
    return unsafe packed[start &+ position]
  }

  /// All keys.
  package func unpack() -> [UInt64] {
    unsafe [UInt64](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let address = buffer.baseAddress { unsafe unpack(into: address) }
      initialized = count
    }
  }

  /// Writes all keys, `count` of them.
  package func unpack(into output: UnsafeMutablePointer<UInt64>) {
    unsafe packed.unpack(start..<start + count, into: output)
  }
}
