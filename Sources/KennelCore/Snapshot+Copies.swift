extension Snapshot {
  /// Another look at the same commit, for another thread.
  ///
  /// It costs nothing but what it reads anew. Each keeps the pages that both see from being reused. Of a
  /// write transaction it shows the commit that the transaction began with, as long as the transaction
  /// lasts, and what was changed until now.
  ///
  /// - Returns: The copy.
  public final func copy() -> Snapshot { Snapshot(database, StoreView(copying: view)) }
}
