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
  let table: UnsafeMutablePointer<ClusterTable>
  private var sparse: [SparseKey: Cluster] = [:]
  /// The clusters that have changes, in no order.
  private(set) var changed: [Cluster] = []

  /// The memory of the clusters' columns.
  private(set) var pool = ColumnPool()

  private struct SparseKey: Hashable {
    let classKey: ClassKey
    let number: UInt64
  }

  init() {
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: ClusterTable())
  }

  deinit {
    close()
    unsafe table.deallocate()
  }

  subscript(classKey: ClassKey, number: UInt64) -> Cluster? {
    let entry = Int(classKey.rawValue)
    if unsafe entry < table.pointee.entryCount, unsafe number < table.pointee.entries[entry].count {
      return unsafe table.pointee.entries[entry].clusters[Int(number)].map(Cluster.init(body:))
    }
    return sparse.isEmpty ? nil : sparse[SparseKey(classKey: classKey, number: number)]
  }

  /// Has a cluster fetched from memory, if it is known: its facts and its first chunks.
  ///
  /// Clusters lie in the order in which they were met; a scan in the order of their numbers waits for
  /// each of them otherwise, a quarter of the time of counting numbers.
  func prefetch(_ classKey: ClassKey, _ number: UInt64) {
    guard let body = unsafe body(classKey, number) else { return }
    let start = UnsafeRawPointer(body)
    for line in 0..<5 { unsafe kennel_prefetch(start + 64 * line) }
  }

  /// Has what reading a chunk takes fetched from memory, if its cluster is known.
  ///
  /// These are its words or offsets, or the place where its view is about to lie. The rest follows in
  /// order, which the processor foresees.
  func prefetchChunk(_ classKey: ClassKey, _ number: UInt64, _ property: PropertyKey) {
    guard let body = unsafe body(classKey, number),
      unsafe Int(property.rawValue) < body.pointee.propertyCount
    else { return }
    let chunk = unsafe body.chunks + Int(property.rawValue)
    if unsafe chunk.pointee.state == .stored {
      let start = unsafe chunk.pointee.packed.start
      for line in 0..<4 { unsafe kennel_prefetch(start + 64 * line) }
    }
    if unsafe chunk.pointee.dense == 0 {
      let view = unsafe UnsafeRawPointer(body.pointee.views + Int(property.rawValue))
      unsafe kennel_prefetch(view)
      unsafe kennel_prefetch(view + 64)
    }
  }

  @inline(__always)
  private func body(
    _ classKey: ClassKey,
    _ number: UInt64
  ) -> UnsafeMutablePointer<ClusterStorage>? {
    let entry = Int(classKey.rawValue)
    guard unsafe entry < table.pointee.entryCount,
      unsafe number < table.pointee.entries[entry].count
    else {
      return nil
    }
    return unsafe table.pointee.entries[entry].clusters[Int(truncatingIfNeeded: number)]
  }

  /// Takes a cluster over; `last` is the number of the last cluster that the class is known to have.
  func insert(_ cluster: Cluster, last: UInt64?) {
    let number = cluster.number
    guard unsafe number < ClusterTable.denseLimit else {
      sparse[SparseKey(classKey: cluster.classKey, number: number)] = cluster
      return
    }
    let entry = Int(cluster.classKey.rawValue)
    if unsafe entry >= table.pointee.entryCount { unsafe table.pointee.grow(to: entry + 1) }
    if unsafe number >= table.pointee.entries[entry].count {
      let wanted = unsafe max(number, min(last ?? 0, ClusterTable.denseLimit - 1)) + 1
      unsafe table.pointee.entries[entry].grow(to: wanted)
    }
    unsafe table.pointee.entries[entry].clusters[Int(number)] = cluster.body
    unsafe table.pointee.entries[entry].noteNumber(Int(number))
  }

  /// Notes that a cluster has changes.
  func note(_ cluster: Cluster) {
    guard unsafe !cluster.body.pointee.isNoted else { return }
    unsafe cluster.body.pointee.isNoted = true
    changed.append(cluster)
  }

  /// Every cluster met so far, in no order.
  func forEach(_ body: (Cluster) -> Void) {
    for entry in unsafe 0..<table.pointee.entryCount {
      let clusters = unsafe table.pointee.entries[entry]
      for number in unsafe clusters.met {
        if let cluster = unsafe clusters.clusters[number] { unsafe body(Cluster(body: cluster)) }
      }
    }
    for cluster in sparse.values { body(cluster) }
  }

  /// Forgets every cluster, whose handles may not be used any more; the records and the backlinks
  /// that wait stay.
  func removeAll() {
    forEach { $0.deallocate() }
    for entry in unsafe 0..<table.pointee.entryCount
    where unsafe table.pointee.entries[entry].count > 0 {
      unsafe free(table.pointee.entries[entry].clusters)
      unsafe table.pointee.entries[entry].forgetClusters()
    }
    sparse = [:]
    changed = []
    if !pool.begin() { pool = ColumnPool() }
  }

  /// Forgets the records, too: nothing can be read or written in place any more.
  func close() {
    removeAll()
    for entry in unsafe 0..<table.pointee.entryCount {
      unsafe table.pointee.entries[entry].forgetKeyRun()
    }
    if unsafe table.pointee.entryCount > 0 { unsafe table.pointee.entries.deallocate() }
    unsafe table.pointee = ClusterTable()
  }

  // MARK: - Records

  /// The record of each class.
  var records: [ClassRecord] {
    get { unsafe (0..<table.pointee.entryCount).map { unsafe table.pointee.entries[$0].record } }
    set {
      growRecords(to: newValue.count)
      for (entry, record) in newValue.enumerated() {
        unsafe table.pointee.entries[entry].record = record
      }
    }
  }

  func growRecords(to count: Int) {
    if unsafe count > table.pointee.entryCount { unsafe table.pointee.grow(to: count) }
  }

  subscript(record number: Int) -> ClassRecord {
    get {
      unsafe number < table.pointee.entryCount
        ? table.pointee.entries[number].record : ClassRecord()
    }
    set {
      growRecords(to: number + 1)
      unsafe table.pointee.entries[number].record = newValue
    }
  }
}

/// The clusters of each class, by class number.
@usableFromInline
@unsafe struct ClusterTable {
  @usableFromInline var entries: UnsafeMutablePointer<ClassClusters>
  @usableFromInline var entryCount = 0
  /// A rough count of the memory that changes hold, in bytes.
  @usableFromInline var changedByteCount = 0
  /// Changes of backlinks that were not made yet.
  @usableFromInline var waiting = WaitingBacklinks()

  /// More memory than this is not held by changes: the view is asked then, and hands them on.
  static let memoryBudgetInBytes = 48 << 20

  /// Whether changes may be made without asking the view.
  var hasRoom: Bool { unsafe changedByteCount < Self.memoryBudgetInBytes && !waiting.areDue }

  /// Numbers from here on are not in the table: a billion objects of a class are below.
  static let denseLimit: UInt64 = 1 << 22

  init() { unsafe entries = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped }

  /// Keeps the backlinks of a target: every link that an object gets or loses is told here, and nowhere
  /// else; see ``WaitingBacklinks``.
  mutating func noteLink(
    from origin: UInt64,
    to target: ObjectIdentity,
    _ column: UInt16,
    isAdded: Bool
  ) {
    unsafe waiting.append(.init(target, column, from: origin, isAdded: isAdded))
    unsafe changedByteCount &+= WaitingBacklinks.bytesPerEntry
  }

  mutating func grow(to count: Int) {
    let larger = UnsafeMutablePointer<ClassClusters>.allocate(capacity: count)
    unsafe larger.initialize(repeating: ClassClusters(), count: count)
    if unsafe entryCount > 0 {
      unsafe larger.update(from: entries, count: entryCount)
      unsafe entries.deallocate()
    }
    unsafe entries = larger
    unsafe entryCount = count
  }
}

/// The clusters of one class, by number.
@usableFromInline
@unsafe struct ClassClusters {
  @usableFromInline var clusters: UnsafeMutablePointer<UnsafeMutablePointer<ClusterStorage>?>
  @usableFromInline var count: UInt64 = 0
  @usableFromInline var record = ClassRecord()
  /// The numbers among which those of clusters are.
  private(set) var met = 0..<0
  /// What it takes to make an object without values; `nil` until the first is made.
  var creation: Creation?
  /// Whether the run of primary keys has entries.
  var hasKeyRun = false
  var keyRun = unsafe PrimaryKeyRun()

  /// What it takes to make an object without values.
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

  init() { unsafe clusters = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped }

  mutating func noteNumber(_ number: Int) {
    unsafe met =
      unsafe met.isEmpty
      ? number..<number + 1 : min(met.lowerBound, number)..<max(met.upperBound, number + 1)
  }

  mutating func forgetClusters() {
    unsafe met = 0..<0
    unsafe clusters = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
    unsafe count = 0
  }

  mutating func forgetKeyRun() {
    unsafe keyRun.removeAll()
    unsafe hasKeyRun = false
  }

  /// Makes room; what is not touched costs no memory.
  ///
  /// The array ends at the limit: a cluster past it lies in the dictionary, where nobody would look
  /// if the array covered its number.
  mutating func grow(to wanted: UInt64) {
    let newCount = unsafe min(max(wanted, 2 * count, 16), ClusterTable.denseLimit)
    typealias Element = UnsafeMutablePointer<ClusterStorage>?
    guard let memory = unsafe calloc(Int(newCount), MemoryLayout<Element>.stride) else { abort() }
    let larger = unsafe memory.bindMemory(to: Element.self, capacity: Int(newCount))
    if unsafe count > 0 {
      unsafe larger.update(from: clusters, count: Int(count))
      unsafe free(clusters)
    }
    unsafe clusters = larger
    unsafe count = newCount
  }
}
