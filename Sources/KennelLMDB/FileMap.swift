import Glibc
import Synchronization

/// Kennel's own read-only map of the whole file.
///
/// LMDB writes through its own map. Kennel reads through this one, so LMDB can move its map while
/// snapshots are alive. The map is larger than the file, which costs nothing; the file grows into
/// it. Pins keep their map alive.
///
/// Safe to use: the map lives as long as the object. Code that reads through `base` retains the
/// object.
@safe final class FileMap: @unchecked Sendable {
  let base: UnsafeRawPointer
  let byteCount: Int
  /// The size of all maps of the process.
  static let reserved = Atomic(0)

  /// Maps `byteCount` bytes; `nil` if there is not enough address space.
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

  /// A map of at least `needed` bytes, as close to `wanted` as the limits of the process allow.
  static func reserve(descriptor: Int32, wanted: Int, needed: Int) -> FileMap? {
    var size = max(wanted, needed)
    while true {
      if let map = FileMap(descriptor: descriptor, byteCount: size) { return map }
      if size <= needed { return nil }
      size = max(needed, size / 2)
    }
  }
}

/// The sizes of maps.
enum MapSize {
  /// Much more than a file is expected to need: 256 GiB of address space cost nothing.
  static let usual = 1 << 38
  /// The limit of all maps together: a quarter of the address space, because LMDB makes a second
  /// map of the same size.
  static let mostForAll = 1 << 45

  /// The first size to try for a file of `fileSize` bytes.
  ///
  /// LMDB and Kennel make a map each, and the program needs address space too, under `ulimit -v` or
  /// with many open files: 256 files would take all of it. So a map takes at most 1/64 of what is
  /// left.
  static func first(fileSize: Int) -> Int {
    let left = max(0, mostForAll - FileMap.reserved.load(ordering: .relaxed))
    var share = min(usual, left / 64)
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 {
      share = Int(min(limit.rlim_cur / 8, rlim_t(share)))
    }
    return max(share & ~0xfffff, grown(fileSize))
  }

  /// The size of a map for `byteCount` bytes: 1.5 times as much, in whole megabytes.
  static func grown(_ byteCount: Int) -> Int {
    (byteCount + byteCount / 2 + (16 << 20)) & ~0xfffff
  }
}
