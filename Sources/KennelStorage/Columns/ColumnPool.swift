import Glibc

/// The memory of the columns and clusters of one view.
///
/// What a small transaction needs comes from the heap. From ``heapByteCount`` on it is cut from large
/// blocks for which the system is asked to use huge pages: a column that is touched for the first
/// time costs a page fault per 4 KB otherwise, which took a seventh of the time of inserting, and
/// objects that are linked at random miss the translation of their addresses less often. The blocks
/// go back to the system with the pool, not to the allocator.
///
/// A pool belongs to one thread at a time.
package final class ColumnPool {
  @usableFromInline let state: UnsafeMutablePointer<ColumnPoolState>

  package init() {
    state = .allocate(capacity: 1)
    state.initialize(to: ColumnPoolState())
  }

  /// Begins anew after everything that came from the heap was given back; false where the pool has
  /// blocks and should be let go.
  func begin() -> Bool { state.pointee.begin() }

  deinit {
    state.pointee.unmapBlocks()
    state.deinitialize(count: 1)
    state.deallocate()
  }
}

/// What a ``ColumnPool`` has; apart from it, so that columns can keep a pointer that is not counted.
@usableFromInline
struct ColumnPoolState {
  /// Parts that were given back, by the binary logarithm of their size less ``smallestShift``; each
  /// begins with the address of the next.
  private var spare: [9 of UnsafeMutableRawPointer?] = .init(repeating: nil)
  private var blocks: [UnsafeMutableRawPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var remaining = 0
  /// Bytes that came from the heap so far.
  private var heapCount = 0

  /// Less than this is not worth a block.
  private static let heapByteCount = 2 << 20
  private static let blockByteCount = 4 << 20
  private static let hugePage = 2 << 20
  private static let smallestShift = 8

  /// A part of the pool's memory, or of the heap's.
  struct Part {
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    let isPooled: Bool
  }

  init() {}

  /// So many bytes, aligned to 64, that are never given back alone.
  mutating func cut(_ byteCount: Int) -> Part {
    let size = (byteCount + 63) & ~63
    guard heapCount >= Self.heapByteCount, size <= Self.blockByteCount / 16 else {
      heapCount += size
      return Self.heap(size)
    }
    return cutFromBlock(size)
  }

  private mutating func cutFromBlock(_ size: Int) -> Part {
    if size > remaining, !addBlock() { return Self.heap(size) }
    guard let start = next else { return Self.heap(size) }
    next = start + size
    remaining -= size
    return Part(start: start, byteCount: size, isPooled: true)
  }

  /// At least so many bytes, aligned to 64.
  mutating func take(_ byteCount: Int) -> Part {
    let wanted = max(byteCount, 1 << Self.smallestShift)
    let shift = Int.bitWidth - (wanted - 1).leadingZeroBitCount
    let size = 1 << shift
    let list = shift - Self.smallestShift
    if heapCount < Self.heapByteCount || list >= 9 {
      heapCount += size
      return Self.heap(size)
    }
    if let part = spare[list] {
      spare[list] = part.load(as: UnsafeMutableRawPointer?.self)
      return Part(start: part, byteCount: size, isPooled: true)
    }
    return cutFromBlock(size)
  }

  mutating func begin() -> Bool {
    heapCount = 0
    return blocks.isEmpty
  }

  static func heap(_ byteCount: Int) -> Part {
    let start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    return Part(start: start, byteCount: byteCount, isPooled: false)
  }

  /// Takes back a part of the pool.
  mutating func giveBack(_ part: UnsafeMutableRawPointer, _ byteCount: Int) {
    let list = byteCount.trailingZeroBitCount - Self.smallestShift
    guard list >= 0, list < 9 else { return }
    part.storeBytes(of: spare[list], as: UnsafeMutableRawPointer?.self)
    spare[list] = part
  }

  /// Begins another block; what is left of the last one is lost.
  private mutating func addBlock() -> Bool {
    let mapped = mmap(
      nil,
      Self.blockByteCount + Self.hugePage,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let mapped, mapped != MAP_FAILED else { return false }
    let misplaced = Int(bitPattern: mapped) & (Self.hugePage - 1)
    let skipped = misplaced == 0 ? 0 : Self.hugePage - misplaced
    let start = mapped + skipped
    if skipped > 0 { munmap(mapped, skipped) }
    if skipped < Self.hugePage { munmap(start + Self.blockByteCount, Self.hugePage - skipped) }
    madvise(start, Self.blockByteCount, MADV_HUGEPAGE)
    blocks.append(start)
    next = start
    remaining = Self.blockByteCount
    return true
  }

  func unmapBlocks() {
    for block in blocks { munmap(block, Self.blockByteCount) }
  }
}
