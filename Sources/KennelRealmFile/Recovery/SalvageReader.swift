/// Reads all of some commits of a damaged file, and notes what is whole.
struct SalvageReader {
  /// The newest commit and what may replace its lost parts, newest first.
  let states: [RealmFile]
  private var classes: [RealmClass] = []
  /// The classes as they are saved.
  private(set) var saved: [RealmClass] = []
  var losses: [RealmLoss] = []
  private var leaves: [Int: [RealmSalvage.Leaf]] = [:]

  init(states: [RealmFile]) {
    self.states = states
  }

  /// What was found.
  var salvage: RealmSalvage { RealmSalvage(leaves: leaves, losses: losses) }

  mutating func read() throws(RealmFileError) {
    findClasses()
    for realmClass in classes { try findObjects(of: realmClass) }
    try leaveOrphans()
    try noteLostLinks()
    for realmClass in classes { saved.append(finished(realmClass)) }
  }

  // MARK: - Classes

  /// Takes the classes of the newest commit, and those that are damaged there from an older one.
  private mutating func findClasses() {
    guard let newest = states.first else { return }
    classes = newest.classes
    for name in newest.lostClasses {
      let older = states.dropFirst().lazy.compactMap { state in
        state.classes.first { $0.name == name }
      }.first
      if let older, !classes.contains(where: { $0.tableKey == older.tableKey }) {
        classes.append(older)
        losses.append(RealmLoss(.olderClasses, older.title))
      } else {
        let title = ClassReader.title(of: name)
        losses.append(RealmLoss(.possibleObjects, title, keys: 0...Int64.max))
      }
    }
    leaveLinksToLostClasses()
  }

  private mutating func leaveLinksToLostClasses() {
    let tables = Set(classes.map(\.tableKey))
    for index in classes.indices {
      let lost = classes[index].properties.filter { $0.target.map(tables.contains) == false }
      classes[index].properties.removeAll(where: lost.contains)
      for property in lost {
        losses.append(RealmLoss(.values, classes[index].title, property.name, keys: 0...Int64.max))
      }
    }
  }

  /// The class as it is saved: its properties can be null where values are lost.
  private mutating func finished(_ realmClass: RealmClass) -> RealmClass {
    let leaves = leaves[realmClass.tableKey] ?? []
    var saved = realmClass
    saved.count = leaves.reduce(0) { $0 + $1.keys.count }
    for (index, property) in realmClass.properties.enumerated()
    where !property.canBe(property.lostValue) && leaves.contains(where: { $0.hasLost(property) }) {
      saved.properties[index].hasLostValues = true
      losses.append(RealmLoss(.property, realmClass.title, property.name))
    }
    return saved
  }

  // MARK: - Objects

  private mutating func findObjects(of realmClass: RealmClass) throws(RealmFileError) {
    var known = KnownObjects()
    for (index, state) in states.enumerated() {
      guard let own = state.realmClass(withKey: realmClass.tableKey), own.name == realmClass.name,
        realmClass.properties.allSatisfy(own.properties.contains),
        state.formatVersion == states[0].formatVersion
      else { continue }
      let source = ClusterSource(file: state, realmClass: realmClass)
      let found = try clusters(of: own, in: state)
      for range in found.lost {
        losses.append(RealmLoss(.possibleObjects, realmClass.title, keys: range))
      }
      for cluster in found.clusters {
        try add(cluster, source, &known, isOlder: index > 0)
      }
      // What the newest commit does not have, it has deleted.
      if found.lost.isEmpty { break }
    }
    leaves[realmClass.tableKey]?.sort { ($0.keys.first ?? 0) < ($1.keys.first ?? 0) }
  }

  /// What was found of a class so far.
  private struct KnownObjects {
    var keys: Set<Int64> = []
    var primaryKeys: Set<RealmValue> = []
  }

  /// A cluster whose keys can be read.
  private struct Cluster: Sendable {
    let ref: Int64
    let keys: [Int64]
  }

  /// The parts of a class's tree that can be read, and the keys of the others.
  private struct Clusters: Sendable {
    var clusters: [Cluster] = []
    var lost: [ClosedRange<Int64>] = []

    mutating func lose(_ keys: ClosedRange<UInt64>) {
      lost.append(Int64(clamping: keys.lowerBound)...Int64(clamping: keys.upperBound))
    }
  }

  private func clusters(
    of realmClass: RealmClass,
    in state: RealmFile
  ) throws(RealmFileError) -> Clusters {
    try state.reading { () throws(RealmFileError) in
      let tree = ClusterTree(bytes: state.bytes)
      var found = Clusters()
      let leaves = try tree.leaves(root: realmClass.clusters) { _, keys in found.lose(keys) }
      for leaf in leaves {
        do throws(RealmFileError) {
          let keys = try tree.keys(state.bytes.node(at: leaf.ref), base: leaf.base)
          if !keys.isEmpty { found.clusters.append(Cluster(ref: leaf.ref, keys: keys)) }
        } catch {
          guard error.isDamage else { throw error }
          found.lose(leaf.base...leaf.last)
        }
      }
      return found
    }
  }

  private mutating func add(
    _ cluster: Cluster,
    _ source: ClusterSource,
    _ known: inout KnownObjects,
    isOlder: Bool
  ) throws(RealmFileError) {
    let realmClass = source.realmClass
    let keys = cluster.keys
    var leaf = RealmSalvage.Leaf(ref: cluster.ref, count: keys.count, keys: [], rows: [])
    let whole = RealmCluster(source, keys: keys, ref: cluster.ref)
    var primaryKeys: [Int: RealmValue] = [:]
    for property in realmClass.properties {
      let values = try values(of: property, in: whole)
      leaf.lost[property.index] = Set(keys.indices).subtracting(values.keys)
      if property == realmClass.primaryKey { primaryKeys = values }
    }
    for (row, key) in keys.enumerated() where !known.keys.contains(key) {
      if realmClass.primaryKey != nil {
        guard let value = primaryKeys[row], known.primaryKeys.insert(value).inserted else {
          if !isOlder { losses.append(RealmLoss(.objects, realmClass.title, keys: key...key)) }
          continue
        }
      }
      known.keys.insert(key)
      leaf.keys.append(key)
      leaf.rows.append(row)
      if isOlder { losses.append(RealmLoss(.olderObjects, realmClass.title, keys: key...key)) }
      for property in realmClass.properties where leaf.lost[property.index]?.contains(row) == true {
        losses.append(RealmLoss(.values, realmClass.title, property.name, keys: key...key))
      }
    }
    if !leaf.keys.isEmpty { leaves[realmClass.tableKey, default: []].append(leaf) }
  }

  /// The values of a property that can be read, by their place in the cluster.
  private func values(
    of property: RealmFileProperty,
    in cluster: RealmCluster
  ) throws(RealmFileError) -> [Int: RealmValue] {
    func values(_ rows: Range<Int>) throws(RealmFileError) -> [(Int, RealmValue)] {
      do throws(RealmFileError) {
        return Array(zip(rows, try cluster.values(of: property, rows: rows)))
      } catch {
        guard error.isDamage else { throw error }
        return []
      }
    }
    let rows = cluster.keys.indices
    var found = try property.collection == nil ? values(rows) : []
    if property.collection != nil { for row in rows { found += try values(row..<row + 1) } }
    return Dictionary(uniqueKeysWithValues: found.filter { property.canBe($0.1) })
  }

  // MARK: - Links

  private struct Object: Hashable {
    let table: Int
    let key: Int64
  }

  /// A value of a saved object.
  private struct FoundValue {
    let object: Object
    let property: RealmFileProperty
    let value: RealmValue
    /// The number of its cluster among those of the class, and its place there.
    let leaf: Int
    let row: Int

    /// What it links to, with duplicates.
    var targets: [Object] {
      var targets: [Object] = []
      value.forEachLink { targets.append(Object(table: $0, key: $1)) }
      return targets
    }
  }

  /// Leaves out embedded objects that nothing owns, and values that would own what has an owner.
  private mutating func leaveOrphans() throws(RealmFileError) {
    let embedded = classes.filter { $0.kind == .embedded }
    let tables = Set(embedded.map(\.tableKey))
    var values: [Object: [FoundValue]] = [:]
    var open: [Object] = []
    for realmClass in classes {
      let owning = realmClass.properties.filter { $0.target.map(tables.contains) ?? false }
      try forEachValue(of: realmClass, owning) { found in
        guard !found.targets.isEmpty else { return }
        values[found.object, default: []].append(found)
        if realmClass.kind != .embedded { open.append(found.object) }
      }
    }
    let existing = leaves.mapValues(RealmSalvage.keys)
    var owned: Set<Object> = []
    var done: Set<Object> = []
    while let owner = open.popLast() {
      guard done.insert(owner).inserted else { continue }
      for found in values[owner] ?? [] {
        let targets = found.targets.filter { existing[$0.table]?.contains($0.key) == true }
        if Set(targets).count == targets.count, owned.isDisjoint(with: targets) {
          owned.formUnion(targets)
          open += targets
        } else {
          lose(found)
        }
      }
    }
    for realmClass in embedded { keep(owned, of: realmClass) }
  }

  private mutating func lose(_ found: FoundValue) {
    let (object, property) = (found.object, found.property)
    leaves[object.table]?[found.leaf].lost[property.index, default: []].insert(found.row)
    let title = classes.first { $0.tableKey == object.table }?.title
    losses.append(RealmLoss(.values, title, property.name, keys: object.key...object.key))
  }

  /// Leaves out the objects of a class that are not among some.
  private mutating func keep(_ objects: Set<Object>, of realmClass: RealmClass) {
    let table = realmClass.tableKey
    leaves[table] = leaves[table]?.map { leaf in
      var kept = leaf
      (kept.keys, kept.rows) = ([], [])
      for (key, row) in zip(leaf.keys, leaf.rows) {
        if objects.contains(Object(table: table, key: key)) {
          kept.keys.append(key)
          kept.rows.append(row)
        } else {
          losses.append(RealmLoss(.objects, realmClass.title, keys: key...key))
        }
      }
      return kept
    }
  }

  /// Notes the links that lead to what is not saved.
  private mutating func noteLostLinks() throws(RealmFileError) {
    let salvage = salvage
    let titles = Dictionary(classes.map { ($0.tableKey, $0.title) }) { first, _ in first }
    var lost: [RealmLoss] = []
    for realmClass in classes {
      let linking = realmClass.properties.filter { $0.target != nil || $0.kind == .mixed }
      try forEachValue(of: realmClass, linking) { found in
        let key = found.object.key
        for target in found.targets where !salvage.hasObject(target.table, target.key) {
          lost.append(
            RealmLoss(
              .links,
              realmClass.title,
              found.property.name,
              keys: key...key,
              target: (titles[target.table] ?? "?", target.key)
            )
          )
        }
      }
    }
    losses += lost
  }

  /// Hands the values of some properties to `body`, those of all saved objects of a class.
  private func forEachValue(
    of realmClass: RealmClass,
    _ properties: [RealmFileProperty],
    _ body: (FoundValue) -> Void
  ) throws(RealmFileError) {
    guard let file = states.first, !properties.isEmpty else { return }
    let source = ClusterSource(file: file, realmClass: realmClass)
    for (index, leaf) in (leaves[realmClass.tableKey] ?? []).enumerated() {
      let cluster = RealmCluster(source, leaf)
      for property in properties {
        for (position, value) in try cluster.values(of: property).enumerated() {
          body(
            FoundValue(
              object: Object(table: realmClass.tableKey, key: leaf.keys[position]),
              property: property,
              value: value,
              leaf: index,
              row: leaf.rows[position]
            )
          )
        }
      }
    }
  }
}

extension RealmFileProperty {
  /// Whether a program can have stored a value.
  func canBe(_ value: RealmValue) -> Bool {
    switch value {
    case .null: isOptional || kind == .mixed || target != nil
    case .timestamp(let seconds, let nanoseconds):
      seconds > .min && abs(Int64(nanoseconds)) < 1_000_000_000
    case .list(let elements), .set(let elements): elements.allSatisfy(canBe)
    case .dictionary(let entries):
      entries.allSatisfy { canBe($0.value) } && Set(entries.map(\.key)).count == entries.count
    case .link(let table, _): target == table || kind == .mixed
    case .int, .bool, .string, .data, .float, .double, .decimal, .objectId, .uuid: true
    }
  }
}
