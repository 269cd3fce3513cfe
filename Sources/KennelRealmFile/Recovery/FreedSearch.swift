/// Looks for rows that were deleted or replaced, in clusters that the newest commit no longer uses.
///
/// A node in free space says neither of which class it is nor when it was written, and what it refers to may have been
/// overwritten since. So a cluster counts only if all columns of a class can be read from it, with one value for
/// each of its keys. Where it shares nodes with the newest commit, they must have the same place there: the same column of
/// the same class, and whole columns that of one cluster with the same keys. Of two that share a node in different
/// places, or a whole column with different keys, neither counts.
struct FreedSearch {
  private let file: RealmFile
  private let bytes: FileBytes
  private let saved: RealmSalvage
  private var losses: [RealmLoss]
  /// The classes of the rows that were found.
  private(set) var classes: [RealmClass] = []
  private var leaves: [Int: [RealmSalvage.Leaf]] = [:]
  /// What each node is used for, by its offset.
  private var uses: [Int: Use] = [:]
  /// The clusters of the newest commit.
  private var clusters: [Int: UsedCluster] = [:]

  /// What is saved, with the rows that were found.
  var salvage: RealmSalvage {
    RealmSalvage(
      leaves: saved.leaves.merging(leaves) { saved, _ in saved },
      losses: losses,
      freedCount: classes.reduce(0) { $0 + $1.count }
    )
  }

  /// What a node is used for; a column of the cluster 0 is nothing of a cluster.
  private struct Use: Hashable, Sendable {
    var cluster = 0
    var column = 0
    /// Whether it is the top node of the column, which has something of each object.
    var isWhole = false
  }

  private struct UsedCluster: Sendable {
    let table: Int
    /// The hash value of its keys.
    let keys: Int?
  }

  /// A cluster in free space.
  private struct Cluster {
    let ref: Int64
    /// The hash value of its keys.
    let keys: Int
    /// The hash values of its rows.
    let rows: [Int]
    /// All nodes below it, by their offsets.
    let nodes: [Int: Use]
  }

  init(_ file: RealmFile, _ saved: RealmSalvage) {
    self.file = file
    bytes = file.bytes
    self.saved = saved
    losses = saved.losses
  }

  mutating func run() throws(RealmFileError) {
    for realmClass in file.classes { try noteClusters(of: realmClass) }
    let known = file.classes.filter { $0.className != nil }
    guard try noteUses() else {
      for realmClass in known { giveUp(realmClass) }
      return
    }
    let shapes = try known.map { realmClass throws(RealmFileError) in try shape(of: realmClass) }
    let found = try candidates(of: Set(shapes))
    for (realmClass, shape) in zip(known, shapes) {
      try add(found.filter { $0.shape == shape }.map(\.ref), of: realmClass)
    }
  }

  // MARK: - What is in use

  private mutating func noteClusters(of realmClass: RealmClass) throws(RealmFileError) {
    let found = try bytes.reading { () throws(RealmFileError) in
      let tree = ClusterTree(bytes: bytes)
      return try tree.leaves(root: realmClass.clusters, skip: { _, _ in }).map { leaf in
        let keys = try? tree.keys(bytes.node(at: leaf.ref), base: 0)
        return (Int(leaf.ref), UsedCluster(table: realmClass.tableKey, keys: keys?.hashValue))
      }
    }
    clusters.merge(found) { first, _ in first }
  }

  /// Finds all nodes that the newest commit uses, and for what.
  ///
  /// Returns whether all were visited: damaged nodes may overlap any number of times.
  private mutating func noteUses() throws(RealmFileError) -> Bool {
    var open = [(ref: file.topReference, use: Use())]
    var left = 4 * bytes.count
    // Between two readings the memory is given back.
    while !open.isEmpty, left > 0 {
      try bytes.reading { () in noteUses(&open, &left, count: 10_000) }
    }
    return open.isEmpty
  }

  private mutating func noteUses(
    _ open: inout [(ref: Int64, use: Use)],
    _ left: inout Int,
    count: Int
  ) {
    for _ in 0..<count where left > 0 {
      guard let (ref, use) = open.popLast() else { return }
      guard uses.updateValue(use, forKey: Int(ref)) == nil, let node = try? bytes.node(at: ref)
      else { continue }
      left -= node.byteCount
      let isCluster = clusters[node.offset] != nil
      let part = Use(cluster: use.cluster, column: use.column)
      for (index, child) in node.references {
        let column = Use(cluster: node.offset, column: index, isWhole: true)
        open.append((child, isCluster ? column : part))
      }
    }
  }

  // MARK: - What is not

  /// The number of elements that the clusters of a class have.
  private func shape(of realmClass: RealmClass) throws(RealmFileError) -> Int {
    let columns = realmClass.properties.map(\.index) + realmClass.backlinks.map(\.index)
    // Removed columns leave gaps, also at the end.
    let used = clusters.first { $0.value.table == realmClass.tableKey }?.key
    let count = try used.flatMap { ref throws(RealmFileError) in
      try bytes.reading { () throws(RealmFileError) in try? bytes.node(at: Int64(ref)).count }
    }
    return count ?? (columns.max() ?? -1) + 2
  }

  /// Nodes that the newest commit does not use and that may be clusters of one of some shapes.
  private func candidates(
    of shapes: Set<Int>
  ) throws(RealmFileError) -> [(ref: Int64, shape: Int)] {
    let tree = ClusterTree(bytes: bytes)
    return try bytes.search { node in
      guard node.hasRefs, !node.isInner, shapes.contains(node.count), uses[node.offset] == nil,
        let count = try? tree.keyCount(node), count > 0
      else { return nil }
      return (Int64(node.offset), node.count)
    }
  }

  /// Says that rows of a class may not have been found.
  private mutating func giveUp(_ realmClass: RealmClass) {
    losses.append(
      RealmLoss(.possibleObjects, Self.title(of: realmClass), keys: 0...Int64.max)
    )
  }

  private mutating func add(_ refs: [Int64], of realmClass: RealmClass) throws(RealmFileError) {
    let source = ClusterSource(file: file, realmClass: realmClass)
    // Clusters may share their columns, and a file that is made to do harm has any number of them.
    let most = max(1 << 20, bytes.count / 8)
    var size = 0
    var whole: [Cluster] = []
    for ref in refs {
      guard !source.budget.isSpent, size < most else {
        giveUp(realmClass)
        break
      }
      guard let cluster = try cluster(at: ref, source) else { continue }
      size += cluster.rows.count + cluster.nodes.count
      whole.append(cluster)
    }
    let disputed = disputed(among: whole)
    whole.removeAll { $0.nodes.keys.contains(where: disputed.contains) }
    var known = try knownRows(of: realmClass)
    var leaves: [RealmSalvage.Leaf] = []
    var count = 0
    for cluster in whole {
      let new = cluster.rows.indices.filter { known.insert(cluster.rows[$0]).inserted }
      guard !new.isEmpty else { continue }
      let keys = (count..<count + new.count).map(Int64.init)
      leaves.append(
        RealmSalvage.Leaf(ref: cluster.ref, count: cluster.rows.count, keys: keys, rows: new)
      )
      count += new.count
    }
    guard count > 0 else { return }
    let freed = freedClass(realmClass, count: count)
    classes.append(freed)
    self.leaves[freed.tableKey] = leaves
  }

  /// The class of rows that were found: they have no key of their own and own nothing.
  private func freedClass(_ realmClass: RealmClass, count: Int) -> RealmClass {
    // Greater than any in a file: what links to a lost class has its key.
    let key = (1 << 32) + classes.count
    let isPrefixed = realmClass.name != realmClass.className
    let title = Self.title(of: realmClass)
    return RealmClass(
      name: isPrefixed ? "class_" + title : title,
      className: title,
      kind: .topLevel,
      tableKey: key,
      properties: properties(of: realmClass),
      backlinks: [],
      primaryKey: nil,
      count: count,
      top: realmClass.top,
      clusters: 0
    )
  }

  private static func title(of realmClass: RealmClass) -> String { "Freed" + realmClass.title }

  /// The properties whose values do not belong to one object alone.
  private func properties(of realmClass: RealmClass) -> [RealmFileProperty] {
    let embedded = Set(file.classes.filter { $0.kind == .embedded }.map(\.tableKey))
    return realmClass.properties.filter { $0.target.map(embedded.contains) != true }
  }

  /// The cluster at an offset; `nil` where there is none of the class.
  private func cluster(
    at ref: Int64,
    _ source: ClusterSource
  ) throws(RealmFileError) -> Cluster? {
    do throws(RealmFileError) {
      let realmClass = source.realmClass
      let keys = try bytes.reading { () throws(RealmFileError) in
        try ClusterTree(bytes: bytes).keys(bytes.node(at: ref), base: 0)
      }
      let cluster = RealmCluster(source, keys: keys, ref: ref)
      for backlink in realmClass.backlinks { _ = try cluster.backlinks(of: backlink) }
      guard let rows = try rows(of: cluster, areCertain: false),
        let nodes = try nodes(of: ref, keys.hashValue, source)
      else { return nil }
      return Cluster(ref: ref, keys: keys.hashValue, rows: rows, nodes: nodes)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// The hash values of the rows of a cluster; `nil` where it is not certain whether they are of its class, and a value
  /// is none of its property.
  private func rows(of cluster: RealmCluster, areCertain: Bool) throws(RealmFileError) -> [Int]? {
    var rows = [[RealmValue]](repeating: [], count: cluster.keys.count)
    let compared = Set(properties(of: cluster.realmClass))
    for property in cluster.realmClass.properties where !areCertain || compared.contains(property) {
      let values = try cluster.values(of: property)
      guard areCertain || values.allSatisfy(property.canBe) else { return nil }
      guard compared.contains(property) else { continue }
      for (row, value) in values.enumerated() { rows[row].append(saved.whole(value)) }
    }
    return rows.map(\.hashValue)
  }

  /// The nodes below a cluster; `nil` where the newest commit uses one of them for something else.
  private func nodes(
    of ref: Int64,
    _ keys: Int,
    _ source: ClusterSource
  ) throws(RealmFileError) -> [Int: Use]? {
    try bytes.reading { () throws(RealmFileError) in
      var nodes: [Int: Use] = [:]
      var shared: Set<Int> = []
      let spent = Budget.ofColumn()
      // What is no cluster costs time, too.
      defer { try? source.budget.spend(spent, at: Int(ref)) }
      var open = try bytes.node(at: ref).references.map { ($0, $1, true) }
      while let (column, ref, isWhole) = open.popLast() {
        let node = try bytes.node(at: ref)
        try spent.visit(node)
        nodes[node.offset] = Use(column: column, isWhole: isWhole)
        if let use = uses[node.offset] {
          guard use.column == column, use.isWhole == isWhole, let cluster = clusters[use.cluster],
            cluster.table == source.realmClass.tableKey, !isWhole || cluster.keys == keys
          else { return nil }
          if isWhole { shared.insert(use.cluster) }
        }
        open += node.references.map { (column, $0.1, false) }
      }
      return shared.count < 2 ? nodes : nil
    }
  }

  /// The nodes that two clusters use for something else, or with other keys.
  private func disputed(among found: [Cluster]) -> Set<Int> {
    var users: [Int: (use: Use, keys: Int)] = [:]
    var disputed: Set<Int> = []
    for cluster in found {
      for (node, use) in cluster.nodes {
        if let user = users[node], user.use != use || use.isWhole && user.keys != cluster.keys {
          disputed.insert(node)
        } else {
          users[node] = (use, cluster.keys)
        }
      }
    }
    return disputed
  }

  /// The hash values of all rows of a class that are saved.
  private func knownRows(of realmClass: RealmClass) throws(RealmFileError) -> Set<Int> {
    let source = ClusterSource(file: file, realmClass: realmClass)
    var known: Set<Int> = []
    for leaf in saved.leaves[realmClass.tableKey] ?? [] where !leaf.keys.isEmpty {
      known.formUnion(try rows(of: RealmCluster(source, leaf), areCertain: true) ?? [])
    }
    return known
  }
}

extension Node {
  /// The elements that are references, with their places.
  fileprivate var references: [(Int, Int64)] {
    // Elements of width 0 are no references, and there may be millions.
    guard hasRefs, packing == .bits, width > 0, let elements = try? integers() else { return [] }
    return elements.enumerated().filter { $0.element & 7 == 0 && $0.element > 0 }.map { ($0, $1) }
  }
}
