import CLMDB

/// The memory of the process.
package enum Memory {
  /// Gives memory that was freed back to the system.
  ///
  /// A large transaction frees it in many small parts, which the allocator would keep for the next
  /// one.
  package static func giveBack() { malloc_trim(0) }
}
