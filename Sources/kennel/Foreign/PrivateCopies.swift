import Glibc
import KennelCore
import KennelDocuments
import Synchronization

/// Copies of other programs' files as databases, in `XDG_CACHE_HOME` or `~/.cache`.
///
/// A copy is named by its original's path and state, so that one of another state is never taken for
/// it; that of an SQL database is named by the path alone, and brought up to date. A file beside it says
/// what it is the copy of.
struct PrivateCopies {
  /// A copy, as it is listed.
  struct Entry {
    let path: String
    let original: Original
    /// When it was made.
    let time: Timestamp
    let contents: CopyContents
    let byteCount: Int
    /// When it was opened last.
    let lastUse: Int
  }

  /// The state of a file that is copied.
  struct Original {
    /// The path without symbolic links.
    var path: String
    /// Its identity, size, time, and what its format says.
    var state: String
    /// The part of its copy's name beside the path; `nil` stands for the state.
    var identity: String?
    /// The size in bytes.
    var byteCount: Int
  }

  /// The form of copies; another one is not found again.
  private static let version = 1
  /// The most that all copies take together, unless one alone takes more.
  private static let mostBytes = 4 << 30
  /// A copy takes about as much room as its original; this is for what is not like others.
  private static let growth = 3

  /// How many databases were there for a moment.
  private static let scratchCount = Mutex(0)

  let folder: String

  /// - Throws: `CommandError` if there is no home folder.
  init() throws {
    guard let folder = userFolder("XDG_CACHE_HOME", orInHome: ".cache") else {
      throw CommandError(
        "Cannot make a private copy: neither XDG_CACHE_HOME nor HOME is set; 'kennel import' makes "
          + "a database of the file"
      )
    }
    self.folder = folder + "/copies"
  }

  private func path(of original: Original) -> String {
    let name = "\(Self.version)\n\(original.path)\n\(original.identity ?? original.state)"
    return "\(folder)/\(fingerprint(name)).kennel"
  }

  // MARK: - Finding

  /// The copy of a file in its present state; `nil` if there is none.
  func find(_ original: Original) -> Entry? {
    guard let entry = findOlder(original), entry.original.state == original.state else {
      return nil
    }
    // For those that are thrown away first.
    unsafe utimensat(AT_FDCWD, Self.note(entry.path), nil, 0)
    return entry
  }

  /// The copy of a file in any state, where it is named by the path alone; `nil` if there is none.
  func findOlder(_ original: Original) -> Entry? {
    let path = path(of: original)
    guard exists(path), let entry = entry(path), entry.original.path == original.path else {
      return nil
    }
    return entry
  }

  /// The copy that lies at a path; `nil` if there is none.
  func find(at path: String) -> Entry? {
    path.hasPrefix(folder + "/") && exists(path) ? entry(path) : nil
  }

  /// All copies, those used last first.
  func list() -> [Entry] {
    names.filter { $0.hasSuffix(".kennel") }
      .compactMap { entry("\(folder)/\($0)") }
      .sorted { $0.lastUse > $1.lastUse }
  }

  private var names: [String] {
    folderNames(folder) ?? []
  }

  private static func note(_ path: String) -> String { path + ".json" }

  private func entry(_ path: String) -> Entry? {
    guard let bytes = try? FileInput(Self.note(path)).readAll(),
      let note = try? Document(json: bytes), note["version"] == .int64(Int64(Self.version)),
      let original = note["original"]?.string, let state = note["state"]?.string,
      let size = note["size"]?.integer, let time = note["time"]?.integer
    else { return nil }
    return Entry(
      path: path,
      original: Original(path: original, state: state, byteCount: Int(size)),
      time: Timestamp(seconds: time),
      contents: CopyContents(
        remark: note["remark"]?.string,
        forms: note["forms"]?.strings ?? [],
        links: note["links"]?.strings ?? []
      ),
      byteCount: fileSize(path),
      lastUse: status(of: Self.note(path))?.st_mtim.tv_sec ?? 0
    )
  }

  // MARK: - Making

  /// Makes a copy; `fill` is given an empty database, and says what it lacks.
  func make(_ original: Original, _ fill: (Database) throws -> CopyContents) throws -> Entry {
    let path = path(of: original)
    try makeFolders(of: path)
    clean()
    makeRoom(for: original)
    // The copy is as old as what it was made of, not as its end.
    let time = Int64(Glibc.time(nil))
    // What is noted of a commit of another copy says nothing of this one's.
    unlink(path + CommitNote.suffix)
    let fillAndNote = { (database: Database) in
      try write(fill(database), of: original, time, path)
    }
    try withDraft(of: path, as: path, fillAndNote) { draft in
      guard rename(draft, path) == 0 else { throw CommandError.system("Cannot create \(path)") }
      // Programs that still show the copy that was there keep its lock file, too.
      unlink(path + "-lock")
    }
    guard let entry = entry(path) else { throw CommandError("Cannot read \(Self.note(path))") }
    return entry
  }

  /// Writes beside a copy what it is the copy of.
  private func write(
    _ contents: CopyContents,
    of original: Original,
    _ time: Int64,
    _ path: String
  ) throws {
    let note: Document = [
      "version": .int64(Int64(Self.version)),
      "original": .string(original.path),
      "state": .string(original.state),
      "size": .int64(Int64(original.byteCount)),
      "time": .int64(time),
      "remark": contents.remark.map { .string($0) },
      "forms": .array(contents.forms.map { .string($0) }),
      "links": .array(contents.links.map { .string($0) }),
    ]
    try replaceRegularFile(Self.note(path), isPrivate: true) { try $0.write(note.json) }
  }

  /// Brings a copy of an older state up to date.
  ///
  /// - Parameters:
  ///   - entry: The copy.
  ///   - original: The state that its file had before it was read now.
  ///   - change: Changes the copy; `nil` where it must be made anew.
  /// - Returns: The copy as it is now.
  /// - Throws: What `change` throws, and `CommandError`.
  func update(
    _ entry: Entry,
    to original: Original,
    _ change: (Database, CopyContents) throws -> CopyContents?
  ) throws -> Entry? {
    let time = Int64(Glibc.time(nil))
    let database = try Database.openExisting(entry.path)
    guard let contents = try change(database, entry.contents) else { return nil }
    try write(contents, of: original, time, entry.path)
    return self.entry(entry.path)
  }

  /// A place for a database that is there for a moment, another one each time.
  func scratch() throws -> String {
    let number = Self.scratchCount.withLock { count in
      count += 1
      return count
    }
    let path = "\(folder)/update-\(number).\(getpid()).new.kennel"
    try makeFolders(of: path)
    Interruption.willLeave(path, path + "-lock")
    removeDatabase(path)
    return path
  }

  /// Removes what killed programs left, and notes without a copy.
  private func clean() {
    for name in names {
      let path = "\(folder)/\(name)"
      let parts = name.split(separator: ".")
      if let place = parts.firstIndex(of: "new"), place > 0, let owner = pid_t(parts[place - 1]) {
        if kill(owner, 0) != 0, errno == ESRCH { unlink(path) }
      } else if name.hasSuffix(".json"), !exists(String(path.dropLast(".json".count))) {
        unlink(path)
      } else if name.hasSuffix(CommitNote.suffix),
        !exists(String(path.dropLast(CommitNote.suffix.count)))
      {
        unlink(path)
      }
    }
  }

  /// Saves what comes through a pipe in a file, which the caller removes.
  func spoolStandardInput() throws -> String {
    let path = "\(folder)/standard-input.\(getpid()).new"
    try makeFolders(of: path)
    Interruption.willLeave(path)
    let input = try FileInput("-")
    try replaceRegularFile(path, isPrivate: true) { try input.forEachBlock($0.write) }
    return path
  }

  // MARK: - Throwing away

  /// Throws away copies of older states of a file, and those used longest ago where they take too much.
  private func makeRoom(for original: Original) {
    // A file with holes may have any size.
    let product = original.byteCount.multipliedReportingOverflow(by: Self.growth)
    let wanted = product.overflow ? .max : product.partialValue
    var kept = 0
    for entry in list() where !isNeeded(entry) {
      let isStale = entry.original.path == original.path
      if isStale || kept + entry.byteCount > Self.mostBytes - wanted || freeBytes < wanted {
        remove(entry)
      } else {
        kept += entry.byteCount
      }
    }
  }

  /// How much more the folder can hold.
  private var freeBytes: Int {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { return .max }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  /// Whether changes that were not committed belong to a copy.
  func isNeeded(_ entry: Entry) -> Bool {
    guard let folder = draftFolder, let drafts = try? DraftJournal.list(in: folder) else {
      return false
    }
    return drafts.contains { $0.databasePath == entry.path }
  }

  /// Removes a copy; a program that has it open goes on.
  func remove(_ entry: Entry) {
    removeDatabase(entry.path)
    unlink(Self.note(entry.path))
    unlink(entry.path + CommitNote.suffix)
  }
}

/// Tells a text from others, in 16 letters that a file's name can have.
func fingerprint(_ text: String) -> String {
  fingerprintNumber(text).digits(16, radix: 16)
}

/// Tells a text from others by a number, with FNV-1a.
func fingerprintNumber(_ text: String) -> UInt64 {
  text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

extension DocumentValue {
  /// The texts of an array of texts.
  fileprivate var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    return values.compactMap(\.string)
  }
}

extension PrivateCopies.Original {
  /// The state of a file, or of all files of a folder.
  init(_ path: String, version: String, identity: String? = nil) throws {
    self.path = realPath(path)
    self.identity = identity
    byteCount = 0
    var parts = [version]
    var rest = [self.path]
    while let next = rest.popLast() {
      guard let status = kennel.status(of: next) else {
        throw CommandError.system("Cannot read \(path)")
      }
      if status.isFolder {
        rest += (folderNames(next) ?? []).map { "\(next)/\($0)" }
        continue
      }
      byteCount += Int(status.st_size)
      let time = status.st_mtim
      parts.append(
        "\(next):\(status.st_dev):\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
      )
    }
    state = parts.joined(separator: " ")
  }
}
