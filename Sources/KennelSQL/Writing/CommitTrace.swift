package import KennelCore

/// The trace by which a commit that was interrupted is found stored or not: some of its rows, as they were before it and
/// as they are after it.
package struct CommitTrace: Hashable, Sendable {
  /// A query that counts rows.
  package struct Query: Hashable, Sendable {
    package let text: String
    package let values: [Value]
    /// Whether a row says that the commit was stored.
    package let found: Bool
    /// Whether no row says that the commit was stored; `nil` where it says nothing.
    package let missing: Bool?

    package init(text: String, values: [Value], found: Bool, missing: Bool?) {
      self.text = text
      self.values = values
      self.found = found
      self.missing = missing
    }
  }

  /// A transaction is stored whole or not at all, so that a few rows tell.
  private static let mostChanges = 32

  package let queries: [Query]
  /// The number that a server gave the transaction, which tells by itself.
  package let transaction: String?

  package init(queries: [Query] = [], transaction: String? = nil) {
    self.queries = queries
    self.transaction = transaction
  }

  package init(_ changes: RowChanges) {
    self.init(queries: changes.changes.prefix(Self.mostChanges).flatMap(\.traces))
  }

  /// Whether the commit was stored; `nil` where the rows contradict each other, since others have changed
  /// them meanwhile.
  ///
  /// - Throws: `SQLError` if the file cannot be read.
  package func isStored(_ connection: SQLiteConnection) throws(SQLError) -> Bool? {
    var answers: Set<Bool> = []
    for query in queries {
      let rows = try connection.prepare(query.text, binding: query.values)
      let count = try rows.step() ? rows.integer(0) : 0
      if let answer = count > 0 ? query.found : query.missing { answers.insert(answer) }
    }
    return answers.count == 1 ? answers.first : nil
  }

  /// Whether the server has stored the transaction; `nil` while it runs, or if it was too long ago.
  ///
  /// - Throws: `SQLError` if the server cannot be asked.
  package func isStored(_ connection: PostgresConnection) throws(SQLError) -> Bool? {
    let answer = try connection.run(
      "SELECT pg_catalog.txid_status($1::pg_catalog.int8)",
      transaction ?? ""
    )
    return ["committed": true, "aborted": false][answer.text(0, 0) ?? ""]
  }
}

extension RowChange {
  fileprivate var traces: [CommitTrace.Query] {
    switch kind {
    case .insert: [trace(isNew: true, found: true, missing: false)]
    case .update:
      [
        trace(isNew: true, found: true, missing: nil),
        trace(isNew: false, found: false, missing: nil),
      ]
    case .delete: [trace(isNew: false, found: false, missing: true)]
    }
  }

  private func trace(isNew: Bool, found: Bool, missing: Bool?) -> CommitTrace.Query {
    let query = query(isNew: isNew)
    return .init(text: query.text, values: query.values, found: found, missing: missing)
  }
}
