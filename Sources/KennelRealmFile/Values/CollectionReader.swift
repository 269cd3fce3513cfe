/// Reads collections, which are B+ trees.
struct CollectionReader {
  private static let mostLevels = 8

  let leaves: LeafReader

  /// The elements of a list or a set; 0 refers to an empty one.
  func elements(
    _ ref: Int64,
    _ kind: RealmKind,
    isOptional: Bool,
    level: Int = 0
  ) throws(RealmFileError) -> [RealmValue] {
    var elements: [RealmValue] = []
    let content = LeafReader.Content(kind: kind, isOptional: isOptional)
    try forEachLeaf(ref) { node throws(RealmFileError) in
      let values = try leaves.values(of: node, content, level: level)
      elements.append(contentsOf: values)
      return values.count
    }
    return elements
  }

  /// The elements of a list of values of any type.
  func mixedList(_ ref: Int64, _ level: Int) throws(RealmFileError) -> [RealmValue] {
    try elements(ref, .mixed, isOptional: true, level: level)
  }

  /// The entries of a dictionary; 0 refers to an empty one.
  func dictionary(
    _ ref: Int64,
    hasIntegerKeys: Bool,
    _ level: Int = 0
  ) throws(RealmFileError) -> [RealmEntry] {
    guard ref != 0 else { return [] }
    guard leaves.format >= 23 else { return try olderDictionary(ref, level) }
    let node = try leaves.bytes.node(at: ref)
    try leaves.budget.visit(node)
    let keys = try elements(
      node.reference(0),
      hasIntegerKeys ? .int : .string,
      isOptional: false,
      level: level
    )
    let values = try mixedList(node.reference(1), level)
    return try entries(keys, values, at: node.offset)
  }

  /// Before format 23, a dictionary was a tree of clusters with a column of keys and one of values.
  private func olderDictionary(_ ref: Int64, _ level: Int) throws(RealmFileError) -> [RealmEntry] {
    var entries: [RealmEntry] = []
    for leaf in try ClusterTree(bytes: leaves.bytes).leaves(root: ref) {
      let node = try leaves.bytes.node(at: leaf.ref)
      let keys = try leaves.values(
        of: node.child(1, in: leaves.bytes),
        LeafReader.Content(kind: .string, isOptional: false),
        level: level
      )
      let values = try leaves.values(
        of: node.child(2, in: leaves.bytes),
        LeafReader.Content(kind: .mixed, isOptional: true),
        level: level
      )
      entries += try self.entries(keys, values, at: node.offset)
    }
    return entries
  }

  private func entries(
    _ keys: [RealmValue],
    _ values: [RealmValue],
    at offset: Int
  ) throws(RealmFileError) -> [RealmEntry] {
    guard keys.count == values.count else {
      throw damaged("a dictionary of \(keys.count) keys and \(values.count) values", at: offset)
    }
    return try zip(keys, values).map { key, value throws(RealmFileError) in
      switch key {
      case .string(let key): return RealmEntry(key: key, value: value)
      case .int(let key): return RealmEntry(key: String(key), value: value)
      case .null, .bool, .data, .timestamp, .float, .double, .decimal, .objectId, .uuid, .link,
        .list, .set, .dictionary:
        throw damaged("a dictionary with a key that is null", at: offset)
      }
    }
  }

  /// Hands the leaves to `body`, which returns the number of their elements.
  func forEachLeaf(
    _ ref: Int64,
    _ body: (Node) throws(RealmFileError) -> Int
  ) throws(RealmFileError) {
    guard ref != 0 else { return }
    _ = try visit(ref, level: 0, body)
  }

  private func visit(
    _ ref: Int64,
    level: Int,
    _ body: (Node) throws(RealmFileError) -> Int
  ) throws(RealmFileError) -> Int {
    let node = try leaves.bytes.node(at: ref)
    guard node.isInner else { return try body(node) }
    try leaves.budget.visit(node)
    guard level < Self.mostLevels else { throw damaged("a tree that is too deep", at: node.offset) }
    guard node.count >= 2, let size = try node.tagged(node.count - 1) else {
      throw damaged("a tree that does not know its size", at: node.offset)
    }
    var found = 0
    for index in 1..<node.count - 1 {
      found += try visit(node.reference(index), level: level + 1, body)
    }
    guard found == size else {
      throw damaged("a tree of \(size) elements that has \(found)", at: node.offset)
    }
    return found
  }
}
