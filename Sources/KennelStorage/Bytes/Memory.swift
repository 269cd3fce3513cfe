import CMemory
import Glibc

/// The memory of the process.
package enum Memory {
  /// Returns freed memory to the system.
  ///
  /// A large transaction frees many small blocks, which the allocator would keep.
  package static func giveBack() { kennel_give_back_memory() }

  /// Asks the system for huge pages in a large block of memory that was not used yet.
  ///
  /// Without them, 100 MB take 25,000 page faults, which is twice the time of filling them. Blocks
  /// under 4 MB are skipped.
  package static func useHugePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount >= 4 << 20 else { return }
    let huge = 2 << 20
    let start = (Int(bitPattern: memory) + huge - 1) & ~(huge - 1)
    let end = (Int(bitPattern: memory) + byteCount) & ~(huge - 1)
    guard start < end, let first = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
    // This is only advice; ignoring it is harmless.
    _ = unsafe madvise(first, end - start, MADV_HUGEPAGE)
  }
}
