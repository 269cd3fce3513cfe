/// Appends the parts of a chunk to bytes.
struct ChunkWriter {
  private(set) var bytes: [UInt8]

  /// Continues `bytes`.
  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  // MARK: - Columns of a cluster

  mutating func appendWords(of column: MutableColumn, _ full: PlaceSet, _ count: Int) {
    let isPair = column.type.form == .pairs
    let widths: PackingFrame.Widths = column.type.kind == .link ? .any : .powersOfTwo
    let nulls = nullBitmap(full, count)
    if !isPair, nulls == nil {
      unsafe appendWords(
        UnsafeBufferPointer(start: column.words.start, count: count).span,
        nulls: nil,
        widths: widths
      )
      return
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * max(count, 1)) { buffer in
      let first = unsafe UnsafeMutableBufferPointer(rebasing: buffer[0..<count])
      let second = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count..<(2 * count)])
      let words = unsafe column.words.start
      // A place without value repeats the value before it, which costs no width.
      var last = firstFull(full, count).map { isPair ? 2 * $0 : $0 } ?? -1
      for place in 0..<count {
        if full[place] { last = isPair ? 2 &* place : place }
        unsafe first.initializeElement(at: place, to: last < 0 ? 0 : words[last])
        unsafe second.initializeElement(at: place, to: last < 0 || !isPair ? 0 : words[last &+ 1])
      }
      if isPair {
        unsafe appendPairs(first.span, second.span, nulls: nulls)
      } else {
        unsafe appendWords(first.span, nulls: nulls, widths: widths)
      }
    }
  }

  mutating func appendCells(of column: MutableColumn, _ full: PlaceSet, _ count: Int) {
    let body = column.body.pointee
    var offsets: [UInt64] = []
    // Bytes are copied to where they end up: appending array to array takes four times as long.
    let cells = unsafe [UInt8](unsafeUninitializedCapacity: body.arenaCount) {
      buffer,
      initialized in
      offsets = unsafe body.gatherCells(
        full,
        count,
        into: buffer.baseAddress,
        &initialized
      )
    }
    appendCells(
      CellRun(bytes: cells, offsets: offsets),
      nulls: nullBitmap(full, count),
      externals: externals(of: body, full, count)
    )
  }

  mutating func appendKeys(of column: MutableColumn, _ full: PlaceSet, _ count: Int) {
    let body = column.body.pointee
    var offsets: [UInt64] = []
    let capacity = body.arenaCount / 8 + count
    let keys = unsafe [UInt64](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      offsets = unsafe body.gatherKeys(
        full,
        count,
        into: buffer.baseAddress,
        &initialized
      )
    }
    appendKeys(keys, offsets: offsets, externals: externals(of: body, full, count))
  }

  /// The values that lie outside.
  private func externals(
    of body: ColumnStorage,
    _ full: PlaceSet,
    _ count: Int
  ) -> ExternalRun? {
    guard body.hasExternals else { return nil }
    var locations: ExternalRun?
    for place in 0..<count where full[place] {
      guard let location = body.external(at: place) else { continue }
      if locations == nil { locations = ExternalRun(count: count) }
      locations?.append(location, at: place)
    }
    return locations
  }

  mutating func appendCollections(of column: MutableColumn, _ full: PlaceSet, _ count: Int) {
    var run = ElementRun(column.type)
    var locations = ExternalRun(count: count)
    for place in 0..<count {
      if full[place] {
        switch column.collections[place] {
        case .inline(let collection): run.append(collection)
        case .external(let location): locations.append(location, at: place)
        }
      }
      run.endPlace()
    }
    appendElements(run, externals: locations)
  }

  // MARK: - Encodings

  mutating func appendWords(_ words: Span<UInt64>, nulls: [UInt8]?, widths: PackingFrame.Widths) {
    let frame = PackingFrame(of: words, widths)
    appendHeader(.words, words.count, frame.width, 0, nulls: nulls)
    frame.pack(words, into: &bytes)
  }

  mutating func appendPairs(_ first: Span<UInt64>, _ second: Span<UInt64>, nulls: [UInt8]?) {
    let firstFrame = PackingFrame(of: first, .powersOfTwo)
    let secondFrame = PackingFrame(of: second, .powersOfTwo)
    appendHeader(.pairs, first.count, firstFrame.width, secondFrame.width, nulls: nulls)
    firstFrame.pack(first, into: &bytes)
    secondFrame.pack(second, into: &bytes)
  }

  mutating func appendCells(_ cells: CellRun, nulls: [UInt8]?, externals: ExternalRun? = nil) {
    let hasExternals = externals.map { !$0.isEmpty } ?? false
    if !hasExternals, let dictionary = CellDictionary(cells) {
      let last = dictionary.cells.bytes.count
      let codes = PackingFrame(base: 0, width: dictionary.codeWidth)
      let offsets = PackingFrame(offsetsUpTo: last)
      appendHeader(.dictionary, cells.count, codes.width, offsets.width, nulls: nulls)
      append(UInt32(dictionary.cells.count))
      codes.pack(dictionary.codes.span, into: &bytes)
      offsets.pack(dictionary.cells.offsets.span, into: &bytes)
      bytes.append(contentsOf: dictionary.cells.bytes)
      return
    }
    let (frame, slope) = PackingFrame.ofOffsets(cells.offsets.span)
    appendHeader(
      .cells,
      cells.count,
      frame.width,
      0,
      nulls: nulls,
      externals: externals,
      slope: slope
    )
    frame.pack(cells.offsets.span, slope: slope, into: &bytes)
    bytes.append(contentsOf: cells.bytes)
  }

  mutating func appendKeys(_ keys: [UInt64], offsets: [UInt64], externals: ExternalRun? = nil) {
    let (frame, slope) = PackingFrame.ofOffsets(offsets.span)
    let keyFrame = PackingFrame(of: keys.span, .any)
    appendHeader(
      .keys,
      offsets.count - 1,
      frame.width,
      keyFrame.width,
      nulls: nil,
      externals: externals,
      slope: slope
    )
    frame.pack(offsets.span, slope: slope, into: &bytes)
    keyFrame.pack(keys.span, into: &bytes)
  }

  mutating func appendElements(_ run: ElementRun, externals: ExternalRun? = nil) {
    let frame = PackingFrame(offsetsUpTo: run.count)
    let isMap = run.type.collection == .map
    let count = run.offsets.count - 1
    appendHeader(
      isMap ? .entries : .elements,
      count,
      frame.width,
      0,
      nulls: nil,
      externals: externals
    )
    frame.pack(run.offsets.span, into: &bytes)
    if isMap { appendNested { $0.appendCells(run.keys, nulls: nil) } }
    appendNested { writer in
      switch ColumnType(run.type.kind).form {
      case .words:
        writer.appendWords(run.first.span, nulls: run.nullBitmap, widths: .powersOfTwo)
      case .pairs:
        writer.appendPairs(run.first.span, run.second.span, nulls: run.nullBitmap)
      case .cells, .keys, .collections:
        writer.appendCells(run.cells, nulls: run.nullBitmap)
      }
    }
  }

  // MARK: - Parts

  private mutating func appendHeader(
    _ encoding: ChunkEncoding,
    _ count: Int,
    _ firstWidth: Int,
    _ secondWidth: Int,
    nulls: [UInt8]?,
    externals: ExternalRun? = nil,
    slope: UInt64 = 0
  ) {
    let hasExternals = externals.map { !$0.isEmpty } ?? false
    bytes.append(ChunkLayout.version << 4 | encoding.rawValue)
    bytes.append(
      (nulls == nil ? 0 : ChunkLayout.nullsFlag) | (hasExternals ? ChunkLayout.externalsFlag : 0)
        | (slope == 0 ? 0 : ChunkLayout.slopeFlag)
    )
    bytes.append(UInt8(firstWidth))
    bytes.append(UInt8(secondWidth))
    append(UInt32(count))
    if let nulls { bytes.append(contentsOf: nulls) }
    if hasExternals, let externals {
      bytes.append(contentsOf: externals.bitmap)
      for location in externals.locations {
        append(location.id)
        append(location.count)
        append(location.revision)
      }
    }
    if slope > 0 { append(UInt32(truncatingIfNeeded: slope)) }
  }

  private mutating func appendNested(_ body: (inout ChunkWriter) -> Void) {
    let position = bytes.count
    append(UInt32(0))
    body(&self)
    let length = UInt32(bytes.count - position - 4).littleEndian
    unsafe bytes.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: length, toByteOffset: position, as: UInt32.self)
    }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    bytes.append(number: value)
  }

  private func firstFull(_ full: PlaceSet, _ count: Int) -> Int? {
    (0..<count).first { full[$0] }
  }

  /// The places below `count` that are not full; `nil` if all are.
  private func nullBitmap(_ full: PlaceSet, _ count: Int) -> [UInt8]? {
    let nulls = PlaceSet(first: count).subtracting(full)
    if nulls.isEmpty { return nil }
    var words = nulls.words
    for index in 0..<4 { words[index] = words[index].littleEndian }
    return unsafe withUnsafeBytes(of: words) {
      unsafe Array($0.prefix(ChunkLayout.bitmapByteCount(count)))
    }
  }
}
