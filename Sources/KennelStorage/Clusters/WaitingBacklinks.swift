/// Backlinks that wait to be noted at their targets, or to be taken away there.
///
/// A link to an object anywhere costs the decoding of the column that has the target's backlinks, and at
/// last its encoding, for one number. Of many that wait, those of one column are noted together: a
/// transaction that links millions of objects to others at random writes each column a few times,
/// and not once for each link.
@usableFromInline
package struct WaitingBacklinks {
  /// A link from an object to a target, in 16 bytes.
  struct Entry: Comparable {
    private let classAndTarget: UInt64
    private let columnAndOrigin: UInt64

    private static let keyBits: UInt64 = 48
    private static let keyMask: UInt64 = 1 << keyBits - 1

    init(_ target: ObjectIdentity, _ column: UInt16, from origin: UInt64) {
      classAndTarget = UInt64(target.classKey.rawValue) << Self.keyBits | target.key.rawValue
      columnAndOrigin = UInt64(column) << Self.keyBits | origin
    }

    var target: ObjectIdentity {
      ObjectIdentity(
        ClassKey(rawValue: UInt16(truncatingIfNeeded: classAndTarget >> Self.keyBits)),
        ObjectKey(rawValue: classAndTarget & Self.keyMask)
      )
    }

    var column: UInt16 { UInt16(truncatingIfNeeded: columnAndOrigin >> Self.keyBits) }
    var origin: UInt64 { columnAndOrigin & Self.keyMask }

    /// In the order of the targets, so that neighbours find the column at hand.
    static func < (left: Self, right: Self) -> Bool {
      left.classAndTarget == right.classAndTarget
        ? left.columnAndOrigin < right.columnAndOrigin : left.classAndTarget < right.classAndTarget
    }
  }

  private(set) var entries: [Entry] = []

  package init() {}

  @usableFromInline var isEmpty: Bool { entries.isEmpty }
  package var byteCount: Int { entries.count * Self.bytesPerEntry }
  static let bytesPerEntry = MemoryLayout<Entry>.stride

  package mutating func append(_ target: ObjectIdentity, _ column: UInt16, from origin: UInt64) {
    entries.append(Entry(target, column, from: origin))
  }

  /// Whether the last one that waits is for a target.
  @inline(__always)
  func endsWith(_ target: ObjectIdentity, _ column: UInt16) -> Bool {
    guard let last = entries.last else { return false }
    return last.target == target && last.column == column
  }

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
