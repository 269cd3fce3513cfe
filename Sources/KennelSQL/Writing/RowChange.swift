internal import KennelCore

/// A statement that changes one row.
package struct RowChange {
  /// Says what becomes of the row.
  enum Kind: Hashable {
    case insert, update, delete
  }

  /// A column, its value as it was seen, and its new one.
  struct ChangedColumn {
    let name: String
    /// The column as it is compared.
    let compared: String
    let old: Value
    let new: Value
  }

  let dialect: SQLDialect
  let kind: Kind
  /// The table as it stands in a statement.
  let table: String
  /// Names the row; empty for one that is inserted.
  let key: RowKey
  /// The columns that get a value.
  var columns: [ChangedColumn]
  /// Names the row in a message.
  let name: String
  var references = RowReferences()

  /// The statement with parameters, and their values.
  var statement: (text: String, values: [Value]) {
    var values: [Value] = []
    let text = text { value in
      values.append(value)
      return dialect.parameter(values.count)
    }
    return (text, values)
  }

  /// A query that counts the rows that are what was seen.
  var query: (text: String, values: [Value]) {
    var values: [Value] = []
    let condition = condition(place(\.old)) { value in
      values.append(value)
      return dialect.parameter(values.count)
    }
    return ("SELECT count(*) FROM \(table) WHERE \(condition)", values)
  }

  /// The statement, whose values a function writes.
  func text(_ write: (Value) -> String) -> String {
    switch kind {
    case .insert:
      guard !columns.isEmpty else { return "INSERT INTO \(table) DEFAULT VALUES" }
      let names = columns.map(\.name).joined(separator: ", ")
      return "INSERT INTO \(table) (\(names)) \(dialect.override)VALUES "
        + "(\(columns.map { write($0.new) }.joined(separator: ", ")))"
    case .update:
      // The order of the values is that in which they are written.
      let set = columns.map { "\($0.name) = \(write($0.new))" }.joined(separator: ", ")
      return "UPDATE \(table) SET \(set) WHERE \(condition(\.old, write))"
    case .delete: return "DELETE FROM \(table) WHERE \(condition(\.old, write))"
    }
  }

  /// The error that the row is not what was seen.
  var changed: SQLError { SQLError(.changed, "another program has changed \(name)") }

  /// The condition of the row as it was seen, and of no other.
  private func condition(
    _ value: (ChangedColumn) -> Value,
    _ write: (Value) -> String
  ) -> String {
    condition(place(value), write)
  }

  /// The key, and the columns with their old or new values.
  func place(_ value: (ChangedColumn) -> Value) -> [(column: String, value: Value)] {
    zip(key.columns, key.values).map { ($0, $1) } + columns.map { ($0.compared, value($0)) }
  }

  /// The condition of a row with some values.
  func condition(
    _ values: [(column: String, value: Value)],
    _ write: (Value) -> String
  ) -> String {
    values.map { dialect.equality($0.column, $0.value, write) }.joined(separator: " AND ")
  }
}

/// The effects of a statement on keys that other rows refer to, and on references to them.
struct RowReferences {
  /// Values of columns that are a key of their table, together.
  struct Reference: Hashable {
    private let table: Int
    private let columns: [Int]
    private let values: [Value]

    /// `nil` where a column is none of the table, or null: then nothing is referred to.
    init?(_ table: Int, _ columns: [Int?], _ values: [Value]) {
      guard !columns.contains(nil), !values.contains(where: \.isNull) else { return nil }
      // A foreign key may name the columns in another order than the key.
      let sorted = zip(columns.compactMap(\.self), values).sorted { $0.0 < $1.0 }
      (self.table, self.columns, self.values) = (table, sorted.map(\.0), sorted.map(\.1))
    }
  }

  /// The keys that come to be.
  var gives: [Reference] = []
  /// The keys that cease to be.
  var takes: [Reference] = []
  /// The keys that the row refers to from now on.
  var needs: [Reference] = []
  /// The keys that the row referred to until now.
  var frees: [Reference] = []
}

extension [RowChange] {
  /// The statements in an order in which no key is missing, doubled, or taken from under a row that refers to
  /// it; those that wait for each other in a circle come as they stand.
  ///
  /// - Returns: The statements, and whether there is a circle.
  func ordered() -> (changes: [RowChange], hasCircle: Bool) {
    var givers: [RowReferences.Reference: [Int]] = [:]
    var takers: [RowReferences.Reference: [Int]] = [:]
    for (index, change) in enumerated() {
      for key in change.references.gives { givers[key, default: []].append(index) }
      for key in change.references.takes { takers[key, default: []].append(index) }
    }
    var followers = [[Int]](repeating: [], count: count)
    var waits = [Int](repeating: 0, count: count)
    func put(_ first: Int, before second: Int) {
      guard first != second else { return }
      followers[first].append(second)
      waits[second] += 1
    }
    for (index, change) in enumerated() {
      let references = change.references
      for giver in references.needs.flatMap({ givers[$0] ?? [] }) { put(giver, before: index) }
      for taker in references.frees.flatMap({ takers[$0] ?? [] }) { put(index, before: taker) }
      for taker in references.gives.flatMap({ takers[$0] ?? [] }) { put(taker, before: index) }
    }
    var order: [Int] = []
    var isDone = [Bool](repeating: false, count: count)
    var ready: [Int] = []
    for start in indices {
      if !isDone[start], waits[start] == 0 { ready.append(start) }
      order += Self.take(&ready, &isDone, &waits, followers)
    }
    let hasCircle = order.count < count
    for start in indices where !isDone[start] {
      ready.append(start)
      order += Self.take(&ready, &isDone, &waits, followers)
    }
    return (order.map { self[$0] }, hasCircle)
  }

  /// Takes what waits for nothing, and what waited only for that.
  private static func take(
    _ ready: inout [Int],
    _ isDone: inout [Bool],
    _ waits: inout [Int],
    _ followers: [[Int]]
  ) -> [Int] {
    var order: [Int] = []
    while let next = ready.popLast() {
      if isDone[next] { continue }
      isDone[next] = true
      order.append(next)
      for follower in followers[next].reversed() {
        waits[follower] -= 1
        if waits[follower] == 0 { ready.append(follower) }
      }
    }
    return order
  }
}
