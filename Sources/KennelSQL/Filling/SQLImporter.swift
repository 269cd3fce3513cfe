package import KennelCore

/// Fills a database with what an SQLite database holds.
///
/// All is read in one read transaction, so that it is of one moment. The rows are read twice, since a
/// column may hold values of any type: first the types are found, then the objects are made, those
/// that others refer to first. Links to objects that did not exist yet are set at the end.
package struct SQLImporter {
  /// The result of an import.
  package struct Summary {
    /// The tables, and the classes that they became.
    package var mapping = SQLMapping()
    /// What the values of each table decide, by which the mapping is found again.
    package var forms: [TableForms] = []
    /// How many objects were made.
    package var objectCount = 0
    /// Differences from the original, each as a part of a sentence.
    package var remarks: [String] = []
  }

  /// The most rows of a view or of a virtual table.
  private static let mostViewRows = 200_000
  /// The time that all views together may take.
  private static let viewTime = Duration.seconds(5)
  /// How many names a remark lists.
  private static let mostExamples = 3

  private let connection: SQLiteConnection
  private let addedKeys: [AddedKey]
  private let former: [TableForms]

  /// - Parameters:
  ///   - connection: The connection.
  ///   - addedKeys: The foreign keys that the database does not declare.
  ///   - former: What an earlier copy decided of the tables, which stays as long as it fits.
  package init(
    _ connection: SQLiteConnection,
    addedKeys: [AddedKey] = [],
    former: [TableForms] = []
  ) {
    self.connection = connection
    self.addedKeys = addedKeys
    self.former = former
  }

  /// Creates the classes and the objects.
  ///
  /// - Parameters:
  ///   - transaction: A transaction of a database without classes. If the import throws, roll it back.
  ///   - progress: Called every few hundred rows with the part that is done, from 0 to 1. What it throws
  ///     ends the import.
  /// - Returns: What came of it.
  /// - Throws: `SQLError` if the file cannot be read, `DatabaseError` if the database refuses
  ///   something, and what `progress` throws.
  package func run(
    in transaction: WriteTransaction,
    progress: @escaping (Double) throws -> Void = { _ in }
  ) throws -> Summary {
    guard transaction.schema.classes.isEmpty else {
      throw DatabaseError(
        .schemaMismatch,
        "An SQLite database is imported into a new database, and this one has classes"
      )
    }
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    let reader = try SQLiteCatalog(connection)
    var catalog = reader.catalog
    for key in addedKeys { try key.add(to: &catalog, connection) }
    var problems = reader.problems
    let copies = copyViews(of: &catalog, &problems)
    let filling = SQLFilling(connection, transaction, copies: copies, progress)
    let evidence = try filling.inspect(catalog)
    let proposals = LinkProposals(catalog, evidence, connection)
    let former = Dictionary(former.map { ($0.table, $0) }) { first, _ in first }
    let forms = zip(catalog.tables, evidence).map {
      TableForms($0, $1, former: former[$0.name])
    }
    let builder = MappingBuilder(catalog, forms)
    do {
      try filling.fill(builder.mapping, evidence)
    } catch let error as DatabaseError where error.saysContradiction {
      throw SQLError(.damaged, "it is damaged: \(error.message)")
    }
    try finish(builder.mapping, transaction)
    var summary = Summary(mapping: builder.mapping, forms: forms)
    summary.objectCount = evidence.reduce(0) { $0 + $1.rowCount }
    summary.remarks =
      remark("not shown", problems) + remark("foreign keys that are no links", builder.problems)
      + remark("values that lead nowhere", filling.danglingLinks)
      + remark("names that were changed", builder.renamed)
      + remark("links that no key declares", proposals.keys.map { "--link \($0)" })
    return summary
  }

  private func remark(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    let rest = items.count - Self.mostExamples
    let more = rest > 0 ? " and \(rest) more" : ""
    return ["\(title): \(items.prefix(Self.mostExamples).joined(separator: ", "))\(more)"]
  }

  // MARK: - Views

  /// Copies the rows of views and virtual tables into temporary tables, since a query may take any time
  /// and need not give the same rows twice; those that take too long are left out.
  private func copyViews(
    of catalog: inout Catalog,
    _ problems: inout [String]
  ) -> [String: String] {
    var copies: [String: String] = [:]
    let end = ContinuousClock.now + Self.viewTime
    let tables = catalog.tables
    catalog.tables = []
    for table in tables {
      guard table.kind != .table else {
        catalog.tables.append(table)
        continue
      }
      let copy = "temp.\"kennel \(copies.count)\""
      do throws(SQLError) {
        let query = "SELECT * FROM main.\(table.name.quotedSQLName)"
        try requireEnd(of: query, before: end)
        try connection.run("CREATE TEMPORARY TABLE \(copy) AS \(query)")
        copies[table.name] = copy
        catalog.tables.append(table)
      } catch {
        problems.append("\(table.name) (\(error.message))")
      }
    }
    return copies
  }

  /// Reads the rows of a query, to see that it does not take too long, and that they are not too many.
  private func requireEnd(
    of query: String,
    before end: ContinuousClock.Instant
  ) throws(SQLError) {
    let rows = try connection.prepare(query)
    connection.limitTime(to: end)
    defer { connection.limitTime(to: nil) }
    var count = 0
    while try rows.step() {
      count += 1
      guard count <= Self.mostViewRows else {
        throw SQLError(.failed, "it has more than \(Self.mostViewRows) rows")
      }
    }
  }

  // MARK: - Finishing

  /// Adds indexes, unique properties and defaults, which cost less when the objects are there.
  private func finish(_ mapping: SQLMapping, _ transaction: WriteTransaction) throws {
    if try define(mapping.tables, of: mapping, transaction, hasUnique: true) { return }
    // The file contradicts one of its own indexes.
    for table in mapping.tables
    where try !define([table], of: mapping, transaction, hasUnique: true) {
      _ = try define([table], of: mapping, transaction, hasUnique: false)
    }
  }

  /// Adds to classes what ``finish(_:_:)`` adds; `false` where two objects have one value of a unique
  /// property.
  private func define(
    _ tables: [TableMapping],
    of mapping: SQLMapping,
    _ transaction: WriteTransaction,
    hasUnique: Bool
  ) throws -> Bool {
    let definitions = tables.map { mapping.finishedDefinition(of: $0, hasUnique: hasUnique) }
    do throws(DatabaseError) {
      try transaction.define(definitions)
    } catch {
      guard error.code == .duplicateValue, hasUnique else { throw error }
      return false
    }
    return true
  }
}

extension DatabaseError {
  /// Whether two rows have one key, or a link leads to a row that is in an index alone.
  fileprivate var saysContradiction: Bool {
    [.duplicatePrimaryKey, .outOfRange, .noSuchObject].contains(code)
  }
}
