import KennelBrowser
import KennelCore
import KennelSQL

/// A database of an SQL engine, to which changes of a copy are committed.
protocol SQLSource: ForeignSource, Sendable {
  /// The foreign keys that a person named.
  var links: [String] { get }
  /// How the engine writes statements.
  var dialect: SQLDialect { get }

  /// Runs a body with an importer, again if the database changed while it was read without locks.
  ///
  /// - Parameters:
  ///   - former: What an earlier copy decided of the tables.
  ///   - body: Runs the importer, and sees then whether the database is what was read.
  /// - Returns: What the body returns.
  /// - Throws: `CommandError` if it cannot be read, or what the body throws.
  func importing<Result>(
    former: [TableForms],
    _ body: (SQLImporter, _ requireUnchanged: @escaping () throws -> Void) throws -> Result
  ) throws -> Result

  /// Reads which class each table is.
  func mapping(_ contents: CopyContents) throws -> SQLMapping

  /// Runs a body with an empty database that is there for a moment.
  func withScratch<Result>(_ body: (Database) throws -> Result) throws -> Result

  /// Whether this user may change it, as far as that is known before.
  var canWrite: Bool { get }
  /// Where what finds out about an interrupted commit to it is noted, by the path of the copy.
  func notePath(of copy: String) -> String?

  /// Tells the present state of the database from others, where that costs little.
  func state() throws -> PrivateCopies.Original

  /// Stores what a commit changes.
  ///
  /// - Parameters:
  ///   - commit: The commit of the copy.
  ///   - contents: The facts about the copy.
  ///   - announce: Called before the database is asked to store it.
  /// - Throws: `SQLError` if nothing was stored, or that is not known.
  func store(
    _ commit: DraftCommit,
    _ contents: CopyContents,
    announce: (CommitTrace) throws -> Void
  ) throws

  /// Has the database read a text as a value of a property, where it alone knows which texts are.
  ///
  /// - Throws: `SQLError` of the kind `refused` if it is none.
  func requireValue(
    _ text: String,
    _ property: String,
    of className: String,
    _ contents: CopyContents
  ) throws

  /// Whether a commit that was interrupted is stored; `nil` where that cannot be told.
  func isStored(_ trace: CommitTrace) throws -> Bool?
}

extension SQLSource {
  func requireValue(
    _ text: String,
    _ property: String,
    of className: String,
    _ contents: CopyContents
  ) throws {}

  /// Fills an empty database with what the database holds at one moment.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - former: What an earlier copy decided of the tables.
  ///   - beforeCommit: Called when all is read.
  ///   - look: Given the first rows before the others are read; `nil` where nobody looks.
  ///   - progress: Told the part that is done.
  /// - Returns: What came of it.
  /// - Throws: `CommandError` if it cannot be read, or `DatabaseError`.
  func fill(
    _ database: Database,
    former: [TableForms] = [],
    beforeCommit: () -> Void = {},
    look: FirstLook? = nil,
    progress: @escaping (Double) -> Void
  ) throws -> SQLImporter.Summary {
    try importing(former: former) { importer, requireUnchanged in
      try database.writeWhenFree { transaction in
        let report = { (part: Double) in
          try look?.report(part)
          progress(part)
        }
        let summary = try importer.run(
          in: transaction,
          progress: report,
          takeFirstRows: look?.take
        )
        try requireUnchanged()
        beforeCommit()
        return summary
      }
    }
  }

  func prepare(
    _ look: FirstLook?,
    _ accept: (String) throws -> Bool
  ) -> (Database) throws -> CopyContents {
    { database in
      var bar = look == nil ? ProgressBar("Reading \(path)") : nil
      defer { bar?.finish() }
      return contents(try fill(database, look: look) { bar?.show($0) })
    }
  }

  func update(
    _ database: Database,
    _ former: CopyContents,
    _ look: FirstLook?
  ) throws -> CopyContents? {
    // Nobody changes the copy between the reading and its end.
    let transaction = try database.beginWrite()
    defer { transaction.rollback() }
    return try withScratch { scratch in
      let summary = try fill(scratch, former: former.tableForms, look: look) { _ in }
      do {
        let hasChanged = try CopyUpdate.run(
          summary.mapping,
          from: scratch.snapshot(),
          in: transaction
        )
        if hasChanged { try transaction.commit() }
      } catch let error as SQLError where error.kind == .changed {
        return nil
      } catch let error as DatabaseError where !error.isOfSystem {
        // What differs cannot be changed step by step.
        return nil
      }
      return contents(summary)
    }
  }

  /// The statements that a commit is.
  func statements(_ commit: DraftCommit, _ contents: CopyContents) throws -> [String] {
    try RowChanges(commit, mapping(contents), dialect).text
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

extension CopyContents {
  /// The forms of the tables of an SQL database.
  var tableForms: [TableForms] { forms.compactMap(TableForms.init) }
}

extension DatabaseError {
  /// Whether the system or the disk is the reason, and not what was to be stored.
  fileprivate var isOfSystem: Bool {
    [.cannotOpen, .diskFull, .fileReplaced, .busy, .closed].contains(code)
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
