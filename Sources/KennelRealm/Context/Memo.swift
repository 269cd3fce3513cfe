import Foundation

/// A cache of values that are found once for each key in a process, on whichever thread.
internal final class Memo<Key: Hashable, Content>: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by the lock.
  private var known: [Key: Content] = [:]

  /// Returns what is known of a key, after finding it if nothing is.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - find: Called without the lock, since it may stop the program; what is found first counts.
  /// - Returns: What is known.
  func content(_ key: Key, _ find: () -> Content) -> Content {
    if let content = lock.withLock({ known[key] }) { return content }
    let found = find()
    return lock.withLock {
      if let other = known[key] { return other }
      known[key] = found
      return found
    }
  }
}
