internal import KennelStorage

/// A view of a database that never changes.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// print(snapshot.count(of: dog.key), try snapshot.value(of: rex, property: name.key))
/// ```
///
/// A snapshot shows the commit that was the newest when the snapshot was made. It blocks no writer.
/// The pages that it sees are not reused while it lives, so release it when it is no longer needed.
public final class Snapshot: DatabaseReader, @unchecked Sendable {
  internal init(_ database: Database, _ view: StoreView, links: LinkIndex? = nil) {
    super.init(database, view, links: links, isSnapshot: true)
  }
}

extension DatabaseReader {
  /// Returns a snapshot of the reader's current state, for use on another thread.
  ///
  /// Creating the copy is cheap, but the copy reads from the file anew. The pages that both see are
  /// not reused while either of the two lives. The copy of a write transaction shows the changes
  /// made so far; do not use the copy after the transaction ends.
  ///
  /// - Returns: The copy.
  public final func copy() -> Snapshot {
    Snapshot(database, StoreView(copying: view), links: links)
  }
}
