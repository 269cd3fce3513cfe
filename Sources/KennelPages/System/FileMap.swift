import Synchronization

/// The pages of a file in memory, and which of them were found to be sound.
///
/// They are a read-only map of the file. Those of an encrypted file are memory of its own beside the map,
/// into which a page is decrypted when it is first used; it is in no core dump and in no child of a fork.
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
  /// What is decrypted; the map itself in an open file.
  private let contents: UnsafeMutableRawPointer
  private let marks: UnsafeMutablePointer<Atomic<UInt64>>
  /// Held while a page is decrypted, so that nobody reads what is not checked.
  private let decryption = Mutex<Void>(())
  let cipher: (any PageCipher)?
  let byteCount: Int
  let layout: PageLayout
  let pageCount: Int

  init(
    descriptor: Int32,
    byteCount: Int,
    layout: PageLayout,
    cipher: (any PageCipher)?
  ) throws(SystemError) {
    let pageCount = byteCount / layout.pageSize
    unsafe memory = try System.map(descriptor, byteCount: byteCount, isWritable: false)
    var decrypted: UnsafeMutableRawPointer?
    do throws(SystemError) {
      if cipher != nil { unsafe decrypted = try System.secretZeros(byteCount: byteCount) }
      // An atomic word of zeros is zero.
      unsafe marks = try System.zeros(byteCount: pageCount * 8)
        .bindMemory(to: Atomic<UInt64>.self, capacity: pageCount)
    } catch {
      unsafe System.unmap(memory, byteCount: byteCount)
      if let decrypted = unsafe decrypted { unsafe System.unmap(decrypted, byteCount: byteCount) }
      throw error
    }
    unsafe contents = decrypted ?? memory
    self.cipher = cipher
    self.byteCount = byteCount
    self.layout = layout
    self.pageCount = pageCount
  }

  deinit {
    unsafe System.unmap(memory, byteCount: byteCount)
    if cipher != nil { unsafe System.unmap(contents, byteCount: byteCount) }
    unsafe System.unmap(UnsafeMutableRawPointer(marks), byteCount: pageCount * 8)
  }

  /// Gives back the memory of pages that were read: it would count as the process's own.
  func giveBack() { unsafe System.giveBack(memory, byteCount: byteCount) }

  /// The first byte of what is read.
  @inline(__always)
  var base: UnsafeRawPointer { unsafe UnsafeRawPointer(contents) }

  /// The bytes of pages as they are on the disk.
  func stored(_ first: UInt32, count: Int) -> UnsafeRawBufferPointer {
    let start = unsafe memory + Int(first) * layout.pageSize
    return unsafe UnsafeRawBufferPointer(start: start, count: count * layout.pageSize)
  }

  /// Runs what checks pages; what is decrypted is nobody else's meanwhile.
  func checking<Result>(
    _ body: () throws(PageStoreError) -> Result
  ) throws(PageStoreError) -> Result {
    if cipher == nil { return try body() }
    return try decryption.withLock { (_) throws(PageStoreError) in try body() }
  }

  /// Decrypts pages to where they are read; false if they are not those of the place.
  ///
  /// Pages that have the mark are left alone: somebody may be reading them.
  func decrypt(_ first: UInt32, count: Int, commit: UInt64, unlessMarked tag: UInt64?) -> Bool {
    guard let cipher, mark(of: first) != tag else { return true }
    mark(first, 0)
    let target = unsafe UnsafeMutableRawBufferPointer(
      start: contents + Int(first) * layout.pageSize,
      count: count * layout.pageSize
    )
    let place = UnitPlace(number: first, commit: commit)
    return unsafe cipher.open(stored(first, count: count), at: place, into: target)
  }

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
    layout: PageLayout,
    cipher: (any PageCipher)?
  ) throws(SystemError) -> FileMap {
    // 8 GiB of address space cost nothing, and 16 MB of marks nothing but a part of `ulimit -d`.
    var size = min(1 << 33, System.addressSpaceLimit / 8)
    let least = (needed + needed / 2 + (1 << 20)) & ~0xFFFFF
    size = max(size & ~0xFFFFF, least)
    while true {
      do throws(SystemError) {
        let map = try FileMap(
          descriptor: descriptor,
          byteCount: size,
          layout: layout,
          cipher: cipher
        )
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
