// swift-format-ignore-file: NoLeadingUnderscores

@_spi(Faces) internal import KennelCore

/// Objects grouped by equal values.
///
/// The objects of each group are counted when the groups are made.
///
/// ```swift
/// let ages = try database.snapshot().objects(Dog.self).grouped(by: \.age)
/// for group in ages { print(group.key ?? 0, group.count) }
/// for (group, name) in zip(ages, try ages.min(\.name)) { print(group.count, name ?? "") }
/// ```
///
/// The groups are in the order of their values. ``sum(_:)``, ``average(_:)``, `min` and
/// `max` give a value for each group, in the same order.
public struct Groups<M: Model, Key: OptionalElement>: RandomAccessCollection, Sendable {
  /// A group.
  ///
  /// ```swift
  /// let ages = try database.snapshot().objects(Dog.self).grouped(by: \.age)
  /// if let youngest = ages.first { print(youngest.key ?? 0, youngest.count) }
  /// ```
  public struct Group: Sendable {
    /// The value that the objects have; `nil` if it is null, or if a link on the path to it is null.
    public let key: Key?
    /// The number of objects.
    public let count: Int
  }

  private let scope: Scope<M>
  private let core: ObjectGroups
  private let keys: [Key?]

  fileprivate init(_ scope: Scope<M>, _ core: ObjectGroups, _ keys: [Key?]) {
    self.scope = scope
    self.core = core
    self.keys = keys
  }

  /// The position of the first group: 0.
  public var startIndex: Int { 0 }
  /// The number of groups.
  public var endIndex: Int { keys.count }

  /// A group.
  public subscript(position: Int) -> Group {
    Group(key: keys[position], count: core.counts[position])
  }

  /// The objects of a group.
  ///
  /// Linear in the number of all objects that were grouped.
  ///
  /// - Parameter position: The position of the group.
  /// - Returns: The objects, in the order that they had.
  public func objects(at position: Int) -> [Object<M>] {
    core.objects(of: position).map { Object(scope, $0.key) }
  }

  /// The targets of a list property, grouped like the objects that hold the list.
  ///
  /// ```swift
  /// let people = try database.snapshot().objects(Person.self)
  /// let dogs = try people.grouped(by: \.name).targets(of: \.dogs)
  /// for (group, age) in zip(dogs, try dogs.average(\.age)) {
  ///   print(group.key ?? "", group.count, age ?? 0)
  /// }
  /// ```
  ///
  /// Linear in the number of links.
  ///
  /// - Parameter path: The list.
  /// - Returns: For each of these groups, a group that has the same key and contains the targets. A
  ///   target counts once for each link to it.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func targets<T: Model>(
    of path: KeyPath<M, Property<[Object<T>]>>
  ) throws(DatabaseError) -> Groups<T, Key> {
    let property = scope.member(path)
    guard let column = property.column else { throw property.unbound() }
    let target = try scope.session.target(T.self, property)
    let found = try scope.session.read { (reader) throws(DatabaseError) in
      try reader.targets(of: column, in: core)
    }
    return Groups<T, Key>(target, found, keys)
  }

  // MARK: - Aggregates

  /// The sum of a property for each group; 0 where there is no value.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The sums, in the order of the groups.
  /// - Throws: `DatabaseError` if the file is damaged, or with code `outOfRange` if a sum does not fit
  ///   the type.
  public func sum<V: Summable>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> [V] {
    var sums: [V] = []
    for value in try scope.aggregate(.sum, path, of: core) {
      guard let sum = V._sum(value) else { throw scope.tooLarge(path) }
      sums.append(sum)
    }
    return sums
  }

  /// The mean of a property for each group; `nil` where there is no value.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The means, in the order of the groups.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func average<V: Summable>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> [Double?] {
    try scope.aggregate(.average, path, of: core).map { $0.number?.nearestDouble }
  }

  /// The smallest value of a property for each group; `nil` where there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The values, in the order of the groups.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func min<V: Ordered>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> [V.Compared?] {
    try scope.aggregate(.min, path, of: core).map(V.Compared._scalar(of:))
  }

  /// The greatest value of a property for each group; `nil` where there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The values, in the order of the groups.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func max<V: Ordered>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> [V.Compared?] {
    try scope.aggregate(.max, path, of: core).map(V.Compared._scalar(of:))
  }
}

extension Results {
  /// Puts the objects into groups by a property, or by a property of a link's target, such as
  /// `\.owner.city`.
  ///
  /// Takes a few nanoseconds per object for numbers and for strings with few distinct values.
  ///
  /// - Parameter path: The property.
  /// - Returns: The groups, in the order of their values.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func grouped<Key: OptionalElement & Storable>(
    by path: KeyPath<Query<M>, Operand<Key>>
  ) throws(DatabaseError) -> Groups<M, Key> {
    try groups(path)
  }

  /// Puts the objects into groups by an optional property or by a link.
  ///
  /// - Parameter path: The property.
  /// - Returns: The groups, in the order of their values; the group of null comes first.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func grouped<Key: OptionalElement>(
    by path: KeyPath<Query<M>, Operand<Key?>>
  ) throws(DatabaseError) -> Groups<M, Key> {
    try groups(path)
  }

  private func groups<V, Key: OptionalElement>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> Groups<M, Key> {
    let member = ModelMember(name: scope.operand(path).path.path.description)
    return try scope.session.read { (reader) throws(DatabaseError) in
      let path = try scope.valuePath(path, reader.schema)
      let core = try reader.groups(of: query.objects(reader), by: path)
      var keys: [Key?] = []
      for value in core.values {
        let key = value.isNull ? nil : Key._element(value, in: scope.session, member)
        keys.append(value.isNull ? nil : try member.require(key))
      }
      return Groups(scope, core, keys)
    }
  }
}

extension Scope {
  /// A property in the query language.
  internal func operand<V>(_ path: KeyPath<Query<M>, Operand<V>>) -> Operand<V> {
    Query<M>(path: QueryPath(QueryContext(session)))[keyPath: path]
  }

  /// An aggregate of the values of a property, for each group of objects.
  internal func aggregate<V>(
    _ aggregate: Predicate.Aggregate,
    _ path: KeyPath<Query<M>, Operand<V>>,
    of groups: ObjectGroups
  ) throws(DatabaseError) -> [Value] {
    try session.read { (reader) throws(DatabaseError) in
      try reader.aggregate(aggregate, at: valuePath(path, reader.schema), in: groups)
    }
  }

  /// A property in the query language, checked.
  internal func valuePath<V>(
    _ path: KeyPath<Query<M>, Operand<V>>,
    _ schema: Schema
  ) throws(DatabaseError) -> ValuePath {
    let way = try operand(path).single()
    return try rethrowing(try ValuePath(way, of: classKey, in: schema, allowsLinks: true)) {
      (error: PredicateError) in
      DatabaseError(.invalidPredicate, error.description, className: M.className)
    }
  }

  /// The error of a sum that its type cannot hold.
  internal func tooLarge<V>(_ path: KeyPath<Query<M>, Operand<V>>) -> DatabaseError {
    DatabaseError(
      .outOfRange,
      "The sum of \(operand(path).path.path) does not fit \(V.self); declare a wider type",
      className: M.className
    )
  }
}
