@_spi(Faces) package import KennelCore

/// Statistics of a property over all objects of its class.
package struct PropertyStatistics: Sendable {
  package let classSchema: ClassSchema
  package let property: PropertySchema
  /// The values; for a collection, the numbers of elements.
  package let values: ValueSummary
  /// The links, if the property has any.
  package let links: LinkStatistics?

  /// How many of the most frequent values are kept.
  private static let mostFrequent = 10

  /// Reads all objects of the class.
  ///
  /// - Throws: `DatabaseError` if the file is damaged, or the work was cancelled.
  package init(
    of property: PropertySchema,
    in classSchema: ClassSchema,
    _ snapshot: Snapshot,
    progress: QueryProgress = .none
  ) throws(DatabaseError) {
    self.classSchema = classSchema
    self.property = property
    let total = snapshot.count(of: classSchema.key)
    var values = ValueStatistics()
    let step = progress.step(of: total)
    try snapshot.visitObjects(of: classSchema.key, step: step) { object throws(DatabaseError) in
      if property.isCollection {
        values.add(.int(Int64(try snapshot.elementCount(of: object, property: property.key))))
      } else {
        let preview = try snapshot.preview(
          of: object,
          property: property.key,
          limit: ValueStatistics.longest
        )
        if preview.isCut { values.addLong() } else { values.add(preview.value) }
      }
    }
    self.values = ValueSummary(of: values, most: Self.mostFrequent)
    guard property.type.kind == .link else {
      links = nil
      return
    }
    let link = try LinkProperty(classSchema, property, in: snapshot.schema)
    links = try LinkStatistics(of: link, in: snapshot, progress: progress)
  }
}
