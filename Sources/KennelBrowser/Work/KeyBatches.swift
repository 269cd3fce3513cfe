internal import KennelCore

/// The objects of a class, or some of them, a batch at a time.
struct KeyBatches {
  private let classKey: ClassKey
  private let keys: [ObjectKey]?
  private let snapshot: Snapshot
  private let size: Int
  private let total: Int
  private var from: ObjectKey?
  /// How many objects the batches so far had.
  private(set) var count = 0

  /// - Parameters:
  ///   - classKey: The class.
  ///   - keys: The objects; `nil` for all of the class.
  ///   - snapshot: The snapshot.
  ///   - size: How many objects a batch has.
  init(_ classKey: ClassKey, _ keys: [ObjectKey]?, in snapshot: Snapshot, size: Int) {
    self.classKey = classKey
    self.keys = keys
    self.snapshot = snapshot
    self.size = size
    total = keys?.count ?? snapshot.count(of: classKey)
  }

  /// The part of the objects that the batches so far had.
  var progress: Double { Double(count) / Double(max(1, total)) }

  /// The next batch; `nil` after the last one.
  mutating func next() throws(DatabaseError) -> [ObjectKey]? {
    let batch: [ObjectKey]
    if let keys {
      batch = Array(keys[count..<min(keys.count, count + size)])
    } else {
      batch = try snapshot.objects(of: classKey, from: from, limit: size).keys
      if let last = batch.last { from = ObjectKey(rawValue: last.rawValue + 1) }
    }
    count += batch.count
    return batch.isEmpty ? nil : batch
  }
}
