import KennelPages

/// What is whole in a damaged file: clusters, chunks and pieces, also where the trees above them are
/// gone.
///
/// Which tree a part without parents belongs to is told by its contents: the keys that the tree can
/// have where something is missing, and values that can be decoded as what they would be there.
/// ``store(at:)`` makes a file of what was found, that is read as any other; it has new headers and
/// records, and neither backlinks nor indexes.
///
/// | step | what |
/// |---|---|
/// | 1 | parts of trees (``PageSalvage``) |
/// | 2 | the newest schema that is whole |
/// | 3 | the tree of each part; an entry is taken from the newest part that has its key |
/// | 4 | clusters, from headers and chunks; chunks without a header are a cluster, too |
package final class FileSalvage {
  /// An entry of a leaf.
  private struct Entry {
    let leaf: UInt32
    let index: Int
    let age: PageSalvage.Age
  }

  /// What was found of a tree.
  private struct Remains {
    var entries: [UInt64: Entry] = [:]
    /// The keys of which nothing is known.
    var missing = KeyRanges()
  }

  private let pages: PageSalvage
  private var remains: [Int: Remains] = [:]
  package private(set) var schema: Schema
  /// Whether the schema is of an older commit, or of another file.
  package private(set) var hasOtherSchema = true
  /// In the order of their classes and numbers.
  package private(set) var clusters: [SalvagedCluster] = []
  package private(set) var lostObjects: [LostObjects] = []

  /// The number of the newest commit that was found.
  package var newestCommit: UInt64 { pages.newestCommit }
  /// Whether the roots of the newest commit are there: then it is known of all else which may be older.
  package var hasRoots: Bool { pages.hasRoots }

  /// Looks at every page of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: What it is opened with if it is encrypted.
  ///   - other: The schema to use if the file has none that is whole.
  /// - Throws: `StorageError` if the file cannot be read, is not one of Kennel's, or has no schema.
  package init(
    path: String,
    key: DatabaseKey? = nil,
    schema other: Schema? = nil
  ) throws(StorageError) {
    pages = try inPages { () throws(PageStoreError) in
      try PageSalvage(path: path, key: key?.pageKey)
    }
    if let note = pages.note { _ = try FileHeader(decoding: note, path: path) }
    schema = Schema()
    for tree in Tree.all { remains[tree.number] = Remains() }
    if let (found, age) = findSchema() {
      (schema, hasOtherSchema) = (found, isOlder(age))
    } else if let other {
      schema = other
    } else {
      throw .damaged(in: "the schema", "no page has it any more")
    }
    assignParts()
    makeClusters()
  }

  private func bytes(_ entry: Entry) -> StoredBytes? {
    unsafe pages.value(of: entry.leaf, entry.index).map { unsafe StoredBytes($0) }
  }

  // MARK: - The schema

  private func findSchema() -> (Schema, PageSalvage.Age)? {
    // The parts are sorted by their age.
    for part in pages.parts where part.tree == nil || part.tree == Tree.meta.number {
      for leaf in part.leaves where pages.key(of: leaf, 0) == FileHeader.schemaKey {
        let entry = Entry(leaf: leaf, index: 0, age: part.age)
        if let bytes = bytes(entry), let schema = try? SchemaCodec.decode(bytes) {
          return (schema, part.age)
        }
      }
    }
    return nil
  }

  // MARK: - The trees of parts

  private func assignParts() {
    var orphans: [PageSalvage.Part] = []
    for part in pages.parts {
      if let tree = part.tree { add(part, to: tree) } else { orphans.append(part) }
    }
    // Headers of clusters tell chunks from backlinks; pieces may be any bytes.
    for step in [[Tree.meta], [.clusters], [.chunks, .backlinks], [.pieces]] {
      orphans.removeAll { part in
        let fitting = step.filter { fits(part, $0) }
        guard let tree = fitting.count > 1 ? told(part) : fitting.first else { return false }
        add(part, to: tree.number)
        return true
      }
    }
  }

  private func add(_ part: PageSalvage.Part, to tree: Int) {
    guard var found = remains.removeValue(forKey: tree) else { return }
    for leaf in part.leaves {
      for index in 0..<pages.entryCount(of: leaf) {
        let key = pages.key(of: leaf, index)
        if found.entries[key] == nil, found.missing.contains(key) {
          found.entries[key] = Entry(leaf: leaf, index: index, age: part.age)
        }
      }
    }
    if let span = part.span { found.missing.remove(span, except: part.holes) }
    remains[tree] = found
  }

  /// Enough to tell trees apart; what is used of a part is checked again.
  private static let mostLeavesThatAreLookedAt = 32

  /// Calls a body with each entry of the first leaves of a part until it returns false.
  private func forEachEntry(
    of part: PageSalvage.Part,
    _ body: (ChunkKey, StoredBytes) -> Bool
  ) -> Bool {
    part.leaves.prefix(Self.mostLeavesThatAreLookedAt).allSatisfy { leaf in
      (0..<pages.entryCount(of: leaf)).allSatisfy { index in
        guard let bytes = bytes(Entry(leaf: leaf, index: index, age: part.age)) else { return true }
        return body(ChunkKey(rawValue: pages.key(of: leaf, index)), bytes)
      }
    }
  }

  /// Whether a part can be one of a tree in which something is missing.
  private func fits(_ part: PageSalvage.Part, _ tree: Tree) -> Bool {
    guard let span = part.span, remains[tree.number]?.missing.overlaps(span) == true else {
      return false
    }
    // A long list of keys that was changed in part must not be mixed from two commits.
    if tree == .pieces, part.age == .older { return false }
    let isFitting = forEachEntry(of: part) { key, bytes in
      switch tree {
      case .meta: isMeta(key.rawValue, bytes)
      case .clusters: isHeader(key, bytes)
      case .chunks: chunk(key, bytes) != nil
      case .backlinks: isBacklinks(key, bytes)
      default: key.rawValue >> 20 < PieceKey.idLimit && bytes.count <= ExternalBytes.pieceByteCount
      }
    }
    guard isFitting, tree == .pieces else { return isFitting }
    return !forEachEntry(of: part) { _, bytes in unsafe pages.isListOfRuns(bytes.buffer) }
  }

  private func isMeta(_ key: UInt64, _ bytes: StoredBytes) -> Bool {
    if key == FileHeader.schemaKey { return (try? SchemaCodec.decode(bytes)) != nil }
    let first = ClassRecord.key(of: ClassKey(rawValue: 0))
    guard key >= first, key < first + 4096 else { return false }
    let classKey = ClassKey(rawValue: UInt16(key - first))
    return (try? ClassRecord(decoding: bytes, for: classKey)) != nil
  }

  private func isHeader(_ key: ChunkKey, _ bytes: StoredBytes) -> Bool {
    key.column == 0 && schema[key.classKey] != nil
      && (try? ClusterHeader(decoding: bytes, for: key)) != nil
  }

  /// The chunk of a property, and its property; `nil` if it is none.
  private func chunk(_ key: ChunkKey, _ bytes: StoredBytes) -> (PropertySchema, ChunkView)? {
    guard key.column > 0, let classSchema = schema[key.classKey],
      key.cluster < ClusterStore.provisional,
      let property = classSchema[PropertyKey(rawValue: key.column - 1)],
      let view = try? ChunkView(bytes, type: property.columnType, key: key),
      view.count <= ChunkLayout.placeLimit
    else { return nil }
    return (property, view)
  }

  private func isBacklinks(_ key: ChunkKey, _ bytes: StoredBytes) -> Bool {
    guard key.column > 0, let classSchema = schema[key.classKey],
      classSchema.backlinkColumns.contains(where: { $0.number == key.column - 1 }),
      let view = try? ChunkView(bytes, type: .backlinks, key: key)
    else { return false }
    return view.count <= ChunkLayout.placeLimit
  }

  /// Tells by the headers of clusters if a part has lists of links or backlinks, which look the same; `nil` if
  /// they do not say.
  private func told(_ part: PageSalvage.Part) -> Tree? {
    var (isChunks, isBacklinks) = (true, true)
    _ = forEachEntry(of: part) { key, _ in
      let headerKey = ChunkKey(key.classKey, cluster: key.cluster, column: 0)
      guard let header = header(headerKey)?.header else { return true }
      isChunks = isChunks && header.columns.contains(key.column - 1)
      isBacklinks = isBacklinks && header.backlinkColumns.contains(key.column - 1)
      return true
    }
    return isChunks == isBacklinks ? nil : isChunks ? .chunks : .backlinks
  }

  // MARK: - Clusters

  private func header(_ key: ChunkKey) -> (header: ClusterHeader, age: PageSalvage.Age)? {
    guard let entry = remains[Tree.clusters.number]?.entries[key.rawValue],
      let bytes = bytes(entry), let header = try? ClusterHeader(decoding: bytes, for: key)
    else { return nil }
    return (header, entry.age)
  }

  /// Whether something is of an older commit, or may be, where other things are not.
  private func isOlder(_ age: PageSalvage.Age) -> Bool {
    age == .older || age == .uncertain && pages.hasRoots
  }

  private func makeClusters() {
    var columns: [UInt64: [UInt16]] = [:]
    for key in remains[Tree.clusters.number]?.entries.keys.map({ ChunkKey(rawValue: $0) }) ?? []
    where key.column == 0 && key.cluster < ClusterStore.provisional && header(key) != nil {
      columns[key.rawValue] = []
    }
    for key in remains[Tree.chunks.number]?.entries.keys.map({ ChunkKey(rawValue: $0) }) ?? []
    where key.column > 0 {
      let headerKey = ChunkKey(key.classKey, cluster: key.cluster, column: 0)
      columns[headerKey.rawValue, default: []].append(key.column)
    }
    var found: [ClassKey: [SalvagedCluster]] = [:]
    for (key, columns) in columns.sorted(by: { $0.key < $1.key }) {
      let key = ChunkKey(rawValue: key)
      guard let classSchema = schema[key.classKey],
        let cluster = makeCluster(key, columns, classSchema)
      else { continue }
      found[key.classKey, default: []].append(cluster)
    }
    for classSchema in schema.classes { finish(classSchema, found[classSchema.key] ?? []) }
  }

  private func makeCluster(
    _ key: ChunkKey,
    _ columns: [UInt16],
    _ classSchema: ClassSchema
  ) -> SalvagedCluster? {
    let known = header(key)
    var ages: [PropertyKey: PageSalvage.Age] = [:]
    var count = known?.header.count ?? 0
    for column in columns {
      let chunkKey = ChunkKey(key.classKey, cluster: key.cluster, column: column)
      guard let entry = remains[Tree.chunks.number]?.entries[chunkKey.rawValue],
        let bytes = bytes(entry), let (property, view) = chunk(chunkKey, bytes)
      else { continue }
      // What the newest header does not name was taken away.
      if let known, known.age == .newest, !known.header.columns.contains(column - 1) { continue }
      ages[property.key] = entry.age
      if known == nil { count = max(count, view.count) }
    }
    let stored = known?.header.columns.map { PropertyKey(rawValue: $0) }
    let expected = stored?.filter { classSchema[$0] != nil } ?? classSchema.properties.map(\.key)
    guard count > 0 else { return nil }
    var live = known?.header.live ?? PlaceSet(first: count)
    // No object has the key 0.
    if key.cluster == 0 { live[0] = false }
    return SalvagedCluster(
      classKey: key.classKey,
      number: key.cluster,
      live: live,
      count: count,
      headerAge: known?.age,
      previous: known?.header.previous,
      isLiveKnown: known != nil,
      ages: ages,
      lost: Set(expected).subtracting(ages.keys),
      hasOlderHeader: known.map { isOlder($0.age) } ?? false,
      olderProperties: Set(ages.keys.filter { ages[$0].map(isOlder) ?? false })
    )
  }

  /// Adds the clusters of a class, and finds out which objects are gone.
  private func finish(_ classSchema: ClassSchema, _ found: [SalvagedCluster]) {
    let record = record(of: classSchema.key, found)
    let missing = missingClusters(of: classSchema.key, found, last: record.map(\.lastCluster))
    var found = found
    if let record, missing.isEmpty { completeLive(&found, record) }
    for range in missing {
      let keys = max(range.lowerBound << 8, 1)...(range.upperBound << 8 | 255)
      let isCertain = record.map { $0.lastCluster == range.upperBound } ?? false
      lostObjects.append(LostObjects(classKey: classSchema.key, keys: keys, isCertain: isCertain))
    }
    for cluster in found {
      if !cluster.isEmpty {
        clusters.append(cluster)
        continue
      }
      for place in cluster.live {
        let key = cluster.key(of: place).rawValue
        lostObjects.append(
          LostObjects(classKey: classSchema.key, keys: key...key, isCertain: cluster.isLiveKnown)
        )
      }
    }
  }

  /// The record of a class that the newest commit has, or one that says what was found.
  private func record(of classKey: ClassKey, _ found: [SalvagedCluster]) -> ClassRecord? {
    guard let entry = remains[Tree.meta.number]?.entries[ClassRecord.key(of: classKey)],
      let bytes = bytes(entry), let record = try? ClassRecord(decoding: bytes, for: classKey)
    else { return nil }
    let isConfirmed =
      record.lastCluster == found.last?.number
      && record.count == UInt64(found.reduce(0) { $0 + $1.live.count })
      && found.allSatisfy { $0.headerAge != nil }
    return entry.age == .newest || isConfirmed ? record : nil
  }

  /// The numbers of clusters that are gone, or may be; `last` is that of the last cluster, if it is known.
  private func missingClusters(
    of classKey: ClassKey,
    _ found: [SalvagedCluster],
    last: UInt64??
  ) -> [ClosedRange<UInt64>] {
    func isUnknown(_ range: ClosedRange<UInt64>) -> Bool {
      let low = ChunkKey(classKey, cluster: range.lowerBound, column: 0).rawValue
      let high = ChunkKey(classKey, cluster: range.upperBound, column: 0).rawValue
      return remains[Tree.clusters.number]?.missing.overlaps(low...high) == true
    }
    var missing: [ClosedRange<UInt64>] = []
    var before: UInt64?
    for cluster in found {
      let first = before.map { $0 + 1 } ?? 0
      if first < cluster.number {
        let range = first...(cluster.number - 1)
        let isLinked = cluster.headerAge != nil && cluster.previous == before
        if !isLinked, cluster.headerAge == .newest || isUnknown(range) { missing.append(range) }
      }
      before = cluster.number
    }
    let first = before.map { $0 + 1 } ?? 0
    if let last {
      if let last, first <= last { missing.append(first...last) }
    } else if isUnknown(first...(ClusterStore.provisional - 1)) {
      missing.append(first...(ClusterStore.provisional - 1))
    }
    return missing
  }

  /// If the class has as many objects as the clusters without a header have places, all of them live.
  private func completeLive(_ found: inout [SalvagedCluster], _ record: ClassRecord) {
    func places(_ cluster: SalvagedCluster) -> PlaceSet {
      let isLast = cluster.number == record.lastCluster
      var places = PlaceSet(first: isLast ? Int((record.nextKey - 1) & 255) + 1 : 256)
      if cluster.number == 0 { places[0] = false }
      return places
    }
    let count = found.reduce(0) {
      $0 + ($1.headerAge == .newest ? $1.live.count : places($1).count)
    }
    guard UInt64(count) == record.count else { return }
    for index in found.indices where found[index].headerAge != .newest {
      found[index].live = places(found[index])
      let last = found[index].live.previous(before: 256) ?? 0
      found[index].count = max(found[index].count, last + 1)
      found[index].isLiveKnown = true
    }
  }

  // MARK: - The file of what was found

  /// Makes a file of what was found.
  ///
  /// - Throws: `StorageError` if the file cannot be written.
  package func store(at path: String) throws(StorageError) {
    var header = FileHeader()
    header.schemaVersion = 1
    header.nextPieceID = PieceKey.idLimit
    let note = header.encoded
    try inPages { () throws(PageStoreError) in
      let store = try PageStore.open(path: path, create: true, note: note)
      defer { store.close() }
      let writer = try store.beginWrite()
      defer { writer.abort() }
      try fill(writer)
      try writer.commit()
    }
  }

  private func fill(_ writer: Writer) throws(PageStoreError) {
    try writer.put(.meta, FileHeader.schemaKey, SchemaCodec.encode(schema))
    var records: [ClassKey: ClassRecord] = [:]
    for cluster in clusters {
      var record = records[cluster.classKey] ?? ClassRecord()
      var header = ClusterHeader(previous: record.lastCluster)
      header.count = cluster.count
      header.live = cluster.live
      header.columns = cluster.ages.keys.map(\.rawValue).sorted()
      try writer.put(.clusters, cluster.key.rawValue, header.encoded)
      record.lastCluster = cluster.number
      record.nextKey = cluster.number << 8 + UInt64(cluster.count)
      record.count += UInt64(cluster.live.count)
      records[cluster.classKey] = record
    }
    for classSchema in schema.classes {
      let record = records[classSchema.key] ?? ClassRecord()
      try writer.put(.meta, ClassRecord.key(of: classSchema.key), record.encoded)
    }
    for cluster in clusters {
      for property in cluster.ages.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
        let key = ChunkKey(cluster.classKey, cluster: cluster.number, column: property.rawValue + 1)
        try copy(.chunks, key.rawValue, to: writer)
      }
    }
    for key in remains[Tree.pieces.number]?.entries.keys.sorted() ?? [] {
      try copy(.pieces, key, to: writer)
    }
  }

  private func copy(_ tree: Tree, _ key: UInt64, to writer: Writer) throws(PageStoreError) {
    guard let entry = remains[tree.number]?.entries[key], let bytes = bytes(entry) else { return }
    try unsafe writer.put(tree, key, bytes.buffer)
  }
}
