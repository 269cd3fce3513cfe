import Glibc

/// A read-only map of the whole file, of our own.
///
/// LMDB's map serves LMDB's writes; reading goes through this one, so that LMDB may
/// move its map while snapshots are alive. It reserves more addresses than the file
/// has bytes, which costs nothing: the file grows into it. A map lives for as long as
/// a pin that reads from it.
final class FileMap: @unchecked Sendable {
  let base: UnsafeRawPointer
  let byteCount: Int

  /// Maps `byteCount` bytes; nil where the addresses are not to be had.
  init?(descriptor: Int32, byteCount: Int) {
    guard let address = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0),
      address != MAP_FAILED
    else { return nil }
    base = UnsafeRawPointer(address)
    self.byteCount = byteCount
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: base), byteCount)
  }

  /// A map of at least `needed` bytes, as near to `wanted` as the limits of the process allow.
  static func reserve(descriptor: Int32, wanted: Int, needed: Int) -> FileMap? {
    var size = max(wanted, needed)
    while true {
      if let map = FileMap(descriptor: descriptor, byteCount: size) { return map }
      if size <= needed { return nil }
      size = max(needed, size / 2)
    }
  }
}

/// How many addresses to reserve.
enum MapSize {
  /// Far more than a file is expected to have: 256 GiB of addresses cost nothing.
  ///
  /// A process has 128 TiB of them, enough for the two maps of 256 files that are open at once.
  static let usual = 1 << 38

  /// The first size to try for a file of `fileSize` bytes.
  ///
  /// Two maps are made, LMDB's and ours, and under `ulimit -v` the rest of the program
  /// needs its share too.
  static func first(fileSize: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return usual }
    if limit.rlim_cur == rlim_t.max { return max(usual, grown(fileSize)) }
    let share = Int(min(limit.rlim_cur / 8, rlim_t(usual))) & ~0xfffff
    return max(share, grown(fileSize))
  }

  /// The size for a map that must hold `byteCount` bytes: half as much again, in whole megabytes.
  static func grown(_ byteCount: Int) -> Int {
    (byteCount + byteCount / 2 + (16 << 20)) & ~0xfffff
  }
}
