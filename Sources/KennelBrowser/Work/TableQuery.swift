internal import KennelCore

/// The definition of a table, read and ready to run on another thread.
struct TableQuery: Sendable {
  private let classKey: ClassKey
  private let predicate: Predicate?
  private let sort: [SortKey]
  private let base: TableDefinition.Base

  init(_ definition: TableDefinition, in schema: Schema) throws(ValidationError) {
    classKey = definition.classKey
    base = definition.base
    do {
      predicate = try definition.filter.map { text throws(PredicateError) in
        try Predicate.parse(text, for: definition.classKey, in: schema)
      }
      let text = definition.orders.compactMap { order in
        order.column.path(in: definition.classKey, schema)
          .map { $0 + (order.isAscending ? " ASC" : " DESC") }
      }
      sort =
        text.isEmpty
        ? []
        : try SortKey.parse(text.joined(separator: ", "), for: definition.classKey, in: schema)
    } catch {
      throw ValidationError("The filter no longer fits: \(error.message)")
    }
  }

  func run(
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> [ObjectKey] {
    let origins = try origins(in: snapshot)
    if let origins, predicate == nil, sort.isEmpty { return origins }
    let progress = QueryProgress(of: context)
    let found = try snapshot.objects(of: classKey, where: predicate, sort: sort, progress: progress)
    guard let origins else { return found.keys }
    return found.keys.filter(Set(origins).contains)
  }

  /// Each object that links to the target, once; `nil` where all of the class are meant.
  private func origins(in snapshot: Snapshot) throws(DatabaseError) -> [ObjectKey]? {
    guard case .origins(let property, let target) = base else { return nil }
    let groups = try snapshot.backlinks(to: target)
    guard let group = groups.first(where: { $0.origin == classKey && $0.property == property })
    else { return [] }
    var keys = try snapshot.origins(of: group, to: target, in: 0..<group.count).keys
    var last: ObjectKey?
    keys.removeAll { key in
      defer { last = key }
      return key == last
    }
    return keys
  }
}

extension QueryProgress {
  /// Tells a job how far it is, and ends when the job is stopped.
  init(of context: JobContext) {
    self.init(
      isCancelled: { context.isCancelled },
      report: { context.report(progress: $0) }
    )
  }
}
