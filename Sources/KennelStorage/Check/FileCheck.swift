import KennelPages

/// The check of a whole file: what the bytes say about each other.
///
/// | step | what must hold |
/// |---|---|
/// | structure | every page is sound, none is used twice (``PageStoreCheck``) |
/// | meta | header, schema and a record per class, nothing else |
/// | clusters | the headers of a class form a chain up to its last one; its count and next key fit |
/// | chunks | each cluster has the chunks that its header names; each value fits its property; each link has a living target; each embedded object has one owner |
/// | backlinks | are the links, backwards, in order |
/// | pieces | belong to one value each, which has all of its own |
/// | indexes | have an entry per object; primary keys and unique properties have each value once |
///
/// Every value is read once, in the order of the file, and memory does not grow with the links: links
/// and backlinks that must be the same are summed up as hashes by target cluster, and so are index
/// entries by the cluster of their object. Only where two sums differ is the cluster looked at again,
/// one by one (``FileCheck/compareBacklinks()``). What grows is 32 bytes per cluster, a byte
/// per embedded object, and a bit per value outside its chunk.
///
/// Where something cannot be read it is told once, and what depends on it is not compared: one
/// damaged chunk is one finding, not one more for each of its links.
package final class FileCheck {
  /// More findings than this are not told.
  package static let mostFindings = 1000

  let view: StoreView
  let schema: Schema
  let source: TreeSource

  private(set) var findings: [Finding] = []
  private var told: Set<String> = []
  /// Whether the caller wants no more, or there is too much to tell.
  private(set) var isStopped = false
  private(set) var isCancelled = false
  private let progress: ((Double) -> Bool)?
  private var done = 0
  private let total: Int

  /// The live places of each cluster, by the key of its header.
  var live: [UInt64: PlaceSet] = [:]
  /// How many properties own each embedded object of a cluster.
  var owners: [UInt64: [UInt8]] = [:]
  /// Where backlinks are kept.
  let columns: BacklinkColumnIndex
  /// Hashes of links less hashes of backlinks, by the key of the chunk of backlinks.
  var linkSums = HashSums()
  /// Hashes of the entries that objects should have less those that are there.
  var entrySums = HashSums()
  /// The values outside their chunk that were met.
  var usedPieces = NumberSet()
  /// Properties of which a value could not be read.
  var unread: Set<PropertyIdentity> = []
  /// Clusters whose header could not be read, by its key: nobody knows which objects they have.
  var unreadClusters: Set<UInt64> = []
  /// Whether whole parts of a tree could not be read.
  var isPartial = false

  /// Checks the newest commit of a file.
  ///
  /// `progress` is called now and then with how much is done, from 0 to 1; false ends the check.
  /// The findings are in the order of the file; `nil` if the check was ended.
  ///
  /// - Throws: `StorageError.file` if the file cannot be read at all.
  package static func run(
    _ store: DatabaseFile,
    progress: ((Double) -> Bool)? = nil
  ) throws(StorageError) -> [Finding]? {
    let source: TreeSource
    var structure: Finding?
    do throws(StorageError) {
      source = try TreeSource(pinning: store.pages)
    } catch {
      return [Finding(.structure, try damage(error))]
    }
    do throws(PageStoreError) {
      if let snapshot = source.snapshot { _ = try PageStoreCheck.run(snapshot) }
    } catch {
      structure = Finding(.structure, try damage(StorageError(error)))
    }
    var kind = Finding.Kind.header
    do throws(StorageError) {
      let header = try store.header(source)
      kind = .schema
      let schema = try store.schema(of: header, source)
      kind = .classRecord
      let check = FileCheck(try store.view(of: source, header, schema), source, progress)
      if let structure { check.add(structure) }
      check.run()
      return check.isCancelled ? nil : check.findings
    } catch {
      let finding = Finding(kind, try damage(error))
      return [structure, finding.message == structure?.message ? nil : finding].compactMap(\.self)
    }
  }

  /// The damage that an error tells of; other errors are thrown on.
  private static func damage(_ error: StorageError) throws(StorageError) -> String {
    switch error {
    case .damaged(let damage): "\(damage.place): \(damage.what)"
    case .notKennel: "the file header: it is missing"
    case .file, .newerFormat, .tooManySteps: throw error
    }
  }

  private init(_ view: StoreView, _ source: TreeSource, _ progress: ((Double) -> Bool)?) {
    self.view = view
    self.source = source
    schema = view.schema
    self.progress = progress
    // The headers of clusters are walked twice.
    total = (Tree.all + [.clusters]).reduce(1) { $0 + source.entryCount($1) }
    columns = BacklinkColumnIndex(view.schema)
  }

  private func run() {
    step { () throws(StorageError) in try checkMeta() }
    step { () throws(StorageError) in try checkHeaders() }
    step { () throws(StorageError) in try checkClusters() }
    checkOwners()
    step { () throws(StorageError) in try compareBacklinks() }
    step { () throws(StorageError) in try checkPieces() }
    step { () throws(StorageError) in try checkIndexes() }
    step { () throws(StorageError) in try compareIndexes() }
  }

  /// Runs a step; where its tree cannot be followed any further it ends.
  private func step(_ body: () throws(StorageError) -> Void) {
    guard !isStopped else { return }
    do throws(StorageError) {
      try body()
    } catch {
      isPartial = true
      add(.structure, error.place)
    }
  }

  // MARK: - Findings

  func add(_ kind: Finding.Kind, _ message: String) {
    add(Finding(kind, message))
  }

  private func add(_ finding: Finding) {
    guard !isStopped, told.insert(finding.message).inserted else { return }
    findings.append(finding)
    if findings.count >= Self.mostFindings {
      isStopped = true
      findings.append(
        Finding(.tooMany, "There is more: the check ends after \(Self.mostFindings) findings")
      )
    }
  }

  /// Counts an entry of a tree; false where the check is to end.
  func advance() -> Bool {
    done += 1
    if done & 255 == 0, let progress, !progress(min(Double(done) / Double(total), 1)) {
      isStopped = true
      isCancelled = true
    }
    return !isStopped
  }

  /// Calls a body with a cursor at each entry of a tree, until the check is to end.
  func forEachEntry(
    of tree: Tree,
    _ body: (borrowing TreeCursor) throws(StorageError) -> Void
  ) throws(StorageError) {
    var cursor = try source.cursor(tree)
    var isThere = try cursor.first()
    while isThere, advance() {
      try body(cursor)
      isThere = try cursor.next()
    }
  }

  /// An object as findings name it, such as `Dog/42`.
  func name(_ object: ObjectIdentity) -> String {
    "\(name(object.classKey))/\(object.key.rawValue)"
  }

  func name(_ classKey: ClassKey) -> String {
    schema[classKey]?.name ?? "class \(classKey.rawValue)"
  }

  func name(_ object: ObjectIdentity, _ property: PropertySchema) -> String {
    "\(name(object)).\(property.name)"
  }

  /// A cluster as findings name it: by its class and the keys that its objects may have.
  func name(clusterOf key: ChunkKey) -> String {
    "cluster \(key.cluster) of \(name(key.classKey)) (objects \(max(key.cluster << 8, 1)) to "
      + "\(key.cluster << 8 + 255))"
  }

  // MARK: - The meta tree

  private func checkMeta() throws(StorageError) {
    var known: Set<UInt64> = [FileHeader.schemaKey]
    for classSchema in schema.classes { known.insert(ClassRecord.key(of: classSchema.key)) }
    try forEachEntry(of: .meta) { (cursor) throws(StorageError) in
      if !known.contains(cursor.number), try !isRecordOfDeletedClass(cursor.number) {
        add(.strayEntry, "The entry \(cursor.number) of meta belongs to nothing")
      }
    }
    try checkStoredSchema()
    for classSchema in schema.classes { checkSchema(classSchema) }
  }

  /// The number of a class that was deleted is taken by a record that says nothing.
  private func isRecordOfDeletedClass(_ key: UInt64) throws(StorageError) -> Bool {
    let first = ClassRecord.key(of: ClassKey(rawValue: 0))
    guard key >= first, key < first + 4096, let bytes = try source.get(.meta, key) else {
      return false
    }
    return bytes.elementsEqual(ClassRecord().encoded)
  }

  /// The view may share a schema that was read before: the bytes are read again.
  private func checkStoredSchema() throws(StorageError) {
    guard view.header.schemaVersion > 0 else { return }
    guard let bytes = try source.get(.meta, FileHeader.schemaKey) else {
      add(.schema, "The schema is missing")
      return
    }
    do throws(StorageError) {
      if try SchemaCodec.decode(bytes) != schema {
        add(.schema, "The schema differs from that of its version")
      }
    } catch {
      add(.schema, error.place)
    }
  }

  private func checkSchema(_ classSchema: ClassSchema) {
    for property in classSchema.properties {
      let path = "\(classSchema.name).\(property.name)"
      if property.key.rawValue >= classSchema.nextColumn {
        add(.schema, "\(path) has a column that is still to be given out")
      }
      if property.type.kind == .link {
        guard let target = property.target.flatMap({ schema[$0] }) else {
          add(.schema, "\(path) links to a class that is not there")
          continue
        }
        if target.isEmbedded != property.isEmbedded {
          add(.schema, "\(path) and \(target.name) disagree on whether its objects are embedded")
        }
      }
    }
    if classSchema.properties.count(where: \.isPrimaryKey) > 1 {
      add(.schema, "\(classSchema.name) has two primary keys")
    }
  }
}

/// A property of a class.
struct PropertyIdentity: Hashable {
  let classKey: ClassKey
  let property: PropertyKey

  init(_ classKey: ClassKey, _ property: PropertyKey) {
    self.classKey = classKey
    self.property = property
  }
}

extension StorageError {
  /// The error as a finding says it.
  var place: String {
    if case .damaged(let damage) = self { "\(damage.place): \(damage.what)" } else { message }
  }
}
