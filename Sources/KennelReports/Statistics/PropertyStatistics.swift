package import KennelCore

/// What the values of a property are like, over all objects of its class.
package struct PropertyStatistics: Sendable {
  package let classSchema: ClassSchema
  package let property: PropertySchema
  /// The values; for a collection, the numbers of elements.
  package private(set) var values = ValueStatistics()
  /// The links, if the property has any.
  package private(set) var links: LinkStatistics?

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
    try snapshot.forEachObject(of: classSchema.key) { count throws(DatabaseError) in
      try progress.show(count, of: total)
    } _: { object throws(DatabaseError) in
      if property.isCollection {
        values.add(.int(Int64(try snapshot.elementCount(of: object, property.key))))
      } else {
        let preview = try snapshot.preview(of: object, property.key, limit: ValueStatistics.longest)
        if preview.isCut { values.addLong() } else { values.add(preview.value) }
      }
    }
    if property.type.kind == .link {
      let link = try LinkProperty(classSchema, property, in: snapshot.schema)
      links = try LinkStatistics(of: link, in: snapshot, progress: progress)
    }
  }
}
