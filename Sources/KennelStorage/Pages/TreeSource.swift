package import KennelLMDB

/// Where a view reads stored values: in place from the pages of a snapshot, or, after a writer
/// handed changes to LMDB early, from its transaction.
package final class TreeSource {
  /// The pin of the snapshot; `nil` for a writer.
  internal let pin: ReadPin?
  private let pages: PageSource?
  /// The snapshot's trees, in the order of ``Tree``; empty for a writer.
  private let readers: [TreeReader]
  /// The snapshot's index tree, which is asked for single entries.
  private let indexes: TreeReader?
  /// The snapshot's trees that every first look at a cluster, a property or backlinks goes to.
  private let (clusters, chunks, backlinks): (TreeReader?, TreeReader?, TreeReader?)
  private let transaction: WriteTransaction?
  /// The number of the commit that is read.
  package let transactionID: UInt64

  /// Pins the newest snapshot, and goes on with what others found out about it if that is said.
  package init(
    pinning environment: Environment,
    _ known: NewestPageCache? = nil
  ) throws(StorageError) {
    let pin: ReadPin
    do throws(LMDBError) {
      pin = try environment.beginRead()
    } catch {
      throw .lmdb(error)
    }
    let pages = PageSource(pin, knowing: known?.knowledge(of: pin))
    let readers = try pages.trees()
    self.pin = pin
    self.pages = pages
    self.readers = readers
    indexes = readers[Tree.indexes.rawValue]
    (clusters, chunks) = (readers[Tree.clusters.rawValue], readers[Tree.chunks.rawValue])
    backlinks = readers[Tree.backlinks.rawValue]
    transaction = nil
    transactionID = pin.transactionID
  }

  /// Reads what a write transaction sees.
  package init(_ transaction: WriteTransaction) {
    pin = nil
    pages = nil
    readers = []
    indexes = nil
    (clusters, chunks, backlinks) = (nil, nil, nil)
    self.transaction = transaction
    transactionID = transaction.transactionID - 1
  }

  /// Whether a snapshot is read, which no writer changes.
  internal var isSnapshot: Bool { transaction == nil }

  /// The snapshot's reader of a tree; `nil` for a writer.
  package func reader(_ tree: Tree) -> TreeReader? {
    transaction == nil ? readers[tree.rawValue] : nil
  }

  /// The header in the snapshot's main tree; `nil` where there is none, and for a writer.
  package func headerInMainTree() throws(StorageError) -> UnsafeRawBufferPointer? {
    try unsafe pages?.header()
  }

  /// An entry of the snapshot's indexes whose key begins with five bytes and a number, if a look
  /// is enough to find it; `nil` says nothing.
  internal func indexEntry(
    header: UInt64,
    number: UInt64
  ) throws(StorageError) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    try unsafe indexes?.entry(header: header, number: number)
  }

  /// The key of the object that has a whole number in a property, if that is known without a look at
  /// the snapshot's tree; 0 says nothing.
  @inline(__always)
  internal func knownKey(header: UInt64, number: Int64) -> UInt64 {
    indexes?.knownKey(header: header, number: number) ?? 0
  }

  /// What is known of the snapshot's pages; `nil` for a writer.
  internal var knowledge: VerifiedPageCache? { pages?.knowledge }

  /// Lets the snapshot go; nothing may be read afterwards.
  package func release() {
    pin?.release()
  }

  /// Whether no tree holds anything.
  package var isEmpty: Bool {
    transaction == nil && readers.allSatisfy(\.isEmpty)
  }

  /// A value, valid while the snapshot lives, or until the writer's next change.
  package func get(_ tree: Tree, _ key: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    guard let transaction else {
      switch tree {
      case .clusters: return try unsafe clusters?.get(key)
      case .chunks: return try unsafe chunks?.get(key)
      case .backlinks: return try unsafe backlinks?.get(key)
      case .meta, .pieces, .indexes: return try unsafe readers[tree.rawValue].get(key)
      }
    }
    do throws(LMDBError) {
      return try unsafe transaction.get(tree, key)
    } catch {
      throw .lmdb(error)
    }
  }

  /// The first value at or past a key of an integer tree.
  package func first(
    _ tree: Tree,
    from key: UInt64
  ) throws(StorageError) -> (key: UInt64, bytes: UnsafeRawBufferPointer)? {
    guard let transaction else {
      var cursor = readers[tree.rawValue].cursor()
      guard try cursor.seek(atOrAfter: key) else { return nil }
      return unsafe (cursor.integerKey, try cursor.value())
    }
    do throws(LMDBError) {
      guard let entry = try unsafe transaction.iterate(tree).seek(atOrAfter: key) else {
        return nil
      }
      return unsafe (entry.key.loadUnaligned(as: UInt64.self), entry.value)
    } catch {
      throw .lmdb(error)
    }
  }

  /// Walks the index tree from a key on until the body returns false.
  package func forEachEntry(
    from key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    guard let transaction else {
      try unsafe readers[Tree.indexes.rawValue].forEach(fromBytes: key, body)
      return
    }
    do throws(LMDBError) {
      if unsafe transaction.isPastEnd(.indexes, key) { return }
      let cursor = try transaction.iterate(.indexes)
      var entry = try unsafe cursor.seek(atOrAfter: key)
      while let found = unsafe entry {
        let goesOn: Bool
        do throws(StorageError) {
          goesOn = try unsafe body(found.key, found.value)
        } catch {
          if case .lmdb(let error) = error { throw error }
          throw LMDBError(.damagedTree, .read, path: transaction.environment.path)
        }
        guard goesOn else { return }
        unsafe entry = try unsafe cursor.next()
      }
    } catch {
      throw .lmdb(error)
    }
  }
}
