/// Columns that are decoded to be changed.
extension ClusterStore {
  /// The decoded column of a property with room for a place, marked as changed.
  internal func column(
    _ cluster: Cluster,
    _ property: PropertySchema,
    _ place: Int
  ) throws(StorageError) -> MutableColumn {
    guard let index = cluster.index(of: property.key) else {
      throw .damaged(in: "cluster \(cluster.number)", "it has no room for \(property.name)")
    }
    if case .unknown = unsafe cluster.body.chunks[index].state { _ = try chunk(cluster, property) }
    let column = try decoded(cluster, index, property.columnType, property)
    let first = column.count
    guard place >= first else { return column }
    column.grow(to: place + 1)
    if !property.isCollection, !property.fillValue.isNull {
      for filled in first...place { column.set(filled, property.fillValue) }
    }
    return column
  }

  /// The decoded column of backlinks with room for a place, marked as changed.
  internal func backlinkColumn(
    _ cluster: Cluster,
    _ number: UInt16,
    _ place: Int
  ) throws(StorageError) -> UnsafeMutablePointer<ColumnStorage> {
    guard let index = cluster.index(ofBacklinks: number) else {
      throw .damaged(in: "cluster \(cluster.number)", "it has no room for backlinks \(number)")
    }
    let known = unsafe cluster.body.chunks + index
    if unsafe known.pointee.state == .decoded, let column = unsafe known.pointee.column {
      if unsafe place >= column.pointee.count { unsafe column.pointee.grow(to: place + 1) }
      return unsafe column
    }
    try loadBacklinks(cluster, number, index)
    let column = try decoded(cluster, index, .backlinks, nil)
    column.grow(to: place + 1)
    return unsafe column.body
  }

  /// The decoded column of a chunk, marked as changed.
  private func decoded(
    _ cluster: Cluster,
    _ index: Int,
    _ type: ColumnType,
    _ property: PropertySchema?
  ) throws(StorageError) -> MutableColumn {
    let column: MutableColumn
    switch cluster.state(index) {
    case .decoded(let known, _): return known
    case .absent, .unknown: column = MutableColumn(type, directory.pool)
    case .stored(let view): column = try unsafe view.decoded(directory.pool)
    }
    changedByteCount += 4096
    cluster.setDecoded(column, index)
    unsafe cluster.body.chunks[index].isChanged = true
    if let property {
      unsafe allowQuickChanges(cluster.classKey, property, cluster.body.chunks + index)
      if cluster.number > 0, let before = directory[cluster.classKey, cluster.number - 1],
        unsafe index < before.body.pointee.chunkCount
      {
        // What objects linked to so far is what the next ones are expected to link to.
        let recent = unsafe before.body.chunks[index].recentTarget
        unsafe cluster.body.chunks[index].recentTarget = recent
      }
    }
    directory.note(cluster)
    return column
  }

  /// The memory of a decoded column with room for a place whose value is about to be set.
  ///
  /// Finds a column that was decoded before without touching a reference count.
  @inline(__always)
  internal func columnBody(
    _ cluster: Cluster,
    _ key: PropertyKey,
    _ place: Int
  ) throws(StorageError) -> UnsafeMutablePointer<ColumnStorage> {
    let index = Int(key.rawValue)
    if unsafe index < cluster.body.pointee.propertyCount,
      let column = unsafe cluster.body.chunks[index].column
    {
      if unsafe place < column.pointee.count { return unsafe column }
      // The value that is about to be set needs no fill value before it.
      if unsafe place == column.pointee.count, unsafe column.pointee.form != .collections {
        unsafe column.pointee.grow(to: place + 1)
        return unsafe column
      }
    }
    return try unsafe slowColumnBody(cluster, key, place)
  }

  @inline(never)
  private func slowColumnBody(
    _ cluster: Cluster,
    _ key: PropertyKey,
    _ place: Int
  ) throws(StorageError) -> UnsafeMutablePointer<ColumnStorage> {
    guard let property = unsafe schema[cluster.classKey]?[key] else {
      throw .damaged(in: "class \(cluster.classKey.rawValue)", "it has no property \(key.rawValue)")
    }
    return try unsafe column(cluster, property, place).body
  }

  /// Tells ``PointWriter`` what it may do with a column.
  private func allowQuickChanges(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ chunk: UnsafeMutablePointer<ChunkEntry>
  ) {
    guard !property.isIndexed else { return }
    unsafe chunk.pointee.hasNoFill = property.isCollection || property.fillValue.isNull
    guard property.kind == .link, let target = property.target else {
      unsafe chunk.pointee.isPlain =
        !property.isCollection && property.kind != .link && property.type.bitWidth == 64
      return
    }
    let found = unsafe schema[target]?.backlinkColumns.first {
      $0.origin == classKey && $0.property == property.key
    }
    guard let backlinkColumn = found?.number else { return }
    unsafe chunk.pointee.target = target
    unsafe chunk.pointee.backlinkColumn = backlinkColumn
    unsafe chunk.pointee.links =
      switch property.collection {
      case .none: property.isEmbedded ? .owned : .one
      case .list: property.isEmbedded ? .none : .list
      case .set: .set
      case .map: .none
      }
    unsafe chunk.pointee.isPlain =
      !property.isEmbedded && !property.deleteRule.deletesWhenUnlinked
      && chunk.pointee.links != .none
  }
}
