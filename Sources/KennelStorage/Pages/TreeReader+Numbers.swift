internal import Synchronization

/// Looking an entry of the index tree up by a number.
///
/// A look-up among a million costs about as much as it misses the processor's caches: halving a
/// leaf of a hundred entries touches seven lines of it. Numbers are mostly spread evenly between
/// the separators above a leaf, so that the first guess is right and three lines suffice; where
/// the leaf is filled as the last one was, these three are fetched at once.
extension TreeReader {
  /// An entry whose key begins with five given bytes and a number, if it is where it is expected.
  ///
  /// An entry that is returned is in the tree. `nil` says nothing: the caller asks a cursor, which
  /// looks at the neighbours and at pages with short keys too.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @inline(__always)
  package func entry(
    header: UInt64,
    number: UInt64
  ) throws(StorageError) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    if depth == 0 || order == .integer { return nil }
    var pageNumber = rootPage
    var low: UInt64 = 0
    var high = UInt64.max
    let known = unsafe NumberDirectory.pointer(numbers.pointee.directory.load(ordering: .acquiring))
    if let known = unsafe known, unsafe known.pointee.header == header {
      if unsafe isTableWorthwhile(known) { unsafe makeTable(known) }
      let index = unsafe known.pointee.index(of: number)
      pageNumber = unsafe known.pointee.pages[index]
      low = unsafe known.pointee.numbers[index]
      high = unsafe known.pointee.numbers[index &+ 1]
    } else {
      if unsafe known == nil, isDirectoryWorthwhile() { try makeDirectory(header) }
      var level = depth
      while level > 1 {
        let (page, isLong) = try unsafe source.bytesPage(pageNumber, .bytesBranch, name)
        let count = unsafe page.nodeCount
        // The first key of a branch means nothing: no key is less.
        guard isLong, unsafe page.hasKeys(of: header, from: 1, count: count) else {
          return try unsafe entryAmongOthers(header, number)
        }
        let next = unsafe page.lastIndex(ofNumber: number, from: 1, count: count)
        let separator = unsafe page.keyNumber(next)
        if separator > number {
          // The first separator: the child is the one before it.
          high = separator
          pageNumber = unsafe page.child(0)
        } else {
          low = separator
          if next &+ 1 < count { high = unsafe page.keyNumber(next &+ 1) }
          pageNumber = unsafe page.child(next)
        }
        level &-= 1
      }
    }
    let (page, isLong) = try unsafe source.bytesPage(pageNumber, .bytesLeaf, name)
    if !isLong { return nil }
    // Below 1, and negative for a number that is not between the separators.
    let part = Double(Int64(truncatingIfNeeded: (number &- low) &>> 1))
    let place = part / Double(Int64(truncatingIfNeeded: (high &- low) &>> 1) | 1)
    var shape = unsafe LeafShape(bits: numbers.pointee.leafShape.load(ordering: .relaxed))
    let guess = shape.index(of: place)
    let expected = source.pageSize &- (guess &+ 1) &* shape.nodeByteCount
    let candidate = unsafe page + expected
    // The offset, the count and the number are loaded before any of them is looked at.
    let offset = unsafe page.word16(PageLayout.headerByteCount &+ guess &<< 1)
    let count = unsafe page.nodeCount
    let found = unsafe candidate.word64(PageLayout.nodeHeaderByteCount &+ 5).bigEndian
    if offset == expected, guess < count, found == number, unsafe page.keyHeader(guess) == header {
      return unsafe (page.key(guess), try source.value(candidate, name))
    }
    shape = unsafe LeafShape(of: page, pageSize: source.pageSize)
    unsafe numbers.pointee.leafShape.store(shape.bits, ordering: .relaxed)
    guard let index = unsafe page.index(of: number, header, guess: shape.index(of: place)) else {
      return nil
    }
    return unsafe (page.key(index), try source.value(page.node(index), name))
  }

  /// The same where pages on the way hold the keys of several properties.
  @inline(never)
  private func entryAmongOthers(
    _ header: UInt64,
    _ number: UInt64
  ) throws(StorageError) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    let high = header &<< 24 | number &>> 40
    var key = (high.bigEndian, (number &<< 24).bigEndian)
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(StorageError) in
      var cursor = cursor()
      let prefix = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<13])
      guard try unsafe cursor.seek(atOrAfter: prefix) else { return nil }
      let found = unsafe cursor.key
      guard found.count >= 16,
        unsafe KeyOrder.compareBytes(UnsafeRawBufferPointer(rebasing: found[..<13]), prefix) == 0
      else { return nil }
      return unsafe (found, try cursor.value())
    }
  }
}

/// How a leaf of entries of the same size is filled: what is appended lies backwards from the
/// page's end.
struct LeafShape {
  let count: Int
  let nodeByteCount: Int

  /// A shape by which any page can be read, whose nodes could be other ones.
  static let initial = LeafShape(count: 1, nodeByteCount: 64)

  private init(count: Int, nodeByteCount: Int) {
    self.count = count
    self.nodeByteCount = nodeByteCount
  }

  /// The shape of a leaf with long keys, were all its nodes like the first.
  init(of page: UnsafeRawPointer, pageSize: Int) {
    let nodeByteCount = unsafe page.nodeByteCount(0)
    let fits = unsafe page.nodeCount * nodeByteCount <= pageSize - PageLayout.headerByteCount
    unsafe self.init(
      count: fits ? page.nodeCount : 1,
      nodeByteCount: fits ? nodeByteCount : LeafShape.initial.nodeByteCount
    )
  }

  init(bits: UInt64) {
    count = Int(truncatingIfNeeded: bits &>> 32)
    nodeByteCount = Int(truncatingIfNeeded: bits & 0xFFFF_FFFF)
  }

  var bits: UInt64 { UInt64(count) &<< 32 | UInt64(nodeByteCount) }

  /// The node that should be the one in a place from 0 to 1.
  @inline(__always)
  func index(of place: Double) -> Int {
    min(max(Int(place * Double(count) + 0.5), 0), count &- 1)
  }
}

extension UnsafeRawPointer {
  /// The bytes that a leaf's node takes, up to the next one.
  fileprivate func nodeByteCount(_ index: Int) -> Int {
    let node = unsafe node(index)
    return unsafe (PageLayout.nodeHeaderByteCount + node.word16(6) + node.word32(0) + 1) & ~1
  }

  /// The node of a leaf with a number.
  fileprivate func index(of number: UInt64, _ header: UInt64, guess: Int) -> Int? {
    if unsafe keyNumber(guess) == number, unsafe keyHeader(guess) == header { return guess }
    guard unsafe hasKeys(of: header, from: 0, count: nodeCount) else { return nil }
    let index = unsafe lastIndex(ofNumber: number, from: 0, count: nodeCount)
    return unsafe keyNumber(index) == number ? index : nil
  }
}
