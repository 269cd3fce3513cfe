import Synchronization

/// Forks of the process, and the descriptors that a child must not keep.
///
/// A child of `fork` shares its parent's open files, and with them the locks that belong to open
/// files: while it lived, they would outlive the parent. So it closes them at once.
enum Forks {
  private static let count = Atomic<Int>(0)
  private static let isWatching: Bool = System.afterFork { Forks.hasForked() }
  /// The descriptors of open files, plus one; 0 is a free place.
  ///
  /// An array of fixed size, because a child may not wait for a lock that another thread had.
  private static let descriptors = DescriptorTable()

  /// The number of forks between this process and the first that used the module.
  static var current: Int {
    _ = isWatching
    return count.load(ordering: .relaxed)
  }

  /// Has children close a descriptor.
  static func add(_ descriptor: Int32) {
    descriptors.replace(0, by: descriptor + 1)
  }

  static func remove(_ descriptor: Int32) {
    descriptors.replace(descriptor + 1, by: 0)
  }

  private static func hasForked() {
    count.add(1, ordering: .relaxed)
    descriptors.closeAll()
  }
}

/// Safe to use: it lives as long as the process, and all indices are below its capacity.
@safe private final class DescriptorTable: @unchecked Sendable {
  /// Three descriptors for each of 1,365 open files; children keep what is beyond.
  private static let capacity = 4096
  private let places: UnsafeMutablePointer<Atomic<Int32>>

  init() {
    unsafe places = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { unsafe (places + index).initialize(to: Atomic(0)) }
  }

  func replace(_ old: Int32, by new: Int32) {
    for index in 0..<Self.capacity {
      let (isDone, _) = unsafe places[index].compareExchange(
        expected: old,
        desired: new,
        ordering: .relaxed
      )
      if isDone { return }
    }
  }

  func closeAll() {
    for index in 0..<Self.capacity {
      let descriptor = unsafe places[index].exchange(0, ordering: .relaxed)
      if descriptor > 0 { System.closeFile(descriptor - 1) }
    }
  }
}
