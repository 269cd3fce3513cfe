package import KennelPages

/// Where a view reads stored values: in place from the pages of a snapshot, or, after a writer was
/// handed changes early, from the writer.
package final class TreeSource {
  /// `nil` for a writer, and when it was let go.
  package private(set) var snapshot: PageSnapshot?
  private let writer: Writer?
  /// The trees of the snapshot, by their numbers; empty for a writer.
  private let readers: [TreeReader]
  /// Primary keys that are known without a look at the snapshot; `nil` for a writer.
  private let numbers: NumberTable?
  /// The number of the commit that is read.
  package let transactionID: UInt64

  /// Pins the newest commit, and goes on with what others found out about its primary keys.
  package init(
    pinning store: PageStore,
    _ known: NumberTables? = nil
  ) throws(StorageError) {
    do throws(PageStoreError) {
      let snapshot = try store.snapshot()
      var readers: [TreeReader] = []
      readers.reserveCapacity(Tree.all.count)
      for tree in Tree.all { readers.append(try snapshot.reader(tree)) }
      self.snapshot = snapshot
      self.readers = readers
      numbers = known?.table(of: snapshot)
      writer = nil
      transactionID = snapshot.commit
    } catch {
      throw StorageError(error)
    }
  }

  /// Reads what a writer sees.
  package init(_ writer: Writer) {
    snapshot = nil
    self.writer = writer
    readers = []
    numbers = nil
    transactionID = writer.commitNumber - 1
  }

  /// Whether a snapshot is read, which no writer changes.
  var isSnapshot: Bool { writer == nil }

  /// Lets the snapshot go; nothing may be read afterwards.
  package func release() { snapshot = nil }

  /// The number of entries of a tree.
  package func entryCount(_ tree: Tree) -> Int {
    writer?.entryCount(tree) ?? readers[tree.number].entryCount
  }

  /// A cursor over a tree, which stands nowhere yet; a change of the writer makes it unusable.
  package func cursor(_ tree: Tree) throws(StorageError) -> TreeCursor {
    try inPages { () throws(PageStoreError) in
      guard let writer else { return TreeCursor(readers[tree.number].cursor()) }
      return TreeCursor(try writer.cursor(tree))
    }
  }

  /// A value, valid while the snapshot lives, or until the writer's next change.
  package func get(_ tree: Tree, _ key: UInt64) throws(StorageError) -> StoredBytes? {
    try unsafe inPages { () throws(PageStoreError) in
      guard let writer else { return try unsafe readers[tree.number].get(key) }
      return try unsafe writer.get(tree, key)
    }.map { unsafe StoredBytes($0) }
  }

  /// The first value at or past a key of a tree of numbers.
  package func first(
    _ tree: Tree,
    from key: UInt64
  ) throws(StorageError) -> (key: UInt64, bytes: StoredBytes)? {
    var cursor = try cursor(tree)
    guard try cursor.seek(atOrAfter: key) else { return nil }
    return (cursor.number, try cursor.value())
  }

  // MARK: - Indexes

  /// Walks the index tree from a key on until the body returns false.
  package func forEachEntry(
    from key: StoredBytes,
    _ body: (StoredBytes) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var cursor = try cursor(.indexes)
    var isThere = try cursor.seek(atOrAfter: key)
    while isThere {
      guard try body(cursor.bytes) else { return }
      isThere = try cursor.next()
    }
  }

  /// The first entry of the snapshot's indexes at or after a key; `nil` for a writer, too.
  func firstIndexEntry(atOrAfter key: StoredBytes) throws(StorageError) -> StoredBytes? {
    if writer != nil { return nil }
    return try unsafe inPages { () throws(PageStoreError) in
      try unsafe readers[Tree.indexes.number].firstKey(atOrAfter: key.buffer)
    }.map { unsafe StoredBytes($0) }
  }

  /// The key of the object that has a whole number in a property, if that is known without a look at
  /// the snapshot's tree; 0 says nothing.
  @inline(__always)
  package func knownKey(header: UInt64, number: Int64) -> UInt64 {
    numbers?.key(of: number, header: header, in: self) ?? 0
  }
}
