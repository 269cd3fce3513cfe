import Glibc
import KennelConversion
import KennelCore
import KennelDocuments

/// A database that a command works on: a Kennel file, or the private copy of another program's file.
struct OpenedFile {
  /// What a private copy is the copy of.
  struct Original {
    /// The path as it was given.
    let path: String
    /// When the copy was made.
    let time: Timestamp
    /// Whether the original is encrypted: then nothing of it may be written to a disk.
    let isSecret: Bool
    /// What the copy does not say of the original, as a sentence; `nil` if there is nothing.
    let remark: String?

    /// The original and its age, for the title.
    var title: String {
      "\(path == "-" ? "standard input" : path), as of \(localTime(time))"
    }
    /// The name that is proposed for a database of its own: beside the original.
    var proposedName: String {
      if path == "-" { return "data.kennel" }
      var stem = path[...]
      while stem.count > 1, stem.hasSuffix("/") { stem.removeLast() }
      let name = stem.lastIndex(of: "/").map { stem[stem.index(after: $0)...] } ?? stem
      if let dot = name.dropFirst().firstIndex(of: ".") { stem = stem[..<dot] }
      return stem + ".kennel"
    }
  }

  let database: Database
  /// `nil` for a Kennel file.
  let original: Original?

  /// Opens a file of any kind that Kennel reads.
  ///
  /// - Parameters:
  ///   - path: The path; `-` is standard input.
  ///   - keyFile: The file with the key of an encrypted file, if one is named.
  ///   - isReadOnly: Whether a Kennel file is opened for reading only; a copy is what it is.
  ///   - accept: Shown the classes that documents suggest; whether to go on with them.
  /// - Returns: The database, and what it is the copy of.
  /// - Throws: `DatabaseError` or `CommandError` if the file cannot be opened.
  static func open(
    _ path: String,
    keyFile: String?,
    isReadOnly: Bool,
    accept: (String) throws -> Bool = { _ in true }
  ) throws -> OpenedFile {
    switch ForeignKind(of: path, hasKey: keyFile != nil) {
    case .realm?: return try openRealm(RealmSource(path, keyFile: keyFile))
    case .documents?: return try openDocuments(path, accept)
    case nil:
      let access: Database.Configuration.Access = isReadOnly ? .readOnly : .readWrite
      let configuration = Database.Configuration(access: access, createsIfMissing: false)
      return OpenedFile(
        database: try Database.open(path, configuration: configuration),
        original: nil
      )
    }
  }

  // MARK: - Copies

  private static func openRealm(_ source: RealmSource) throws -> OpenedFile {
    var bar = ProgressBar("Reading \(source.path)")
    defer { bar.finish() }
    func fill(_ database: Database) throws {
      _ = try source.fill(database) { bar.show($0) }
    }
    if source.isEncrypted {
      return OpenedFile(
        database: try MemoryCopy.make(of: source.path, fill),
        original: origin(source.path, at: currentTime(), isSecret: true, source.losses)
      )
    }
    let state = try state(of: source.path, source.version)
    return try open(state, as: source.path, source.losses, fill)
  }

  private static func openDocuments(
    _ path: String,
    _ accept: (String) throws -> Bool
  ) throws -> OpenedFile {
    let isPipe = path == "-"
    let source = isPipe ? try PrivateCopies().spoolStandardInput() : path
    defer { if isPipe { unsafe unlink(source) } }
    let copies = try PrivateCopies()
    let state = try state(of: source, "")
    if !isPipe, let found = copies.find(state) { return try open(found, as: path, RealmLosses()) }
    let documents = try ImportSource(source, className: isPipe ? "Document" : nil)
    var classes: [ClassDefinition] = []
    if !documents.hasClasses {
      let proposal = try documents.propose(SchemaInference(), csv: CSVOptions())
      if let conflict = proposal.conflicts.first(where: { !$0.isResolved }) {
        let rest = proposal.conflicts.count { !$0.isResolved } - 1
        throw CommandError(
          "Cannot open \(path): its documents fit no classes: "
            + (conflict.path.map { "\($0): " } ?? "") + conflict.message
            + (rest > 0 ? ", and \(rest) more" : "")
            + "; 'kennel import NEW.kennel \(path) --infer' shows all, and --schema names classes"
        )
      }
      guard try accept(proposal.text) else { throw CommandError("\(path) was not opened") }
      classes = proposal.classes
      documents.resetProgress()
    }
    let job = ImportJob(source: documents, definitions: nil, classes: classes, file: path)
    let copy = try copies.make(state) { _ = try job.run(in: $0) {} }
    // What came through a pipe is not found again.
    if isPipe { TemporaryFiles.add(copy.path, copy.path + "-lock", copy.path + ".json") }
    return try open(copy, as: path, RealmLosses())
  }

  /// Opens the copy of a file, and makes it where there is none.
  private static func open(
    _ state: PrivateCopies.Original,
    as path: String,
    _ losses: RealmLosses,
    _ fill: (Database) throws -> Void
  ) throws -> OpenedFile {
    let copies = try PrivateCopies()
    return try open(copies.find(state) ?? copies.make(state, fill), as: path, losses)
  }

  private static func open(
    _ entry: PrivateCopies.Entry,
    as path: String,
    _ losses: RealmLosses
  ) throws -> OpenedFile {
    OpenedFile(
      database: try Database.open(
        entry.path,
        configuration: Database.Configuration(createsIfMissing: false)
      ),
      original: origin(path, at: entry.time, isSecret: false, losses)
    )
  }

  private static func origin(
    _ path: String,
    at time: Timestamp,
    isSecret: Bool,
    _ losses: RealmLosses
  ) -> Original {
    Original(
      path: path,
      time: time,
      isSecret: isSecret,
      remark: losses.isEmpty ? nil : "Not shown: \(losses.sentence)"
    )
  }

  /// The state of a file, or of all files of a folder.
  private static func state(
    of path: String,
    _ version: String
  ) throws -> PrivateCopies.Original {
    let real = realPath(path)
    var state = [version]
    var byteCount = 0
    var rest = [real]
    while let next = rest.popLast() {
      var status = stat()
      guard unsafe stat(next, &status) == 0 else {
        throw CommandError.system("Cannot read \(path)")
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        rest += (folderNames(next) ?? []).map { "\(next)/\($0)" }
        continue
      }
      byteCount += Int(status.st_size)
      let time = status.st_mtim
      state.append(
        "\(next):\(status.st_dev):\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
      )
    }
    return PrivateCopies.Original(
      path: real,
      state: state.joined(separator: " "),
      byteCount: byteCount
    )
  }
}

/// Opens an existing database, or a copy of another program's file, for reading.
func openForReading(
  _ path: String,
  keyFile: String? = nil
) throws -> Database {
  try OpenedFile.open(path, keyFile: keyFile, isReadOnly: true).database
}
