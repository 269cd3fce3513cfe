/// Links forwards and backwards.
extension FileCheck {
  /// Notes a link: its target must live, and know of it.
  func noteLink(_ origin: ObjectIdentity, _ property: PropertySchema, _ target: ObjectIdentity) {
    let header = ChunkKey(target.classKey, cluster: target.key.cluster, column: 0).rawValue
    guard let places = live[header], places[target.key.place] else {
      if unreadClusters.contains(header) { return }
      add(
        .danglingLink,
        "\(name(origin, property)) links to \(name(target)), which does not exist"
      )
      return
    }
    if property.isEmbedded, let count = owners[header]?[target.key.place], count < .max {
      owners[header]?[target.key.place] = count + 1
    }
    let place = PropertyIdentity(origin.classKey, property.key)
    guard let column = columns.number(target.classKey, place) else {
      add(
        .schema,
        "\(name(target.classKey)) has no place for backlinks from "
          + "\(name(origin.classKey)).\(property.name)"
      )
      return
    }
    let key = ChunkKey(target.classKey, cluster: target.key.cluster, column: column + 1)
    linkSums.add(linkSums.hash(target.key.rawValue, origin.key.rawValue), to: key.rawValue)
  }

  /// Notes the backlinks of a cluster from one property.
  func noteBacklinks(_ cluster: ClusterPlaces, _ column: BacklinkColumn, _ chunk: ChunkView) {
    let key = cluster.key(ofColumn: column.number).rawValue
    for place in cluster.live {
      if place >= chunk.count || isStopped { return }
      let target = cluster.object(place)
      var origins: [UInt64] = []
      switch chunk.keys(place) {
      case .inline(let keys): origins = keys.unpack()
      case .external(let location):
        guard let keys = ownKeys(location, owner(of: target, backlinksFrom: column)) else {
          continue
        }
        origins = keys
      }
      var last: UInt64 = 0
      for origin in origins {
        if origin < last {
          add(
            .backlinkOrder,
            "The backlinks of \(name(target)) from \(name(of: column)) do not ascend"
          )
        }
        last = origin
        linkSums.subtract(linkSums.hash(target.key.rawValue, origin), from: key)
      }
    }
  }

  /// Every embedded object must have been met in exactly one property.
  func checkOwners() {
    for key in owners.keys.sorted() where !isPartial && !isStopped {
      let key = ChunkKey(rawValue: key)
      guard let places = live[key.rawValue], let counts = owners[key.rawValue],
        let classSchema = schema[key.classKey], areOwnersKnown(classSchema)
      else { continue }
      for place in 0..<256 where places[place] && counts[place] != 1 {
        let object = ObjectIdentity(key.classKey, ObjectKey(cluster: key.cluster, place: place))
        if counts[place] == 0 {
          add(.missingOwner, "The embedded object \(name(object)) has no owner")
        } else {
          add(.severalOwners, "The embedded object \(name(object)) has \(counts[place]) owners")
        }
      }
    }
  }

  private func areOwnersKnown(_ classSchema: ClassSchema) -> Bool {
    classSchema.backlinkColumns.allSatisfy {
      !unread.contains(PropertyIdentity($0.origin, $0.property))
    }
  }

  // MARK: - Where the sums differ

  /// Looks one by one at the clusters whose links and backlinks differ.
  func compareBacklinks() throws(StorageError) {
    guard !isPartial else { return }
    /// The clusters to look at, by what links to them.
    var suspects: [BacklinkColumn: [UInt64]] = [:]
    for rawKey in linkSums.unequal() {
      let key = ChunkKey(rawValue: rawKey)
      guard let classSchema = schema[key.classKey],
        let column = classSchema.backlinkColumns.first(where: { $0.number + 1 == key.column }),
        !unread.contains(PropertyIdentity(column.origin, column.property))
      else { continue }
      suspects[column, default: []].append(rawKey)
    }
    let ordered = suspects.sorted { ($0.value[0]) < ($1.value[0]) }
    for (column, keys) in ordered where !isStopped {
      guard let property = schema.property(column.property, of: column.origin) else { continue }
      // A few clusters at a time bound the memory.
      var start = 0
      while start < keys.count, !isStopped {
        let part = keys[start..<min(start + 64, keys.count)]
        try compareBacklinks(Set(part), column, property)
        start += 64
      }
    }
  }

  private func compareBacklinks(
    _ keys: Set<UInt64>,
    _ column: BacklinkColumn,
    _ property: PropertySchema
  ) throws(StorageError) {
    var expected: [ObjectIdentity: [UInt64]] = [:]
    var next: UInt64 = 0
    while let cluster = try view.clusters.nextCluster(column.origin, from: next), !isStopped {
      next = cluster.number + 1
      for place in cluster.header.live {
        let origin = ObjectKey(cluster: cluster.number, place: place)
        for target in try view.values.value(in: cluster, place, property).links {
          let key = ChunkKey(
            target.classKey,
            cluster: target.key.cluster,
            column: column.number + 1
          )
          if keys.contains(key.rawValue) {
            expected[target, default: []].append(origin.rawValue)
          }
        }
      }
    }
    for key in keys.sorted() where !isStopped {
      let key = ChunkKey(rawValue: key)
      guard let cluster = try view.clusters.cluster(key.classKey, key.cluster) else { continue }
      for place in cluster.header.live {
        let target = ObjectIdentity(key.classKey, ObjectKey(cluster: key.cluster, place: place))
        let list = try view.backlinks.origins(of: target, column.number)
        report(
          expected[target] ?? [],
          try list.keys(0..<list.count).sorted(),
          target,
          column,
          property
        )
      }
    }
  }

  private func report(
    _ expected: [UInt64],
    _ stored: [UInt64],
    _ target: ObjectIdentity,
    _ column: BacklinkColumn,
    _ property: PropertySchema
  ) {
    var expected = expected.sorted()[...]
    var stored = stored[...]
    while !isStopped, !(expected.isEmpty && stored.isEmpty) {
      if let wanted = expected.first, wanted == stored.first {
        expected.removeFirst()
        stored.removeFirst()
      } else if let wanted = expected.first, wanted < stored.first ?? .max {
        // Told once: in a damaged file there may be millions, in no bits at all.
        expected = expected.drop { $0 == wanted }
        let origin = ObjectIdentity(column.origin, ObjectKey(rawValue: wanted))
        add(
          .missingBacklink,
          "\(name(origin, property)) links to \(name(target)), which does not know of it"
        )
      } else {
        let surplus = stored.removeFirst()
        stored = stored.drop { $0 == surplus }
        let origin = ObjectIdentity(column.origin, ObjectKey(rawValue: surplus))
        add(
          .strayBacklink,
          "\(name(target)) has a backlink from \(name(origin, property)), which does not link to it"
        )
      }
    }
  }
}
