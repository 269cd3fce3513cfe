internal import KennelCore
internal import KennelReports

/// Statistics of a column over the rows of a table.
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
    let schema = snapshot.schema
    var statistics = ValueStatistics()
    if let text = column.groupPath(of: classKey, in: schema),
      let path = try? ValuePath(text, of: classKey, in: schema, allowsLinks: true)
    {
      var batches = KeyBatches(classKey, keys, in: snapshot, size: Self.batch)
      while !context.isCancelled, let batch = try batches.next() {
        var existing: [ObjectKey] = []
        for key in batch where try snapshot.contains(ObjectIdentity(classKey, key)) {
          existing.append(key)
        }
        for value in try snapshot.values(of: Objects(classKey, existing), at: path) {
          statistics.add(value)
        }
        context.report(progress: batches.progress)
      }
    }
    values = ValueSummary(of: statistics, most: Self.mostFrequent)
    guard let classSchema = schema[classKey],
      let property = column.property(of: classKey, in: schema),
      property.type.kind == .link
    else {
      links = nil
      return
    }
    links = try LinkStatistics(
      of: LinkProperty(classSchema, property, in: schema),
      in: snapshot,
      progress: QueryProgress(of: context)
    )
  }
}
