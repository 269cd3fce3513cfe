import KennelPages
import Synchronization

/// The objects of a primary key in one array, by the number itself.
///
/// It takes the place of a look at a leaf of the index tree, which lies in several lines of memory
/// that are rarely in a cache: among 200,000 objects the table has 0.8 MB, their leaves 7. It is made
/// after one look-up for each 25 entries of the tree, by when most of the leaves have been touched, and
/// only of numbers that lie close together, as those that a program counts up do. It belongs to one
/// commit.
///
/// | bytes of an entry | what |
/// |---|---|
/// | 4 | the key of the object with the number, 0 where there is none |
///
/// May be used by many threads at once.
///
/// Safe to use: it owns its memory, and looks whether a number lies in it.
@safe package final class NumberTable: @unchecked Sendable {
  let commit: UInt64
  private let content = Atomic<UInt>(0)
  /// How many numbers were looked up in the tree; a few that get lost do not matter.
  private let lookupCount = Atomic<Int>(0)
  private let lookupsBefore: Int

  /// No table has more entries, which are 16 MB.
  static let largestCount: UInt64 = 4 << 20

  fileprivate init(commit: UInt64, entryCount: Int) {
    self.commit = commit
    lookupsBefore = entryCount / 25 + 100
  }

  deinit {
    guard let made = unsafe Content.at(content.load(ordering: .acquiring)) else { return }
    unsafe made.pointee.keys.deallocate()
    unsafe made.deallocate()
  }

  /// The key of the object with a number in the property that a header names; 0 says nothing.
  @inline(__always)
  func key(of number: Int64, header: UInt64, in source: TreeSource) -> UInt64 {
    if let content = unsafe Content.at(content.load(ordering: .acquiring)),
      unsafe content.pointee.header == header
    {
      let index = unsafe UInt64(bitPattern: number &- content.pointee.first)
      return unsafe index < content.pointee.count
        ? UInt64(content.pointee.keys[Int(truncatingIfNeeded: index)]) : 0
    }
    let count = lookupCount.load(ordering: .relaxed) &+ 1
    lookupCount.store(count, ordering: .relaxed)
    if count == lookupsBefore { make(header, source) }
    return 0
  }

  /// Makes the table of a property, unless its numbers lie too far from each other, two objects share
  /// one, or an entry is damaged: whoever looks that one up is told.
  @inline(never)
  private func make(_ header: UInt64, _ source: TreeSource) {
    guard let made = try? unsafe Content(header, source) else { return }
    let pointer = UnsafeMutablePointer<Content>.allocate(capacity: 1)
    unsafe pointer.initialize(to: made)
    let (isMine, _) = content.compareExchange(
      expected: 0,
      desired: UInt(bitPattern: pointer),
      ordering: .acquiringAndReleasing
    )
    if !isMine {
      unsafe made.keys.deallocate()
      unsafe pointer.deallocate()
    }
  }

  @unsafe private struct Content {
    /// The class, property and kind that the keys begin with.
    let header: UInt64
    /// The number that the first entry is for.
    let first: Int64
    let count: UInt64
    let keys: UnsafeMutablePointer<UInt32>

    @inline(__always)
    static func at(_ address: UInt) -> UnsafeMutablePointer<Content>? {
      unsafe UnsafeMutablePointer(bitPattern: address)
    }

    /// `nil` where there can be none.
    init?(_ header: UInt64, _ source: TreeSource) throws(StorageError) {
      guard let range = try unsafe Self.range(header, source) else { return nil }
      let distance = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      guard distance < NumberTable.largestCount,
        distance / 2 < UInt64(source.entryCount(.indexes))
      else { return nil }
      unsafe self.header = header
      unsafe first = range.lowerBound
      unsafe count = distance + 1
      unsafe keys = .allocate(capacity: Int(count))
      unsafe keys.initialize(repeating: 0, count: Int(count))
      do throws(StorageError) {
        if try unsafe fill(source) { return }
      } catch {
        unsafe keys.deallocate()
        throw error
      }
      unsafe keys.deallocate()
      return nil
    }

    /// The least and the greatest number; `nil` where there is none.
    private static func range(
      _ header: UInt64,
      _ source: TreeSource
    ) throws(StorageError) -> ClosedRange<Int64>? {
      var cursor = try source.cursor(.indexes)
      let start = unsafe Self.bytes(header)
      let found = try start.withRawBytes { (bytes) throws(StorageError) in
        try cursor.seek(atOrAfter: bytes)
      }
      guard found, let least = IndexKey.intEntry(cursor.bytes, header) else { return nil }
      let end = unsafe Self.bytes(header + 1)
      _ = try end.withRawBytes { (bytes) throws(StorageError) in
        try cursor.seek(atOrBefore: bytes)
      }
      guard cursor.isValid, let greatest = IndexKey.intEntry(cursor.bytes, header),
        least.number <= greatest.number
      else { return nil }
      return least.number...greatest.number
    }

    /// The five bytes of a header.
    private static func bytes(_ header: UInt64) -> [UInt8] {
      (0..<5).map { UInt8(truncatingIfNeeded: header >> (32 - 8 * UInt64($0))) }
    }

    /// False if the numbers are in a wrong order, or one is there twice.
    private func fill(_ source: TreeSource) throws(StorageError) -> Bool {
      var isSound = true
      let start = unsafe Self.bytes(header)
      try start.withRawBytes { (bytes) throws(StorageError) in
        try source.forEachEntry(from: bytes) { (entry) throws(StorageError) in
          guard let (number, object) = unsafe IndexKey.intEntry(entry, header) else {
            // A number that is not exact has a key of this header, too.
            return unsafe IndexKey.header(of: entry) == header
          }
          let index = unsafe UInt64(bitPattern: number &- first)
          let key = object.rawValue
          isSound = unsafe index < count && keys[Int(index)] == 0 && key > 0 && key <= UInt32.max
          if isSound { unsafe keys[Int(index)] = UInt32(truncatingIfNeeded: key) }
          return isSound
        }
      }
      return isSound
    }
  }
}

/// The table of the newest commit that was read.
package final class NumberTables: Sendable {
  private let newest = Mutex<NumberTable?>(nil)

  package init() {}

  /// The table of a snapshot; a new one if it is another than the last.
  func table(of snapshot: PageSnapshot) -> NumberTable {
    newest.withLock { newest in
      if let newest, newest.commit == snapshot.commit { return newest }
      let entryCount = snapshot.entryCount(.indexes)
      let made = NumberTable(commit: snapshot.commit, entryCount: entryCount)
      // Whoever was slow to begin may come with an older commit.
      if newest.map({ $0.commit < snapshot.commit }) ?? true { newest = made }
      return made
    }
  }
}
