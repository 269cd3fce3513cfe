import KennelCore

/// How the results of a query are ordered by a property.
///
/// ```swift
/// let query = try box.query().ordered(by: Note.title, flags: .descending).build()
/// ```
public enum OrderFlags: UInt32, Sendable {
  /// The greatest value comes first.
  case descending = 1
  /// Texts are ordered by their bytes; without this flag, the case of ASCII letters is ignored.
  case caseSensitive = 2
  /// Integers are ordered as unsigned ones.
  case unsigned = 4
  /// Nulls come last; without this flag, they come first.
  case nullsLast = 8
  /// A null counts as 0.
  case nullsZero = 16
}

/// Builds a query: its conditions, its order, and conditions on the targets of relations.
///
/// ```swift
/// let query = try box.query { Note.done == false }
///   .ordered(by: Note.title)
///   .link(Note.author) { Writer.name == "Ada" }
///   .build()
/// print(try query.find().count)
/// ```
public final class QueryBuilder<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E

  private let box: Box<E>
  private var parts: [ConditionTree]
  private var order: [QueryOrder] = []

  init(_ box: Box<E>, _ condition: QueryCondition<E>?) {
    self.box = box
    parts = condition.map { [$0.tree] } ?? []
  }

  /// Orders the results by a property; a further call orders results that are equal so far.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - flags: How its values are ordered.
  /// - Returns: The builder.
  public func ordered<V, R>(
    by property: Property<E, V, R>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    order.append(QueryOrder(number: property.number, flags: Set(flags)))
    return self
  }

  /// Orders the results by a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - flags: How its values are ordered.
  /// - Returns: The builder.
  public func ordered<V, R>(
    by property: Property<E, V, R>,
    flags: OrderFlags
  ) -> QueryBuilder<E> {
    ordered(by: property, flags: [flags])
  }

  /// Keeps the objects whose to-one relation leads to an object that satisfies a condition.
  ///
  /// - Parameters:
  ///   - property: The relation.
  ///   - conditions: The condition.
  /// - Returns: The builder.
  public func link<V: IdBase, R>(
    _ property: Property<E, V, R>,
    conditions: () -> QueryCondition<R>
  ) -> QueryBuilder<E> where R == R.EntityBindingType.EntityType {
    add(property.number, R.entityInfo, isToMany: false, conditions().tree)
  }

  /// Keeps the objects whose to-many relation leads to an object that satisfies a condition.
  ///
  /// - Parameters:
  ///   - property: The relation.
  ///   - conditions: The condition.
  /// - Returns: The builder.
  public func link<R: EntityInspectable>(
    _ property: ToManyProperty<E, R>,
    conditions: () -> QueryCondition<R>
  ) -> QueryBuilder<E> where R == R.EntityBindingType.EntityType {
    add(property.number, R.entityInfo, isToMany: true, conditions().tree)
  }

  private func add(
    _ number: Int,
    _ target: EntityInfo,
    isToMany: Bool,
    _ tree: ConditionTree
  ) -> QueryBuilder<E> {
    parts.append(.link(number: number, target: target, isToMany: isToMany, tree))
    return self
  }

  /// Builds the query.
  ///
  /// - Throws: ``ObjectBoxError`` if the schema does not allow a condition.
  public func build() throws -> Query<E> {
    try Query(box, parts.count == 1 ? parts[0] : .all(parts), order)
  }
}

extension Box {
  /// Returns a builder of a query for all objects.
  public func query() -> QueryBuilder<E> { QueryBuilder(self, nil) }

  /// Returns a builder of a query for the objects that satisfy a condition.
  ///
  /// - Parameter conditions: The condition, such as `Note.done == false`.
  /// - Returns: The builder.
  public func query(_ conditions: () -> QueryCondition<E>) -> QueryBuilder<E> {
    QueryBuilder(self, conditions())
  }
}
