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
    if case .unknown = cluster.body.chunks[index].state { _ = try chunk(cluster, property) }
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
  ) throws(StorageError) -> ViewHandle<ColumnStorage> {
    guard let index = cluster.index(ofBacklinks: number) else {
      throw .damaged(in: "cluster \(cluster.number)", "it has no room for backlinks \(number)")
    }
    let known = cluster.body.chunks.handle(index)
    if known.pointee.state == .decoded, let column = known.pointee.column {
      if place >= column.pointee.count { column.pointee.grow(to: place + 1) }
      return column
    }
    try loadBacklinks(cluster, number, index)
    let column = try decoded(cluster, index, .backlinks, nil)
    column.grow(to: place + 1)
    return column.body
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
    case .absent, .unknown: column = MutableColumn(type)
    case .stored(let view): column = try view.decoded()
    }
    changedByteCount += 4096
    cluster.setDecoded(column, index)
    cluster.body.chunks[index].isChanged = true
    if let property {
      allowPointWrites(cluster.classKey, property, cluster.body.chunks.handle(index))
    }
    directory.note(cluster)
    return column
  }

  /// Tells ``PointWriter`` what it may do with a column.
  private func allowPointWrites(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ chunk: ViewHandle<ChunkEntry>
  ) {
    chunk.pointee.access = property.pointAccess
    chunk.pointee.hasNoFill = property.isCollection || property.fillValue.isNull
    chunk.pointee.isOptional = property.type.isOptional
    guard property.kind == .link, let target = property.target else { return }
    let found = schema[target]?.backlinkColumns.first {
      $0.origin == classKey && $0.property == property.key
    }
    if let found {
      chunk.pointee.target = target
      chunk.pointee.backlinkColumn = found.number
    } else {
      chunk.pointee.access = .none
    }
  }
}

extension PropertySchema {
  fileprivate var pointAccess: PointAccess {
    if isIndexed { return .none }
    switch (collection, kind) {
    case (.none, .link):
      return isEmbedded ? .owned : deleteRule.deletesWhenUnlinked ? .none : .link
    case (.none, _): return type.bitWidth == 64 ? .value : .none
    case (.list, .link): return isEmbedded || deleteRule.deletesWhenUnlinked ? .none : .list
    case (.set, .link): return deleteRule.deletesWhenUnlinked ? .none : .set
    case (.list, _), (.set, _), (.map, _): return .none
    }
  }
}
