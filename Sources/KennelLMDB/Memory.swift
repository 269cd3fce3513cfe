import CLMDB
import Glibc

/// The memory of the process.
package enum Memory {
  /// Gives memory that was freed back to the system.
  ///
  /// A large transaction frees it in many small parts, which the allocator would keep for the next
  /// one.
  package static func giveBack() { malloc_trim(0) }

  /// Has the system use huge pages for a large part of memory that was not touched as yet.
  ///
  /// Touching 100 MB for the first time takes 25,000 page faults otherwise, twice as long as filling
  /// them. Less than 4 MB is left alone.
  package static func useHugePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount >= 4 << 20 else { return }
    let huge = 2 << 20
    let start = (Int(bitPattern: memory) + huge - 1) & ~(huge - 1)
    let end = (Int(bitPattern: memory) + byteCount) & ~(huge - 1)
    guard start < end, let first = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
    // Only advice: where it is not taken everything is as without it.
    _ = unsafe madvise(first, end - start, MADV_HUGEPAGE)
  }
}
