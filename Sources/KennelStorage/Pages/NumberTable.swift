internal import Synchronization

/// The objects of a primary key in one array, by the number itself.
///
/// It takes the place of a look at a leaf of the index tree, which lies in three lines of memory that
/// are rarely in a cache: among 200,000 objects the table has 0.8 MB, their leaves 7. It is made once
/// four times as many numbers were looked up as there are leaves, by when nearly all of these have been
/// touched, and only of numbers that lie close together, as those that a program counts up do.
///
/// | bytes of an entry | what |
/// |---|---|
/// | 4 | the key of the object with the number, 0 where there is none |
@unsafe struct NumberTable {
  /// The class, property and kind that the keys begin with.
  let header: UInt64
  /// The number that the first entry is for.
  let first: Int64
  let count: UInt64
  let keys: UnsafeMutablePointer<UInt32>

  /// No table has more entries, which are 16 MB.
  static let largestCount: UInt64 = 4 << 20

  /// The key of the object with a number; 0 says nothing.
  @inline(__always)
  func key(of number: Int64) -> UInt64 {
    let index = unsafe UInt64(bitPattern: number &- first)
    return unsafe index < count ? UInt64(keys[Int(truncatingIfNeeded: index)]) : 0
  }

  func deallocate() { unsafe keys.deallocate() }

  @inline(__always)
  static func pointer(_ address: UInt) -> UnsafeMutablePointer<NumberTable>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }
}

extension TreeReader {
  /// The key of the object that has a whole number in a property, 0 if that is not known without a
  /// look at the tree.
  @inline(__always)
  package func knownKey(header: UInt64, number: Int64) -> UInt64 {
    let known = unsafe NumberTable.pointer(numbers.pointee.table.load(ordering: .acquiring))
    guard let known = unsafe known, unsafe known.pointee.header == header else { return 0 }
    return unsafe known.pointee.key(of: number)
  }

  /// Whether enough numbers were looked up for a table to be worth its making; true once.
  @inline(__always)
  func isTableWorthwhile(_ directory: UnsafeMutablePointer<NumberDirectory>) -> Bool {
    let enough = unsafe lookupsBeforeDirectory &+ UInt64(directory.pointee.count) &* 4
    return unsafe numbers.pointee.countLookup() == enough
  }

  /// Makes the table of a property, unless its numbers lie too far from each other, two objects share
  /// one, or an entry is damaged: whoever looks that one up is told.
  @inline(never)
  func makeTable(_ directory: UnsafeMutablePointer<NumberDirectory>) {
    guard let made = try? unsafe NumberTable(self, directory.pointee) else { return }
    let pointer = UnsafeMutablePointer<NumberTable>.allocate(capacity: 1)
    unsafe pointer.initialize(to: made)
    let (isMine, _) = unsafe numbers.pointee.table.compareExchange(
      expected: 0,
      desired: UInt(bitPattern: pointer),
      ordering: .acquiringAndReleasing
    )
    if !isMine {
      unsafe made.deallocate()
      unsafe pointer.deallocate()
    }
  }
}

extension NumberTable {
  /// `nil` where there can be none.
  fileprivate init?(_ reader: TreeReader, _ directory: NumberDirectory) throws(StorageError) {
    guard let span = try unsafe directory.span(reader), unsafe span.count <= Self.largestCount
    else { return nil }
    unsafe header = directory.header
    unsafe first = span.first
    unsafe count = span.count
    unsafe keys = .allocate(capacity: Int(count))
    unsafe keys.initialize(repeating: 0, count: Int(count))
    var isSound = true
    do throws(StorageError) {
      for leaf in unsafe 0..<directory.count where isSound {
        try unsafe directory.forEachEntry(of: leaf, reader) { number, key in
          let index = unsafe UInt64(bitPattern: number &- first)
          // Whoever is not sound has numbers in a wrong order, or one twice.
          guard unsafe index < count, unsafe keys[Int(index)] == 0, key > 0, key <= UInt32.max
          else {
            isSound = false
            return
          }
          unsafe keys[Int(index)] = UInt32(truncatingIfNeeded: key)
        }
      }
    } catch {
      unsafe keys.deallocate()
      throw error
    }
    if !isSound {
      unsafe keys.deallocate()
      return nil
    }
  }
}

extension NumberDirectory {
  /// The least number and how many there are from it to the greatest; `nil` where most of them have
  /// no entry.
  fileprivate func span(
    _ reader: TreeReader
  ) throws(StorageError) -> (first: Int64, count: UInt64)? {
    var least = Int64.max
    var greatest = Int64.min
    var entryCount: UInt64 = 0
    // Leaves at either end may have entries of other properties only.
    for leaf in unsafe 0..<count where least == .max {
      try unsafe forEachEntry(of: leaf, reader) { number, _ in least = min(least, number) }
    }
    for leaf in unsafe (0..<count).reversed() where greatest == .min {
      try unsafe forEachEntry(of: leaf, reader) { number, _ in greatest = max(greatest, number) }
    }
    for leaf in unsafe 0..<count {
      let (page, _) = try unsafe reader.source.bytesPage(pages[leaf], .bytesLeaf, reader.name)
      unsafe entryCount += UInt64(page.nodeCount)
    }
    guard least <= greatest else { return nil }
    let distance = UInt64(bitPattern: greatest &- least)
    return distance / 2 < entryCount ? (least, distance + 1) : nil
  }

  /// Calls a body with each whole number of the property in a leaf and its object's key.
  fileprivate func forEachEntry(
    of leaf: Int,
    _ reader: TreeReader,
    _ body: (Int64, UInt64) -> Void
  ) throws(StorageError) {
    let (page, _) = try unsafe reader.source.bytesPage(pages[leaf], .bytesLeaf, reader.name)
    for node in unsafe 0..<page.nodeCount {
      let key = unsafe page.key(node)
      guard let (number, object) = unsafe IndexKey.intEntry(key, header) else { continue }
      guard try unsafe reader.source.value(page.node(node), reader.name).isIndexChecksum(of: key)
      else {
        throw .damaged(in: "an index entry", "its checksum does not match")
      }
      body(number, object.rawValue)
    }
  }
}
