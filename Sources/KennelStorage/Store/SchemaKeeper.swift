/// Where a schema takes effect: in a file, or in the memory of a draft.
package protocol SchemaKeeper: AnyObject {
  /// Replaces the schema.
  func setSchema(_ schema: Schema) throws(StorageError)

  /// Makes index entries for the objects of a class that are there, of a property that had none.
  func makeIndex(_ classKey: ClassKey, _ property: PropertySchema) throws(StorageError)

  /// Lets go of memory in the middle of a large change, where that is possible.
  func relieve() throws(StorageError)
}

extension StoreWriter: SchemaKeeper {
  package func makeIndex(
    _ classKey: ClassKey,
    _ property: PropertySchema
  ) throws(StorageError) {
    try buildIndex(classKey, property)
  }

  package func relieve() throws(StorageError) { try spill() }
}

extension StoreView: SchemaKeeper {
  /// Replaces the schema in memory, as that of a draft; the file keeps its own.
  ///
  /// What is stored of classes and properties that the schema lacks stays in the file: their objects and
  /// links must have been removed before.
  package func setSchema(_ schema: Schema) throws(StorageError) {
    // Those that wait are of columns of the old schema.
    try backlinks.flush()
    indexes.settleKeyRuns()
    clusters.adopt(schema)
  }

  package func makeIndex(
    _ classKey: ClassKey,
    _ property: PropertySchema
  ) throws(StorageError) {
    try addEntries(classKey, property) {}
  }

  package func relieve() {}

  /// Makes index entries for the objects of a class, and calls a body after each cluster.
  internal func addEntries(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ relieve: () throws(StorageError) -> Void
  ) throws(StorageError) {
    var next: UInt64 = 0
    while let cluster = try clusters.nextCluster(classKey, from: next) {
      next = cluster.number + 1
      for place in cluster.header.live {
        let value = try values.value(in: cluster, place, property)
        indexes.addEntry(cluster.object(place), property, value)
      }
      try relieve()
    }
  }
}
