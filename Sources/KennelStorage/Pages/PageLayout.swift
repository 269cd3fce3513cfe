/// LMDB 0.9's pages, as this reader knows them: 64-bit, little-endian, no sorted duplicates.
///
/// Every page but the first two, which are meta pages (KennelLMDB/MetaPage.swift), and
/// the later ones of an overflow run begins with a header:
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | its own number |
/// | 8 | 2 | not used here |
/// | 10 | 2 | kind: 1 branch, 2 leaf, 4 overflow |
/// | 12 | 2 | lower: end of the offsets |
/// | 14 | 2 | upper: begin of the nodes |
/// | 12 | 4 | of an overflow page instead: pages in the run |
/// | 16 | 2 n | offsets of the nodes in the page, in the order of their keys |
///
/// The nodes fill the page from `upper` to its end without a gap; each begins at an even offset:
///
/// | offset | bytes | leaf | branch |
/// |---|---|---|---|
/// | 0 | 4 | size of the value | child page, lower 32 bits |
/// | 4 | 2 | 1: overflow, 2: named tree | child page, upper 16 bits |
/// | 6 | 2 | size of the key | the same; the first node's key means nothing |
/// | 8 | – | key, then value or page number of the overflow run | key: no key of the child is less |
///
/// Example: a leaf (page 7) with one entry, key 3, value `6b 65 6e`: 19 bytes, rounded
/// up to 20, so upper is 4096 - 20 = 4076 = 0x0fec.
///
/// ```
/// 0000  07 00 00 00 00 00 00 00  00 00 02 00 12 00 ec 0f   number 7, leaf, lower 18, upper 4076
/// 0010  ec 0f                                              one node, at 4076
/// 0fec  03 00 00 00 00 00 08 00  03 00 00 00 00 00 00 00   value of 3 bytes, key of 8 bytes: 3
/// 0ffc  6b 65 6e 00                                        the value, and a byte of padding
/// ```
enum PageLayout {
  static let headerByteCount = 16
  static let nodeHeaderByteCount = 8
  static let branch: UInt16 = 1
  static let leaf: UInt16 = 2
  static let overflow: UInt16 = 4
  static let isOverflow: UInt16 = 1
  static let isNamedTree: UInt16 = 2
  static let maximumKeyByteCount = 511
  /// Two meta pages come first.
  static let firstPage: UInt64 = 2
}

/// What a page is expected to be.
///
/// The raw value marks a page as checked for this.
enum PageKind: UInt8 {
  case integerLeaf = 1
  case integerBranch = 2
  case bytesLeaf = 3
  case bytesBranch = 4
  /// A leaf of the main tree, whose values are the roots of the named trees.
  case namesLeaf = 5

  var isLeaf: Bool { self != .integerBranch && self != .bytesBranch }
  var hasIntegerKeys: Bool { self == .integerLeaf || self == .integerBranch }
}

/// Access to a page that was checked. Nothing here looks whether it may.
extension UnsafeRawPointer {
  @inline(__always)
  var nodeCount: Int { unsafe (word16(12) - PageLayout.headerByteCount) >> 1 }

  @inline(__always)
  func node(_ index: Int) -> UnsafeRawPointer {
    unsafe self + word16(PageLayout.headerByteCount + index << 1)
  }

  /// The integer key of a node.
  @inline(__always)
  func integerKey(_ index: Int) -> UInt64 {
    unsafe node(index).word64(PageLayout.nodeHeaderByteCount)
  }

  /// The last node from `from` whose integer key is not greater than `key`; `from` if there is none.
  ///
  /// Without a branch but the loop's: where a key lies cannot be predicted, and a wrong
  /// guess costs more than the load.
  @inline(__always)
  func lastIndex(of key: UInt64, from: Int, count: Int) -> Int {
    var index = from
    var length = count &- from
    while length > 1 {
      let half = length &>> 1
      let middle = index &+ half
      index = unsafe integerKey(middle) <= key ? middle : index
      length &-= half
    }
    return index
  }

  /// The last node of a leaf whose integer key is not greater than `key`, which lies between those of
  /// the first and the last node.
  ///
  /// Numbers of clusters follow each other, so that a key lies near where it would among keys at equal
  /// distances. Each look at a key may have to wait for memory: two or three in place of five.
  @inline(__always)
  func nearbyIndex(of key: UInt64, count: Int) -> Int {
    let first = unsafe integerKey(0)
    let (distance, span) = unsafe (key &- first, integerKey(count &- 1) &- first)
    // So that nothing overflows: no leaf has more nodes than 1 << 14.
    guard span > 0, span < 1 << 50 else { return unsafe lastIndex(of: key, from: 0, count: count) }
    var index = Int(truncatingIfNeeded: distance &* UInt64(count &- 1) / span)
    if unsafe integerKey(index) <= key {
      for _ in 0..<3 {
        if unsafe index &+ 1 == count || integerKey(index &+ 1) > key { return index }
        index &+= 1
      }
      return unsafe lastIndex(of: key, from: index, count: count)
    }
    for _ in 0..<3 {
      index &-= 1
      if unsafe integerKey(index) <= key { return index }
    }
    return unsafe lastIndex(of: key, from: 0, count: index)
  }

  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    let node = unsafe node(index)
    return unsafe UnsafeRawBufferPointer(
      start: node + PageLayout.nodeHeaderByteCount,
      count: node.word16(6)
    )
  }

  /// The child page of a branch's node.
  @inline(__always)
  func child(_ index: Int) -> UInt64 {
    unsafe node(index).word64(0) & 0xffff_ffff_ffff
  }
}

/// Keys of the index tree whose values are numbers: five bytes of class, property and kind, then
/// eight bytes that are ordered like the numbers.
extension UnsafeRawPointer {
  /// Whether every key that means something has so many bytes that a number can be read.
  func hasLongKeys(isLeaf: Bool) -> Bool {
    for index in unsafe (isLeaf ? 0 : 1)..<nodeCount where unsafe node(index).word16(6) < 16 {
      return false
    }
    return true
  }

  /// The class, property and kind that a node's key begins with.
  @inline(__always)
  func keyHeader(_ index: Int) -> UInt64 {
    unsafe node(index).word64(PageLayout.nodeHeaderByteCount).bigEndian &>> 24
  }

  /// The number in a node's key.
  @inline(__always)
  func keyNumber(_ index: Int) -> UInt64 {
    unsafe node(index).word64(PageLayout.nodeHeaderByteCount &+ 5).bigEndian
  }

  /// Whether the keys from one node to the last all begin with the same header.
  @inline(__always)
  func hasKeys(of header: UInt64, from first: Int, count: Int) -> Bool {
    unsafe keyHeader(first) == header && keyHeader(count &- 1) == header
  }

  /// The last node from `from` on whose number is not greater than the given one; `from` if there
  /// is none.
  @inline(__always)
  func lastIndex(ofNumber number: UInt64, from: Int, count: Int) -> Int {
    var index = from
    var length = count &- from
    while length > 1 {
      let half = length &>> 1
      let middle = index &+ half
      index = unsafe keyNumber(middle) <= number ? middle : index
      length &-= half
    }
    return index
  }
}
