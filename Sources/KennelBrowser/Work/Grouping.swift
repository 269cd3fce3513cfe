internal import KennelCore
internal import KennelReports

/// The objects of a table, grouped by the values at the end of a path.
struct Grouping: Hashable, Sendable {
  /// Which objects are grouped.
  var definition: TableDefinition
  /// The path of the groups, in the query language.
  let path: String
  /// The number that is summed up in each group.
  let number: String?

  /// So many values are told apart; objects with others, and with long ones, are counted together.
  private static let mostValues = 100_000
  /// So many objects are read at once, and fewer where a value may be long.
  private static let batch = 16_384
  private static let batchOfTexts = 256

  var classKey: ClassKey { definition.classKey }

  private struct Group {
    var count = 0
    var numbers = NumberSummary()

    mutating func add(_ number: Value?) {
      count += 1
      if let number { numbers.add(number) }
    }
  }

  /// Counts the objects of each group.
  ///
  /// Linear in the number of objects.
  ///
  /// - Parameters:
  ///   - query: Finds the objects; `nil` where all of the class are grouped.
  ///   - snapshot: The snapshot.
  ///   - context: Tells when to stop, and is told how far it is.
  /// - Returns: A row for each group, the largest first.
  /// - Throws: `DatabaseError` if the file is damaged, or if a path no longer fits the class.
  func run(
    _ query: TableQuery?,
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> SummaryTable {
    let keys = try query?.run(in: snapshot, context)
    let schema = snapshot.schema
    let path = try checked(path, schema)
    let number = try number.map { path throws(DatabaseError) in try checked(path, schema) }
    var batches = KeyBatches(classKey, keys, in: snapshot, size: Self.batchSize(path.kind))
    var places: [Value: Int] = [:]
    var groups: [Group] = []
    var others = Group()
    while !context.isCancelled, let batch = try batches.next() {
      let found = try snapshot.values(of: Objects(classKey, batch), at: path)
      let added =
        try number.map { path throws(DatabaseError) in
          try snapshot.values(of: Objects(classKey, batch), at: path)
        } ?? []
      for (index, value) in found.enumerated() {
        let number = added.isEmpty ? nil : added[index]
        if let place = places[value] {
          groups[place].add(number)
        } else if places.count < Self.mostValues,
          ValueStatistics.size(value) <= ValueStatistics.longest
        {
          places[value] = groups.count
          groups.append(Group())
          groups[groups.count - 1].add(number)
        } else {
          others.add(number)
        }
      }
      context.report(progress: batches.progress)
    }
    return table(places, groups, others, count: batches.count)
  }

  private static func batchSize(_ kind: ValueKind) -> Int {
    switch kind {
    case .string, .data, .mixed: batchOfTexts
    case _: batch
    }
  }

  private func checked(_ text: String, _ schema: Schema) throws(DatabaseError) -> ValuePath {
    do throws(PredicateError) {
      return try ValuePath(text, of: classKey, in: schema, allowsLinks: true)
    } catch {
      throw DatabaseError(.invalidPredicate, "'\(text)' no longer fits: \(error.message)")
    }
  }

  private func table(
    _ places: [Value: Int],
    _ groups: [Group],
    _ others: Group,
    count: Int
  ) -> SummaryTable {
    var columns: [SummaryTable.Column] = [
      .init(name: path, format: .value), .init(name: "count", format: .number),
      .init(name: "share", format: .share),
    ]
    if let number {
      columns += ["sum \(number)", "average", "least", "greatest"].map {
        .init(name: $0, format: .number)
      }
    }
    func cells(_ value: Value, _ group: Group) -> [Value] {
      let share = Double(group.count) / Double(max(1, count))
      let cells: [Value] = [value, .int(Int64(group.count)), .double(share)]
      return number == nil ? cells : cells + group.numbers.cells
    }
    var rows = places.map { value, place in
      SummaryTable.Row(cells: cells(value, groups[place]), target: .group(value))
    }
    // Groups of the same size are in the order of their values.
    rows.sort { $0.cells[0].isOrdered(before: $1.cells[0]) }
    var counts = "  \(counted(rows.count, "value")) of \(counted(count, "object"))"
    if others.count > 0 {
      counts += ", \(others.count) with other values"
      rows.append(.init(cells: cells(.string("other values"), others)))
    }
    return SummaryTable(columns: columns, rows: rows, counts: counts, sortedBy: 1)
  }
}

/// The sum, the average, the least and the greatest of numbers.
struct NumberSummary: Sendable {
  private var count = 0
  /// The sum of whole numbers.
  private var whole: Int128 = 0
  /// The sum of other numbers.
  private var sum: NumericValue?
  private var least = Value.null
  private var greatest = Value.null

  mutating func add(_ value: Value) {
    guard let number = value.number, !number.nearestDouble.isNaN else { return }
    count += 1
    if case .int(let number) = number {
      whole += Int128(number)
    } else {
      sum = Self.sum(sum, number)
    }
    if least.isNull || value.isOrdered(before: least) { least = value }
    if greatest.isNull || greatest.isOrdered(before: value) { greatest = value }
  }

  /// Sum, average, least and greatest; null where there is no number.
  var cells: [Value] { [total, average, least, greatest] }

  /// Whole where it fits 64 bits.
  private var total: Value {
    if let sum { return sum.value }
    return count == 0 ? .null : Int64(exactly: whole).map { .int($0) } ?? .double(Double(whole))
  }

  private var average: Value {
    switch sum {
    case nil: count == 0 ? .null : .double(Double(whole) / Double(count))
    case .decimal128(let sum): .decimal128(sum.divided(by: Decimal128(Int64(count))))
    case let sum?: .double(sum.nearestDouble / Double(count))
    }
  }

  private static func sum(_ one: NumericValue?, _ other: NumericValue) -> NumericValue {
    guard let one else {
      if case .float = other { return .double(other.nearestDouble) }
      return other
    }
    if case .decimal128(let one) = one, case .decimal128(let other) = other {
      return .decimal128(one.adding(other))
    }
    return .double(one.nearestDouble + other.nearestDouble)
  }
}
