import CMemory
import Glibc

/// The clusters that a view has met, by class and number, and their owner.
///
/// Clusters are numbered densely, so those of a class lie in one array that the operating system
/// fills with pages as they are touched; numbers that no reasonable file has, and those of a draft's
/// new objects, lie in a dictionary. Nothing is evicted; a view lives as long as one look at the
/// data.
///
/// Safe to use: it owns its clusters and checks their numbers.
@safe package final class ClusterDirectory {
  /// Where ``PointReader`` begins; stays at its place as long as the directory lives.
  let table: ViewHandle<ClusterTable>
  private var sparse: [SparseKey: Cluster] = [:]
  /// The clusters that have changes, in no order.
  private(set) var changed: [Cluster] = []

  private struct SparseKey: Hashable {
    let classKey: ClassKey
    let number: UInt64
  }

  init() {
    table = unsafe ViewHandle(.allocate(capacity: 1))
    unsafe table.pointer.initialize(to: ClusterTable())
  }

  deinit {
    close()
    unsafe table.pointer.deinitialize(count: 1)
    unsafe table.pointer.deallocate()
  }

  subscript(classKey: ClassKey, number: UInt64) -> Cluster? {
    if let body = table.cluster(classKey, number) { return Cluster(body: body) }
    return sparse.isEmpty ? nil : sparse[SparseKey(classKey: classKey, number: number)]
  }

  /// Has a cluster fetched from memory, if it is known: its facts and its first chunks.
  ///
  /// Clusters lie in the order in which they were met; a scan in the order of their numbers waits for
  /// each of them otherwise, a quarter of the time of counting numbers.
  func prefetch(_ classKey: ClassKey, _ number: UInt64) {
    guard let body = table.cluster(classKey, number) else { return }
    let start = unsafe UnsafeRawPointer(body.pointer)
    for line in 0..<5 { unsafe kennel_prefetch(start + 64 * line) }
  }

  /// Has what reading a chunk takes fetched from memory, if its cluster is known.
  ///
  /// These are its words or offsets, or the place where its view is about to lie. The rest follows in
  /// order, which the processor foresees.
  func prefetchChunk(_ classKey: ClassKey, _ number: UInt64, _ property: PropertyKey) {
    guard let body = table.cluster(classKey, number),
      Int(property.rawValue) < body.pointee.propertyCount
    else { return }
    let chunk = body.chunks.handle(Int(property.rawValue))
    if chunk.pointee.state == .stored {
      let start = unsafe chunk.pointee.packed.start
      for line in 0..<4 { unsafe kennel_prefetch(start + 64 * line) }
    }
    if chunk.pointee.dense == 0 {
      let view = unsafe UnsafeRawPointer(body.pointee.views.start + Int(property.rawValue))
      unsafe kennel_prefetch(view)
      unsafe kennel_prefetch(view + 64)
    }
  }

  /// Takes a cluster over; `last` is the number of the last cluster that the class is known to have.
  func insert(_ cluster: Cluster, last: UInt64?) {
    let number = cluster.number
    guard number < ClusterTable.denseLimit else {
      sparse[SparseKey(classKey: cluster.classKey, number: number)] = cluster
      return
    }
    let entry = Int(cluster.classKey.rawValue)
    if entry >= table.pointee.entries.count { table.pointee.grow(to: entry + 1) }
    if number >= table.pointee.entries[entry].clusters.count {
      let wanted = max(number, min(last ?? 0, ClusterTable.denseLimit - 1)) + 1
      table.pointee.entries[entry].grow(to: wanted)
    }
    table.pointee.entries[entry].clusters[Int(number)] = cluster.body
    table.pointee.entries[entry].noteNumber(Int(number))
  }

  /// Notes that a cluster has changes.
  func note(_ cluster: Cluster) {
    guard !cluster.body.pointee.isNoted else { return }
    cluster.body.pointee.isNoted = true
    changed.append(cluster)
  }

  /// Every cluster met so far, in no order.
  func forEach(_ body: (Cluster) -> Void) {
    for entry in 0..<table.pointee.entries.count {
      let clusters = table.pointee.entries[entry]
      for number in clusters.met {
        if let cluster = clusters.clusters[number] { body(Cluster(body: cluster)) }
      }
    }
    for cluster in sparse.values { body(cluster) }
  }

  /// Forgets every cluster, whose handles may not be used any more; the records and the backlinks
  /// that wait stay.
  func removeAll() {
    forEach { unsafe $0.deallocate() }
    for entry in 0..<table.pointee.entries.count
    where table.pointee.entries[entry].clusters.count > 0 {
      unsafe free(table.pointee.entries[entry].clusters.start)
      table.pointee.entries[entry].forgetClusters()
    }
    sparse = [:]
    changed = []
  }

  /// Forgets what depends on the schema: the work of making objects, and which primary keys are the
  /// greatest.
  ///
  /// The entries of the runs must have been settled.
  func forgetSchema() {
    for entry in 0..<table.pointee.entries.count {
      table.pointee.entries[entry].forgetKeyRun()
      unsafe table.pointee.entries[entry].keyRun = PrimaryKeyRun()
      table.pointee.entries[entry].creation = nil
    }
  }

  /// Forgets the records, too: nothing can be read or written in place any more.
  func close() {
    removeAll()
    for entry in 0..<table.pointee.entries.count {
      table.pointee.entries[entry].forgetKeyRun()
    }
    if table.pointee.entries.count > 0 { unsafe table.pointee.entries.start.deallocate() }
    table.pointee = ClusterTable()
  }

  // MARK: - Records

  /// The record of each class.
  var records: [ClassRecord] {
    get { (0..<table.pointee.entries.count).map { table.pointee.entries[$0].record } }
    set {
      growRecords(to: newValue.count)
      for (entry, record) in newValue.enumerated() {
        table.pointee.entries[entry].record = record
      }
    }
  }

  func growRecords(to count: Int) {
    if count > table.pointee.entries.count { table.pointee.grow(to: count) }
  }

  subscript(record number: Int) -> ClassRecord {
    get {
      number < table.pointee.entries.count
        ? table.pointee.entries[number].record : ClassRecord()
    }
    set {
      growRecords(to: number + 1)
      table.pointee.entries[number].record = newValue
    }
  }
}

/// The clusters of each class, by class number.
///
/// Safe to use: its arrays are the directory's, which frees them.
@usableFromInline
@safe struct ClusterTable {
  @usableFromInline var entries = ViewArray<ClassClusters>.empty
  /// A rough count of the memory that changes hold, in bytes.
  @usableFromInline var changedByteCount = 0
  /// Changes of backlinks that were not made yet.
  @usableFromInline var waiting = WaitingBacklinks()

  /// More memory than this is not held by changes: the view is asked then, and hands them on.
  static let memoryBudgetInBytes = 48 << 20

  /// Whether changes may be made without asking the view.
  var hasRoom: Bool { changedByteCount < Self.memoryBudgetInBytes && !waiting.areDue }

  /// Numbers from here on are not in the table: a billion objects of a class are below.
  static let denseLimit: UInt64 = 1 << 22

  /// Keeps the backlinks of a target: every link that an object gets or loses is told here, and nowhere
  /// else; see ``WaitingBacklinks``.
  mutating func noteLink(
    from origin: UInt64,
    to target: ObjectIdentity,
    _ column: UInt16,
    isAdded: Bool
  ) {
    waiting.append(.init(target, column, from: origin, isAdded: isAdded))
    changedByteCount &+= WaitingBacklinks.bytesPerEntry
  }

  mutating func grow(to count: Int) {
    let larger = UnsafeMutablePointer<ClassClusters>.allocate(capacity: count)
    unsafe larger.initialize(repeating: ClassClusters(), count: count)
    if entries.count > 0 {
      unsafe larger.update(from: entries.start, count: entries.count)
      unsafe entries.start.deallocate()
    }
    entries = unsafe ViewArray(larger, count: count)
  }
}

extension ViewHandle<ClusterTable> {
  /// A cluster that the table has.
  @inlinable
  @inline(__always)
  func cluster(_ classKey: ClassKey, _ number: UInt64) -> ViewHandle<ClusterStorage>? {
    let entry = Int(classKey.rawValue)
    guard entry < pointee.entries.count,
      number < UInt64(truncatingIfNeeded: pointee.entries[entry].clusters.count)
    else { return nil }
    return pointee.entries[entry].clusters[Int(truncatingIfNeeded: number)]
  }
}

/// The clusters of one class, by number.
///
/// Safe to use: its arrays are the directory's, which frees them.
@usableFromInline
@safe struct ClassClusters {
  @usableFromInline var clusters = ViewArray<ViewHandle<ClusterStorage>?>.empty
  @usableFromInline var record = ClassRecord()
  /// The numbers among which those of clusters are.
  private(set) var met = 0..<0
  /// The work of making an object without values; `nil` until the first is made.
  var creation: Creation?
  /// Whether the run of primary keys has entries.
  var hasKeyRun = false
  var keyRun = unsafe PrimaryKeyRun()

  /// The work of making an object without values.
  enum Creation: UInt8 {
    /// Nothing but giving it a place.
    case place
    /// Its owner has to be set as well.
    case owner
    /// A primary key that is a whole number of 64 bits has to be set as well.
    case key
    /// More: other values than those that are read where none was stored, or entries of indexes.
    case full
  }

  mutating func noteNumber(_ number: Int) {
    met =
      met.isEmpty
      ? number..<number + 1 : min(met.lowerBound, number)..<max(met.upperBound, number + 1)
  }

  mutating func forgetClusters() {
    met = 0..<0
    clusters = .empty
  }

  mutating func forgetKeyRun() {
    unsafe keyRun.removeAll()
    hasKeyRun = false
  }

  /// Makes room; what is not touched costs no memory.
  ///
  /// The array ends at the limit: a cluster past it lies in the dictionary, where nobody would look
  /// if the array covered its number.
  mutating func grow(to wanted: UInt64) {
    let count = min(max(Int(wanted), 2 * clusters.count, 16), Int(ClusterTable.denseLimit))
    typealias Element = ViewHandle<ClusterStorage>?
    guard let memory = unsafe calloc(count, MemoryLayout<Element>.stride) else { abort() }
    let larger = unsafe memory.bindMemory(to: Element.self, capacity: count)
    if clusters.count > 0 {
      unsafe larger.update(from: clusters.start, count: clusters.count)
      unsafe free(clusters.start)
    }
    clusters = unsafe ViewArray(larger, count: count)
  }
}
