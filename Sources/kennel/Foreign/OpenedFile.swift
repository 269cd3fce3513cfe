import Glibc
import KennelBrowser
import KennelConversion
import KennelCore
import KennelDocuments
import KennelSQL

/// A database that a command works on: a Kennel file, or the private copy of another program's file.
struct OpenedFile: Sendable {
  /// The original of a private copy.
  struct Original: Sendable {
    /// The path as it was given.
    let path: String
    /// Why nothing of the original may be written to a disk; `nil` where it may.
    let secrecy: String?
    /// The original and its age, for the title.
    let title: String
    /// The name that is proposed for a database of its own.
    let proposedName: String
    /// Says in a sentence what the copy lacks; `nil` if that is nothing.
    let remark: String?
    /// Follows the original, and writes to it, where that is possible.
    let follower: OriginalFollower?
    /// Reads which class each table of an SQL database is; `nil` for another file.
    let mapping: (@Sendable () throws -> SQLMapping)?

    /// Says where commits go, to the original or to a database of its own, and what the original declares.
    func tell(_ settings: inout BrowserSettings, _ database: Database) {
      // Another program may have changed the tables just now.
      if let mapping = try? mapping?(), let schema = try? database.snapshot().schema {
        settings.declarations = Declarations(mapping, schema)
      }
      if let follower, follower.canWrite {
        settings.original = follower
      } else {
        settings.proposedName = proposedName
      }
    }
  }

  let database: Database
  /// `nil` for a Kennel file.
  let original: Original?

  /// Opens a file of any kind that Kennel reads.
  ///
  /// - Parameters:
  ///   - path: The path; `-` is standard input.
  ///   - reading: How the file or the database of another program is read.
  ///   - isReadOnly: Whether a Kennel file is opened for reading only; a copy is what it is.
  ///   - show: Shows the first rows of an SQL database until all of it is read; `nil` where a bar does.
  ///   - accept: Shown the classes that documents suggest; whether to go on with them.
  /// - Returns: The database, and what it is the copy of.
  /// - Throws: `DatabaseError` or `CommandError` if the file cannot be opened.
  static func open(
    _ path: String,
    _ reading: ForeignReading = ForeignReading(),
    isReadOnly: Bool,
    show: FirstLook.Show? = nil,
    accept: (String) throws -> Bool = { _ in true }
  ) throws -> OpenedFile {
    let kind = ForeignKind(of: path)
    if !reading.links.isEmpty, kind != .sqlite, kind != .postgres {
      throw CommandError("Cannot add links to \(path): --link is for SQL databases")
    }
    if reading.part != nil, kind != .postgres {
      throw CommandError(
        "Cannot read a part of \(path): --table, --rows and --copy-limit are for PostgreSQL databases"
      )
    }
    switch kind {
    case .postgres?: return try FirstLook.open(PostgresSource(path, reading), show)
    case .sqlite?: return try FirstLook.open(SQLiteSource(path, links: reading.links), show)
    case .realm?: return try OpenedFile(RealmSource(path), accept: accept)
    case .documents?: return try OpenedFile(ForeignDocuments(path), accept: accept)
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
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - look: Given the first rows of an SQL database while all of it is read; `nil` where nobody looks.
  ///   - accept: Shown the classes that documents suggest; whether to go on with them.
  /// - Throws: `DatabaseError` or `CommandError` if the file cannot be opened.
  init(
    _ source: some ForeignSource,
    _ look: FirstLook? = nil,
    accept: (String) throws -> Bool = { _ in true }
  ) throws {
    let isPipe = source.path == "-"
    defer { if isPipe { unlink(source.readPath) } }
    var time = currentTime()
    let contents: CopyContents
    var follower: OriginalFollower?
    var copies: PrivateCopies?
    var seen = ""
    if let secrecy = source.secrecy {
      (_, database, contents) = try MemoryCopy.make(
        of: source.path,
        because: secrecy,
        source.prepare(look, accept)
      )
    } else {
      let found = try PrivateCopies()
      copies = found
      let copy = try Self.copy(of: source, found, look, accept)
      // What came through a pipe is not found again.
      if isPipe { TemporaryFiles.add(copy.path, copy.path + "-lock", copy.path + ".json") }
      database = try Database.openExisting(copy.path)
      time = copy.time
      contents = copy.contents
      seen = copy.original.state
    }
    var mapping: (@Sendable () throws -> SQLMapping)?
    if let source = source as? any SQLSource {
      mapping = { try source.mapping(contents) }
      if copies == nil { seen = try source.state().state }
      follower = OriginalFollower(source, copies, contents, time, seen: seen, database)
    }
    original = Original(
      path: source.path,
      secrecy: source.secrecy,
      title: source.title + (follower == nil ? ", as of \(localTime(time))" : ""),
      proposedName: source.proposedName,
      remark: contents.remark,
      follower: follower,
      mapping: mapping
    )
  }

  /// The copy on the disk, in the present state of its original.
  private static func copy(
    of source: some ForeignSource,
    _ copies: PrivateCopies,
    _ look: FirstLook?,
    _ accept: (String) throws -> Bool
  ) throws -> PrivateCopies.Entry {
    let state = try PrivateCopies.Original(
      source.readPath,
      version: source.version,
      identity: source.identity
    )
    if let copy = copies.find(state) { return copy }
    if let older = copies.findOlder(state),
      let copy = try copies.update(older, to: state, { try source.update($0, $1, look) })
    {
      return copy
    }
    return try copies.make(state, source.prepare(look, accept))
  }
}

/// Opens an existing database, or a copy of another program's file, for reading.
func openForReading(
  _ path: String,
  _ reading: ForeignReading = ForeignReading()
) throws -> Database {
  try OpenedFile.open(path, reading, isReadOnly: true).database
}
