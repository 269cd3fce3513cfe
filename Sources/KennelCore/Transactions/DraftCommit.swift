import KennelStorage

/// The changes of a draft's commit, before they are stored.
///
/// ```swift
/// let transaction = try database.beginWrite()
/// _ = try draft.commit(in: transaction) { _ in
/// } mirroring: { (commit) throws(DatabaseError) in
///   for object in try commit.changes().created { print(commit.after.describe(object)) }
/// }
/// ```
public struct DraftCommit {
  /// The objects without the changes.
  public let before: DatabaseReader
  /// The objects with the changes; new ones have the keys that the commit gives them.
  public let after: DatabaseReader
  internal let entries: [DraftEntry]
  internal var identities: [ObjectIdentity: ObjectIdentity] = [:]
}

extension Draft {
  /// Returns the changes of a commit of the draft without some items; new objects have provisional keys.
  ///
  /// - Parameter items: The items to leave in the draft, as in
  ///   ``commit(confirming:leaving:in:announcing:mirroring:)``.
  /// - Returns: The changes.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func commitPreview(leaving items: [DraftItem.ID] = []) throws(DatabaseError) -> DraftCommit
  {
    let (included, left) = try divided(without: operationIDs(of: items), areKept: true)
    var after = reader
    if !left.isEmpty {
      var trial = DraftReplay(over: base, reserving: reader)
      for entry in included { _ = try trial.take(entry) }
      after = trial.reader
    }
    return DraftCommit(before: base, after: after, entries: included)
  }
}
