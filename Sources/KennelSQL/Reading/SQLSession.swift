@_spi(Faces) internal import KennelCore

/// A database of another engine while it is read: a connection, with one read transaction.
///
/// The differences between engines are here and in ``SQLRows``; whoever reads through them knows no engine.
protocol SQLSession: AnyObject {
  associatedtype Rows: SQLRows

  /// The most rows of each table that are read; `nil` for all.
  var rowLimit: Int? { get set }

  /// Begins the transaction, so that all that is read is of one moment.
  func begin() throws(SQLError)

  /// Ends the transaction.
  func end()

  /// Reads the catalog.
  ///
  /// - Returns: The catalog, and the tables that cannot be read, with the reason.
  func readCatalog() throws(SQLError) -> (catalog: Catalog, problems: [String])

  /// Finds the types of all values, and removes from the catalog what cannot be read.
  func inspect(
    _ catalog: inout Catalog,
    _ problems: inout [String],
    _ progress: ReadingProgress
  ) throws -> [TableEvidence]

  /// Runs a query.
  func rows(_ query: RowQuery) throws(SQLError) -> Rows

  /// Whether a query has a row.
  ///
  /// - Throws: `SQLError` if that is not known before a time.
  func hasRow(_ query: String, before end: ContinuousClock.Instant?) throws(SQLError) -> Bool

  /// The table after `FROM`; a name for it follows.
  func source(of table: CatalogTable) -> String

  /// Selects a column so that it is read in a form.
  func selection(_ column: CatalogColumn, as form: ColumnContents, of alias: String) -> String

  /// The columns that give the rows of a table without a key one order; empty where they come as they
  /// are.
  func place(in table: CatalogTable, _ alias: String) -> [String]

  /// The condition that a column of a target is the value of a foreign key, as the engine compares them.
  func match(_ target: String, _ value: String, by comparison: String?) -> String
}

/// A query and the forms of its columns; one without a form is a whole number.
struct RowQuery {
  var text: String
  var columns: [ColumnContents?]
}

/// The rows of a query, of which one is present.
protocol SQLRows {
  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: `SQLError` if it cannot be read.
  func step() throws(SQLError) -> Bool
  /// Passes over the rows that are left, where the engine takes no other query before the last one.
  func finish() throws(SQLError)

  /// Whether the value of a column is null.
  func isNull(_ column: Int) -> Bool
  /// A whole number, or a truth value as 0 or 1.
  func integer(_ column: Int) -> Int64
  func float(_ column: Int) -> Float
  func real(_ column: Int) -> Double
  func text(_ column: Int) -> String
  func bytes(_ column: Int) -> [UInt8]
  /// A point in time; `nil` for what is none.
  func timestamp(_ column: Int) -> Timestamp?
  func uuid(_ column: Int) -> UUIDValue?
  func decimal(_ column: Int) -> Decimal128?
  /// The value as it is stored; a text that is none is bytes.
  func value(_ column: Int) -> Value
}

/// How far the reading of a database is.
final class ReadingProgress {
  /// How many rows are read between two reports.
  private static let rowsPerReport = 1_024

  /// Rows after it are passed over; `nil` where all are read.
  var end: ContinuousClock.Instant?
  private let report: (Double) throws -> Void
  private var doneCount = 0
  private var wholeCount = 1

  init(_ report: @escaping (Double) throws -> Void) {
    self.report = report
  }

  /// Has so many rows more to read.
  func expect(_ count: Int) {
    wholeCount += count
  }

  /// Forgets what was expected: so many of so many rows are read.
  func restart(_ done: Int, of whole: Int) {
    (doneCount, wholeCount) = (done, whole)
  }

  /// Goes to the next row of a table, and tells the progress now and then.
  func next(_ rows: some SQLRows, of table: CatalogTable) throws -> Bool {
    let isRow = try rethrowing(try rows.step()) { (error: SQLError) in
      SQLError(error.kind, "\(error.message) (table \(table.name))")
    }
    guard isRow else { return false }
    if let end, ContinuousClock.now > end {
      try rows.finish()
      return false
    }
    doneCount += 1
    if doneCount % Self.rowsPerReport == 0 {
      try report(Double(doneCount) / Double(max(wholeCount, doneCount)))
    }
    return true
  }
}
