import KennelLMDB

/// Measures what the pages of a snapshot hold.
///
/// Every leaf is looked at. Of the values, only those chunks are read that have values outside of
/// them.
struct SpaceMeasure {
  /// What a part of the report is about.
  private struct Owner: Hashable {
    let classKey: ClassKey
    let property: PropertyKey?
  }

  private let schema: Schema
  private let pieces: TreeReader
  private let progress: ((Double) -> Bool)?
  private let entryCount: Int
  private var done = 0
  private var parts: [Owner: SpaceReport.Part] = [:]
  /// What all that was found takes.
  private var found = 0
  /// What the pages of values that were found take, those apart that are in no leaf.
  private var foundInLeaves = 0

  /// Measures the newest commit of a file; `nil` if the progress said to stop.
  static func run(
    _ store: Store,
    progress: ((Double) -> Bool)?
  ) throws(StorageError) -> SpaceReport? {
    let source = try TreeSource(pinning: store.environment)
    defer { source.release() }
    let view = try store.view(of: source)
    guard let pin = source.pin, let pieces = source.reader(.pieces) else { return SpaceReport() }
    let readers = Tree.allCases.compactMap { tree in source.reader(tree).map { (tree, $0) } }
    var measure = SpaceMeasure(view.schema, pieces, readers.map(\.1), progress)
    for (tree, reader) in readers where tree != .pieces {
      guard try measure.measure(tree, reader) else { return nil }
    }
    let size = store.environment.fileSizeInBytes
    return try measure.report(pin, readers.map(\.1.root), fileByteCount: size)
  }

  private init(
    _ schema: Schema,
    _ pieces: TreeReader,
    _ trees: [TreeReader],
    _ progress: ((Double) -> Bool)?
  ) {
    self.schema = schema
    self.pieces = pieces
    self.progress = progress
    entryCount = max(1, trees.reduce(0) { $0 + $1.entryCount } - pieces.entryCount)
    for classSchema in schema.classes {
      for property in [nil] + classSchema.properties.map({ Optional($0.key) }) {
        let owner = Owner(classKey: classSchema.key, property: property)
        parts[owner] = SpaceReport.Part(classKey: owner.classKey, property: property)
      }
    }
  }

  // MARK: - Trees

  /// Adds up the entries of a tree; false if the progress said to stop.
  private mutating func measure(_ tree: Tree, _ reader: TreeReader) throws(StorageError) -> Bool {
    var cursor = reader.cursor()
    var isThere = try cursor.first()
    while isThere {
      let size = cursor.entrySize
      foundInLeaves += size.inLeaf
      try add(tree, &cursor, size.inLeaf + size.overflow)
      done += 1
      if done & 1023 == 0, let progress, !progress(Double(done) / Double(entryCount)) {
        return false
      }
      isThere = try cursor.next()
    }
    return true
  }

  private mutating func add(
    _ tree: Tree,
    _ cursor: inout TreeCursor,
    _ byteCount: Int
  ) throws(StorageError) {
    switch tree {
    case .meta, .pieces: break
    case .clusters:
      let key = ChunkKey(rawValue: cursor.integerKey)
      add(byteCount, \.valueByteCount, key.classKey, nil)
    case .chunks:
      let key = ChunkKey(rawValue: cursor.integerKey)
      let property =
        key.column > 0 ? schema[key.classKey]?[PropertyKey(rawValue: key.column - 1)] : nil
      guard let property else { return }
      let outside = try outside(&cursor, property.columnType)
      add(byteCount + outside, \.valueByteCount, key.classKey, property.key)
    case .backlinks:
      let key = ChunkKey(rawValue: cursor.integerKey)
      let column = schema[key.classKey]?.backlinkColumns.first { $0.number + 1 == key.column }
      guard let column else { return }
      let outside = try outside(&cursor, ColumnType(.link, .list))
      add(byteCount + outside, \.backlinkByteCount, column.origin, column.property)
    case .indexes:
      let key = unsafe cursor.key
      guard key.count >= 4 else { return }
      let beginning = unsafe UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
      let classKey = ClassKey(rawValue: UInt16(truncatingIfNeeded: beginning >> 16))
      let property = PropertyKey(rawValue: UInt16(truncatingIfNeeded: beginning))
      add(byteCount, \.indexByteCount, classKey, property)
    }
  }

  private mutating func add(
    _ byteCount: Int,
    _ kind: WritableKeyPath<SpaceReport.Part, Int>,
    _ classKey: ClassKey,
    _ property: PropertyKey?
  ) {
    guard parts[Owner(classKey: classKey, property: property)] != nil else { return }
    parts[Owner(classKey: classKey, property: property)]?[keyPath: kind] += byteCount
    found += byteCount
  }

  /// What the values of a chunk take that lie outside of it.
  private mutating func outside(
    _ cursor: inout TreeCursor,
    _ type: ColumnType
  ) throws(StorageError) -> Int {
    let bytes = try unsafe cursor.value()
    guard bytes.count > ChunkLayout.headerByteCount,
      unsafe bytes[1] & ChunkLayout.externalsFlag != 0
    else { return 0 }
    let view = try unsafe ChunkView(bytes, type: type, key: ChunkKey(rawValue: cursor.integerKey))
    var total = 0
    for place in unsafe 0..<view.count {
      guard let location = unsafe view.external(place) else { continue }
      var piece = pieces.cursor()
      var isThere = try piece.seek(atOrAfter: PieceKey.of(location.id, 0))
      while isThere, piece.integerKey >> 20 == location.id {
        let size = piece.entrySize
        foundInLeaves += size.inLeaf
        total += size.inLeaf + size.overflow
        isThere = try piece.next()
      }
    }
    return total
  }

  // MARK: - The report

  private func report(
    _ pin: ReadPin,
    _ roots: [TreeRoot],
    fileByteCount: Int
  ) throws(StorageError) -> SpaceReport {
    var report = SpaceReport()
    for classSchema in schema.classes {
      for property in [nil] + classSchema.properties.map({ Optional($0.key) }) {
        let part = parts[Owner(classKey: classSchema.key, property: property)]
        if let part { report.parts.append(part) }
      }
    }
    let leafPages = roots.reduce(0) { $0 + Int(clamping: $1.leafPages) }
    let inPages = leafPages * (pin.pageSize - PageLayout.headerByteCount)
    report.unfilledByteCount = max(0, inPages - foundInLeaves)
    report.fileByteCount = fileByteCount
    // Free pages at the end may never have been written.
    let rest = max(0, fileByteCount - found - report.unfilledByteCount)
    report.freeByteCount = min(rest, try WholeFileCheck.countFreePages(pin) * pin.pageSize)
    report.structureByteCount = rest - report.freeByteCount
    return report
  }
}

extension Store {
  /// Measures what takes the space of the newest commit; `nil` if the progress said to stop.
  package func space(progress: ((Double) -> Bool)?) throws(StorageError) -> SpaceReport? {
    try SpaceMeasure.run(self, progress: progress)
  }
}
