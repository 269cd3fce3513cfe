@_spi(Faces) public import KennelCore
import Synchronization

/// A query that can be run repeatedly, also with other values.
///
/// ```swift
/// let query = try box.query { Note.title.startsWith("Buy") }.build()
/// print(try query.count(), try query.find(limit: 10).count)
/// query.setParameter(Note.title, to: "Sell")
/// ```
public final class Query<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E

  @usableFromInline let box: Box<E>
  let condition: Mutex<Condition>
  private let order: [QueryOrder]

  /// The conditions of the query.
  struct Condition: Sendable {
    var tree: ConditionTree
    /// The first value that could not be replaced: the query would give wrong results.
    var mistake: ObjectBoxError?
  }

  init(_ box: Box<E>, _ tree: ConditionTree, _ order: [QueryOrder]) throws {
    self.box = box
    condition = Mutex(Condition(tree: tree))
    self.order = order
    // A condition that is not possible is told now, not at the first use.
    try box.store.read { reader in
      try predicate(reader)?.check(for: box.map.classKey, in: reader.schema)
    }
  }

  // MARK: - Finding

  /// Returns the objects that match.
  ///
  /// - Parameters:
  ///   - offset: The number of matches to skip.
  ///   - limit: The maximum number of objects to return; 0 for all.
  /// - Returns: The objects.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func find(offset: Int = 0, limit: Int = 0) throws -> [E] {
    try box.store.read { reader in
      var entities = EntityReader(box.store, box.map, reader)
      return try keys(reader, offset, limit).map { key in
        try entities.object(key.rawValue, E.self)
      }
    }
  }

  /// Returns the objects that match.
  ///
  /// - Parameters:
  ///   - offset: The number of matches to skip.
  ///   - limit: The maximum number of objects to return; 0 for all.
  /// - Returns: The objects.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func findContiguous(offset: Int = 0, limit: Int = 0) throws -> ContiguousArray<E> {
    ContiguousArray(try find(offset: offset, limit: limit))
  }

  /// Returns the ids of the objects that match.
  ///
  /// - Parameters:
  ///   - offset: The number of matches to skip.
  ///   - limit: The maximum number of ids to return; 0 for all.
  /// - Returns: The ids.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func findIds(offset: Int = 0, limit: Int = 0) throws -> [EntityId<E>] {
    try box.store.read { reader in
      try keys(reader, offset, limit).map { EntityId($0.rawValue) }
    }
  }

  /// Returns the first object that matches; `nil` if none does.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func findFirst() throws -> E? { try find(limit: 1).first }

  /// Returns the only object that matches; `nil` if none does.
  ///
  /// - Throws: ``ObjectBoxError/nonUniqueResult(message:)`` if several match.
  public func findUnique() throws -> E? {
    let found = try find(limit: 2)
    guard found.count < 2 else {
      throw ObjectBoxError.nonUniqueResult(
        message:
          "Several objects of \(E.entityInfo.name) match the query, which must have one result"
      )
    }
    return found.first
  }

  /// Returns the number of objects that match.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func count() throws -> Int {
    try box.store.read { reader in
      try reader.count(of: box.map.classKey, where: predicate(reader))
    }
  }

  /// Removes the objects that match.
  ///
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove() throws -> UInt64 {
    try box.store.write { transaction in
      try box.removeAll(keys(transaction.reader, 0, 0).map(\.rawValue))
    }
  }

  /// Does nothing; in ObjectBox it chooses how results are read.
  public func useVisitor() {}

  private func predicate(_ reader: DatabaseReader) throws -> Predicate? {
    let tree = try condition.withLock { condition in
      if let mistake = condition.mistake { throw mistake }
      return condition.tree
    }
    if case .all(let parts) = tree, parts.isEmpty { return nil }
    return try ConditionTranslator(E.entityInfo, in: reader.schema).predicate(tree)
  }

  /// The keys of the objects that match, in the order of the query.
  @usableFromInline
  func keys(_ reader: DatabaseReader, _ offset: Int, _ limit: Int) throws -> [ObjectKey] {
    let end = limit > 0 ? offset + limit : nil
    // The engine sorts as far as it has the same order.
    let keys = order.compactMap { $0.sortKey(in: reader.schema, E.entityInfo) }
    let isSorted = keys.count == order.count
    let found = try reader.objects(
      of: box.map.classKey,
      where: predicate(reader),
      sort: isSorted ? keys : [],
      limit: isSorted ? end : nil
    ).keys
    let sorted = isSorted ? found : try reader.sort(found, of: box.map, by: order)
    return Array(sorted[min(offset, sorted.count)..<min(end ?? .max, sorted.count)])
  }
}
