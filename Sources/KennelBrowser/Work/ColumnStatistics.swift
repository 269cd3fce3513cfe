internal import KennelCore
internal import KennelReports

/// What the values of a column are like, over the rows of a table.
struct ColumnStatistics: Sendable {
  private static let batch = 1_024
  private static let mostFrequent = 100

  let values: ValueSummary
  /// The links of all objects of the class, where the column is a property with links.
  let links: LinkStatistics?

  /// Looks at the column of each row.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - classKey: The class.
  ///   - keys: The rows; `nil` for all objects of the class.
  ///   - snapshot: The snapshot.
  ///   - context: Tells when to stop, and is told how far it is.
  /// - Throws: `DatabaseError` if the file is damaged.
  init(
    of column: Column,
    in classKey: ClassKey,
    _ keys: [ObjectKey]?,
    _ snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) {
    values = try Self.values(of: column, in: classKey, keys, snapshot, context)
    guard let classSchema = snapshot.schema[classKey],
      let property = column.property(of: classKey, in: snapshot.schema),
      property.type.kind == .link
    else {
      links = nil
      return
    }
    links = try LinkStatistics(
      of: LinkProperty(classSchema, property, in: snapshot.schema),
      in: snapshot,
      progress: QueryProgress(of: context)
    )
  }

  private static func values(
    of column: Column,
    in classKey: ClassKey,
    _ keys: [ObjectKey]?,
    _ snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> ValueSummary {
    var values = ValueStatistics()
    let total = max(1, keys?.count ?? snapshot.count(of: classKey))
    let value = column.reading(of: classKey, in: snapshot.schema)
    var next: ObjectKey? = ObjectKey(rawValue: 0)
    var place = 0
    while !context.isCancelled {
      var batch: [ObjectKey] = []
      if let keys {
        batch = Array(keys[place..<min(keys.count, place + Self.batch)])
        place += batch.count
      } else if let from = next {
        batch = try snapshot.keys(of: classKey, from: from, limit: Self.batch)
        next = batch.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
      }
      if batch.isEmpty { break }
      for key in batch {
        guard try snapshot.contains(ObjectIdentity(classKey, key)) else { continue }
        values.add(try value(ObjectIdentity(classKey, key), snapshot))
      }
      context.report(progress: Double(values.count) / Double(total))
    }
    return ValueSummary(of: values, most: mostFrequent)
  }
}
