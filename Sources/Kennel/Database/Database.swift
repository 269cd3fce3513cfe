internal import Dispatch
internal import KennelCore

/// A database in one file.
///
/// ```swift
/// let database = try Database.open(path, models: Dog.self, Person.self)
/// try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
/// for dog in try database.snapshot().objects(Dog.self) { print(try dog.name) }
/// ```
///
/// Any thread may use it. Reading never waits for writing. Opening a file that is already open in
/// the process reuses the open file.
public final class Database: Sendable {
  internal let core: KennelCore.Database
  internal let bindings: Bindings
  /// Where asynchronous writes wait for each other without a thread each.
  internal let writes = DispatchQueue(label: "kennel.writes")

  internal init(_ core: KennelCore.Database, _ bindings: Bindings) {
    self.core = core
    self.bindings = bindings
  }

  /// The path that the file was opened with.
  public var path: String { core.path }

  /// The number of the newest commit of any process.
  public var commitNumber: Int { core.commitNumber }

  /// Whether the file may be written.
  public var canWrite: Bool { core.canWrite }

  // MARK: - The file

  /// Writes the newest commit to a new file, without free space.
  ///
  /// Linear in the size of the file. Others may read and write meanwhile.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist.
  ///   - encryption: The encryption of the copy; usually that of the file.
  /// - Throws: `DatabaseError` if the path exists, this file is damaged, or the disk is full. No file is
  ///   left then.
  public func writeCopy(
    to path: String,
    encryption: Encryption = .unchanged
  ) throws(DatabaseError) {
    try core.writeCopy(to: path, encryption: encryption)
  }

  /// Reclaims the free space of a file that nobody has open.
  ///
  /// Linear in the size of the file. If the process is killed, either the old or the new file exists.
  ///
  /// ```swift
  /// database.close()
  /// let isSmaller = try Database.compact(path)
  /// print(isSmaller)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - key: The key of an encrypted file.
  ///   - encryption: The encryption that the file gets; usually the one that it has.
  ///   - isWanted: Returns whether to compact, given the size of the file and the bytes in use. The
  ///     closure must not open the file.
  /// - Returns: Whether the file was compacted: false if a process has it open, it has several names, it
  ///   is not writable, or `isWanted` returned false.
  /// - Throws: `DatabaseError` if the file is missing, damaged or not a Kennel file, or the disk is full.
  ///   The file is unchanged then.
  @discardableResult
  public static func compact(
    _ path: String,
    key: Key? = nil,
    encryption: Encryption = .unchanged,
    if isWanted: (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool = { _, _ in true }
  ) throws(DatabaseError) -> Bool {
    try KennelCore.Database.compact(path, key: key, encryption: encryption, if: isWanted)
  }

  /// Closes the file, as far as this database is concerned.
  ///
  /// Snapshots, objects and drafts can still be read, and a write transaction that is running goes on; the
  /// process lets go of the file when the last of them has ended. Everything else throws an error with
  /// code `closed`. A database that nothing refers to any more closes itself.
  public func close() { core.close() }

  // MARK: - Reading and writing

  /// Returns a snapshot of the newest commit.
  ///
  /// - Returns: The snapshot.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced.
  public func snapshot() throws(DatabaseError) -> Snapshot {
    Snapshot(Session(bindings, try core.snapshot()))
  }

  /// Runs a body on a snapshot of the newest commit.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the file is damaged or was replaced.
  public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try body(snapshot())
  }

  /// Runs a body in a write transaction and commits, or rolls back if the body throws.
  ///
  /// It waits until no other thread or process writes. The commit is on disk when it returns.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; `nil` for as long as it takes.
  ///   - body: What to change. A write in it, or the commit of a draft, through whichever database of the
  ///     same file, would wait for itself: it throws an error with code `nestedWrite`.
  /// - Returns: What the body returned. Objects of the transaction can still be read after the commit:
  ///   the first such read takes one snapshot of the newest commit, and all are read from that.
  /// - Throws: What the body throws, or `DatabaseError` if the commit fails, or with code `busy` if the
  ///   wait took too long (`processID` is then the process that writes); nothing is changed then.
  @discardableResult
  public func write<Result>(
    waitingAtMost limit: Duration? = nil,
    _ body: (Transaction) throws -> Result
  ) throws -> Result {
    try write(limit, unless: nil, body)
  }

  internal func write<Result>(
    _ limit: Duration?,
    unless isCancelled: (() -> Bool)?,
    _ body: (Transaction) throws -> Result
  ) throws -> Result {
    var session: Session?
    do {
      let result = try core.write(waitingAtMost: limit, isCancelled: isCancelled) { transaction in
        let made = Session(bindings, transaction, .transaction(transaction))
        session = made
        return try body(Transaction(made))
      }
      session?.end(nil)
      return result
    } catch {
      session?.end(
        DatabaseError(.closed, "The object is of a write transaction that was rolled back")
      )
      throw error
    }
  }
}
