internal import Glibc

/// The draft as a whole, as a journal tells it.
package struct JournalGlance: Sendable {
  package let header: JournalHeader
  /// When it was last written.
  package let modified: Timestamp
  /// Whether the one who writes it lives.
  package let isTaken: Bool
}

/// A look at a journal without holding it.
package struct JournalLook: Sendable {
  /// The contents, or why they cannot be read.
  package let contents: Result<JournalContents, JournalFault>
  /// When it was last written; `nil` where not even that is known.
  package let modified: Timestamp?
  /// Whether the one who writes it lives.
  package let isTaken: Bool
}

/// A journal that is open, and locked: while it is, its draft is somebody's who lives.
///
/// The lock goes with the process, however that ends. Nothing is synced but by ``sync()``: what was
/// written survives the process, and the power as far as the system had written it out.
package struct JournalFile: Sendable {
  package let path: String
  private var descriptor: Int32
  /// Where the header and each entry end.
  private var marks: [JournalMark]
  /// How long the file is; longer than the last mark where something half written follows, and
  /// negative where nobody knows.
  private var length: Int

  package var entryCount: Int { marks.count - 1 }

  /// So many bytes are written at once.
  private static let blockSize = 1 << 20

  // MARK: - Opening

  /// Makes a journal with its first entries; it appears when it is complete.
  package static func make(
    _ path: String,
    _ header: JournalHeader,
    count: Int,
    body: (Int) -> [UInt8]
  ) throws(JournalFault) -> JournalFile {
    var file = try unnamed(path)
    do throws(JournalFault) {
      let bytes = header.encoded
      try file.write(bytes, at: 0)
      let checksum = Checksum.crc32c(Array(bytes.dropLast(4)))
      file.marks = [JournalMark(end: bytes.count, checksum: checksum)]
      file.length = bytes.count
      try file.append(count: count, body: body)
      try file.takeName()
    } catch {
      file.giveUp()
      throw error
    }
    return file
  }

  /// Opens a journal; `nil` where the one who writes it lives, or it went away.
  ///
  /// The contents are what there is of it, or why it cannot be read.
  package static func open(
    _ path: String
  ) throws(JournalFault) -> (file: JournalFile, contents: Result<JournalContents, JournalFault>)? {
    guard var file = try JournalFile(there: path, O_RDWR) else { return nil }
    do throws(JournalFault) {
      guard try file.lockUnlessTaken(), file.hasName else {
        file.close()
        return nil
      }
      let bytes = try file.read()
      file.length = bytes.count
      let contents = Result { () throws(JournalFault) in try JournalContents(bytes) }
      if case .success(let contents) = contents { file.marks = contents.marks }
      return (file, contents)
    } catch {
      file.close()
      throw error
    }
  }

  /// Reads what a journal says of the draft as a whole, without holding it; `nil` where it went away.
  package static func glance(at path: String) throws(JournalFault) -> JournalGlance? {
    guard var file = try JournalFile(there: path, O_RDONLY) else { return nil }
    defer { file.close() }
    let isTaken = try file.isTaken()
    let header = try JournalHeader(try file.read(Self.mostHeader, at: 0))
    return JournalGlance(header: header, modified: file.modified, isTaken: isTaken)
  }

  /// Longer than any header: no path is as long.
  private static let mostHeader = 1 << 13

  /// Reads a journal, whoever has it, without holding it; `nil` where it went away.
  ///
  /// Of one that somebody writes to, the contents are what there was of it at some moment.
  package static func look(at path: String) -> JournalLook? {
    do throws(JournalFault) {
      guard var file = try JournalFile(there: path, O_RDONLY) else { return nil }
      defer { file.close() }
      let isTaken = try file.isTaken()
      let modified = file.modified
      let bytes = try file.read()
      let contents = Result { () throws(JournalFault) in try JournalContents(bytes) }
      return JournalLook(contents: contents, modified: modified, isTaken: isTaken)
    } catch {
      return JournalLook(contents: .failure(error), modified: nil, isTaken: false)
    }
  }

  /// Removes a journal, unless somebody has it; whether it is gone.
  package static func remove(_ path: String) throws(JournalFault) -> Bool {
    guard var file = try JournalFile(there: path, O_RDONLY) else { return true }
    defer { file.close() }
    guard try file.lockUnlessTaken() else { return false }
    try file.remove()
    return true
  }

  /// The journals of a folder, by name; none where there is no folder.
  package static func paths(in folder: String) -> [String] {
    paths(in: folder, ending: ".journal")
  }

  private static func paths(in folder: String, ending: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var paths: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(ending) { paths.append("\(folder)/\(name)") }
    }
    return paths.sorted()
  }

  /// Removes what processes left of a folder's journals that they died writing anew.
  package static func removeUnfinished(in folder: String) {
    for path in paths(in: folder, ending: ".journal.new") {
      guard var file = try? JournalFile(there: path, O_RDONLY) else { continue }
      if (try? file.lock()) == true, file.hasName { unsafe unlink(path) }
      file.close()
    }
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    marks = []
    length = 0
  }

  /// A file that is there under its name; `nil` where it is not.
  private init?(there path: String, _ access: Int32) throws(JournalFault) {
    // Nobody waits for the other end of a pipe.
    let descriptor = unsafe Glibc.open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw .system(errno)
    }
    self.init(path: path, descriptor: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close()
      throw .damaged("it is not a file")
    }
  }

  /// A file that is not there under its name yet, locked.
  private static func unnamed(_ path: String) throws(JournalFault) -> JournalFile {
    let name = path + ".new"
    // Before it is locked somebody who tidies up may take it for what a dead process left.
    for _ in 0..<100 {
      unsafe unlink(name)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let descriptor = unsafe Glibc.open(name, flags, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      if descriptor < 0 { throw .system(errno) }
      var file = JournalFile(path: path, descriptor: descriptor)
      do throws(JournalFault) {
        if try file.lock(), file.hasName(name) { return file }
      } catch {
        file.giveUp()
        throw error
      }
      file.close()
    }
    throw .system(EBUSY)
  }

  private func takeName() throws(JournalFault) {
    if unsafe rename(path + ".new", path) != 0 { throw .system(errno) }
  }

  private mutating func giveUp() {
    unsafe unlink(path + ".new")
    close()
  }

  /// Locks the file for as long as it is open; false where somebody has it.
  private func lock(_ mode: Int32 = LOCK_EX) throws(JournalFault) -> Bool {
    while flock(descriptor, mode | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw .system(errno) }
    }
    return true
  }

  /// Locks it; false where somebody has it for longer than a look takes.
  private func lockUnlessTaken() throws(JournalFault) -> Bool {
    for _ in 0..<3 {
      if try lock() { return true }
      usleep(500)
    }
    return false
  }

  /// Whether somebody has it.
  ///
  /// Finding out takes the lock for a moment, beside others who look.
  private func isTaken() throws(JournalFault) -> Bool {
    guard try lock(LOCK_SH) else { return true }
    flock(descriptor, LOCK_UN)
    return false
  }

  /// Whether its name leads to this file: somebody may have removed it.
  package var hasName: Bool { hasName(path) }

  private func hasName(_ name: String) -> Bool {
    var named = stat()
    var own = stat()
    return unsafe lstat(name, &named) == 0 && fstat(descriptor, &own) == 0
      && named.st_dev == own.st_dev && named.st_ino == own.st_ino
  }

  /// When it was last written.
  package var modified: Timestamp {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return Timestamp(seconds: 0) }
    let time = status.st_mtim
    let seconds = Int64(time.tv_sec)
    return Timestamp(seconds: seconds, nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
      ?? Timestamp(seconds: seconds)
  }

  // MARK: - Writing

  /// Appends entries; where that fails the file is as it was.
  package mutating func append(count: Int, body: (Int) -> [UInt8]) throws(JournalFault) {
    guard let last = marks.last else { return }
    try cut(to: last.end)
    let before = marks
    do throws(JournalFault) {
      var block: [UInt8] = []
      for index in 0..<count {
        let next = JournalContents.append(body(index), to: &block, after: marks[marks.count - 1])
        marks.append(next)
        if block.count >= Self.blockSize || index == count - 1 {
          try write(block, at: length)
          length += block.count
          block = []
        }
      }
    } catch {
      marks = before
      // Where even that fails, whoever writes next cuts the file first.
      length = ftruncate(descriptor, off_t(last.end)) == 0 ? last.end : -1
      throw error
    }
  }

  /// Takes the entries behind the first few away.
  package mutating func truncate(to count: Int) throws(JournalFault) {
    guard marks.indices.contains(count) else { return }
    try cut(to: marks[count].end)
    marks.removeSubrange((count + 1)...)
  }

  /// Takes entries for damage; they go when something is written.
  package mutating func forget(after count: Int) {
    if marks.indices.contains(count) { marks.removeSubrange((count + 1)...) }
  }

  /// Puts other entries behind the first few: all of them, or none if it fails or the process dies.
  package mutating func replace(
    from start: Int,
    count: Int,
    body: (Int) -> [UInt8]
  ) throws(JournalFault) {
    guard marks.indices.contains(start) else { return }
    var new = try Self.unnamed(path)
    do throws(JournalFault) {
      try copyBytes(upTo: marks[start].end, to: new)
      new.marks = Array(marks[...start])
      new.length = marks[start].end
      try new.append(count: count, body: body)
      try new.takeName()
    } catch {
      new.giveUp()
      throw error
    }
    close()
    self = new
  }

  /// Waits until everything is on the disk.
  package func sync() throws(JournalFault) {
    if fdatasync(descriptor) != 0 { throw .system(errno) }
  }

  /// Lets go of the journal, which stays.
  package mutating func close() {
    if descriptor >= 0 {
      // A child of the process has the lock too, until it runs its program.
      flock(descriptor, LOCK_UN)
      Glibc.close(descriptor)
    }
    descriptor = -1
  }

  /// Removes the journal, if it still has its name.
  package mutating func remove() throws(JournalFault) {
    if hasName, unsafe unlink(path) != 0 { throw .system(errno) }
    close()
  }

  private mutating func cut(to end: Int) throws(JournalFault) {
    if length == end { return }
    if ftruncate(descriptor, off_t(end)) != 0 { throw .system(errno) }
    length = end
  }

  // MARK: - Bytes

  private func write(_ bytes: [UInt8], at offset: Int) throws(JournalFault) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor,
          buffer.baseAddress.map { unsafe $0 + start },
          buffer.count - start,
          off_t(offset + start)
        )
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw .system(errno)
      }
      start += written
    }
  }

  private func read() throws(JournalFault) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let block = try read(Self.blockSize, at: bytes.count)
      if block.isEmpty { return bytes }
      bytes += block
    }
  }

  private func read(_ count: Int, at offset: Int) throws(JournalFault) -> [UInt8] {
    while true {
      var taken = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        taken = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
        initialized = max(taken, 0)
      }
      if taken >= 0 { return bytes }
      if errno != EINTR { throw .system(errno) }
    }
  }

  private func copyBytes(upTo end: Int, to other: JournalFile) throws(JournalFault) {
    var offset = 0
    while offset < end {
      let block = try read(min(Self.blockSize, end - offset), at: offset)
      if block.isEmpty { throw .system(EIO) }
      try other.write(block, at: offset)
      offset += block.count
    }
  }
}
