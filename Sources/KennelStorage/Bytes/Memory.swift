import CMemory

/// The memory of the process.
package enum Memory {
  /// Returns freed memory to the system.
  ///
  /// A large transaction frees many small blocks, which the allocator would keep.
  package static func giveBack() { kennel_give_back_memory() }
}
