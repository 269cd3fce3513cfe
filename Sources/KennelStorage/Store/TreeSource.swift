package import KennelLMDB

/// Where a view reads stored values: in place from the pages of a snapshot, or, after a writer
/// handed changes to LMDB early, from its transaction.
package final class TreeSource {
  private enum Kind {
    case snapshot(ReadPin, readers: [TreeReader])
    case writer(WriteTransaction)
  }

  private let kind: Kind
  /// The number of the commit that is read.
  package let transactionID: UInt64

  /// Pins the newest snapshot.
  package init(pinning environment: Environment) throws(StorageError) {
    let pin: ReadPin
    do throws(LMDBError) {
      pin = try environment.beginRead()
    } catch {
      throw .lmdb(error)
    }
    let pages = PageSource(pin)
    var readers: [TreeReader] = []
    for tree in Tree.allCases { readers.append(try pages.tree(tree)) }
    kind = .snapshot(pin, readers: readers)
    transactionID = pin.transactionID
  }

  /// Reads what a write transaction sees.
  package init(_ transaction: WriteTransaction) {
    kind = .writer(transaction)
    transactionID = transaction.transactionID - 1
  }

  /// The snapshot's reader of a tree; `nil` for a writer.
  package func reader(_ tree: Tree) -> TreeReader? {
    if case .snapshot(_, let readers) = kind { readers[tree.rawValue] } else { nil }
  }

  /// The pin of the snapshot; `nil` for a writer.
  internal var pin: ReadPin? {
    if case .snapshot(let pin, _) = kind { pin } else { nil }
  }

  /// Lets the snapshot go; nothing may be read afterwards.
  package func release() {
    if case .snapshot(let pin, _) = kind { pin.release() }
  }

  /// Whether no tree holds anything.
  package var isEmpty: Bool {
    guard case .snapshot(_, let readers) = kind else { return false }
    return readers.allSatisfy(\.isEmpty)
  }

  /// A value, valid while the snapshot lives, or until the writer's next change.
  package func get(_ tree: Tree, _ key: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    switch kind {
    case .snapshot(_, let readers): return try readers[tree.rawValue].get(key)
    case .writer(let transaction):
      do throws(LMDBError) {
        return try transaction.get(tree, key)
      } catch {
        throw .lmdb(error)
      }
    }
  }

  /// The first value at or past a key of an integer tree.
  package func first(
    _ tree: Tree,
    from key: UInt64
  ) throws(StorageError) -> (key: UInt64, bytes: UnsafeRawBufferPointer)? {
    switch kind {
    case .snapshot(_, let readers):
      var cursor = readers[tree.rawValue].cursor()
      guard try cursor.seek(atOrAfter: key) else { return nil }
      return (cursor.integerKey, try cursor.value())
    case .writer(let transaction):
      do throws(LMDBError) {
        guard let entry = try transaction.iterate(tree).seek(atOrAfter: key) else { return nil }
        return (entry.key.loadUnaligned(as: UInt64.self), entry.value)
      } catch {
        throw .lmdb(error)
      }
    }
  }

  /// Walks the index tree from a key on until the body returns false.
  package func forEachEntry(
    from key: [UInt8],
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    switch kind {
    case .snapshot(_, let readers):
      try key.withRawBytes { (raw) throws(StorageError) in
        try readers[Tree.indexes.rawValue].forEach(fromBytes: raw, body)
      }
    case .writer(let transaction):
      do throws(LMDBError) {
        let cursor = try transaction.iterate(.indexes)
        var entry = try key.withRawBytes { (raw) throws(LMDBError) in
          try cursor.seek(atOrAfter: raw)
        }
        while let found = entry {
          let goesOn: Bool
          do throws(StorageError) {
            goesOn = try body(found.key, found.value)
          } catch {
            if case .lmdb(let error) = error { throw error }
            throw LMDBError(.damagedTree, .read, path: transaction.environment.path)
          }
          guard goesOn else { return }
          entry = try cursor.next()
        }
      } catch {
        throw .lmdb(error)
      }
    }
  }
}
