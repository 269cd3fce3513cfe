import CMemory

/// Backlinks that wait to be noted at their targets, or taken away there.
///
/// A link to an object at random waits for memory at its target: the cluster, the entry of the chunk, the column and
/// the place in it are lines that no cache has, and each leads to the next. Of a few hundred backlinks
/// that wait, the processor fetches the lines of many side by side: making a person with a favourite
/// dog anywhere takes 0.8 of the time, deleting one 0.9.
///
/// The memory belongs to whoever has the queue, who calls ``deallocate()`` once.
///
/// Safe to use: positions are checked, and its owner deallocates it last.
@usableFromInline
@safe package struct BacklinkQueue {
  /// A link from an object to a target.
  struct Entry {
    let target: ObjectIdentity
    let column: UInt16
    let origin: UInt64
  }

  /// Enough to fetch many lines side by side, few enough to stay in the nearest cache.
  static let capacity = 512

  /// What there is room for at first: one object that is deleted asks for no more.
  private static let firstRoom = 16

  private var entries: UnsafeMutablePointer<Entry>?
  private var room = 0
  @usableFromInline private(set) var count = 0

  package init() {}

  @usableFromInline var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == Self.capacity }

  /// Takes a backlink in; false where there is no room.
  package mutating func append(
    _ target: ObjectIdentity,
    _ column: UInt16,
    from origin: UInt64
  ) -> Bool {
    if count == room {
      guard count < Self.capacity else { return false }
      grow()
    }
    guard let start = unsafe entries else { return false }
    unsafe (start + count).initialize(to: Entry(target: target, column: column, origin: origin))
    count &+= 1
    return true
  }

  private mutating func grow() {
    room = room == 0 ? Self.firstRoom : Self.capacity
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: room)
    if let entries = unsafe entries {
      unsafe larger.moveInitialize(from: entries, count: count)
      unsafe entries.deallocate()
    }
    unsafe entries = larger
  }

  /// Whether the last one that waits is for a target.
  @inline(__always)
  func endsWith(_ target: ObjectIdentity, _ column: UInt16) -> Bool {
    guard let last = self[count &- 1] else { return false }
    return last.target == target && last.column == column
  }

  subscript(position: Int) -> Entry? {
    unsafe position >= 0 && position < count ? entries?[position] : nil
  }

  /// Forgets the first so many.
  mutating func removeFirst(_ number: Int) {
    count &-= number
    if let entries = unsafe entries, count > 0 {
      unsafe entries.update(from: entries + number, count: count)
    }
  }

  /// The same backlinks in memory of their own.
  func copied() -> BacklinkQueue {
    var copy = BacklinkQueue()
    for position in 0..<count {
      guard let entry = self[position] else { continue }
      _ = copy.append(entry.target, entry.column, from: entry.origin)
    }
    return copy
  }

  package func deallocate() { unsafe entries?.deallocate() }
}
