/// Some neighbouring objects of a class, at most a few hundred.
public struct RealmCluster {
  /// The class of the objects.
  public var realmClass: RealmClass { source.realmClass }
  /// The keys of the objects, which ascend.
  public let keys: [Int64]

  private let source: ClusterSource
  private let ref: Int64
  /// The number of objects in the cluster of the file.
  private let count: Int
  /// The part of a damaged cluster that is saved; `nil` where that is all of it.
  private let leaf: RealmSalvage.Leaf?
  private var file: RealmFile { source.file }

  init(_ source: ClusterSource, keys: [Int64], ref: Int64) {
    self.source = source
    self.keys = keys
    self.ref = ref
    count = keys.count
    leaf = nil
  }

  init(_ source: ClusterSource, _ leaf: RealmSalvage.Leaf) {
    self.source = source
    self.leaf = leaf
    keys = leaf.keys
    ref = leaf.ref
    count = leaf.count
  }

  /// The values of a property, one for each object.
  ///
  /// Throws `damaged` with the class, the property and, where one is at fault, the object. Text that
  /// is not UTF-8 is damage.
  public func values(of property: RealmFileProperty) throws(RealmFileError) -> [RealmValue] {
    try values(of: property, rows: keys.indices)
  }

  /// The values of a property for the objects at some positions of `keys`.
  ///
  /// Collections of other objects are not read, so that where they are long, one is in memory at a
  /// time. Throws as `values(of:)` does.
  public func values(
    of property: RealmFileProperty,
    rows: Range<Int>
  ) throws(RealmFileError) -> [RealmValue] {
    try locating(
      { damage in
        damage.className = realmClass.title
        damage.property = property.name
        damage.objectKey = damage.element.flatMap { keys.indices ~= $0 ? keys[$0] : nil }
      },
      try file.reading { () throws(RealmFileError) in
        let rows = rows.clamped(to: keys.indices)
        if let leaf { return try savedValues(of: property, rows, leaf) }
        return try columnValues(of: property, rows)
      }
    )
  }

  /// The values of saved objects; one that is lost is null or empty.
  private func savedValues(
    of property: RealmFileProperty,
    _ rows: Range<Int>,
    _ leaf: RealmSalvage.Leaf
  ) throws(RealmFileError) -> [RealmValue] {
    let lost = leaf.lost[property.index] ?? []
    var whole: [RealmValue] = []
    if property.collection == nil, lost.count < leaf.count {
      whole = try columnValues(of: property, 0..<leaf.count)
    }
    return try rows.map { position throws(RealmFileError) in
      let row = leaf.rows[position]
      if lost.contains(row) { return property.lostValue }
      let value =
        try whole.isEmpty ? columnValues(of: property, row..<row + 1)[0] : whole[row]
      return file.salvage?.whole(value) ?? value
    }
  }

  /// The keys of the objects that link to each object, with duplicates.
  ///
  /// Throws `damaged`.
  public func backlinks(of backlink: RealmBacklink) throws(RealmFileError) -> [[Int64]] {
    try locating(
      { $0.className = realmClass.title },
      try file.reading { () throws(RealmFileError) in try columnBacklinks(of: backlink) }
    )
  }

  private func column(_ index: Int) throws(RealmFileError) -> Node {
    try file.bytes.node(at: ref).child(index + 1, in: file.bytes)
  }

  /// A reader whose values are taken from the budget of all objects, too.
  private func withReader<Result>(
    _ body: (LeafReader) throws(RealmFileError) -> Result
  ) throws(RealmFileError) -> Result {
    let spent = Budget.ofColumn()
    let result = Swift.Result { () throws(RealmFileError) in
      try body(LeafReader(bytes: file.bytes, format: file.formatVersion, budget: spent))
    }
    try source.budget.spend(spent, at: Int(ref))
    return try result.get()
  }

  private func columnValues(
    of property: RealmFileProperty,
    _ rows: Range<Int>
  ) throws(RealmFileError) -> [RealmValue] {
    let node = try column(property.index)
    return try withReader { leaves throws(RealmFileError) in
      guard let collection = property.collection else {
        let values = try scalars(of: property, node, leaves)
        try expectAll(values.count, at: node.offset)
        return rows == 0..<count ? values : Array(values[rows])
      }
      try expectAll(node.count, at: node.offset)
      try leaves.budget.visit(node)
      let reader = CollectionReader(leaves: leaves)
      return try rows.map { row throws(RealmFileError) in
        try locating(
          { $0.element = row },
          try self.collection(collection, of: property, node.reference(row), reader)
        )
      }
    }
  }

  private func collection(
    _ kind: RealmCollectionKind,
    of property: RealmFileProperty,
    _ ref: Int64,
    _ reader: CollectionReader
  ) throws(RealmFileError) -> RealmValue {
    switch kind {
    case .list: .list(try elements(of: property, ref, reader))
    case .set: .set(try elements(of: property, ref, reader))
    case .dictionary:
      .dictionary(try reader.dictionary(ref, hasIntegerKeys: property.hasIntegerKeys))
    }
  }

  private func expectAll(_ found: Int, at offset: Int) throws(RealmFileError) {
    guard found == count else { throw damaged("\(found) values of \(count) objects", at: offset) }
  }

  private func scalars(
    of property: RealmFileProperty,
    _ node: Node,
    _ leaves: LeafReader
  ) throws(RealmFileError) -> [RealmValue] {
    try leaves.values(
      of: node,
      LeafReader.Content(
        kind: property.kind,
        isOptional: property.isOptional,
        isInCluster: true,
        enumeration: try enumeration(of: property, leaves)
      )
    )
  }

  private func elements(
    of property: RealmFileProperty,
    _ ref: Int64,
    _ reader: CollectionReader
  ) throws(RealmFileError) -> [RealmValue] {
    let elements = try reader.elements(ref, property.kind, isOptional: property.isOptional)
    // Realm hides the links of a list that lead to objects that a server has not sent yet.
    return property.target == nil ? elements : elements.filter { $0 != .null }
  }

  private func enumeration(
    of property: RealmFileProperty,
    _ leaves: LeafReader
  ) throws(RealmFileError) -> [String?]? {
    guard let ref = property.enumeration else { return nil }
    let reader = try TextReader(
      node: file.bytes.node(at: ref),
      bytes: file.bytes,
      isOptional: property.isOptional,
      budget: leaves.budget
    )
    return try (0..<reader.count).map { index throws(RealmFileError) in try reader.text(index) }
  }

  private func columnBacklinks(of backlink: RealmBacklink) throws(RealmFileError) -> [[Int64]] {
    let node = try column(backlink.index)
    let backlinks = try withReader { leaves throws(RealmFileError) in
      let reader = CollectionReader(leaves: leaves)
      try leaves.budget.visit(node)
      return try (0..<node.count).map { index throws(RealmFileError) in
        if let key = try node.tagged(index) { return [key] }
        var keys: [Int64] = []
        try reader.forEachLeaf(node.reference(index)) { leaf throws(RealmFileError) in
          try leaves.budget.visit(leaf)
          keys += try leaf.integers()
          return leaf.count
        }
        return keys
      }
    }
    guard backlinks.count == keys.count else {
      throw damaged("backlinks of \(backlinks.count) of \(keys.count) objects", at: node.offset)
    }
    return backlinks
  }
}

/// Where clusters come from.
final class ClusterSource {
  let file: RealmFile
  let realmClass: RealmClass
  /// The limit of all objects of the class together.
  let budget: Budget

  init(file: RealmFile, realmClass: RealmClass) {
    self.file = file
    self.realmClass = realmClass
    budget = Budget.ofClass(fileSize: file.bytes.count)
  }
}

extension RealmFile {
  /// Hands all objects of a class to `body`, some neighbours at a time, in the order of their keys.
  ///
  /// Throws what `body` throws, as `RealmFileError` if that is what it throws. Throws `damaged`,
  /// `truncated` or `changedWhileReading` before `body` saw all objects.
  public func forEachCluster(
    of realmClass: RealmClass,
    _ body: (RealmCluster) throws -> Void
  ) throws {
    let source = ClusterSource(file: self, realmClass: realmClass)
    if let salvage {
      for leaf in salvage.leaves[realmClass.tableKey] ?? [] where !leaf.keys.isEmpty {
        try body(RealmCluster(source, leaf))
      }
      return
    }
    let leaves = try inClass(realmClass) { tree throws(RealmFileError) in
      try tree.leaves(root: realmClass.clusters)
    }
    var last: Int64 = -1
    var count = 0
    for leaf in leaves {
      let keys = try inClass(realmClass) { tree throws(RealmFileError) in
        try tree.keys(bytes.node(at: leaf.ref), base: leaf.base)
      }
      guard let first = keys.first, let end = keys.last else { continue }
      try inClass(realmClass) { _ throws(RealmFileError) in
        guard first > last else {
          throw damaged("keys of objects that do not ascend", at: Int(leaf.ref))
        }
      }
      last = end
      count += keys.count
      try body(RealmCluster(source, keys: keys, ref: leaf.ref))
    }
    try inClass(realmClass) { _ throws(RealmFileError) in
      guard count == realmClass.count else {
        let what = "a class of \(realmClass.count) objects that has \(count)"
        throw damaged(what, at: realmClass.top)
      }
    }
  }

  private func inClass<Result: Sendable>(
    _ realmClass: RealmClass,
    _ body: (ClusterTree) throws(RealmFileError) -> Result
  ) throws(RealmFileError) -> Result {
    try locating(
      { $0.className = realmClass.title },
      try reading { () throws(RealmFileError) in try body(ClusterTree(bytes: bytes)) }
    )
  }
}
