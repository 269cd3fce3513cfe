package import KennelCore

/// The space of a file in rows: each class with its properties, then what belongs to none.
///
/// Classes, and the properties of each, are in the order of their size.
package struct SpaceRows {
  package struct Row {
    package let name: String
    /// The class; `nil` for what belongs to none.
    package let classKey: ClassKey?
    /// Whether it is a part of the class above it.
    package let isPart: Bool
    package var byteCount = 0
    package var valueByteCount = 0
    package var indexByteCount = 0
    package var backlinkByteCount = 0
  }

  package let rows: [Row]
  package let byteCount: Int

  package init(_ report: SpaceReport, in schema: Schema) {
    byteCount = report.fileByteCount
    var blocks: [[Row]] = schema.classes.map { classSchema in
      let parts = report.parts.filter { $0.classKey == classSchema.key }.map { part in
        let property = part.property.flatMap { classSchema[$0] }
        return Row(
          name: property?.name ?? "(which objects live)",
          classKey: classSchema.key,
          isPart: true,
          byteCount: part.byteCount,
          valueByteCount: part.valueByteCount,
          indexByteCount: part.indexByteCount,
          backlinkByteCount: part.backlinkByteCount
        )
      }
      var whole = Row(name: classSchema.name, classKey: classSchema.key, isPart: false)
      for part in parts {
        whole.byteCount += part.byteCount
        whole.valueByteCount += part.valueByteCount
        whole.indexByteCount += part.indexByteCount
        whole.backlinkByteCount += part.backlinkByteCount
      }
      return [whole] + parts.sorted { $0.byteCount > $1.byteCount }
    }
    let others = [
      ("(free pages)", report.freeByteCount), ("(room in pages)", report.unfilledByteCount),
      ("(structure of the file)", report.structureByteCount),
    ]
    blocks += others.map { [Row(name: $0, classKey: nil, isPart: false, byteCount: $1)] }
    rows = blocks.sorted { $0[0].byteCount > $1[0].byteCount }.flatMap { $0 }
  }

  /// The fraction of the file.
  package func share(of row: Row) -> Double { Double(row.byteCount) / Double(max(1, byteCount)) }
}

extension SummaryTable {
  /// The rows as a table.
  init(_ space: SpaceRows) {
    let names = ["bytes", "share", "values", "indexes", "backlinks"]
    let columns = names.map { Column(name: $0, format: $0 == "share" ? .share : .number) }
    let rows = space.rows.map { row in
      // What is no class's has no such parts.
      let parts: [Value] =
        row.classKey == nil
        ? [Value.null, .null, .null]
        : [row.valueByteCount, row.indexByteCount, row.backlinkByteCount].map { .int(Int64($0)) }
      return Row(
        cells: [.string(row.name), .int(Int64(row.byteCount)), .double(space.share(of: row))]
          + parts,
        target: row.classKey.map { .table($0) },
        isPart: row.isPart
      )
    }
    self.init(
      columns: [Column(name: "class and property", format: .value)] + columns,
      rows: rows,
      counts: "  \(space.byteCount) bytes",
      sortedBy: 1
    )
  }
}
