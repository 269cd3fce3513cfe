import Glibc
import Synchronization

/// A read-only map of the whole file, of our own.
///
/// LMDB's map serves LMDB's writes; reading goes through this one, so that LMDB may
/// move its map while snapshots are alive. It reserves more addresses than the file
/// has bytes, which costs nothing: the file grows into it. A map lives for as long as
/// a pin that reads from it.
///
/// Safe to use: the map is there as long as the object. Who reads through `base` keeps the object.
@safe final class FileMap: @unchecked Sendable {
  let base: UnsafeRawPointer
  let byteCount: Int
  /// The bytes of all maps of the process.
  static let reserved = Atomic(0)

  /// Maps `byteCount` bytes; nil where the addresses are not to be had.
  init?(descriptor: Int32, byteCount: Int) {
    guard let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0),
      unsafe address != MAP_FAILED
    else { return nil }
    unsafe base = UnsafeRawPointer(address)
    self.byteCount = byteCount
    FileMap.reserved.add(byteCount, ordering: .relaxed)
  }

  deinit {
    FileMap.reserved.subtract(byteCount, ordering: .relaxed)
    unsafe munmap(UnsafeMutableRawPointer(mutating: base), byteCount)
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
  static let usual = 1 << 38
  /// What the maps of all files may take together: a quarter of the addresses that a process has,
  /// since LMDB makes a map of the same size for each of ours.
  static let mostForAll = 1 << 45

  /// The first size to try for a file of `fileSize` bytes.
  ///
  /// Two maps are made, LMDB's and ours, and the rest of the program needs its share too: under
  /// `ulimit -v`, and where many files are open: 256 of them would take all addresses there are. So
  /// each takes a 64th of what is left, at most.
  static func first(fileSize: Int) -> Int {
    let left = max(0, mostForAll - FileMap.reserved.load(ordering: .relaxed))
    var share = min(usual, left / 64)
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 {
      share = Int(min(limit.rlim_cur / 8, rlim_t(share)))
    }
    return max(share & ~0xfffff, grown(fileSize))
  }

  /// The size for a map that must hold `byteCount` bytes: half as much again, in whole megabytes.
  static func grown(_ byteCount: Int) -> Int {
    (byteCount + byteCount / 2 + (16 << 20)) & ~0xfffff
  }
}
