import Glibc

/// The memory of the columns and clusters of one view.
///
/// A small transaction takes its memory from the heap. From ``heapByteCount`` on it is cut from large
/// blocks, which go back to the system with the pool, not to the allocator.
///
/// A pool belongs to one thread at a time.
///
/// Safe to use: it owns its state and its blocks; only pointers to them are unsafe.
@safe package final class ColumnPool {
  @usableFromInline let state: UnsafeMutablePointer<ColumnPoolState>

  package init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ColumnPoolState())
  }

  /// Begins anew after everything that came from the heap was given back; false where the pool has
  /// blocks and should be let go.
  func begin() -> Bool { unsafe state.pointee.begin() }

  deinit {
    unsafe state.pointee.unmapBlocks()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

/// The state of a ``ColumnPool``, apart from it, so that columns can keep a pointer that is not counted.
@usableFromInline
@unsafe struct ColumnPoolState {
  /// Parts that were given back, by the binary logarithm of their size less ``smallestShift``; each
  /// begins with the address of the next.
  private var spare: [9 of UnsafeMutableRawPointer?] = unsafe .init(repeating: nil)
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var next: UnsafeMutableRawPointer?
  private var remaining = 0
  /// Bytes that came from the heap so far.
  private var heapCount = 0

  /// Less than this is not worth a block.
  private static let heapByteCount = 2 << 20
  private static let blockByteCount = 4 << 20
  private static let smallestShift = 8

  /// A part of the pool's memory, or of the heap's.
  @unsafe struct Part {
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    let isPooled: Bool
  }

  init() {}

  /// So many bytes, aligned to 64, that are never given back alone.
  mutating func cut(_ byteCount: Int) -> Part {
    let size = (byteCount + 63) & ~63
    guard unsafe heapCount >= Self.heapByteCount, unsafe size <= Self.blockByteCount / 16 else {
      unsafe heapCount += size
      return unsafe Self.heap(size)
    }
    return unsafe cutFromBlock(size)
  }

  private mutating func cutFromBlock(_ size: Int) -> Part {
    if unsafe size > remaining, unsafe !addBlock() { return unsafe Self.heap(size) }
    guard let start = unsafe next else { return unsafe Self.heap(size) }
    unsafe next = start + size
    unsafe remaining -= size
    return unsafe Part(start: start, byteCount: size, isPooled: true)
  }

  /// At least so many bytes, aligned to 64.
  mutating func take(_ byteCount: Int) -> Part {
    let wanted = unsafe max(byteCount, 1 << Self.smallestShift)
    let shift = Int.bitWidth - (wanted - 1).leadingZeroBitCount
    let size = 1 << shift
    let list = unsafe shift - Self.smallestShift
    if unsafe heapCount < Self.heapByteCount || list >= 9 {
      unsafe heapCount += size
      return unsafe Self.heap(size)
    }
    if let part = unsafe spare[list] {
      unsafe spare[list] = part.load(as: UnsafeMutableRawPointer?.self)
      return unsafe Part(start: part, byteCount: size, isPooled: true)
    }
    return unsafe cutFromBlock(size)
  }

  mutating func begin() -> Bool {
    unsafe heapCount = 0
    return unsafe blocks.isEmpty
  }

  static func heap(_ byteCount: Int) -> Part {
    let start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    return unsafe Part(start: start, byteCount: byteCount, isPooled: false)
  }

  /// Takes back a part of the pool.
  mutating func giveBack(_ part: UnsafeMutableRawPointer, _ byteCount: Int) {
    let list = unsafe byteCount.trailingZeroBitCount - Self.smallestShift
    guard list >= 0, list < 9 else { return }
    unsafe part.storeBytes(of: spare[list], as: UnsafeMutableRawPointer?.self)
    unsafe spare[list] = part
  }

  /// Begins another block; what is left of the last one is lost.
  private mutating func addBlock() -> Bool {
    let mapped = unsafe mmap(
      nil,
      Self.blockByteCount,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let start = unsafe mapped, unsafe start != MAP_FAILED else { return false }
    unsafe blocks.append(start)
    unsafe next = start
    unsafe remaining = Self.blockByteCount
    return true
  }

  func unmapBlocks() {
    for index in unsafe blocks.indices { unsafe munmap(blocks[index], Self.blockByteCount) }
  }
}
