internal import KennelStorage

/// A view of a database that never changes.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// print(snapshot.count(of: dog.key), try snapshot.value(of: rex, name.key))
/// ```
///
/// A snapshot sees the newest commit of the moment it was made, for as long as it lives, and blocks
/// no writer. It keeps the pages it sees from being reused, so release it when it is no longer needed.
public final class Snapshot: DatabaseReader, @unchecked Sendable {
  internal init(_ database: Database, _ view: StoreView) {
    super.init(database, view, isSnapshot: true)
  }
}

extension DatabaseReader {
  /// A snapshot of what the reader shows now, for use on another thread.
  ///
  /// It costs nothing but what it reads anew. Each keeps the pages that both see from being reused.
  /// The copy of a write transaction shows its changes so far; do not use it after the transaction
  /// ends.
  ///
  /// - Returns: The copy.
  public final func copy() -> Snapshot { Snapshot(database, StoreView(copying: view)) }
}
