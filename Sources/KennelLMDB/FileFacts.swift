import CLMDB
import Glibc

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  fileprivate init(_ facts: kennel_file_facts) {
    (device, inode) = (facts.device, facts.inode)
  }

  init?(path: String) {
    guard let facts = FileFacts(path: path) else { return nil }
    self = facts.identity
  }
}

/// The facts about a file that every transaction needs.
///
/// statx(2) returns them without the times. After stat(2) has returned a file's times, the kernel
/// gives the next write a new time, and the next sync also waits for the inode: a commit of 5 pages
/// took 145 µs instead of 122.
struct FileFacts: Sendable {
  let identity: FileIdentity
  let byteCount: Int
  let isRegularFile: Bool

  /// Follows links; `nil` if there is no file, with the reason in `errno`.
  init?(path: String) {
    self.init(AT_FDCWD, path, flags: 0)
  }

  /// `nil` on an error, with the reason in `errno`.
  init?(descriptor: Int32) {
    self.init(descriptor, "", flags: Self.emptyPath)
  }

  /// `AT_EMPTY_PATH`: use the descriptor itself.
  private static let emptyPath: Int32 = 0x1000

  private init?(_ descriptor: Int32, _ path: String, flags: Int32) {
    var facts = kennel_file_facts()
    guard unsafe kennel_file_facts(descriptor, path, flags, &facts) == 0 else { return nil }
    identity = FileIdentity(facts)
    byteCount = Int(truncatingIfNeeded: facts.size)
    isRegularFile = mode_t(facts.mode) & S_IFMT == S_IFREG
  }
}
