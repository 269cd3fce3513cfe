import Synchronization

/// A read-only map of a file, and which of its pages were found to be sound.
///
/// The map is larger than the file, which costs nothing; the file grows into it. When it has
/// outgrown the map there is another, and snapshots keep the one that they have.
///
/// A page is marked with the tag of the pointer under which it was checked. The same page of another
/// commit has another tag, so nothing has to be forgotten when a page is used again.
///
/// Safe to use: the memory lives as long as the object, and page numbers are below `pageCount`.
@safe final class FileMap: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let marks: UnsafeMutablePointer<Atomic<UInt64>>
  let byteCount: Int
  let pageSize: Int
  let pageCount: Int

  init(descriptor: Int32, byteCount: Int, pageSize: Int) throws(SystemError) {
    let pageCount = byteCount / pageSize
    unsafe memory = try System.map(descriptor, byteCount: byteCount, isWritable: false)
    do throws(SystemError) {
      // An atomic word of zeros is zero.
      unsafe marks = try System.zeros(byteCount: pageCount * 8)
        .bindMemory(to: Atomic<UInt64>.self, capacity: pageCount)
    } catch {
      unsafe System.unmap(memory, byteCount: byteCount)
      throw error
    }
    self.byteCount = byteCount
    self.pageSize = pageSize
    self.pageCount = pageCount
  }

  deinit {
    unsafe System.unmap(memory, byteCount: byteCount)
    unsafe System.unmap(UnsafeMutableRawPointer(marks), byteCount: pageCount * 8)
  }

  /// Gives back the memory of pages that were read: it would count as the process's own.
  func giveBack() { unsafe System.giveBack(memory, byteCount: byteCount) }

  /// The first byte of the file.
  var base: UnsafeRawPointer { unsafe UnsafeRawPointer(memory) }

  /// The tag under which a page was checked last; 0 if never.
  @inline(__always)
  func mark(of page: UInt32) -> UInt64 {
    unsafe marks[Int(page)].load(ordering: .relaxed)
  }

  @inline(__always)
  func mark(_ page: UInt32, _ tag: UInt64) {
    unsafe marks[Int(page)].store(tag, ordering: .relaxed)
  }

  /// Room that the smallest commands need besides the map.
  private static let roomForWork = 16 << 20

  /// A map of at least `needed` bytes, and of as much more as the process has room for.
  static func reserve(
    descriptor: Int32,
    needed: Int,
    pageSize: Int
  ) throws(SystemError) -> FileMap {
    // 8 GiB of address space cost nothing, and 16 MB of marks nothing but a part of `ulimit -d`.
    var size = min(1 << 33, System.addressSpaceLimit / 8)
    let least = (needed + needed / 2 + (1 << 20)) & ~0xFFFFF
    size = max(size & ~0xFFFFF, least)
    while true {
      do throws(SystemError) {
        let map = try FileMap(descriptor: descriptor, byteCount: size, pageSize: pageSize)
        // An array that finds no memory ends the program without a word.
        try System.requireAddressSpace(byteCount: roomForWork)
        return map
      } catch {
        if size <= least { throw error }
        size = max(least, (size / 2) & ~0xFFFFF)
      }
    }
  }
}
