/// What is whole in a damaged file, found out by reading all of it once.
final class RealmSalvage: Sendable {
  /// The objects of a cluster that are saved.
  struct Leaf: Sendable {
    let ref: Int64
    /// The number of objects in the cluster, saved or not.
    let count: Int
    /// The keys of the saved objects, which ascend.
    var keys: [Int64]
    /// The places of the saved objects in the cluster.
    var rows: [Int]
    /// The places of lost values, by the index of their property.
    var lost: [Int: Set<Int>] = [:]

    /// Whether a saved object has lost its value of a property.
    func hasLost(_ property: RealmFileProperty) -> Bool {
      guard let lost = lost[property.index] else { return false }
      return rows.contains(where: lost.contains)
    }
  }

  /// The clusters of each class, by the key of its table.
  let leaves: [Int: [Leaf]]
  let losses: [RealmLoss]
  /// The number of rows from free space.
  let freedCount: Int
  /// The keys of all saved objects.
  private let keys: [Int: Set<Int64>]

  init(leaves: [Int: [Leaf]], losses: [RealmLoss], freedCount: Int = 0) {
    self.leaves = leaves
    self.losses = losses
    self.freedCount = freedCount
    keys = leaves.mapValues(Self.keys)
  }

  static func keys(of leaves: [Leaf]) -> Set<Int64> { Set(leaves.lazy.flatMap(\.keys)) }

  /// Whether an object is saved.
  func hasObject(_ table: Int, _ key: Int64) -> Bool { keys[table]?.contains(key) == true }

  /// A value without the links to what is lost.
  func whole(_ value: RealmValue) -> RealmValue {
    switch value {
    case .link(let table, let key): return hasObject(table, key) ? value : .null
    case .list(let elements): return .list(whole(elements))
    case .set(let members): return .set(whole(members))
    case .dictionary(let entries):
      return .dictionary(entries.map { RealmEntry(key: $0.key, value: whole($0.value)) })
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal, .objectId,
      .uuid:
      return value
    }
  }

  private func whole(_ elements: [RealmValue]) -> [RealmValue] {
    elements.compactMap { element in
      if case .link(let table, let key) = element, !hasObject(table, key) { return nil }
      return whole(element)
    }
  }
}

extension RealmFileProperty {
  /// Stands for a value that is lost.
  var lostValue: RealmValue {
    switch collection {
    case nil: .null
    case .list?: .list([])
    case .set?: .set([])
    case .dictionary?: .dictionary([])
    }
  }
}
