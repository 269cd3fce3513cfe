import KennelPages

/// The parts of an old schema that a new one lacks.
internal struct LostParts {
  /// A class of both, and the columns of its properties and backlinks that are gone.
  struct Columns {
    let classKey: ClassKey
    let properties: Set<UInt16>
    let backlinks: Set<UInt16>
  }

  private(set) var classes: [ClassKey] = []
  private(set) var columns: [Columns] = []

  init(from old: Schema, to new: Schema) {
    for before in old.classes {
      guard let after = new[before.key] else {
        classes.append(before.key)
        continue
      }
      let lost = Columns(
        classKey: before.key,
        properties: Set(before.properties.map(\.key.rawValue))
          .subtracting(after.properties.map(\.key.rawValue)),
        backlinks: Set(before.backlinkColumns.map(\.number))
          .subtracting(after.backlinkColumns.map(\.number))
      )
      if !lost.properties.isEmpty || !lost.backlinks.isEmpty { columns.append(lost) }
    }
  }

  var isEmpty: Bool { classes.isEmpty && columns.isEmpty }
}

extension StoreWriter {
  /// Removes what is stored of classes, which have no objects, and what dead objects have left in columns;
  /// nothing may be changed that is not handed to the page store.
  ///
  /// The record of a class stays, as that of one that never had an object: so its number is not given
  /// out again.
  internal func remove(_ lost: LostParts) throws(StorageError) {
    try inPages { () throws(PageStoreError) in
      for classKey in lost.classes {
        let first = ChunkKey(classKey, cluster: 0, column: 0).rawValue
        for tree in [Tree.clusters, .chunks, .backlinks] {
          try transaction.deleteRange(tree, first...(first | ChunkKey.lastOfClass))
        }
      }
    }
    for columns in lost.columns { try remove(columns) }
    for classKey in lost.classes {
      view.clusters.directory[record: Int(classKey.rawValue)] = ClassRecord()
    }
  }

  private func remove(_ columns: LostParts.Columns) throws(StorageError) {
    var next = view.clusters.record(of: columns.classKey).lastCluster
    while let number = next {
      let key = ChunkKey(columns.classKey, cluster: number, column: 0)
      guard let bytes = try view.source.get(.clusters, key.rawValue) else {
        throw .damaged(in: "cluster \(number)", "its header is missing")
      }
      var header = try ClusterHeader(decoding: bytes, for: key)
      next = header.previous
      let properties = columns.properties.intersection(header.columns)
      let backlinks = columns.backlinks.intersection(header.backlinkColumns)
      if properties.isEmpty && backlinks.isEmpty { continue }
      header.columns.removeAll(where: properties.contains)
      header.backlinkColumns.removeAll(where: backlinks.contains)
      try inPages { () throws(PageStoreError) in
        try transaction.put(.clusters, key.rawValue, header.encoded)
        for (tree, lost) in [(Tree.chunks, properties), (.backlinks, backlinks)] {
          for column in lost { try transaction.delete(tree, key.rawValue + UInt64(column) + 1) }
        }
      }
    }
  }
}

extension ChunkKey {
  /// The part of a key below its class, at its greatest.
  fileprivate static let lastOfClass: UInt64 = (1 << 52) - 1
}
