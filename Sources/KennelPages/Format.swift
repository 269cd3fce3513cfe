/// The format of a page file, and what every part of it can rely on.
///
/// A file is a sequence of pages of one size: a power of two from 4 KB to 64 KB, chosen when the
/// file is created. All numbers are little-endian. A page that holds data is never written over
/// while anything can reach it: a change writes the page to another place, and so its parent, up to
/// the root. A *commit* is a new set of roots.
///
/// | offset | what |
/// |---|---|
/// | 0 | meta page 0: the roots of commits 0, 2, 4 … |
/// | 512 | in an encrypted file: the key slots, see `SlotTable` |
/// | 4096 | meta page 1: the roots of commits 1, 3, 5 … |
/// | 4608 | in an encrypted file: the key slots once more |
/// | 8192, or one page if a page is larger | pages of trees, and runs of pages with long values |
///
/// ## Pointers
///
/// A *pointer* to a page has 16 bytes. It names the one version of the page that it means, so a page
/// that is torn, lost, misplaced or older than it should be is found to be damaged.
///
/// A page leads to no later commit than its own.
///
/// | bytes | what |
/// |---|---|
/// | 8 | the commit that wrote the page |
/// | 4 | the number of the page |
/// | 4 | the checksum of its bytes (`PageSum`), seeded with the commit and the number |
///
/// ## Pages of trees
///
/// A tree is a B+tree from keys to bytes. Its keys are 64-bit numbers, or up to 511 bytes in the
/// order of `memcmp`. Leaves and branches have the same layout; the value in a branch is a pointer.
///
/// | bytes | what |
/// |---|---|
/// | 0–7 | the commit that wrote the page |
/// | 8–11 | its own number |
/// | 12–13 | the number of entries |
/// | 14 | the level: 0 for a leaf |
/// | 15 | the keys: 1 for numbers, 2 for bytes |
/// | 16–19 | where the heap begins |
/// | 20–23 | bytes of the heap that no entry uses |
/// | 24… | a slot for each entry, in the order of the keys |
/// | … end | the heap: what the slots refer to |
///
/// A slot of a number has 12 bytes: the key, then the offset and the byte count of the value. A slot
/// of bytes has 6: the offset, the byte count of the key, and that of the value, which follows the
/// key. The byte count 0xFFFF says that the value is in a run: there are 24 bytes then, a pointer
/// and the byte count of the value. The first key of a branch means nothing.
///
/// An entry that takes more than half of a page goes to a run, so that a split makes two pages.
/// A run has no header: a value of 4096 bytes takes one page of 4096 bytes.
///
/// ## Encrypted files
///
/// The pages of an encrypted file pass through a `PageCipher` on their way to the disk and back. A page of a
/// tree has a tail at its end, so that its heap ends before; the pages of a long value have one together,
/// and so has what a meta page says after the number of its commit. Checksums are those of the bytes on the
/// disk: a wrong one is damage, and a right one with a wrong tag is the work of somebody without the key.
///
/// ## Free pages
///
/// The *free tree* has numbers as keys: the commit that freed the pages, shifted left by 20 bits,
/// and a count. Commit 0 stands for pages that can be used at once. A value is a list of runs: the
/// first page and the number of pages, four bytes each; runs of no pages fill it up.
///
/// ## A commit
///
/// 1. The pages that the commit frees, and those that it has left over, go into the free tree.
/// 2. Every changed page gets a number, children before parents, and is written; numbers are chosen
///    so that there are few places.
/// 3. The meta page is written.
/// 4. The file is synchronized, once.
/// 5. The number of the commit goes into the lock file, where readers find it.
///
/// A new file gets its length and is synchronized before its first meta page is written. So a file that is
/// shorter than a meta page says was cut off.
///
/// When the process that made it closes the file, the meta page is written once more and says that the
/// pages are on the disk.
///
/// The contents of a meta page lie in its first 512 bytes, which a disk writes as a whole. So one that is
/// neither sound nor zero is damage, and not a commit that was cut off.
///
/// After a power failure the newest meta page counts only if the file has its length and all pages of its
/// commit are there:
/// `Recovery` follows the pointers that carry the commit's number. Otherwise the one before counts,
/// of which nothing was written over. A commit with more pages than `mostUnsyncedPages`
/// synchronizes the file before step 3 too, and says so, so that opening never takes long.
///
/// ## Invariants
///
/// | | what | tests |
/// |---|---|---|
/// | 1 | A page that a commit reaches is not written while the commit is one of the two newest, or pinned | `PowerLossTests`, `FreePageTests` |
/// | 2 | Every page behind the meta pages is reached once, or free once | `PageStoreCheck`, run by every test |
/// | 3 | A page is used only after its bytes were found to be those that its pointer means, and what it says of itself to be possible | `DamageTests`, `CraftedPageTests` |
/// | 4 | A commit that was acknowledged is there after any failure | `PowerLossTests`, `ProcessTests` |
/// | 5 | A commit whose synchronization failed is read by nobody, and nobody writes until all processes have closed the file | `SyncFailureTests` |
/// | 6 | Opening and reading write nothing to the file | `PageStoreTests` |
package enum Format {
  /// "KennelDB" in the order of the bytes.
  package static let magic: UInt64 = 0x4244_6C65_6E6E_654B
  /// What files began with before the first release: "KnlPages".
  package static let magicBeforeRelease: UInt64 = 0x7365_6761_506C_6E4B
  static let version: UInt32 = 1

  static let metaByteCount = 4096
  /// Where the key slots begin in either of the two places for a meta page.
  static let slotsOffset = 512
  /// Where pages of trees can begin.
  static let firstByte = 2 * metaByteCount

  package static let pageSizes = [4096, 8192, 16384, 32768, 65536]
  package static let usualPageSize = 4096
  /// How many trees a file can have.
  package static let treeLimit = 8
  /// The room in the meta page for bytes of the user, which cost a commit nothing.
  package static let noteByteLimit = 64
  package static let maximumKeyByteCount = 511
  /// Every value has fewer bytes.
  static let valueByteLimit = 1 << 32
  /// Every commit has a lower number: a key of the free tree has 44 bits for it.
  static let commitLimit: UInt64 = 1 << 44

  /// How many pages a commit can have to be synchronized once.
  ///
  /// Reading them all after a power failure takes 10 ms at most.
  package static let mostUnsyncedPages = 1024
  /// Deeper than any tree: each branch has two entries at least.
  static let mostLevels = 32

  static func firstPage(pageSize: Int) -> UInt32 { UInt32(max(1, firstByte / pageSize)) }

  static func isPageSize(_ size: Int) -> Bool { pageSizes.contains(size) }
}

/// A tree of a file: an ordered map from keys to bytes.
package struct Tree: Hashable, Sendable {
  /// The kind of the keys.
  package enum Keys: UInt8, Sendable {
    /// 64-bit numbers.
    case numbers = 1
    /// Up to 511 bytes, in the order of `memcmp`.
    case bytes = 2
  }

  /// The number of the tree, below ``Format/treeLimit``.
  package let number: Int
  package let keys: Keys

  package init(_ number: Int, keys: Keys) {
    self.number = min(max(number, 0), Format.treeLimit - 1)
    self.keys = keys
  }

  private init(free: Void) {
    number = Format.treeLimit
    keys = .numbers
  }

  /// The free tree, behind those of the user.
  static let free = Tree(free: ())
}

/// A reference to one version of a page, or of a run of pages.
struct PagePointer: Equatable, Sendable {
  static let byteCount = 16
  static let none = PagePointer(number: 0, commit: 0, checksum: 0)
  /// The commit of a page that is not written yet.
  private static let unwritten = UInt64.max

  let number: UInt32
  let commit: UInt64
  let checksum: UInt32

  init(number: UInt32, commit: UInt64, checksum: UInt32) {
    self.number = number
    self.commit = commit
    self.checksum = checksum
  }

  /// A pointer to a page in the memory of a writer.
  init(dirty index: Int) {
    self.init(number: UInt32(truncatingIfNeeded: index), commit: Self.unwritten, checksum: 0)
  }

  var isNone: Bool { number == 0 && commit == 0 }
  var isDirty: Bool { commit == Self.unwritten }
  /// The index of a page in the memory of a writer.
  var dirtyIndex: Int { Int(number) }

  /// Identifies the version of a page, once its bytes are known to be right; never 0.
  var tag: UInt64 {
    ((commit &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(checksum) &<< 20)) | 1
  }
}

/// The root of a tree.
struct TreeRoot: Equatable, Sendable {
  static let byteCount = 32
  static let empty = TreeRoot()

  var pointer = PagePointer.none
  var entries: UInt64 = 0
  /// The level of the root page.
  var level = 0
  /// 0 in an empty tree that never had an entry.
  var keys: UInt8 = 0

  var isEmpty: Bool { pointer.isNone }

  /// Whether a commit can have this root, so that what is counted from it does not overflow.
  func isPossible(commit: UInt64, pageCount: UInt32, pageSize: Int) -> Bool {
    pointer.commit <= commit && level < Format.mostLevels
      && entries <= UInt64(pageCount) * UInt64(pageSize / Page.bytesSlot)
  }
}

/// Pages next to each other.
struct PageRun: Equatable, Sendable {
  var first: UInt32
  var count: UInt32

  var end: UInt32 { first &+ count }

  /// Whether the pages lie behind the meta pages, and below the end of the file.
  func isInside(pageCount: UInt32, pageSize: Int) -> Bool {
    first >= Format.firstPage(pageSize: pageSize) && first <= pageCount
      && count <= pageCount - first
  }

  /// Sorts runs and joins neighbours.
  static func joined(_ runs: [PageRun]) -> [PageRun] {
    var result: [PageRun] = []
    for run in runs.sorted(by: { $0.first < $1.first }) where run.count > 0 {
      if let last = result.last, last.end == run.first {
        result[result.count - 1].count += run.count
      } else {
        result.append(run)
      }
    }
    return result
  }
}
