import KennelPages

/// Measures what the pages of a snapshot hold.
///
/// Every leaf is looked at. Of the values, only those chunks are read that have values outside of
/// them.
struct SpaceMeasure {
  /// The subject of a part of the report.
  private struct Owner: Hashable {
    let classKey: ClassKey
    let property: PropertyKey?
  }

  private let schema: Schema
  private let source: TreeSource
  private let progress: ((Double) -> Bool)?
  private let entryCount: Int
  private var done = 0
  private var parts: [SpaceReport.Part] = []
  private var places: [Owner: Int] = [:]
  /// Bytes of all that was found.
  private var found = 0

  /// Measures the newest commit of a file; `nil` if the progress said to stop.
  static func run(
    _ store: DatabaseFile,
    progress: ((Double) -> Bool)?
  ) throws(StorageError) -> SpaceReport? {
    let source = try TreeSource(pinning: store.pages)
    defer { source.release() }
    let view = try store.view(of: source)
    var measure = SpaceMeasure(view.schema, source, progress)
    for tree in Tree.all where tree != .pieces {
      guard try measure.measure(tree) else { return nil }
    }
    guard let snapshot = source.snapshot else { return SpaceReport() }
    return try inPages { () throws(PageStoreError) in
      let usage = try PageUsage(snapshot)
      return measure.report(usage, snapshot.pageSize, fileByteCount: store.pages.fileByteCount)
    }
  }

  private init(
    _ schema: Schema,
    _ source: TreeSource,
    _ progress: ((Double) -> Bool)?
  ) {
    self.schema = schema
    self.source = source
    self.progress = progress
    entryCount = Tree.all.reduce(1) { $0 + ($1 == .pieces ? 0 : source.entryCount($1)) }
    for classSchema in schema.classes {
      for property in [nil] + classSchema.properties.map({ Optional($0.key) }) {
        places[Owner(classKey: classSchema.key, property: property)] = parts.count
        parts.append(SpaceReport.Part(classKey: classSchema.key, property: property))
      }
    }
  }

  // MARK: - Trees

  /// Adds up the entries of a tree; false if the progress said to stop.
  private mutating func measure(_ tree: Tree) throws(StorageError) -> Bool {
    var cursor = try source.cursor(tree)
    var isThere = try cursor.first()
    while isThere {
      let size = cursor.byteCount
      try add(tree, &cursor, size.inLeaf + size.outside)
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
    case .clusters:
      let key = ChunkKey(rawValue: cursor.number)
      add(byteCount, \.valueByteCount, key.classKey, nil)
    case .chunks:
      let key = ChunkKey(rawValue: cursor.number)
      let property =
        key.column > 0 ? schema[key.classKey]?[PropertyKey(rawValue: key.column - 1)] : nil
      guard let property else { return }
      let outside = try outside(&cursor, property.columnType)
      add(byteCount + outside, \.valueByteCount, key.classKey, property.key)
    case .backlinks:
      let key = ChunkKey(rawValue: cursor.number)
      let column = schema[key.classKey]?.backlinkColumns.first { $0.number + 1 == key.column }
      guard let column else { return }
      let outside = try outside(&cursor, ColumnType(.link, .list))
      add(byteCount + outside, \.backlinkByteCount, column.origin, column.property)
    case .indexes:
      let key = cursor.bytes
      guard key.count >= 4 else { return }
      let beginning = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
      let classKey = ClassKey(rawValue: UInt16(truncatingIfNeeded: beginning >> 16))
      let property = PropertyKey(rawValue: UInt16(truncatingIfNeeded: beginning))
      add(byteCount, \.indexByteCount, classKey, property)
    default: break
    }
  }

  private mutating func add(
    _ byteCount: Int,
    _ kind: WritableKeyPath<SpaceReport.Part, Int>,
    _ classKey: ClassKey,
    _ property: PropertyKey?
  ) {
    guard let place = places[Owner(classKey: classKey, property: property)] else { return }
    parts[place][keyPath: kind] += byteCount
    found += byteCount
  }

  /// Adds up the values of a chunk that lie outside of it.
  private mutating func outside(
    _ cursor: inout TreeCursor,
    _ type: ColumnType
  ) throws(StorageError) -> Int {
    let bytes = try cursor.value()
    guard bytes.count > ChunkLayout.headerByteCount,
      bytes[1] & ChunkLayout.externalsFlag != 0
    else { return 0 }
    let view = try ChunkView(bytes, type: type, key: ChunkKey(rawValue: cursor.number))
    var total = 0
    for place in 0..<view.count {
      guard let location = view.external(place) else { continue }
      var piece = try source.cursor(.pieces)
      var isThere = try piece.seek(atOrAfter: PieceKey.of(location.id, 0))
      while isThere, piece.number >> 20 == location.id {
        let size = piece.byteCount
        total += size.inLeaf + size.outside
        isThere = try piece.next()
      }
    }
    return total
  }

  // MARK: - The report

  private func report(
    _ usage: PageUsage,
    _ pageSize: Int,
    fileByteCount: Int
  ) -> SpaceReport {
    var report = SpaceReport()
    report.parts = parts
    report.unfilledByteCount = usage.unfilledByteCount
    report.fileByteCount = fileByteCount
    // Free pages at the end may never have been written.
    let rest = max(0, fileByteCount - found - report.unfilledByteCount)
    report.freeByteCount = min(rest, usage.freePages * pageSize)
    report.structureByteCount = rest - report.freeByteCount
    return report
  }
}

extension DatabaseFile {
  /// Measures what takes the space of the newest commit; `nil` if the progress said to stop.
  package func space(progress: ((Double) -> Bool)?) throws(StorageError) -> SpaceReport? {
    try SpaceMeasure.run(self, progress: progress)
  }
}
