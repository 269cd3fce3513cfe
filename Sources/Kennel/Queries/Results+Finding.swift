@_spi(Faces) public import KennelCore

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
  /// The objects that fulfil a condition.
  ///
  /// - Parameter condition: The condition; names of properties are checked by the compiler. A
  ///   condition on an object of another database throws when the objects are read.
  /// - Returns: The objects, in the order that they had.
  public func filter(_ condition: (Query<M>) -> Condition) -> Results {
    let asked = QueryContext(scope.session)
    let found = filter(condition(Query(path: QueryPath(asked))).predicate)
    return asked.failure.map { Results(scope.failing($0), found.query) } ?? found
  }

  /// The objects that fulfil a condition in the query language, such as `age < 5 AND name != "Rex"`.
  ///
  /// - Parameters:
  ///   - text: The condition, with the names that properties have in the file.
  ///   - arguments: The values of `$0`, `$1` and so on.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` with code `invalidPredicate` if the text is not a valid condition
  ///   (the message says what is wrong and where), or with another code if an argument is of
  ///   another database.
  public func filter(
    _ text: String,
    _ arguments: any SingleStorable...
  ) throws(DatabaseError) -> Results {
    let schema = scope.session.bindings.schema
    guard arguments.allSatisfy({ $0._belongs(to: scope.session) }) else { throw Session.foreign }
    let values = arguments.map { $0._singleValue }
    let predicate = try rethrowing(
      try Predicate.parse(text, for: scope.classKey, in: schema, arguments: values)
    ) { (error: PredicateError) in
      DatabaseError(.invalidPredicate, error.description, className: M.className)
    }
    return filter(predicate)
  }

  private func filter(_ predicate: Predicate) -> Results {
    Results(scope, query.filtered(predicate))
  }

  /// Sorts by a property of the objects or of a link's target, such as `\.owner.name`.
  ///
  /// This replaces an earlier order; ``then(by:_:)`` adds to it.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - order: The direction.
  /// - Returns: The objects in order; objects that compare equal are in the order of their keys.
  public func sorted<V: SingleStorable>(
    by path: KeyPath<Query<M>, Operand<V>>,
    _ order: SortOrder = .ascending
  ) -> Results {
    let key = SortKey(scope.operand(path).path.path, isAscending: order == .ascending)
    return Results(scope, query.sorted(key, isFirst: true))
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
    let key = SortKey(scope.operand(path).path.path, isAscending: order == .ascending)
    return Results(scope, query.sorted(key, isFirst: false))
  }

  /// The first objects.
  ///
  /// - Parameter count: The maximum number of objects. A later filter or order applies to these only.
  /// - Returns: The objects.
  public func limit(_ count: Int) -> Results { Results(scope, query.limited(count)) }

  /// All but the first objects.
  ///
  /// ```swift
  /// let dogs = try database.snapshot().objects(Dog.self).sorted(by: \.name)
  /// for dog in dogs.offset(20).limit(10) { print(try dog.name) }
  /// ```
  ///
  /// Linear in the number of objects that are left out.
  ///
  /// - Parameter count: The number of objects to leave out: of those that are left by a limit before it. A
  ///   later filter or order applies to the others only.
  /// - Returns: The objects.
  public func offset(_ count: Int) -> Results { Results(scope, query.skipping(count)) }

  // MARK: - Asking

  /// The number of objects.
  ///
  /// Constant without a condition; otherwise linear in the number of objects that the query begins
  /// with, unless an index applies.
  ///
  /// - Throws: `DatabaseError` if the condition compares a property with a value of another type or
  ///   an object of another database, or the file is damaged.
  public var count: Int {
    get throws(DatabaseError) {
      try scope.session.read { (reader) throws(DatabaseError) in try query.count(reader) }
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
    try keys().map { Object(scope, $0) }
  }

  internal func keys() throws(DatabaseError) -> [ObjectKey] {
    try scope.session.read { (reader) throws(DatabaseError) in try query.keys(reader) }
  }

  /// Whether an object is one of these.
  ///
  /// - Parameter object: The object, from any snapshot, write transaction or draft.
  /// - Returns: Whether it is; `false` for an object of another database, or that another draft created.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func contains(_ object: Object<M>) throws(DatabaseError) -> Bool {
    guard object.belongs(to: scope.session) else { return false }
    return try scope.session.read { (reader) throws(DatabaseError) in
      try query.contains(object.key, reader)
    }
  }
}

extension Results: Sequence {
  /// Iterates over the objects.
  ///
  /// A query for all objects of a class, without a filter, order or limit, reads them in batches:
  /// in a write transaction or draft, a later batch has what was changed meanwhile. Any other query
  /// runs once, when the first object is requested.
  ///
  /// ```swift
  /// var dogs = try database.snapshot().objects(Dog.self).makeIterator()
  /// while let dog = dogs.next() { print(try dog.name) }
  /// ```
  public struct Iterator: IteratorProtocol {
    @usableFromInline internal var results: Results<M>
    @usableFromInline internal var stage: KeyWalk.Stage
    @usableFromInline internal var few: KeyWalk.Few
    /// The keys where there are more.
    @usableFromInline internal var many: [ObjectKey]
    @usableFromInline internal var position: Int
    @usableFromInline internal var count: Int

    @inlinable
    @inline(__always)
    internal init(_ results: consuming Results<M>) {
      self.results = results
      stage = .unbegun
      few = .init(repeating: ObjectKey(rawValue: 0))
      many = []
      position = 0
      count = 0
    }

    /// The next object; `nil` at the end.
    @inlinable
    @inline(__always)
    public mutating func next() -> Object<M>? {
      if position == count, !findMore() { return nil }
      let key = many.isEmpty ? few[position] : many[position]
      position &+= 1
      return Object(results.scope, key)
    }

    @usableFromInline
    @inline(never)
    internal mutating func findMore() -> Bool {
      do throws(DatabaseError) {
        count = try KeyWalk.findMore(
          results.query,
          results.scope.session,
          &stage,
          &few,
          &many
        )
      } catch {
        // One object, at which the error of a loop is found.
        results = Results(results.scope.failing(error), results.query)
        many = []
        count = 1
      }
      position = 0
      return count > 0
    }
  }

  /// Finds the objects and goes through them.
  @inlinable
  @inline(__always)
  public consuming func makeIterator() -> Iterator { Iterator(self) }
}
