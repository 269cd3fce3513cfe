internal import KennelStorage

/// Sorts objects by several keys.
///
/// The values are gathered into columns first. Then the objects are sorted by the first 64 bits of
/// the first column, each group of those that are alike by the next 64 bits, and so on through the
/// columns: every step sorts plain numbers, and most groups are small and gone after one or two.
struct ObjectSorter {
  private let reader: DatabaseReader
  private let classKey: ClassKey
  private let keys: [Key]
  private let progress: QueryProgress?

  private struct Key {
    let path: Condition.Path
    let isAscending: Bool
    let putsNullLinksLast: Bool
  }

  init(
    _ reader: DatabaseReader,
    _ classKey: ClassKey,
    _ sort: [SortKey],
    _ progress: QueryProgress?
  ) throws(DatabaseError) {
    self.reader = reader
    self.classKey = classKey
    self.progress = progress
    var keys: [Key] = []
    do throws(PredicateError) {
      for key in sort {
        let checker = try PredicateChecker(reader.schema, classKey)
        keys.append(
          Key(
            path: try checker.sortPath(key.path),
            isAscending: key.isAscending,
            putsNullLinksLast: key.putsNullLinksLast
          )
        )
      }
    } catch {
      throw DatabaseError(error, reader.schema[classKey])
    }
    self.keys = keys
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
      let column = try storing { () throws(StorageError) in
        try self.column(key.path, objects, report)
      }
      if key.putsNullLinksLast {
        let cutOff = try storing { () throws(StorageError) in try nullLinks(key.path, objects) }
        if let cutOff { columns.append((.words(cutOff), key.isAscending)) }
      }
      columns.append((column, key.isAscending))
    }
    return columns
  }

  private func column(
    _ path: Condition.Path,
    _ objects: [ObjectKey],
    _ report: ((Double) -> Void)?
  ) throws(StorageError) -> SortColumn {
    let view = reader.view
    guard path.aggregate == nil, let end = LinkSteps.directProperty(path.hops.last),
      let steps = LinkSteps(path.hops.dropLast(), from: classKey)
    else { return try values(path, objects, report) }
    let keys = try steps.targets(of: objects, view.scanner)
    let current = steps.end
    switch ColumnType(end.type).form {
    case .words: return .words(try view.scanner.gatherWords(current, keys, end, report: report))
    case .pairs where end.type.kind.pairOrderMask != nil:
      return .pairs(try view.scanner.gatherPairs(current, keys, end, report: report))
    case .cells where end.type.kind != .mixed:
      if let ranks = try view.scanner.gatherRanks(current, keys, end, report: report) {
        return .words(ranks)
      }
      if let text = try view.scanner.gatherText(current, keys, end, report: report) {
        return .text(text)
      }
      return try values(path, objects, report)
    case .pairs, .cells, .keys, .collections: return try values(path, objects, report)
    }
  }

  /// 1 for each object that a null link cuts the path off of, 0 for the others; `nil` if the path
  /// has no link.
  private func nullLinks(
    _ path: Condition.Path,
    _ objects: [ObjectKey]
  ) throws(StorageError) -> GatheredWords? {
    guard path.hops.count > 1, let steps = LinkSteps(path.hops.dropLast(), from: classKey) else {
      return nil
    }
    let keys = try steps.targets(of: objects, reader.view.scanner)
    return GatheredWords(words: keys.map { $0.rawValue == 0 ? 1 : 0 })
  }

  /// What no column keeps in its order: decimals, mixed values, aggregates.
  private func values(
    _ path: Condition.Path,
    _ objects: [ObjectKey],
    _ report: ((Double) -> Void)?
  ) throws(StorageError) -> SortColumn {
    let interpreter = Interpreter(view: reader.view, links: reader.links)
    var values: [Value] = []
    var ranks: [UInt64] = []
    let order = WordOrder(.int)
    var pace = GatheringPace(objects.count, report)
    for key in objects {
      pace.reach(values.count)
      let object = ObjectIdentity(classKey, key)
      let value = try interpreter.values(path, .init(object: object)).first ?? .null
      if case .int = value, values.count == ranks.count {
        ranks.append(order.rank(of: value.word ?? 0))
      }
      values.append(value)
    }
    // Counts are numbers like any other.
    if ranks.count == values.count { return .words(GatheredWords(words: ranks)) }
    return .values(values)
  }
}
