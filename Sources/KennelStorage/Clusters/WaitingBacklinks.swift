/// Changes of backlinks that wait to be made at their targets.
///
/// A link to an object anywhere costs the decoding of the column that has the target's backlinks, and at
/// last its encoding, for one number. So every change waits until somebody looks at backlinks or they are
/// stored; of many that wait, those of one column are made together: a transaction that links millions
/// of objects to others at random writes each column a few times, and not once for each link.
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

    /// In the order of the targets, so that neighbours find the column at hand; of one target first
    /// what is added, since it may be removed again.
    static func < (left: Self, right: Self) -> Bool {
      left.classAndTarget == right.classAndTarget
        ? left.columnAndOrigin < right.columnAndOrigin : left.classAndTarget < right.classAndTarget
    }
  }

  /// Those of each column together, as far as there are lanes: objects are often linked in the order of
  /// the targets, and what is in order already is sorted at once.
  private var lanes: [[Entry]] = Array(repeating: [], count: Self.laneCount)
  private var count = 0

  private static let laneCount = 16

  init() {}

  @usableFromInline var isEmpty: Bool { count == 0 }
  var byteCount: Int { count * Self.bytesPerEntry }
  static let bytesPerEntry = MemoryLayout<Entry>.stride

  mutating func append(_ entry: Entry) {
    lanes[entry.lane(of: Self.laneCount)].append(entry)
    count += 1
  }

  /// Calls a body with each, in the order of the targets of a column, and forgets it, until there are none
  /// or a body says that it is enough; one that fails stays, as those behind it do.
  mutating func drain(_ body: (Entry) throws(StorageError) -> Bool) throws(StorageError) {
    for lane in lanes.indices where !lanes[lane].isEmpty {
      lanes[lane].sort()
      var done = 0
      defer {
        count -= done
        if done == lanes[lane].count { lanes[lane] = [] } else { lanes[lane].removeFirst(done) }
      }
      while done < lanes[lane].count {
        let goesOn = try body(lanes[lane][done])
        done += 1
        if !goesOn { return }
      }
    }
  }
}
