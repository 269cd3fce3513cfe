/// A commit that stays readable: its pages are not used again while the snapshot is there.
///
/// Everybody in the process who wants the same commit gets the same snapshot. It may be used by many
/// threads at once. Bytes that it returns are valid while it is there.
package final class PageSnapshot: Sendable {
  package let store: PageStore
  let meta: MetaPage
  let source: PageSource

  /// The commit must be pinned.
  init(_ store: PageStore, _ meta: MetaPage, _ source: PageSource) {
    self.store = store
    self.meta = meta
    self.source = source
  }

  deinit { store.unpin(meta.commit) }

  /// The number of the commit.
  package var commit: UInt64 { meta.commit }
  package var pageSize: Int { meta.pageSize }
  /// The number of pages up to the last in use, meta pages included.
  package var pageCount: Int { Int(meta.pageCount) }
  /// The bytes of the user that the commit has.
  package var note: [UInt8] { meta.note }

  /// A reader of a tree, which remembers the leaf that it found a number in last.
  ///
  /// It can be used after the snapshot; what it then reads may be of a later commit.
  ///
  /// - Throws: `PageStoreError` if the tree has keys of another kind.
  package func reader(_ tree: Tree) throws(PageStoreError) -> TreeReader {
    let recent = tree.keys == .numbers ? RecentLeaf() : nil
    return try TreeReader(source, tree, meta.roots[tree.number], recent)
  }

  /// The number of entries of a tree.
  package func entryCount(_ tree: Tree) -> Int { Int(clamping: meta.roots[tree.number].entries) }

  /// The value of a key; `nil` if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the process is a forked child.
  package func get(_ tree: Tree, _ key: UInt64) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try unsafe reader(tree).get(TreeKey(key))
  }

  /// The value of a key; `nil` if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the process is a forked child.
  package func get(
    _ tree: Tree,
    key: UnsafeRawBufferPointer
  ) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try unsafe reader(tree).get(TreeKey(key))
  }

  /// A cursor over a tree, which stands nowhere yet.
  ///
  /// - Throws: `PageStoreError` if the tree has keys of another kind.
  package func cursor(_ tree: Tree) throws(PageStoreError) -> Cursor { Cursor(try reader(tree)) }
}
