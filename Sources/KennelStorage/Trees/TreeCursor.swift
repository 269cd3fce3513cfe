import KennelPages

/// Walks a tree in the order of its keys, as ``Cursor`` does.
package struct TreeCursor: ~Copyable {
  private var cursor: Cursor

  init(_ cursor: consuming Cursor) { self.cursor = cursor }

  /// Whether the cursor stands on an entry, which what follows asks for.
  package var isValid: Bool { cursor.isValid }
  /// The key of a tree of numbers.
  package var number: UInt64 { cursor.number }
  /// The key of a tree of bytes.
  package var bytes: StoredBytes { unsafe StoredBytes(cursor.bytes) }
  /// Bytes that the entry takes in its leaf, and in pages of its own.
  var byteCount: (inLeaf: Int, outside: Int) { cursor.byteCount }

  package func value() throws(StorageError) -> StoredBytes {
    try inPages { () throws(PageStoreError) in unsafe StoredBytes(try cursor.value()) }
  }

  package mutating func first() throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in try cursor.first() }
  }

  package mutating func next() throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in try cursor.next() }
  }

  /// Moves to the first entry whose key is `number` or greater; false if there is none.
  package mutating func seek(atOrAfter number: UInt64) throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in try cursor.seek(atOrAfter: number) }
  }

  /// Moves to the first entry whose key is `bytes` or greater; false if there is none.
  package mutating func seek(atOrAfter bytes: StoredBytes) throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in try unsafe cursor.seek(atOrAfter: bytes.buffer) }
  }

  /// Moves to the last entry whose key is `bytes` or less; false if there is none.
  package mutating func seek(atOrBefore bytes: StoredBytes) throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in try unsafe cursor.seek(atOrBefore: bytes.buffer) }
  }
}
