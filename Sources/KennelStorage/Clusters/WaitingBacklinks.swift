/// Changes of backlinks that wait to be made at their targets.
///
/// A link to an object anywhere costs the decoding of the column that has the target's backlinks, and at
/// last its encoding, for one number. So every change waits until somebody looks at backlinks or they are
/// stored; of many that wait, those of one column are made together: a transaction that links millions
/// of objects to others at random writes each column a few times, and not once for each link. Links in the
/// order of their targets gain nothing by waiting: they are due when they fill the processor's cache.
@usableFromInline
package struct WaitingBacklinks {
  /// A link that an object got or lost, in 16 bytes.
  struct Entry: Comparable {
    private let classAndTarget: UInt64
    private let columnAndOrigin: UInt64

    private static let keyBits: UInt64 = 48
    private static let keyMask: UInt64 = 1 << keyBits - 1
    /// Columns have 12 bits: see ``ChunkKey``.
    private static let removal: UInt64 = 1 << 63

    init(_ target: ObjectIdentity, _ column: UInt16, from origin: UInt64, isAdded: Bool) {
      classAndTarget = UInt64(target.classKey.rawValue) << Self.keyBits | target.key.rawValue
      columnAndOrigin =
        (isAdded ? 0 : Self.removal) | UInt64(column) << Self.keyBits | origin
    }

    var target: ObjectIdentity {
      ObjectIdentity(
        ClassKey(rawValue: UInt16(truncatingIfNeeded: classAndTarget >> Self.keyBits)),
        ObjectKey(rawValue: classAndTarget & Self.keyMask)
      )
    }

    var isAdded: Bool { columnAndOrigin < Self.removal }
    var column: UInt16 { UInt16(truncatingIfNeeded: columnAndOrigin >> Self.keyBits & 4095) }
    var origin: UInt64 { columnAndOrigin & Self.keyMask }

    /// One of so many lanes, the same for all entries of a column.
    func lane(of count: Int) -> Int {
      Int(truncatingIfNeeded: classAndTarget >> Self.keyBits &+ UInt64(column)) & (count - 1)
    }

    /// Whether the backlinks of another are in the same column of the same cluster.
    func isBeside(_ other: Self) -> Bool {
      classAndTarget >> 8 == other.classAndTarget >> 8 && column == other.column
    }

    /// In the order of the targets, so that neighbours find the column at hand; of one target first
    /// what is added, since it may be removed again.
    static func < (left: Self, right: Self) -> Bool {
      left.classAndTarget == right.classAndTarget
        ? left.columnAndOrigin < right.columnAndOrigin : left.classAndTarget < right.classAndTarget
    }
  }

  /// The entries of one column, as far as there are enough lanes: objects are often linked in the order of
  /// the targets, and what is in order already needs no sorting.
  private struct Lane {
    var entries: [Entry] = []
    var isAscending = true
    var isDue: Bool { isAscending && entries.count >= WaitingBacklinks.dueCount }
  }

  private var lanes: [Lane] = Array(repeating: Lane(), count: Self.laneCount)
  private var count = 0
  /// Whether entries should be made now: whoever makes changes asks before the next one.
  @usableFromInline private(set) var areDue = false

  private static let laneCount = 16
  /// 64 kB.
  private static let dueCount = 4096

  init() {}

  @usableFromInline var isEmpty: Bool { count == 0 }
  var byteCount: Int { count * Self.bytesPerEntry }
  static let bytesPerEntry = MemoryLayout<Entry>.stride

  mutating func append(_ entry: Entry) {
    let lane = entry.lane(of: Self.laneCount)
    if let last = lanes[lane].entries.last, entry < last { lanes[lane].isAscending = false }
    lanes[lane].entries.append(entry)
    count += 1
    if lanes[lane].isDue { areDue = true }
  }

  /// Hands out the entries of one column of one cluster at a time, in the order of the targets.
  ///
  /// It forgets them until there are none or the body says that it is enough. Those that were not made
  /// when the body fails stay, as those behind them do.
  ///
  /// - Parameters:
  ///   - onlyDue: Whether those that gain by waiting stay.
  ///   - body: Gets the entries, and counts those that it made; whether to go on.
  /// - Throws: What the body throws.
  mutating func drain(
    onlyDue: Bool,
    _ body: (ArraySlice<Entry>, inout Int) throws(StorageError) -> Bool
  ) throws(StorageError) {
    areDue = false
    for lane in lanes.indices where onlyDue ? lanes[lane].isDue : !lanes[lane].entries.isEmpty {
      // Held here alone, so that its room can be used again.
      var entries: [Entry] = []
      swap(&entries, &lanes[lane].entries)
      if !lanes[lane].isAscending { entries.sort() }
      lanes[lane].isAscending = true
      var done = 0
      defer {
        count -= done
        let areFew = entries.count <= 2 * Self.dueCount
        if done < entries.count {
          entries.removeFirst(done)
        } else {
          entries.removeAll(keepingCapacity: areFew)
        }
        swap(&entries, &lanes[lane].entries)
      }
      while done < entries.count {
        let first = entries[done]
        if try !body(entries[done...].prefix { $0.isBeside(first) }, &done) { return }
      }
    }
  }
}
