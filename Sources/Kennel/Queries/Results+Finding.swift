public import KennelCore

/// The direction of an order.
///
/// ```swift
/// let dogs = try database.snapshot().objects(Dog.self)
/// print(try dogs.sorted(by: \.age, .descending).first?.name ?? "none")
/// ```
public enum SortOrder: Hashable, Sendable {
  /// The smallest value first; null before all values.
  case ascending
  /// The greatest value first; null after all values.
  case descending
}

extension Results {
  /// Those that fulfil a condition.
  ///
  /// - Parameter condition: The condition; names of properties are checked by the compiler.
  /// - Returns: The objects, in the order that they had.
  public func filter(_ condition: (Query<M>) -> Condition) -> Results {
    filter(condition(Query(path: QueryPath(scope.session.bindings))).predicate)
  }

  /// Those that fulfil a condition in the query language, such as `age < 5 AND name BEGINSWITH "R"`.
  ///
  /// - Parameters:
  ///   - text: The condition. Properties have their names in the file.
  ///   - arguments: The values of `$0`, `$1` and so on.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` with code `invalidPredicate`, which says what is wrong and where.
  public func filter(
    _ text: String,
    _ arguments: any SingleStorable...
  ) throws(DatabaseError) -> Results {
    let schema = scope.session.bindings.schema
    let values = arguments.map { $0._queryValue }
    do throws(PredicateError) {
      return filter(
        try Predicate.parse(text, for: scope.classKey, in: schema, arguments: values)
      )
    } catch {
      throw DatabaseError(.invalidPredicate, error.description, className: M.className)
    }
  }

  private func filter(_ predicate: Predicate) -> Results {
    var results = uncut
    results.predicate = results.predicate.map { .and([$0, predicate]) } ?? predicate
    return results
  }

  /// The same objects, of which a further condition or order takes some: a limit came before it.
  private var uncut: Results { most == nil ? self : Results(scope, .limited(self)) }

  /// Sorted by a property, or by one of what a link leads to, such as `\.owner.name`.
  ///
  /// An earlier order decides between objects that compare equal no more; see ``then(by:_:)``.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - order: The direction.
  /// - Returns: The objects in order; those that compare equal in the order of their numbers.
  public func sorted<V: SingleStorable>(
    by path: KeyPath<Query<M>, Operand<V>>,
    _ order: SortOrder = .ascending
  ) -> Results {
    var results = uncut
    results.sort = []
    return results.then(by: path, order)
  }

  /// Sorted by another property where the order so far does not decide.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - order: The direction.
  /// - Returns: The objects in order.
  public func then<V: SingleStorable>(
    by path: KeyPath<Query<M>, Operand<V>>,
    _ order: SortOrder = .ascending
  ) -> Results {
    var results = uncut
    if most != nil { results.sort = sort }
    results.sort.append(SortKey(self.path(path).path, isAscending: order == .ascending))
    return results
  }

  /// The first ones.
  ///
  /// - Parameter count: The most objects. A condition or an order that is asked for later takes of these.
  /// - Returns: The objects.
  public func limit(_ count: Int) -> Results {
    var results = self
    results.most = Swift.min(most ?? .max, Swift.max(count, 0))
    return results
  }

  internal func path<V>(_ path: KeyPath<Query<M>, Operand<V>>) -> QueryPath {
    Query<M>(path: QueryPath(scope.session.bindings))[keyPath: path].path
  }

  // MARK: - Asking

  /// The number of objects.
  ///
  /// Constant without a condition; otherwise linear in the number of objects of the class, unless an
  /// index applies.
  ///
  /// - Throws: `DatabaseError` if the condition does not fit the file, or the file is damaged.
  public var count: Int {
    get throws(DatabaseError) {
      try scope.session.read { (session) throws(DatabaseError) in
        let reader = session.reader
        let found: Int
        switch source {
        case .all: found = try reader.count(of: scope.classKey, where: predicate)
        case .targets(let object, let list) where predicate == nil:
          found = try reader.count(in: object, list)
        case .origins(let target, let property) where predicate == nil:
          try requireTarget(target, reader)
          found = try reader.backlinkCount(scope.classKey, property, to: target)
        case .targets, .origins, .limited: found = try keys(session).count
        }
        return Swift.min(found, most ?? .max)
      }
    }
  }

  /// Whether there is no object.
  ///
  /// - Throws: `DatabaseError` as ``count`` does.
  public var isEmpty: Bool { get throws(DatabaseError) { try limit(1).found().isEmpty } }

  /// The first object; `nil` if there is none.
  ///
  /// - Throws: `DatabaseError` as ``count`` does.
  public var first: Object<M>? { get throws(DatabaseError) { try limit(1).found().first } }

  /// All objects, found now.
  ///
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func found() throws(DatabaseError) -> [Object<M>] {
    try scope.session.read { (session) throws(DatabaseError) in
      try keys(session).map { Object(scope, $0) }
    }
  }

  /// Whether an object is one of these.
  ///
  /// - Parameter object: The object.
  /// - Returns: Whether it is.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func contains(_ object: Object<M>) throws(DatabaseError) -> Bool {
    try scope.session.read { (session) throws(DatabaseError) in
      if case .all = source, most == nil {
        return try session.reader.holds(
          predicate ?? .constant(true),
          for: scope.identity(object.key)
        )
      }
      return try keys(session).contains(object.key)
    }
  }

  /// The keys of the objects, in order; to be called where reading is allowed.
  internal func keys(_ session: Session) throws(DatabaseError) -> [ObjectKey] {
    let reader = session.reader
    var keys: [ObjectKey] = []
    switch source {
    case .all:
      return try reader.query(scope.classKey, predicate, sort: sort, limit: most)
    case .targets(let object, let list):
      let count = try reader.count(in: object, list)
      keys.reserveCapacity(count)
      for index in 0..<count { keys.append(try reader.target(at: index, in: object, list).key) }
    case .origins(let target, let property):
      try requireTarget(target, reader)
      keys = try reader.origins(scope.classKey, property, to: target, in: 0..<Int.max)
    case .limited(let results): keys = try results.keys(session)
    }
    if predicate != nil || !sort.isEmpty { keys = try arranged(keys, reader) }
    if let most, keys.count > most { keys.removeLast(keys.count - most) }
    return keys
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

  /// Those of some objects that fulfil the condition, each as often as it was there: sorted, or in the
  /// order that they had.
  private func arranged(
    _ keys: [ObjectKey],
    _ reader: DatabaseReader
  ) throws(DatabaseError) -> [ObjectKey] {
    let found = try reader.query(scope.classKey, among: keys, predicate, sort: sort)
    if sort.isEmpty {
      let kept = Set(found)
      return keys.filter(kept.contains)
    }
    let times = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return found.flatMap { Array(repeating: $0, count: times[$0] ?? 1) }
  }
}

extension Results: Sequence {
  /// Goes through the objects that are there at its beginning.
  ///
  /// ```swift
  /// var dogs = try database.snapshot().objects(Dog.self).makeIterator()
  /// while let dog = dogs.next() { print(try dog.name) }
  /// ```
  public struct Iterator: IteratorProtocol {
    @usableFromInline internal var scope: Scope<M>
    @usableFromInline internal var keys: [ObjectKey] = []
    @usableFromInline internal var position = 0
    /// Whether there are more keys past these: the objects of a class are found piece by piece.
    @usableFromInline internal var hasMore = false

    internal init(_ results: Results<M>) {
      scope = results.scope
      if case .all = results.source, results.predicate == nil, results.sort.isEmpty,
        results.most == nil
      {
        hasMore = true
        return
      }
      do throws(DatabaseError) {
        keys = try scope.session.read { (session) throws(DatabaseError) in
          try results.keys(session)
        }
      } catch {
        fail(error)
      }
    }

    /// The next object; `nil` at the end.
    @inlinable
    public mutating func next() -> Object<M>? {
      if position == keys.count {
        guard hasMore else { return nil }
        findMore()
        if keys.isEmpty { return nil }
      }
      let key = keys[position]
      position += 1
      return Object(scope, key)
    }

    @usableFromInline
    @inline(never)
    internal mutating func findMore() {
      let start = keys.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
      position = 0
      do throws(DatabaseError) {
        let classKey = scope.classKey
        keys = try scope.session.read { (session) throws(DatabaseError) in
          try session.reader.keys(of: classKey, from: start, limit: 1024)
        }
        hasMore = !keys.isEmpty
      } catch {
        fail(error)
      }
    }

    private mutating func fail(_ error: DatabaseError) {
      scope = scope.failing(error)
      keys = [ObjectKey(rawValue: 0)]
      position = 0
      hasMore = false
    }
  }

  /// Finds the objects and goes through them.
  public func makeIterator() -> Iterator { Iterator(self) }
}
