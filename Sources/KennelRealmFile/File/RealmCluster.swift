/// Some neighbouring objects of a class, at most a few hundred.
public struct RealmCluster {
  /// The class of the objects.
  public var realmClass: RealmClass { source.realmClass }
  /// The keys of the objects, which ascend.
  public let keys: [Int64]

  private let source: ClusterSource
  private let ref: Int64
  private var file: RealmFile { source.file }

  init(_ source: ClusterSource, keys: [Int64], ref: Int64) {
    self.source = source
    self.keys = keys
    self.ref = ref
  }

  /// The values of a property, one for each object.
  ///
  /// Throws `damaged` with the class, the property and, where one is at fault, the object. Text that
  /// is not UTF-8 is damage.
  public func values(of property: RealmProperty) throws(RealmFileError) -> [RealmValue] {
    try values(of: property, rows: keys.indices)
  }

  /// The values of a property for the objects at some positions of `keys`.
  ///
  /// Collections of other objects are not read, so that where they are long, one is in memory at a
  /// time. Throws as `values(of:)` does.
  public func values(
    of property: RealmProperty,
    rows: Range<Int>
  ) throws(RealmFileError) -> [RealmValue] {
    var row: Int?
    do throws(RealmFileError) {
      return try file.reading { () throws(RealmFileError) in
        try columnValues(of: property, rows.clamped(to: keys.indices), row: &row)
      }
    } catch .damaged(var damage) {
      damage.className = realmClass.className ?? realmClass.name
      damage.property = property.name
      if let row = property.collection == nil ? damage.element : row, keys.indices ~= row {
        damage.objectKey = keys[row]
      }
      throw .damaged(damage)
    }
  }

  /// The keys of the objects that link to each object, with duplicates.
  ///
  /// Throws `damaged`.
  public func backlinks(of backlink: RealmBacklink) throws(RealmFileError) -> [[Int64]] {
    do throws(RealmFileError) {
      return try file.reading { () throws(RealmFileError) in try columnBacklinks(of: backlink) }
    } catch .damaged(var damage) {
      damage.className = realmClass.className ?? realmClass.name
      throw .damaged(damage)
    }
  }

  private func column(_ index: Int) throws(RealmFileError) -> Node {
    try file.bytes.node(at: ref).child(index + 1, in: file.bytes)
  }

  /// A reader whose values are taken from the budget of all objects, too.
  private func withReader<Result>(
    _ body: (LeafReader) throws(RealmFileError) -> Result
  ) throws(RealmFileError) -> Result {
    let spent = Budget.ofColumn()
    let result = try body(
      LeafReader(bytes: file.bytes, format: file.formatVersion, budget: spent)
    )
    try source.budget.spend(spent, at: Int(ref))
    return result
  }

  private func columnValues(
    of property: RealmProperty,
    _ rows: Range<Int>,
    row: inout Int?
  ) throws(RealmFileError) -> [RealmValue] {
    let node = try column(property.index)
    var current: Int?
    defer { row = current }
    return try withReader { leaves throws(RealmFileError) in
      guard let collection = property.collection else {
        let values = try scalars(of: property, node, leaves)
        try expectAll(values.count, at: node.offset)
        return rows == keys.indices ? values : Array(values[rows])
      }
      try expectAll(node.count, at: node.offset)
      try leaves.budget.visit(node)
      let reader = CollectionReader(leaves: leaves)
      var values: [RealmValue] = []
      values.reserveCapacity(rows.count)
      for index in rows {
        current = index
        let ref = try node.reference(index)
        switch collection {
        case .list:
          values.append(.list(try elements(of: property, ref, reader)))
        case .set:
          values.append(.set(try elements(of: property, ref, reader)))
        case .dictionary:
          let entries = try reader.dictionary(ref, hasIntegerKeys: property.hasIntegerKeys)
          values.append(.dictionary(entries))
        }
      }
      return values
    }
  }

  private func expectAll(_ count: Int, at offset: Int) throws(RealmFileError) {
    guard count == keys.count else {
      throw damaged("\(count) values of \(keys.count) objects", at: offset)
    }
  }

  private func scalars(
    of property: RealmProperty,
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
    of property: RealmProperty,
    _ ref: Int64,
    _ reader: CollectionReader
  ) throws(RealmFileError) -> [RealmValue] {
    let elements = try reader.elements(ref, property.kind, isOptional: property.isOptional)
    // Realm hides the links of a list that lead to objects that a server has not sent yet.
    return property.target == nil ? elements : elements.filter { $0 != .null }
  }

  private func enumeration(
    of property: RealmProperty,
    _ leaves: LeafReader
  ) throws(RealmFileError) -> [String?]? {
    guard let ref = property.enumeration else { return nil }
    let reader = try TextReader(
      node: file.bytes.node(at: ref),
      bytes: file.bytes,
      isOptional: property.isOptional,
      budget: leaves.budget
    )
    var texts: [String?] = []
    for index in 0..<reader.count { texts.append(try reader.text(index)) }
    return texts
  }

  private func columnBacklinks(of backlink: RealmBacklink) throws(RealmFileError) -> [[Int64]] {
    let node = try column(backlink.index)
    let backlinks = try withReader { leaves throws(RealmFileError) in
      let reader = CollectionReader(leaves: leaves)
      var backlinks: [[Int64]] = []
      try leaves.budget.visit(node)
      for index in 0..<node.count {
        if let key = try node.tagged(index) {
          backlinks.append([key])
          continue
        }
        var keys: [Int64] = []
        try reader.forEachLeaf(node.reference(index)) { leaf throws(RealmFileError) in
          try leaves.budget.visit(leaf)
          keys += try leaf.integers()
          return leaf.count
        }
        backlinks.append(keys)
      }
      return backlinks
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
  /// What the objects of the class may take together.
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
    do throws(RealmFileError) {
      return try reading { () throws(RealmFileError) in try body(ClusterTree(bytes: bytes)) }
    } catch .damaged(var damage) {
      damage.className = realmClass.className ?? realmClass.name
      throw .damaged(damage)
    }
  }
}
