internal import KennelStorage

/// Sorts objects by several keys.
///
/// The values are gathered into columns, which ``ColumnSort`` sorts by.
struct ObjectSorter {
  private let reader: DatabaseReader
  private let classKey: ClassKey
  private let keys: [(path: ResolvedPredicate.Path, sort: SortKey)]
  private let progress: QueryProgress?

  init(
    _ reader: DatabaseReader,
    _ classKey: ClassKey,
    _ sort: [SortKey],
    _ progress: QueryProgress?
  ) throws(DatabaseError) {
    self.reader = reader
    self.classKey = classKey
    self.progress = progress
    do throws(PredicateError) {
      let checker = try PredicateChecker(reader.schema, classKey)
      keys = try sort.map { (key) throws(PredicateError) in (try checker.sortPath(key.path), key) }
    } catch {
      throw DatabaseError(error, reader.schema[classKey])
    }
  }

  /// The part of the work that is done when the values are gathered.
  private static let gathered = 0.3

  /// The objects in order; they must be given in the order of their keys.
  func sorted(_ objects: [ObjectKey]) throws(DatabaseError) -> [ObjectKey] {
    guard !keys.isEmpty, objects.count > 1 else { return objects }
    // The memory of the sort is gone before that of the answer is taken.
    return try order(of: objects).map { objects[Int($0)] }
  }

  /// The positions of the objects in order.
  private func order(of objects: [ObjectKey]) throws(DatabaseError) -> [UInt32] {
    var sorting = ColumnSort(try columns(of: objects), count: objects.count)
    let report = progress?.part(Self.gathered...1).report ?? { _ in }
    guard sorting.run(isCancelled: progress?.isCancelled, report: report) else {
      throw .cancelledQuery
    }
    return sorting.order
  }

  // MARK: - Gathering

  /// The values that the objects are sorted by, and whether each ascends.
  private func columns(
    of objects: [ObjectKey]
  ) throws(DatabaseError) -> [(SortColumn, Bool)] {
    var columns: [(SortColumn, Bool)] = []
    for (number, key) in keys.enumerated() {
      if progress?.isCancelled() == true { throw .cancelledQuery }
      let each = Self.gathered / Double(keys.count)
      let report = progress?.part(each * Double(number)...each * Double(number + 1)).report
      let path = PathColumn(reader, classKey, key.path)
      let column = try storing(path.column(of: objects, ranks: true, report: report))
      if key.sort.putsNullLinksLast {
        let cutOff = try storing(path.nullLinks(objects))
        if let cutOff { columns.append((.words(cutOff), key.sort.isAscending)) }
      }
      columns.append((column, key.sort.isAscending))
    }
    return columns
  }
}
