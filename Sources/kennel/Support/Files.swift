import Glibc
import KennelCore

/// A file, pipe or terminal to write to.
struct FileOutput {
  let descriptor: Int32
  let name: String
  /// Escapes bytes on their way to a terminal.
  private let filter: TerminalFilter?

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    filter = isatty(descriptor) != 0 ? TerminalFilter() : nil
  }

  /// Writes bytes; to a terminal, with what it would obey shown as escapes.
  func write(_ bytes: [UInt8]) throws {
    try writeAsTheyAre(filter?.shown(bytes) ?? bytes)
  }

  /// Writes bytes of this program's own.
  func writeAsTheyAre(_ bytes: [UInt8]) throws {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor,
          buffer.baseAddress.map { unsafe $0 + start },
          bytes.count - start
        )
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw CommandError.system("Cannot write to \(name)")
      }
      start += written
    }
  }
}

/// Standard output, for data.
enum StandardOutput {
  static let file = FileOutput(descriptor: STDOUT_FILENO, name: "standard output")

  static func write(_ text: String) throws {
    try file.write(Array(text.utf8))
  }
}

/// A file or pipe to read from; `-` is standard input.
final class FileInput {
  private let descriptor: Int32
  private let name: String
  /// The size of a file, or `nil` for a pipe.
  let byteCount: Int?
  /// How many bytes have been read.
  private(set) var readByteCount = 0

  init(_ path: String) throws {
    if path == "-" {
      descriptor = STDIN_FILENO
      name = "standard input"
    } else {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      name = path
      if descriptor < 0 { throw CommandError.system("Cannot read \(path)") }
    }
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.isFile
    byteCount = isFile ? Int(status.st_size) : nil
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Whether the file is a database, not a document.
  var isDatabase: Bool {
    // What a meta page begins with, and what it began with before the first release.
    [0, 4096].contains { (offset: off_t) in
      var magic: UInt64 = 0
      return unsafe pread(descriptor, &magic, 8, offset) == 8
        && [0x4244_6C65_6E6E_654B, 0x7365_6761_506C_6E4B].contains(magic)
    }
  }

  /// Whether the file begins with some bytes.
  func begins(with bytes: String.UTF8View) -> Bool {
    let start = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      count = max(unsafe pread(descriptor, buffer.baseAddress, bytes.count, 0), 0)
    }
    return start.elementsEqual(bytes)
  }

  /// Reads to the end.
  func readAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachBlock { bytes += $0 }
    return bytes
  }

  /// Reads to the end, some bytes at a time.
  func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
    while case let block = try read(), !block.isEmpty { try body(block) }
  }

  /// Reads the next bytes; none at the end.
  func read() throws -> [UInt8] {
    let size = 1 << 18
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
        initialized = max(count, 0)
      }
      if count >= 0 {
        readByteCount += count
        return bytes
      }
      if errno != EINTR { throw CommandError.system("Cannot read \(name)") }
    }
  }
}

/// Writes a file that appears when it is complete, and replaces an existing one.
///
/// Links are followed. Devices and pipes are written to; `-` is standard output. A database is
/// never replaced: naming one is a mistake. Who may read a new file, the umask says.
func replaceFile(_ path: String, _ write: (FileOutput) throws -> Void) throws {
  if path == "-" { return try write(StandardOutput.file) }
  let status = status(of: path)
  if let status, !status.isFile {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw CommandError.system("Cannot write \(path)") }
    defer { close(descriptor) }
    return try write(FileOutput(descriptor: descriptor, name: path))
  }
  if status != nil, isDatabase(path) {
    throw CommandError(
      "Cannot write \(path): a database lies there; choose another name, or remove it first"
    )
  }
  Interruption.watch(Interruption.leavingAlone(path))
  try replaceRegularFile(path, isPrivate: false, write)
}

/// The path without symbolic links, or the path itself if it cannot be resolved.
func realPath(_ path: String) -> String {
  guard let resolved = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// The target of symbolic links, existing or not; any other path unchanged.
func followed(_ path: String) -> String {
  var name = path
  // As many links as the system itself follows.
  for _ in 0..<40 {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(name, &bytes, bytes.count - 1)
    guard count > 0 else { return name }
    let target = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
    name = target.hasPrefix("/") ? target : folder + target
  }
  return path
}

/// Whether a file is a database, also a damaged or busy one.
private func isDatabase(_ path: String) -> Bool {
  do throws(DatabaseError) {
    _ = try Database.open(
      path,
      configuration: .init(access: .readOnly, createsIfMissing: false)
    )
    return true
  } catch {
    return [.damaged, .newerFormat, .busy, .keyNeeded, .wrongKey].contains(error.code)
      || exists(path + "-lock")
  }
}

/// Writes a file that appears when it is complete, and replaces an existing one; links are followed.
///
/// Unlike ``replaceFile(_:_:)`` it leaves signals to the browser.
///
/// - Parameters:
///   - name: The path.
///   - isPrivate: Whether it is for its owner alone; else one that is there keeps its permissions, and
///     the umask says those of a new one.
///   - write: Writes the contents.
/// - Throws: What `write` throws, or `CommandError`. What was there is unchanged then.
func replaceRegularFile(
  _ name: String,
  isPrivate: Bool,
  _ write: (FileOutput) throws -> Void
) throws {
  let path = realPath(name)
  let draft = draftName(of: path)
  Interruption.willLeave(draft)
  unlink(draft)
  let kept = isPrivate ? nil : status(of: path)
  let mode: mode_t = isPrivate || kept != nil ? 0o600 : 0o666
  defer { unlink(draft) }
  try writeNewFile(draft, as: name, mode: mode) { file in
    if let kept { fchmod(file.descriptor, kept.st_mode & 0o7777) }
    try write(file)
  }
  try Interruption.settle {
    guard rename(draft, path) == 0 else { throw CommandError.system("Cannot write \(name)") }
  }
  synchronizeFolder(of: path)
}

/// Writes a file under a name that nothing has, to the disk.
func writeNewFile(
  _ path: String,
  as name: String,
  mode: mode_t,
  _ write: (FileOutput) throws -> Void
) throws {
  let descriptor = Interruption.hold {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
  }
  if descriptor < 0 { throw CommandError.system("Cannot write \(name)") }
  defer { close(descriptor) }
  try write(FileOutput(descriptor: descriptor, name: name))
  guard fsync(descriptor) == 0 else { throw CommandError.system("Cannot write \(name)") }
}

/// Creates a database under a name that nothing has, for its owner alone.
///
/// In a folder for all, somebody may have put a link there: it is an error, and not followed.
///
/// - Parameters:
///   - path: The path.
///   - name: The path in messages.
///   - key: What it is encrypted with; nothing if it is `nil`.
/// - Returns: The database.
/// - Throws: `CommandError` or `DatabaseError` if it cannot be created.
func makeDatabase(
  _ path: String,
  as name: String,
  key: Database.Key? = nil
) throws -> Database {
  try Interruption.hold {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // That there is no such folder is told by what follows.
    if descriptor < 0, errno != ENOENT { throw CommandError.system("Cannot create \(name)") }
    close(descriptor)
    return try Database.open(path, configuration: .init(key: key))
  }
}

/// The name under which what replaces a file is written.
func draftName(of path: String) -> String { "\(path).\(getpid()).new" }

/// Fills a database beside its place, and puts it there when it is complete.
///
/// - Parameters:
///   - path: The place.
///   - name: The path in messages.
///   - key: What it is encrypted with; nothing if it is `nil`.
///   - fill: Fills the new database.
///   - place: Puts the file that it is given in the place.
/// - Returns: What `fill` returns.
/// - Throws: What `fill` and `place` throw, or `CommandError`; no new file is there then.
func withDraft<Result>(
  of path: String,
  as name: String,
  key: Database.Key? = nil,
  _ fill: (Database) throws -> Result,
  place: (String) throws -> Void
) throws -> Result {
  let draft = draftName(of: path)
  removeDatabase(draft)
  Interruption.willLeave(draft, draft + "-lock")
  defer { removeDatabase(draft) }
  let result = try fill(try makeDatabase(draft, as: name, key: key))
  try Interruption.settle { try place(draft) }
  return result
}

/// Waits until a new name in a folder is on the disk, where the file system lets one wait.
func synchronizeFolder(of path: String) {
  synchronizeFolder(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
}

/// Waits until the names in a folder are on the disk.
func synchronizeFolder(_ folder: String) {
  let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}

/// The status of a file; `nil` if there is none.
func status(of path: String) -> stat? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status : nil
}

extension stat {
  /// Whether it is a file with contents.
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

/// The size of a file; 0 if there is none.
func fileSize(_ path: String) -> Int { Int(status(of: path)?.st_size ?? 0) }

/// A path without what ends it as that of a folder.
func withoutSlashes(_ path: String) -> String {
  var path = path
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}

/// Whether the path exists.
func exists(_ path: String) -> Bool { linkStatus(of: path) != nil }

/// Removes a database and its lock file, if they exist.
func removeDatabase(_ path: String) {
  unlink(path)
  unlink(path + "-lock")
}
