/// The part of a PostgreSQL database that is read.
package struct PostgresPart: Hashable, Sendable {
  /// The rows of a table that are read at once, unless a person says another number.
  package static let usualRows = 200_000
  /// The bytes that so many rows may have.
  private static let usualBytes = 64 << 20

  /// The tables; none stands for all.
  package var tables: [String]
  /// Conditions in SQL, by the tables whose rows they choose.
  package var conditions: [String: String]
  /// The most rows of a table.
  package var mostRows: Int

  package init(
    tables: [String] = [],
    conditions: [String: String] = [:],
    mostRows: Int = usualRows
  ) {
    self.tables = tables
    self.conditions = conditions
    self.mostRows = mostRows
  }

  /// So long a server may say nothing: it sorts the rows of a table before it sends the first.
  package var mostSilence: Duration {
    .seconds(60 * max(1, min(mostRows / Self.usualRows, 60)))
  }

  /// The most bytes of a table: as many for each row as usual.
  var mostBytes: Int {
    let (share, isTooLarge) = mostRows.multipliedReportingOverflow(
      by: Self.usualBytes / Self.usualRows
    )
    return isTooLarge ? .max : max(share, Self.usualBytes)
  }
}
