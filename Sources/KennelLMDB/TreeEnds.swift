import Glibc

/// The greatest key that each tree of a write transaction has, or had before it was deleted.
///
/// Greater keys can be appended: LMDB does not search, and leaves no half-filled pages.
struct TreeEnds {
  private enum End {
    case unknown
    case empty
    case known
  }

  private var ends: [End]
  /// The greatest keys of the trees of integers.
  private var numbers: [UInt64]
  /// The greatest key of the one tree whose keys are bytes.
  private var bytes = [UInt8](repeating: 0, count: TreeEnds.longestKey)
  private var byteCount = 0

  /// What LMDB allows.
  private static let longestKey = 511

  init(count: Int) {
    ends = Array(repeating: .unknown, count: count)
    numbers = Array(repeating: 0, count: count)
  }

  func isKnown(_ tree: Tree) -> Bool { ends[tree.rawValue] != .unknown }

  /// Records the last key of a tree; `nil` if it is empty.
  mutating func set(_ tree: Tree, _ key: UnsafeRawBufferPointer?) {
    guard let key = unsafe key else {
      ends[tree.rawValue] = .empty
      return
    }
    ends[tree.rawValue] = .known
    if tree.hasIntegerKeys {
      numbers[tree.rawValue] = unsafe key.loadUnaligned(as: UInt64.self)
    } else {
      byteCount = min(key.count, Self.longestKey)
      let part = unsafe UnsafeRawBufferPointer(rebasing: key[..<byteCount])
      unsafe bytes.withUnsafeMutableBytes { unsafe $0.copyMemory(from: part) }
    }
  }

  /// Records a key that is about to be stored in a tree whose end is known; returns whether it is
  /// the greatest.
  mutating func advance(_ tree: Tree, to key: UnsafeRawBufferPointer) -> Bool {
    guard unsafe isPast(tree, key) else { return false }
    unsafe set(tree, key)
    return true
  }

  /// Whether a key is greater than all keys of a tree whose end is known.
  func isPast(_ tree: Tree, _ key: UnsafeRawBufferPointer) -> Bool {
    if ends[tree.rawValue] != .known { return true }
    return unsafe tree.hasIntegerKeys
      ? key.loadUnaligned(as: UInt64.self) > numbers[tree.rawValue] : isPastBytes(key)
  }

  private func isPastBytes(_ key: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withUnsafeBytes { last in
      guard let a = last.baseAddress, let b = key.baseAddress else { return byteCount == 0 }
      let order = unsafe memcmp(a, b, min(byteCount, key.count))
      return order == 0 ? byteCount < key.count : order < 0
    }
  }
}
