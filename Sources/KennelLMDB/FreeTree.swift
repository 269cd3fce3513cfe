import Glibc

/// Checks the commit numbers of the two meta pages.
///
/// A flipped bit in a commit's number can silently select the previous commit: 11 (0b1011) becomes
/// 9 (0b1001), which is also a neighbour of 10. But each commit from the second on copies at least
/// the root of the main tree and so adds an entry to the free tree under its own number, the
/// greatest there. LMDB does not reuse pages of the two newest commits, so both free trees can be
/// read while the meta pages do not change.
enum FreeTree {
  /// What contradicts the commit number of `meta`, as the end of a sentence.
  static func defect(of meta: MetaPage, descriptor: Int32) -> String? {
    let commit = meta.transactionID
    guard let last = lastKey(meta, descriptor) else { return "its free list cannot be read" }
    let isRight = commit < 2 ? last <= commit : last == commit
    return isRight ? nil : "it says commit \(commit), its free list commit \(last)"
  }

  /// The greatest key of the free tree; 0 if it is empty, `nil` if it is invalid.
  private static func lastKey(_ meta: MetaPage, _ descriptor: Int32) -> UInt64? {
    let tree = meta.freeTree
    if tree.isEmpty { return 0 }
    let size = meta.pageSize
    let page = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { unsafe page.deallocate() }
    func half(_ offset: Int) -> Int {
      unsafe Int(page.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
    var number = tree.rootPage
    for level in 1...tree.depth {
      guard number >= 2, number <= meta.lastPage,
        unsafe pread(descriptor, page, size, off_t(number) * off_t(size)) == size,
        unsafe page.loadUnaligned(as: UInt64.self) == number,
        half(10) == (level == tree.depth ? 2 : 1)
      else { return nil }
      let lower = half(12)
      guard lower >= 18, lower <= size, lower & 1 == 0 else { return nil }
      let node = half(lower - 2)
      guard node >= lower, node + 16 <= size else { return nil }
      if level == tree.depth {
        return unsafe half(node + 6) == 8
          ? page.loadUnaligned(fromByteOffset: node + 8, as: UInt64.self) : nil
      }
      number = unsafe page.loadUnaligned(fromByteOffset: node, as: UInt64.self) & 0xffff_ffff_ffff
    }
    return nil
  }
}
