internal import KennelCore

/// Which objects a table shows, and in what order.
struct TableDefinition: Hashable {
  enum Base: Hashable {
    /// Every object of the class.
    case all
    /// The objects that link to one through a property.
    case origins(property: PropertyKey, target: ObjectIdentity)
  }

  struct Order: Hashable {
    var column: Column
    var isAscending: Bool
  }

  let classKey: ClassKey
  var base = Base.all
  /// In the query language; `nil` for all.
  var filter: String?
  var orders: [Order] = []

  /// Whether the table is that of all objects in the order of their keys, which needs no job.
  var isPlain: Bool { base == .all && filter == nil && orders.isEmpty }

  /// Adds a condition to the filter.
  mutating func add(_ condition: String) {
    filter = filter.map { "(\($0)) AND \(condition)" } ?? condition
  }

  /// Gives an object that a commit numbered its final key.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    guard case .origins(let property, let target) = base else { return }
    base = .origins(property: property, target: keys[target] ?? target)
  }
}

/// The keys that a job found, in the order of the table.
final class ResultKeys: Sendable {
  let keys: [ObjectKey]
  /// The model's generation that they belong to.
  let generation: Int

  init(_ keys: [ObjectKey], generation: Int) {
    self.keys = keys
    self.generation = generation
  }
}

/// The rows of a table by key: the few that are on the screen are all that is ever read.
struct Rows {
  let model: BrowserModel
  let classKey: ClassKey
  /// `nil`: all objects in the order of their keys.
  let result: ResultKeys?

  /// The keys from one on.
  func window(from key: ObjectKey?, limit: Int, hint: Int = 0) -> [ObjectKey] {
    guard limit > 0 else { return [] }
    guard let result else { return model.keys(of: classKey, from: key, limit: limit) }
    let start = key.map { index(of: $0, hint: hint) ?? min(hint, result.keys.count) } ?? 0
    return Array(result.keys[start..<min(result.keys.count, start + limit)])
  }

  /// The keys before one, the nearest first; the last ones where there is none.
  func before(_ key: ObjectKey?, limit: Int, hint: Int = 0) -> [ObjectKey] {
    guard limit > 0 else { return [] }
    guard let result else { return model.keys(of: classKey, before: key, limit: limit) }
    let count = result.keys.count
    let end = key.map { index(of: $0, hint: hint) ?? min(hint, count) } ?? count
    return result.keys[max(0, end - limit)..<end].reversed()
  }

  /// The key a number of rows after (or before) one, or the last (first) there is, and how many
  /// rows that is.
  func step(
    _ distance: Int,
    from key: ObjectKey,
    hint: Int = 0
  ) -> (key: ObjectKey, moved: Int)? {
    if distance >= 0 {
      let keys = window(from: key, limit: distance + 1, hint: hint)
      return keys.last.map { ($0, keys.count - 1) }
    }
    let keys = before(key, limit: -distance, hint: hint)
    return (keys.last ?? key, -keys.count)
  }

  func contains(_ key: ObjectKey, hint: Int = 0) -> Bool {
    guard result != nil else { return model.contains(ObjectIdentity(classKey, key)) }
    return index(of: key, hint: hint) != nil
  }

  var count: Int { result?.keys.count ?? model.count(of: classKey) }

  /// How many rows come before a key.
  func position(of key: ObjectKey, hint: Int = 0) -> Int? {
    guard result != nil else { return model.position(of: ObjectIdentity(classKey, key)) }
    return index(of: key, hint: hint)
  }

  /// Where a key is among the keys found; the neighborhood of the hint is searched first.
  private func index(of key: ObjectKey, hint: Int) -> Int? {
    guard let keys = result?.keys else { return nil }
    let near = max(0, min(hint, keys.count) - 256)..<min(keys.count, max(0, hint) + 256)
    if near.lowerBound < near.upperBound, let index = keys[near].firstIndex(of: key) {
      return index
    }
    return keys.firstIndex(of: key)
  }
}
