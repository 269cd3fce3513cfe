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
  /// - Parameter body: What to change. It must not begin another write transaction of the database.
  /// - Returns: What the body returned. Objects of the transaction can still be read after the commit:
  ///   the first such read takes one snapshot of the newest commit, and all are read from that.
  /// - Throws: What the body throws, or `DatabaseError` if the commit fails; nothing is changed then.
  @discardableResult
  public func write<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    var session: Session?
    do {
      let result = try core.write { transaction in
        let made = Session(bindings, transaction, .transaction(transaction))
        session = made
        let result = try body(Transaction(made))
        // What an editor that outlived its closure could not set.
        if let failure = made.failure { throw failure }
        return result
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
