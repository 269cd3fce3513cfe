// swift-format-ignore-file: NoLeadingUnderscores

internal import KennelCore

/// A type of values that queries look into: arrays, sets and dictionaries.
///
/// ```swift
/// func size<V: QueriedCollection>(_ operand: Operand<V>) -> Operand<Int> { operand.count }
/// print(try database.snapshot().objects(Person.self).filter { size($0.dogs) > 1 }.count)
/// ```
public protocol QueriedCollection: Storable {
  /// The type of the elements.
  associatedtype QueriedElement: CollectionElement
}

extension Array: QueriedCollection where Element: CollectionElement {
  /// The type of the elements.
  public typealias QueriedElement = Element
}
extension Set: QueriedCollection where Element: CollectionElement {
  /// The type of the elements.
  public typealias QueriedElement = Element
}
extension Dictionary: QueriedCollection where Key == String, Value: CollectionElement {
  /// The type of the elements.
  public typealias QueriedElement = Value
}

extension Operand where V: QueriedCollection {
  /// The number of elements.
  public var count: Operand<Int> { Operand<Int>(path.with { $0.aggregate = .count }) }

  /// Whether there is no element.
  public var isEmpty: Condition { count == 0 }
}

extension Operand where V: QueriedCollection {
  /// Cannot be used: it tells who compares a collection what to do instead.
  @available(*, unavailable, message: "a collection is asked with isEmpty, count or contains")
  public static func == (left: Operand, right: V) -> Condition { left.isEmpty }

  /// Cannot be used: it tells who asks a list of links for one value what to do instead.
  @available(
    *,
    unavailable,
    message: "a list leads to many values: use contains { $0.property … }, max, min, sum or average"
  )
  public subscript<T: Model, W: Storable>(
    dynamicMember path: KeyPath<T, Property<W>>
  ) -> Operand<W> where V.QueriedElement == Object<T> {
    Operand<W>(self.path.step(to: path))
  }
}

extension Operand where V: QueriedCollection, V.QueriedElement: Scalar & Hashable {
  /// Whether a value is one of the elements.
  public func contains(_ element: V.QueriedElement) -> Condition { containing(element) }
}

extension Operand where V: QueriedCollection, V.QueriedElement == [UInt8] {
  /// Whether bytes are one of the elements.
  public func contains(_ element: [UInt8]) -> Condition { containing(element) }
}

extension Operand where V: QueriedCollection {
  fileprivate func containing(_ element: some SingleValued & CollectionElement) -> Condition {
    path.context.require(element._elementBelongs(to:))
    let right = Predicate.Expression.literal(element._singleValue)
    return Condition(.comparison(.init(expression, .equal, right, quantifier: .any)))
  }
}

/// The element type of a collection of links: the objects of a model.
///
/// ```swift
/// func has<V: QueriedCollection>(_ links: Operand<V>) -> Condition
/// where V.QueriedElement: Linking {
///   !links.isEmpty
/// }
/// print(try database.snapshot().objects(Person.self).filter { has($0.dogs) }.count)
/// ```
public protocol Linking: CollectionElement {
  /// The model.
  associatedtype Target: Model
}

extension Object: Linking {
  /// The model.
  public typealias Target = M
}

// No function here is generic itself, and none asks less of its argument than that of a collection does:
// it would lose to that one, and `filter` to `Sequence.filter`.

extension Operand where V: QueriedCollection, V.QueriedElement: Linking {
  /// Whether an object is one of the elements.
  public func contains(_ object: Object<V.QueriedElement.Target>) -> Condition {
    containing(object)
  }

  /// Whether an element fulfils a condition.
  public func contains(
    where condition: (Query<V.QueriedElement.Target>) -> Condition
  ) -> Condition {
    let inner = QueryPath(path.context, .itself, depth: path.depth + 1)
    if let simple = any(condition(Query(path: inner)).predicate) { return simple }
    return holding(condition) > 0
  }

  /// Whether all elements fulfil a condition; true if there is none.
  public func allSatisfy(
    _ condition: (Query<V.QueriedElement.Target>) -> Condition
  ) -> Condition {
    holding { !condition($0) } == 0
  }

  /// The number of elements that fulfil a condition.
  public func count(
    where condition: (Query<V.QueriedElement.Target>) -> Condition
  ) -> Operand<Int> {
    holding(condition)
  }

  /// The sum of a property of the elements; 0 if there is none.
  public func sum<W: Summable>(
    _ property: KeyPath<Query<V.QueriedElement.Target>, Operand<W>>
  ) -> Operand<W> {
    aggregate(.sum, property)
  }

  /// The mean of a property of the elements; null if there is none.
  public func average<W: Summable>(
    _ property: KeyPath<Query<V.QueriedElement.Target>, Operand<W>>
  ) -> Operand<Double?> {
    aggregate(.average, property)
  }

  /// The smallest value of a property of the elements; null if there is none.
  public func min<W: Ordered & OptionalElement>(
    _ property: KeyPath<Query<V.QueriedElement.Target>, Operand<W>>
  ) -> Operand<W?> {
    aggregate(.min, property)
  }

  /// The greatest value of a property of the elements; null if there is none.
  public func max<W: Ordered & OptionalElement>(
    _ property: KeyPath<Query<V.QueriedElement.Target>, Operand<W>>
  ) -> Operand<W?> {
    aggregate(.max, property)
  }

  private func aggregate<W, R>(
    _ aggregate: Predicate.Aggregate,
    _ property: KeyPath<Query<V.QueriedElement.Target>, Operand<W>>
  ) -> Operand<R> {
    let target = Query<V.QueriedElement.Target>(path: QueryPath(path.context))
    let rest = target[keyPath: property].path.path.steps
    return Operand<R>(
      path.with { path in
        path.steps += rest
        path.aggregate = aggregate
      }
    )
  }

  private func holding(
    _ condition: (Query<V.QueriedElement.Target>) -> Condition
  ) -> Operand<Int> {
    let variable = "x\(path.depth)"
    let inner = QueryPath(
      path.context,
      Predicate.Path([], variable: variable),
      depth: path.depth + 1
    )
    let predicate = condition(Query(path: inner)).predicate
    return Operand<Int>(path, .init(path.path, variable: variable, predicate))
  }

  /// The same condition of the values at the end of one path, which a scan tests column by column:
  /// of one comparison of a property with a value.
  private func any(_ predicate: Predicate) -> Condition? {
    guard case .comparison(let comparison) = predicate, comparison.quantifier == nil,
      case .path(let rest) = comparison.left, !rest.steps.isEmpty, rest.aggregate == nil,
      rest.variable == nil, comparison.comparator != .notEqual
    else { return nil }
    switch comparison.right {
    case .literal(let value, _) where !value.isNull: break
    case .literal, .path, .list, .subquery: return nil
    }
    let whole = path.with { $0.steps += rest.steps }.path
    return Condition(
      .comparison(
        .init(
          .path(whole),
          comparison.comparator,
          comparison.right,
          options: comparison.options,
          quantifier: .any
        )
      )
    )
  }
}

/// A type of numbers that queries add up.
///
/// ```swift
/// func total<V: Summable>(_ path: KeyPath<Query<Dog>, Operand<V>>) throws -> V {
///   try database.snapshot().objects(Dog.self).sum(path)
/// }
/// print(try total(\.age))
/// ```
public protocol Summable: Storable {
  /// Converts the value of an aggregate to a sum of this type; `nil` if it does not fit.
  static func _sum(_ value: Value) -> Self?
}
