import KennelCore
import KennelSQL

/// A database of an SQL engine.
protocol SQLSource {
  var path: String { get }
  /// The foreign keys that a person named.
  var links: [String] { get }

  /// Fills an empty database with what the database holds at one moment.
  func fill(
    _ database: Database,
    beforeCommit: () -> Void,
    progress: @escaping (Double) -> Void
  ) throws -> SQLImporter.Summary
}

extension SQLSource {
  func prepare(_ accept: (String) throws -> Bool) -> (Database) throws -> CopyContents {
    { database in
      var bar = ProgressBar("Reading \(path)")
      defer { bar.finish() }
      return contents(try fill(database, beforeCommit: {}, progress: { bar.show($0) }))
    }
  }

  /// The facts about a copy.
  func contents(_ summary: SQLImporter.Summary) -> CopyContents {
    var contents = CopyContents(remark: nil, forms: summary.forms.map(\.text), links: links)
    if let first = summary.remarks.first {
      let rest = summary.remarks.dropFirst().map { "; \($0)" }.joined()
      contents.remark = first.prefix(1).uppercased() + first.dropFirst() + rest
    }
    return contents
  }
}

extension AddedKey {
  /// Reads the foreign keys of a command line.
  ///
  /// - Throws: `CommandError` if a text is none.
  static func read(_ links: [String]) throws -> [AddedKey] {
    try links.map { text in
      guard let key = AddedKey(text) else {
        throw CommandError(
          "Cannot add the link '\(text)': expected TABLE.COLUMN=TABLE.COLUMN, as in "
            + "order.customer_id=customer.id"
        )
      }
      return key
    }
  }
}
