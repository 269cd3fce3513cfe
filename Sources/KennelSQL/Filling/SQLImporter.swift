package import KennelCore

/// Fills a database with what a database of another engine holds.
///
/// All is read in one read transaction, so that it is of one moment. The rows are looked at twice: first
/// the types of all values are found, then the objects are made, those that others refer to first. Links
/// to objects that did not exist yet are set at the end.
package struct SQLImporter {
  /// The result of an import.
  package struct Summary {
    /// The tables, and the classes that they became.
    package var mapping = SQLMapping()
    /// The part of each class that values decide, by which the mapping is found again.
    package var forms: [TableForms] = []
    /// How many objects were made.
    package var objectCount = 0
    /// Differences from the original, each as a part of a sentence.
    package var remarks: [String] = []
  }

  /// Is given what fills a database with the first rows, before the others are read.
  package typealias FirstRowsTaker = ((WriteTransaction) throws -> Void) throws -> Void

  /// How many names a remark lists.
  private static let mostExamples = 3

  /// How long values of the first rows are looked at, and how long they are read then.
  package var timeOfFirstRows = Duration.milliseconds(500)
  private let read: (WriteTransaction, FirstRowsFilling?, ReadingProgress) throws -> Summary

  /// Fills with the first rows what takes them.
  private typealias FirstRowsFilling = (_ fill: (WriteTransaction, Duration) throws -> Void) throws
    -> Void

  /// - Parameters:
  ///   - connection: The connection.
  ///   - addedKeys: The foreign keys that the database does not declare.
  ///   - former: What an earlier copy decided of the tables, which stays as long as it fits.
  package init(
    _ connection: SQLiteConnection,
    addedKeys: [AddedKey] = [],
    former: [TableForms] = []
  ) {
    read = { try Self.read(connection, addedKeys, former, $0, $1, $2) }
  }

  /// - Parameters:
  ///   - connection: The connection.
  ///   - part: What is read of the database.
  ///   - addedKeys: The foreign keys that the database does not declare.
  ///   - former: What an earlier copy decided of the tables, which stays as long as it fits.
  package init(
    _ connection: PostgresConnection,
    _ part: PostgresPart = PostgresPart(),
    addedKeys: [AddedKey] = [],
    former: [TableForms] = []
  ) {
    read = { try Self.read(PostgresSession(connection, part), addedKeys, former, $0, $1, $2) }
  }

  /// Creates the classes and the objects.
  ///
  /// - Parameters:
  ///   - transaction: A transaction of a database without classes. If the import throws, roll it back.
  ///   - progress: Called every few hundred rows with the part that is done, from 0 to 1. What it throws
  ///     ends the import.
  ///   - takeFirstRows: Given what fills another database with the first rows of the tables, see
  ///     ``FirstRows``; `nil` where nobody looks at them.
  /// - Returns: What came of it.
  /// - Throws: `SQLError` if the file cannot be read, `DatabaseError` if the database refuses
  ///   something, and what `progress` throws.
  package func run(
    in transaction: WriteTransaction,
    progress: @escaping (Double) throws -> Void = { _ in },
    takeFirstRows: FirstRowsTaker? = nil
  ) throws -> Summary {
    guard transaction.schema.classes.isEmpty else {
      throw DatabaseError(
        .schemaMismatch,
        "A database of another engine is imported into a new database, and this one has classes"
      )
    }
    let filling = takeFirstRows.map { take -> FirstRowsFilling in
      { fill in try take { try fill($0, timeOfFirstRows) } }
    }
    return try read(transaction, filling, ReadingProgress(progress))
  }

  private static func read(
    _ session: some SQLSession,
    _ addedKeys: [AddedKey],
    _ former: [TableForms],
    _ transaction: WriteTransaction,
    _ fillFirstRows: FirstRowsFilling?,
    _ progress: ReadingProgress
  ) throws -> Summary {
    try session.begin()
    defer { session.end() }
    var (catalog, problems) = try session.readCatalog()
    try fillFirstRows? { try FirstRows.read(session, catalog, in: $0, within: $1) }
    for key in addedKeys { try key.add(to: &catalog, session) }
    let evidence = try session.inspect(&catalog, &problems, progress)
    let rowCount = evidence.reduce(0) { $0 + $1.rowCount }
    progress.restart(rowCount, of: 2 * rowCount)
    let proposals = LinkProposals(catalog, evidence, session)
    let former = Dictionary(former.map { ($0.table, $0) }) { first, _ in first }
    let forms = zip(catalog.tables, evidence).map {
      TableForms($0, $1, former: former[$0.name])
    }
    let builder = MappingBuilder(catalog, forms)
    let filling = SQLFilling(session, transaction, progress)
    do {
      try filling.fill(builder.mapping, evidence)
    } catch let error as DatabaseError where error.saysContradiction {
      throw SQLError(.damaged, "it is damaged: \(error.message)")
    }
    try finish(builder.mapping, transaction)
    var summary = Summary(mapping: builder.mapping, forms: forms)
    summary.objectCount = rowCount
    summary.remarks =
      remark("not shown", problems) + remark("foreign keys that are no links", builder.problems)
      + remark("values that lead nowhere", filling.danglingLinks)
      + remark("names that were changed", builder.renamed)
      + remark("links that no key declares", proposals.keys.map { "--link \($0)" })
      + remark("row security hides rows of", catalog.tables.filter(\.hasRowSecurity).map(\.name))
    return summary
  }

  private static func remark(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    let rest = items.count - mostExamples
    let more = rest > 0 ? " and \(rest) more" : ""
    return ["\(title): \(items.prefix(mostExamples).joined(separator: ", "))\(more)"]
  }

  // MARK: - Finishing

  /// Adds indexes, unique properties and defaults, which cost less when the objects are there.
  private static func finish(_ mapping: SQLMapping, _ transaction: WriteTransaction) throws {
    if try define(mapping.tables, of: mapping, transaction, hasUnique: true) { return }
    // The file contradicts one of its own indexes.
    for table in mapping.tables
    where try !define([table], of: mapping, transaction, hasUnique: true) {
      _ = try define([table], of: mapping, transaction, hasUnique: false)
    }
  }

  /// Adds to classes what ``finish(_:_:)`` adds; `false` where two objects have one value of a unique
  /// property.
  private static func define(
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
