@_spi(Faces) public import KennelCore

/// The query of results, whatever their model.
@usableFromInline
internal struct ObjectQuery: Sendable {
  /// Where the objects are taken from.
  @usableFromInline
  internal enum Source: Sendable {
    case all
    /// The targets of a list.
    case targets(ObjectIdentity, TypedProperty<[ObjectIdentity]>)
    /// The objects that link to an object through a property of the class.
    case origins(ObjectIdentity, Origins)
    /// Those of another query, which an offset or a limit cut.
    indirect case limited(ObjectQuery)
  }

  /// Which of the objects are taken, and in which order.
  @usableFromInline
  internal final class Refinement: Sendable {
    let predicate: Predicate?
    let sort: [SortKey]
    /// How many of them are left out first.
    let skipped: Int
    /// How many of the others are taken at most.
    let most: Int?

    init(_ predicate: Predicate?, _ sort: [SortKey], skipped: Int = 0, _ most: Int? = nil) {
      self.predicate = predicate
      self.sort = sort
      self.skipped = skipped
      self.most = most
    }
  }

  @usableFromInline internal let classKey: ClassKey
  @usableFromInline internal let source: Source
  /// `nil` for all of them in their order.
  @usableFromInline internal var refinement: Refinement?

  @inlinable
  internal init(_ classKey: ClassKey, _ source: Source) {
    self.classKey = classKey
    self.source = source
    refinement = nil
  }

  var predicate: Predicate? { refinement?.predicate }
  var sort: [SortKey] { refinement?.sort ?? [] }
  var skipped: Int { refinement?.skipped ?? 0 }
  var most: Int? { refinement?.most }

  private var isCut: Bool { skipped > 0 || most != nil }

  // MARK: - Refining

  /// The same objects, of which a further condition or order takes some: what cut them came before it.
  private var uncut: ObjectQuery {
    isCut ? ObjectQuery(classKey, .limited(self)) : self
  }

  func filtered(_ predicate: Predicate) -> ObjectQuery {
    var query = uncut
    let both = query.predicate.map { Predicate.and([$0, predicate]) } ?? predicate
    query.refinement = Refinement(both, query.sort)
    return query
  }

  /// Sorted by a key alone, or where those so far do not decide.
  func sorted(_ key: SortKey, isFirst: Bool) -> ObjectQuery {
    var query = uncut
    query.refinement = Refinement(query.predicate, (isFirst ? [] : sort) + [key])
    return query
  }

  func limited(_ count: Int) -> ObjectQuery {
    var query = self
    let most = min(most ?? .max, max(count, 0))
    query.refinement = Refinement(predicate, sort, skipped: skipped, most)
    return query
  }

  func skipping(_ count: Int) -> ObjectQuery {
    var query = self
    let count = max(count, 0)
    let (sum, isOut) = skipped.addingReportingOverflow(count)
    query.refinement = Refinement(
      predicate,
      sort,
      skipped: isOut ? .max : sum,
      most.map { max($0 - count, 0) }
    )
    return query
  }

  // MARK: - Finding

  func count(_ reader: DatabaseReader) throws(DatabaseError) -> Int {
    let found: Int
    switch source {
    case .all: found = try reader.count(of: classKey, where: predicate)
    case .targets(let object, let list) where predicate == nil:
      found = try reader.count(in: object, property: list)
    case .origins(let target, let origins) where predicate == nil:
      try requireTarget(target, reader)
      found = try reader.backlinkCount(of: classKey, property: origins.property, to: target)
    case .targets, .origins, .limited: return try keys(reader).count
    }
    return min(max(found - skipped, 0), most ?? .max)
  }

  func contains(_ key: ObjectKey, _ reader: DatabaseReader) throws(DatabaseError) -> Bool {
    if case .all = source, !isCut {
      return try reader.holds(predicate ?? .constant(true), for: ObjectIdentity(classKey, key))
    }
    return try keys(reader).contains(key)
  }

  /// The objects, in order.
  func objects(_ reader: DatabaseReader) throws(DatabaseError) -> Objects {
    Objects(classKey, try keys(reader))
  }

  /// The keys of the objects, in order.
  func keys(_ reader: DatabaseReader) throws(DatabaseError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    switch source {
    case .all:
      let end = most.map { $0.addingReportingOverflow(skipped) }
      let limit = end.map { $0.overflow ? .max : $0.partialValue }
      keys = try reader.objects(of: classKey, where: predicate, sort: sort, limit: limit).keys
      return skipped == 0 ? keys : Array(keys.dropFirst(skipped))
    case .targets(let object, let list):
      let count = try reader.count(in: object, property: list)
      keys.reserveCapacity(count)
      for index in 0..<count {
        keys.append(try reader.target(at: index, in: object, property: list).key)
      }
    case .origins(let target, let origins):
      try requireTarget(target, reader)
      keys = try reader.origins(
        of: classKey,
        property: origins.property,
        to: target,
        in: 0..<Int.max
      ).keys
    case .limited(let query): keys = try query.keys(reader)
    }
    if predicate != nil || !sort.isEmpty { keys = try arranged(keys, reader) }
    keys.removeFirst(min(skipped, keys.count))
    if let most, keys.count > most { keys.removeLast(keys.count - most) }
    return keys
  }

  /// Those of some objects that fulfil the condition, each as often as it was there: sorted, or in the
  /// order that they had.
  private func arranged(
    _ keys: [ObjectKey],
    _ reader: DatabaseReader
  ) throws(DatabaseError) -> [ObjectKey] {
    let found = try reader.objects(among: Objects(classKey, keys), where: predicate, sort: sort)
      .keys
    if sort.isEmpty {
      let kept = Set(found)
      return keys.filter(kept.contains)
    }
    let times = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return found.flatMap { Array(repeating: $0, count: times[$0] ?? 1) }
  }

  private func requireTarget(
    _ target: ObjectIdentity,
    _ reader: DatabaseReader
  ) throws(DatabaseError) {
    guard try reader.contains(target) else {
      throw DatabaseError(
        .noSuchObject,
        "There is no object \(reader.describe(target)): it was deleted, or never existed",
        object: target
      )
    }
  }
}

/// A walk over the keys of what a query finds; an iterator of any model has its parts.
@usableFromInline
internal enum KeyWalk {
  /// Up to eight keys, for which no memory is asked.
  @usableFromInline typealias Few = [8 of ObjectKey]

  /// Where a walk is.
  @usableFromInline
  internal enum Stage {
    case unbegun
    /// The keys of all objects of a class are found some at a time, the next ones from here.
    case rest(ObjectKey)
    /// All keys are there.
    case ended
  }

  /// Finds the first keys, or further ones; there are none if it returns 0.
  @usableFromInline
  @inline(never)
  internal static func findMore(
    _ query: ObjectQuery,
    _ session: Session,
    _ stage: inout Stage,
    _ few: inout Few,
    _ many: inout [ObjectKey]
  ) throws(DatabaseError) -> Int {
    switch stage {
    case .ended: return 0
    case .rest(let start): return try findRest(from: start, query, session, &stage, &many)
    case .unbegun: break
    }
    if query.refinement == nil {
      switch query.source {
      case .all:
        return try findRest(from: ObjectKey(rawValue: 0), query, session, &stage, &many)
      case .targets(let object, let list) where session.isOwned:
        if let found = session.reader.copyTargets(of: object, list, into: &few), found <= 8 {
          stage = .ended
          return found
        }
      case .origins(let target, let origins) where session.isOwned:
        if let found = copyOrigins(origins, target, session.reader, &few), found <= 8 {
          stage = .ended
          return found
        }
      case .targets, .origins, .limited: break
      }
    }
    stage = .ended
    many = try session.read { (reader) throws(DatabaseError) in try query.keys(reader) }
    return many.count
  }

  private static func findRest(
    from start: ObjectKey,
    _ query: ObjectQuery,
    _ session: Session,
    _ stage: inout Stage,
    _ many: inout [ObjectKey]
  ) throws(DatabaseError) -> Int {
    stage = .ended
    many = try session.read { (reader) throws(DatabaseError) in
      try reader.objects(of: query.classKey, from: start, limit: 1024).keys
    }
    if let last = many.last { stage = .rest(ObjectKey(rawValue: last.rawValue + 1)) }
    return many.count
  }

  private static func copyOrigins(
    _ origins: Origins,
    _ target: ObjectIdentity,
    _ reader: DatabaseReader,
    _ few: inout Few
  ) -> Int? {
    if let list = origins.list { return reader.copyOrigins(of: target, through: list, into: &few) }
    guard let link = origins.link else { return nil }
    return reader.copyOrigins(of: target, through: link, into: &few)
  }
}
