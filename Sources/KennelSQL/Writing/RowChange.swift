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
  var key: RowKey
  /// The columns that get a value.
  var columns: [ChangedColumn] = []
  /// The object that is the row, or has it in a set.
  let object: ObjectIdentity
  /// The set that the row is a pair of.
  var set: String?
  var references = RowReferences()

  /// The statement, with parameters or with literals.
  func statement(hasLiterals: Bool = false) -> StatementText {
    var statement = StatementText(dialect, hasLiterals: hasLiterals)
    switch kind {
    case .insert:
      statement += "INSERT INTO "
      statement += table
      addColumns(to: &statement)
    case .update:
      statement += "UPDATE "
      statement += table
      // The order of the values is that in which they are written.
      for (index, column) in columns.enumerated() {
        statement += index == 0 ? " SET " : ", "
        statement += column.name
        statement += " = "
        statement.add(column.new)
      }
      statement += " WHERE "
      addCondition(isNew: false, to: &statement)
    case .delete:
      statement += "DELETE FROM "
      statement += table
      statement += " WHERE "
      addCondition(isNew: false, to: &statement)
    }
    return statement
  }

  private func addColumns(to statement: inout StatementText) {
    guard !columns.isEmpty else {
      statement += " DEFAULT VALUES"
      return
    }
    for (index, column) in columns.enumerated() {
      statement += index == 0 ? " (" : ", "
      statement += column.name
    }
    statement += ") "
    statement += dialect.override
    for (index, column) in columns.enumerated() {
      statement += index == 0 ? "VALUES (" : ", "
      statement.add(column.new)
    }
    statement += ")"
  }

  /// A query that counts the rows that are what was seen, or what they become.
  func query(isNew: Bool = false) -> StatementText {
    var statement = StatementText(dialect)
    statement += "SELECT count(*) FROM "
    statement += table
    if key.columns.isEmpty, columns.isEmpty { return statement }
    statement += " WHERE "
    addCondition(isNew: isNew, to: &statement)
    return statement
  }

  /// Adds the condition of the row as it was seen, or becomes, and of no other.
  private func addCondition(isNew: Bool, to statement: inout StatementText) {
    var isFirst = true
    func add(_ column: String, _ value: Value) {
      if !isFirst { statement += " AND " }
      isFirst = false
      statement.addEquality(column, value)
    }
    for (column, value) in zip(key.columns, key.values) { add(column, value) }
    for column in columns { add(column.compared, isNew ? column.new : column.old) }
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

  var isEmpty: Bool { gives.isEmpty && takes.isEmpty && needs.isEmpty && frees.isEmpty }
}

extension [RowChange] {
  /// The statements in an order in which no key is missing, doubled, or taken from under a row that refers to
  /// it; those that wait for each other in a circle come as they stand.
  ///
  /// - Returns: The statements, and whether there is a circle.
  func ordered() -> (changes: [RowChange], hasCircle: Bool) {
    if allSatisfy(\.references.isEmpty) { return (self, false) }
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
