import KennelPages

/// One consistent look at a file, and the changes that somebody made on top of it.
///
/// Reading goes to the decoded columns of a cluster where there are any and to its chunks in
/// place where not. Without changes a view is a snapshot; an exclusive write and a draft are
/// views with changes. They differ in what becomes of the changes: a ``StoreWriter`` stores
/// them, a draft's never leave memory.
///
/// | store | has |
/// |---|---|
/// | ``PieceStore`` | values outside their chunks |
/// | ``ClusterStore`` | clusters, their chunks and columns |
/// | ``ObjectStore`` | which objects live, and where in their class |
/// | ``ValueStore`` | the values of objects |
/// | ``BacklinkStore`` | who links to an object |
/// | ``IndexStore`` | which objects have a value |
/// | ``ColumnScanner`` | loops over whole columns |
///
/// Each uses only those above it. A view belongs to one thread at a time.
package final class StoreView {
  package let store: DatabaseFile
  package internal(set) var header: FileHeader
  package let pieces: PieceStore
  package let clusters: ClusterStore
  package let objects: ObjectStore
  package let values: ValueStore
  package let backlinks: BacklinkStore
  package let indexes: IndexStore
  package let scanner: ColumnScanner

  internal init(
    store: DatabaseFile,
    source: TreeSource,
    header: FileHeader,
    schema: Schema,
    records: [ClassRecord]
  ) {
    self.store = store
    self.header = header
    pieces = PieceStore(store.pages, source, nextID: header.nextPieceID)
    clusters = ClusterStore(source, schema, records, pieces)
    objects = ObjectStore(clusters)
    values = ValueStore(clusters, objects)
    backlinks = BacklinkStore(values)
    indexes = IndexStore(source, values)
    scanner = ColumnScanner(clusters)
  }

  /// A view of the same snapshot with its own copy of the changes.
  package init(copying other: StoreView) {
    store = other.store
    header = other.header
    pieces = PieceStore(copying: other.pieces)
    clusters = ClusterStore(copying: other.clusters, pieces)
    objects = ObjectStore(clusters)
    values = ValueStore(clusters, objects)
    backlinks = BacklinkStore(values)
    indexes = IndexStore(copying: other.indexes, values)
    scanner = ColumnScanner(clusters)
  }

  package internal(set) var schema: Schema {
    get { clusters.schema }
    set { clusters.schema = newValue }
  }

  /// A class of the schema, which is not copied.
  package func classSchema(_ classKey: ClassKey) -> ClassSchema? {
    clusters.schema[classKey]
  }

  /// The primary key property of a class, if it is one of whole numbers; the schema is not copied.
  package func intKey(of classKey: ClassKey) -> PropertyKey? {
    clusters.schema.intKey(of: classKey)
  }

  /// The records of the classes, by class number.
  package var records: [ClassRecord] { clusters.directory.records }

  /// Where stored values are read.
  internal var source: TreeSource {
    get { clusters.source }
    set {
      clusters.source = newValue
      pieces.source = newValue
      indexes.source = newValue
    }
  }

  /// The number of the commit that the view is based on.
  package var transactionID: UInt64 { source.transactionID }

  /// The number of the next class: behind those of all that there ever were.
  package func nextClassNumber() throws(StorageError) -> Int {
    var number = max(records.count, schema.classes.last.map { Int($0.key.rawValue) + 1 } ?? 0)
    while number < 4096,
      try source.get(.meta, ClassRecord.key(of: ClassKey(rawValue: UInt16(number)))) != nil
    {
      number += 1
    }
    return number
  }
}
