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
    var batches = KeyBatches(classKey, keys, in: snapshot, size: batch)
    let value = column.reading(of: classKey, in: snapshot.schema)
    while !context.isCancelled, let batch = try batches.next() {
      for key in batch {
        guard try snapshot.contains(ObjectIdentity(classKey, key)) else { continue }
        values.add(try value(ObjectIdentity(classKey, key), snapshot))
      }
      context.report(progress: batches.progress)
    }
    return ValueSummary(of: values, most: mostFrequent)
  }
}
