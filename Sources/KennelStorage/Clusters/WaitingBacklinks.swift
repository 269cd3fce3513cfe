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

    /// In the order of the targets, so that neighbours find the column at hand; of one target first
    /// what is added, since it may be removed again.
    static func < (left: Self, right: Self) -> Bool {
      left.classAndTarget == right.classAndTarget
        ? left.columnAndOrigin < right.columnAndOrigin : left.classAndTarget < right.classAndTarget
    }
  }

  private(set) var entries: [Entry] = []

  init() {}

  @usableFromInline var isEmpty: Bool { entries.isEmpty }
  var byteCount: Int { entries.count * Self.bytesPerEntry }
  static let bytesPerEntry = MemoryLayout<Entry>.stride

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Calls a body with each, in the order of their targets, and forgets it, until there are none or a
  /// body says that it is enough; one that fails stays, as those behind it do.
  mutating func drain(_ body: (Entry) throws(StorageError) -> Bool) throws(StorageError) {
    entries.sort()
    var done = 0
    defer { if done == entries.count { entries = [] } else { entries.removeFirst(done) } }
    while done < entries.count {
      let goesOn = try body(entries[done])
      done += 1
      if !goesOn { return }
    }
  }
}
