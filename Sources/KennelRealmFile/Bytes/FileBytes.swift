import Glibc
import Synchronization

/// The bytes of a file, which are read into memory where they are needed.
///
/// The file is not mapped, because another program may truncate it: reading a page of a map that
/// the file no longer has ends the process. The memory is that of the file's content, decrypted if
/// need be, and mostly untouched; `reading` gives it back when much of it is in use.
///
/// Safe to use: the lock protects all that changes.
@safe final class FileBytes: @unchecked Sendable {
  let path: String
  /// The size of the content.
  let count: Int
  var isEncrypted: Bool { cipher != nil }

  /// Whether a node without the mark that Realm writes is damage: zeros are an empty node otherwise.
  private let expectsMarks: Bool
  private let descriptor: Int32
  private let cipher: RealmPageCipher?
  private let memory: UnsafeMutableRawPointer
  /// The bytes that are read at once are 1 << `unit`.
  private let unit: Int
  private var isPresent: [Bool]
  private var presentCount = 0
  private let lock = Mutex(())

  /// The content that is kept in memory between two readings.
  static let most = 4 << 20
  /// A file with holes has any size, but memory has no room for more.
  private static let mostContent = 1 << 42

  /// Takes over the descriptor, unless it throws.
  init(
    path: String,
    descriptor: Int32,
    count: Int,
    cipher: RealmPageCipher?,
    expectsMarks: Bool
  ) throws(RealmFileError) {
    guard count <= Self.mostContent else { throw .notReadable(path: path, code: EFBIG) }
    self.path = path
    self.descriptor = descriptor
    self.count = count
    self.cipher = cipher
    self.expectsMarks = expectsMarks
    unit = cipher == nil ? 18 : 12
    let units = (count + (1 << unit) - 1) >> unit
    isPresent = Array(repeating: false, count: units)
    let address = unsafe mmap(
      nil,
      max(1, units) << unit,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
      -1,
      0
    )
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw .notReadable(path: path, code: errno)
    }
    unsafe memory = address
  }

  deinit {
    unsafe munmap(memory, max(1, isPresent.count) << unit)
    close(descriptor)
  }

  /// Performs a reading: nodes live as long as it.
  ///
  /// Readings exclude each other.
  func reading<Result: Sendable>(
    _ body: () throws(RealmFileError) -> Result
  ) throws(RealmFileError) -> Result {
    try lock.withLock { _ throws(RealmFileError) in
      if presentCount << unit > FileBytes.most { forget() }
      return try body()
    }
  }

  private func forget() {
    unsafe madvise(memory, isPresent.count << unit, MADV_DONTNEED)
    for index in isPresent.indices { isPresent[index] = false }
    presentCount = 0
  }

  /// The node at an offset, all of which is in the file.
  func node(at ref: Int64) throws(RealmFileError) -> Node {
    guard ref >= 24, ref & 7 == 0, ref <= Int64(count - Node.headerSize) else {
      throw damaged("a reference to offset \(ref) of \(count), where no node can be", at: Int(ref))
    }
    let offset = Int(ref)
    try need(offset, Node.headerSize)
    guard let node = unsafe Node(offset: offset, at: memory + offset) else {
      throw damaged("a node of a kind that does not exist", at: offset)
    }
    if expectsMarks, unsafe !Node.hasMark(at: memory + offset) {
      throw damaged("a node without its mark", at: offset)
    }
    guard node.byteCount <= count - offset - Node.headerSize else {
      throw damaged("a node of \(node.byteCount) bytes, which the file does not have", at: offset)
    }
    try need(offset + Node.headerSize, node.byteCount)
    return node
  }

  /// Whether a node with its mark begins at an offset.
  func hasMark(at offset: Int) throws(RealmFileError) -> Bool {
    guard offset >= Header.size, offset <= count - Node.headerSize else { return false }
    try need(offset, Node.headerSize)
    return unsafe Node.hasMark(at: memory + offset)
  }

  private func need(_ offset: Int, _ byteCount: Int) throws(RealmFileError) {
    guard byteCount > 0 else { return }
    for index in (offset >> unit)...((offset + byteCount - 1) >> unit) where !isPresent[index] {
      try fill(index)
    }
  }

  private func fill(_ index: Int) throws(RealmFileError) {
    let start = index << unit
    let size = min(1 << unit, count - start)
    let target = unsafe UnsafeMutableRawBufferPointer(start: memory + start, count: size)
    if let cipher {
      try unsafe cipher.readPage(index, of: descriptor, into: target)
    } else {
      try unsafe readFully(descriptor, of: path, into: target, at: start)
    }
    isPresent[index] = true
    presentCount += 1
  }

  /// Bytes as they are in the file now.
  func current(_ offset: Int, count: Int) throws(RealmFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: RealmPageCipher.pageSize)
    let end = min(offset + count, self.count)
    var next = offset
    while next < end {
      let index = next / RealmPageCipher.pageSize
      let start = index * RealmPageCipher.pageSize
      let size = min(RealmPageCipher.pageSize, self.count - start)
      try unsafe page.withUnsafeMutableBufferPointer { buffer throws(RealmFileError) in
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
        if let cipher {
          try unsafe cipher.readPage(index, of: descriptor, into: target)
        } else {
          try unsafe readFully(descriptor, of: path, into: target, at: start)
        }
      }
      let upper = min(end, start + size)
      bytes += page[next - start..<upper - start]
      next = upper
    }
    return bytes
  }

  /// Whether the path still names this file and the file still has its size or more.
  func isInPlace() -> Bool {
    var own = stat()
    var named = stat()
    guard unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &named) == 0 else { return false }
    let size = RealmPageCipher.contentSize(ofFile: Int(own.st_size), isEncrypted: isEncrypted)
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino && size >= count
  }
}

/// Reads until the buffer is full.
func readFully(
  _ descriptor: Int32,
  of path: String,
  into target: UnsafeMutableRawBufferPointer,
  at offset: Int
) throws(RealmFileError) {
  var done = 0
  while done < target.count, let base = target.baseAddress {
    let got = unsafe pread(descriptor, base + done, target.count - done, offset + done)
    if got > 0 {
      done += got
    } else if got == 0 {
      throw .truncated(expected: offset + target.count, found: offset + done)
    } else if errno != EINTR {
      throw .notReadable(path: path, code: errno)
    }
  }
}

/// The system's message for an `errno`.
func systemMessage(_ code: Int32) -> String {
  unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
