import KennelLMDB

/// What must hold of one page so that reading it can neither leave it nor mislead.
///
/// 1. Its number, its kind, and an offset table that ends before the nodes begin.
/// 2. Every node lies inside, at an even offset; together they fill the page from
///    `upper` to the end, so that a lost node is noticed.
/// 3. Keys have a possible size and ascend strictly.
/// 4. Values lie inside, or say where their overflow run begins.
///
/// That the keys belong below the separators that led here, and that the overflow run
/// is one, is checked on the way (`TreeReader`, `TreeCursor`).
enum PageCheck {
  /// Whether nothing is wrong with a page; false says nothing.
  ///
  /// Most pages that are met are sound: this looks at each node once, and ``defect(_:number:size:kind:)``
  /// says what it was that failed. A small commit touches three branches and three leaves that its
  /// snapshot has not seen, which took it 7 µs and takes 3.
  @inline(__always)
  static func isSound(
    _ page: UnsafeRawPointer,
    number: UInt64,
    size: Int,
    kind: PageKind
  ) -> Bool {
    switch kind {
    case .integerBranch: unsafe isSoundBranch(page, number, size)
    case .integerLeaf: unsafe isSoundLeaf(page, number, size)
    case .bytesLeaf: unsafe isSoundBytesPage(page, number, size, isLeaf: true)
    case .bytesBranch: unsafe isSoundBytesPage(page, number, size, isLeaf: false)
    case .namesLeaf: false
    }
  }

  /// How many bytes a node with an integer key takes, without a value.
  private static let integerNodeByteCount = PageLayout.nodeHeaderByteCount + 8

  private static func isSoundBranch(
    _ page: UnsafeRawPointer,
    _ number: UInt64,
    _ size: Int
  ) -> Bool {
    let (lower, upper) = unsafe (page.word16(12), page.word16(14))
    guard unsafe page.word64(0) == number, unsafe page.word16(10) == Int(PageLayout.branch),
      lower >= PageLayout.headerByteCount + 4, lower <= upper, upper <= size, lower & 1 == 0
    else { return false }
    let first = unsafe page.word16(PageLayout.headerByteCount)
    guard first >= upper, first & 1 == 0, first <= size - PageLayout.nodeHeaderByteCount else {
      return false
    }
    // The first key means nothing, and often is not there.
    let firstByteCount = unsafe PageLayout.nodeHeaderByteCount + (page + first).word16(6)
    guard firstByteCount & 7 == 0, firstByteCount <= integerNodeByteCount,
      first + firstByteCount <= size
    else { return false }
    var pointer = PageLayout.headerByteCount + 2
    var last: UInt64 = 0
    while pointer < lower {
      let offset = unsafe page.word16(pointer)
      guard offset >= upper, offset & 1 == 0, offset <= size - integerNodeByteCount,
        unsafe (page + offset).word16(6) == 8
      else { return false }
      let key = unsafe (page + offset).word64(PageLayout.nodeHeaderByteCount)
      guard key > last || pointer == PageLayout.headerByteCount + 2 else { return false }
      last = key
      pointer += 2
    }
    let others = (lower - PageLayout.headerByteCount) / 2 - 1
    return others * integerNodeByteCount + firstByteCount == size - upper
  }

  private static func isSoundLeaf(_ page: UnsafeRawPointer, _ number: UInt64, _ size: Int) -> Bool {
    let (lower, upper) = unsafe (page.word16(12), page.word16(14))
    guard unsafe page.word64(0) == number, unsafe page.word16(10) == Int(PageLayout.leaf),
      lower >= PageLayout.headerByteCount + 2, lower <= upper, upper <= size, lower & 1 == 0
    else { return false }
    var pointer = PageLayout.headerByteCount
    var filled = 0
    var last: UInt64 = 0
    while pointer < lower {
      let offset = unsafe page.word16(pointer)
      guard offset >= upper, offset & 1 == 0, offset <= size - integerNodeByteCount else {
        return false
      }
      let node = unsafe page + offset
      let flags = unsafe node.word16(4)
      guard unsafe node.word16(6) == 8, flags <= Int(PageLayout.isOverflow) else { return false }
      let byteCount = unsafe integerNodeByteCount + (flags == 0 ? node.word32(0) : 8)
      let key = unsafe node.word64(PageLayout.nodeHeaderByteCount)
      guard offset + byteCount <= size, key > last || pointer == PageLayout.headerByteCount else {
        return false
      }
      filled += (byteCount + 1) & ~1
      last = key
      pointer += 2
    }
    return filled == size - upper
  }

  @inline(__always)
  private static func isSoundBytesPage(
    _ page: UnsafeRawPointer,
    _ number: UInt64,
    _ size: Int,
    isLeaf: Bool
  ) -> Bool {
    let (lower, upper) = unsafe (page.word16(12), page.word16(14))
    guard unsafe page.word64(0) == number,
      unsafe page.word16(10) == Int(isLeaf ? PageLayout.leaf : PageLayout.branch),
      lower >= PageLayout.headerByteCount + (isLeaf ? 2 : 4), lower <= upper, upper <= size,
      lower & 1 == 0
    else { return false }
    var pointer = PageLayout.headerByteCount
    var filled = 0
    var last = unsafe UnsafeRawBufferPointer(start: page, count: 0)
    while pointer < lower {
      let offset = unsafe page.word16(pointer)
      guard offset >= upper, offset & 1 == 0, offset <= size - PageLayout.nodeHeaderByteCount else {
        return false
      }
      let node = unsafe page + offset
      let keyByteCount = unsafe node.word16(6)
      var byteCount = PageLayout.nodeHeaderByteCount + keyByteCount
      if isLeaf {
        let flags = unsafe node.word16(4)
        guard flags <= Int(PageLayout.isOverflow) else { return false }
        unsafe byteCount += flags == 0 ? node.word32(0) : 8
      }
      // The first key of a branch means nothing, and often is not there.
      let isFirst = !isLeaf && pointer == PageLayout.headerByteCount
      guard offset + byteCount <= size, keyByteCount <= PageLayout.maximumKeyByteCount,
        keyByteCount > 0 || isFirst
      else { return false }
      if !isFirst {
        let key = unsafe UnsafeRawBufferPointer(
          start: node + PageLayout.nodeHeaderByteCount,
          count: keyByteCount
        )
        guard unsafe KeyOrder.compareBytes(last, key) < 0 else { return false }
        unsafe last = key
      }
      filled += (byteCount + 1) & ~1
      pointer += 2
    }
    return filled == size - upper
  }

  /// What is wrong with the page, as the end of a sentence; nil if nothing is.
  static func defect(
    _ page: UnsafeRawPointer,
    number: UInt64,
    size: Int,
    kind: PageKind
  ) -> String? {
    let own = unsafe page.word64(0)
    if own != number { return "its number says \(own)" }
    let flags = unsafe page.word16(10)
    if flags != Int(kind.isLeaf ? PageLayout.leaf : PageLayout.branch) {
      return "it is of kind \(flags), not a \(kind.isLeaf ? "leaf" : "branch")"
    }
    let lower = unsafe page.word16(12)
    let upper = unsafe page.word16(14)
    guard lower >= PageLayout.headerByteCount, lower <= upper, upper <= size, lower & 1 == 0 else {
      return "its bounds are \(lower) and \(upper)"
    }
    let count = unsafe page.nodeCount
    if count < (kind.isLeaf ? 1 : 2) { return "it has \(count) nodes" }
    var filled = 0
    for index in 0..<count {
      let offset = unsafe page.word16(PageLayout.headerByteCount + index << 1)
      guard offset >= upper, offset & 1 == 0, offset + PageLayout.nodeHeaderByteCount <= size else {
        return "its node \(index) begins at \(offset)"
      }
      let byteCount = unsafe nodeByteCount(page + offset, kind: kind, isFirst: index == 0)
      guard byteCount > 0, offset + byteCount <= size else {
        return "its node \(index) does not fit"
      }
      filled += (byteCount + 1) & ~1
    }
    if filled != size - upper { return "its nodes take \(filled) bytes of \(size - upper)" }
    return unsafe kind.hasIntegerKeys
      ? integerOrderDefect(page, count, kind) : orderDefect(page, count, kind)
  }

  /// How many bytes a node takes; 0 where it cannot be one.
  private static func nodeByteCount(
    _ node: UnsafeRawPointer,
    kind: PageKind,
    isFirst: Bool
  ) -> Int {
    let keyByteCount = unsafe node.word16(6)
    let header = PageLayout.nodeHeaderByteCount + keyByteCount
    if kind.isLeaf || !isFirst {
      if kind.hasIntegerKeys {
        if keyByteCount != 8 { return 0 }
      } else if keyByteCount == 0 || keyByteCount > PageLayout.maximumKeyByteCount {
        return 0
      }
    } else if keyByteCount > PageLayout.maximumKeyByteCount {
      return 0
    }
    if !kind.isLeaf { return header }
    let flags = unsafe node.word16(4)
    let valueByteCount = unsafe node.word32(0)
    if kind == .namesLeaf {
      if flags == Int(PageLayout.isNamedTree) { return valueByteCount == 48 ? header + 48 : 0 }
      let key = unsafe UnsafeRawBufferPointer(
        start: node + PageLayout.nodeHeaderByteCount,
        count: keyByteCount
      )
      return unsafe flags == 0 && key.elementsEqual(Tree.headerKey) ? header + valueByteCount : 0
    }
    if flags == 0 { return header + valueByteCount }
    return flags == Int(PageLayout.isOverflow) ? header + 8 : 0
  }

  private static func integerOrderDefect(
    _ page: UnsafeRawPointer,
    _ count: Int,
    _ kind: PageKind
  ) -> String? {
    // The first key of a branch means nothing.
    let first = kind.isLeaf ? 0 : 1
    var last = unsafe page.integerKey(first)
    for index in first + 1..<max(count, first + 1) {
      let key = unsafe page.integerKey(index)
      if key <= last { return "its keys are out of order" }
      last = key
    }
    return nil
  }

  private static func orderDefect(
    _ page: UnsafeRawPointer,
    _ count: Int,
    _ kind: PageKind
  ) -> String? {
    let first = kind.isLeaf ? 0 : 1
    for index in first + 1..<max(count, first + 1) {
      if unsafe KeyOrder.compareBytes(page.key(index - 1), page.key(index)) >= 0 {
        return "its keys are out of order"
      }
    }
    return nil
  }

  /// How many pages an overflow run with a value of `byteCount` bytes needs.
  static func overflowPageCount(_ byteCount: Int, pageSize: Int) -> Int {
    (PageLayout.headerByteCount + byteCount + pageSize - 1) / pageSize
  }

  /// What is wrong with the header of an overflow run for a value of `byteCount` bytes.
  static func overflowDefect(
    _ page: UnsafeRawPointer,
    number: UInt64,
    byteCount: Int,
    pageSize: Int
  ) -> String? {
    if unsafe page.word64(0) != number { return unsafe "its number says \(page.word64(0))" }
    if unsafe page.word16(10) != Int(PageLayout.overflow) { return "it is not an overflow page" }
    if unsafe page.word32(12) < overflowPageCount(byteCount, pageSize: pageSize) {
      return unsafe "its run of \(page.word32(12)) pages is too short for \(byteCount) bytes"
    }
    return nil
  }
}
