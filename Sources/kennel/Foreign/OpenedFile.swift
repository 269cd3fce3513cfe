import Glibc
import KennelBrowser
import KennelConversion
import KennelCore
import KennelDocuments
import KennelSQL

/// A database that a command works on: a Kennel file, or the private copy of another program's file.
struct OpenedFile {
  /// The original of a private copy.
  struct Original {
    /// The path as it was given.
    let path: String
    /// When the copy was made.
    let time: Timestamp
    /// Whether the original is encrypted: then nothing of it may be written to a disk.
    let isSecret: Bool
    /// The name of the program that wrote the original, if it is shown.
    let engine: String?
    /// Says in a sentence what the copy lacks; `nil` if that is nothing.
    let remark: String?
    /// Follows the original, and writes to it, where that is possible.
    let follower: SQLiteFollower?
    /// Reads which class each table of an SQL database is; `nil` for another file.
    let mapping: () throws -> SQLMapping?

    /// The original and its age, for the title.
    var title: String {
      let name = (path == "-" ? "standard input" : path) + (engine.map { " (\($0))" } ?? "")
      return follower == nil ? "\(name), as of \(localTime(time))" : name
    }
    /// Says where commits go, to the original or to a database of its own, and what the original declares.
    func tell(_ settings: inout BrowserSettings, _ database: Database) {
      // Another program may have changed the tables just now.
      if let mapping = try? mapping(), let schema = try? database.snapshot().schema {
        settings.declarations = Declarations(mapping, schema)
      }
      if let follower, follower.canWrite {
        settings.original = follower.original
      } else {
        settings.proposedName = proposedName
      }
    }

    /// The name that is proposed for a database of its own: beside the original.
    var proposedName: String {
      if path == "-" { return "data.kennel" }
      var stem = withoutSlashes(path)[...]
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
  ///   - links: The foreign keys that an SQLite database does not declare.
  ///   - isReadOnly: Whether a Kennel file is opened for reading only; a copy is what it is.
  ///   - accept: Shown the classes that documents suggest; whether to go on with them.
  /// - Returns: The database, and what it is the copy of.
  /// - Throws: `DatabaseError` or `CommandError` if the file cannot be opened.
  static func open(
    _ path: String,
    keyFile: String?,
    links: [String] = [],
    isReadOnly: Bool,
    accept: (String) throws -> Bool = { _ in true }
  ) throws -> OpenedFile {
    let kind = ForeignKind(of: path, hasKey: keyFile != nil)
    if !links.isEmpty, kind != .sqlite {
      throw CommandError("Cannot add links to \(path): --link is for SQLite databases")
    }
    switch kind {
    case .sqlite?:
      return try OpenedFile(SQLiteSource(path, links: links), isReadOnly: isReadOnly, accept)
    case .realm?: return try OpenedFile(RealmSource(path, keyFile: keyFile), accept)
    case .documents?: return try OpenedFile(ForeignDocuments(path), accept)
    case nil:
      let database = try Database.openExisting(path, isReadOnly ? .readOnly : .readWrite)
      return OpenedFile(database: database, original: nil)
    }
  }

  private init(database: Database, original: Original?) {
    self.database = database
    self.original = original
  }

  /// Opens the copy of a file, and makes it where there is none.
  private init(
    _ source: some ForeignSource,
    isReadOnly: Bool = true,
    _ accept: (String) throws -> Bool
  ) throws {
    let isPipe = source.path == "-"
    defer { if isPipe { unlink(source.readPath) } }
    var time = currentTime()
    let contents: CopyContents
    var follower: SQLiteFollower?
    if source.isSecret {
      (database, contents) = try MemoryCopy.make(of: source.path, source.prepare(accept))
    } else {
      let copies = try PrivateCopies()
      let copy = try Self.copy(of: source, copies, accept)
      // What came through a pipe is not found again.
      if isPipe { TemporaryFiles.add(copy.path, copy.path + "-lock", copy.path + ".json") }
      database = try Database.openExisting(copy.path)
      time = copy.time
      contents = copy.contents
      if let source = source as? SQLiteSource, !isReadOnly {
        follower = SQLiteFollower(source, copies, copy)
      }
    }
    original = Original(
      path: source.path,
      time: time,
      isSecret: source.isSecret,
      engine: source.engine,
      remark: contents.remark,
      follower: follower,
      mapping: { try source.mapping(contents) }
    )
  }

  /// The copy on the disk, in the present state of its original.
  private static func copy(
    of source: some ForeignSource,
    _ copies: PrivateCopies,
    _ accept: (String) throws -> Bool
  ) throws -> PrivateCopies.Entry {
    let state = try PrivateCopies.Original(
      source.readPath,
      version: source.version,
      identity: source.identity
    )
    if let copy = copies.find(state) { return copy }
    if let older = copies.findOlder(state),
      let copy = try copies.update(older, to: state, source.update)
    {
      return copy
    }
    return try copies.make(state, source.prepare(accept))
  }
}

/// Opens an existing database, or a copy of another program's file, for reading.
func openForReading(
  _ path: String,
  keyFile: String? = nil,
  links: [String] = []
) throws -> Database {
  try OpenedFile.open(path, keyFile: keyFile, links: links, isReadOnly: true).database
}
