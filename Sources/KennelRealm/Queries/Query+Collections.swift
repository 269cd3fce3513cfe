// swift-format-ignore-file: NoLeadingUnderscores

import KennelCore

// MARK: - Lists, sets, linking objects and maps

extension Query where T: _QueryCollection {
  /// The number of elements.
  public var count: Query<Int> { aggregated(.count) }

  /// True if the collection contains an element, or the map a value.
  ///
  /// - Parameter value: The element.
  /// - Returns: The condition.
  public func contains(_ value: T._QueryElement) -> Query<Bool> {
    Query<Bool>(.comparison(.isIn, .constant(value), node, []))
  }

  /// True if the collection contains one of several elements.
  ///
  /// - Parameter collection: The elements.
  /// - Returns: The condition.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T._QueryElement {
    compared(.isIn, Array(collection))
  }

  /// True if an element equals a value.
  public static func == (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.equal, right)
  }

  /// True if an element differs from a value.
  public static func != (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.notEqual, right)
  }
}

extension Query where T: _QueryCollection, T._QueryElement.PersistedType: _QueryOrdered {
  /// True if an element is greater.
  public static func > (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.greater, right)
  }
  /// True if an element is greater or equal.
  public static func >= (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// True if an element is less.
  public static func < (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.less, right)
  }
  /// True if an element is less or equal.
  public static func <= (left: Query, right: T._QueryElement) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }
}

extension Query where T: _QueryCollection, T._QueryElement.PersistedType: _QueryNumeric {
  /// The smallest element.
  public var min: Query<T._QueryElement> { aggregated(.min) }
  /// The largest element.
  public var max: Query<T._QueryElement> { aggregated(.max) }
  /// The sum of the elements.
  public var sum: Query<T._QueryElement> { aggregated(.sum) }
  /// The mean of the elements.
  public var avg: Query<T._QueryElement> { aggregated(.average) }
}

extension Query where T: _QueryCollection, T._QueryElement._NonNull: Comparable {
  /// True if all elements lie in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T._QueryElement._NonNull>) -> Query<Bool> {
    allWithin(range.lowerBound, .less, range.upperBound)
  }

  /// True if all elements lie in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T._QueryElement._NonNull>) -> Query<Bool> {
    allWithin(range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query {
  fileprivate func allWithin(
    _ lower: Any,
    _ below: StoredPredicate.Comparator,
    _ upper: Any
  ) -> Query<Bool> {
    let (min, max): (Query<Int>, Query<Int>) = (aggregated(.min), aggregated(.max))
    return min.compared(.greaterOrEqual, lower) && max.compared(below, upper)
  }
}

extension Query where T: RealmKeyedCollection {
  /// Any of the keys.
  public var keys: Query<String> { Query<String>(.path(node.path.adding(.allKeys, isMany: true))) }

  /// Any of the values.
  public var values: Query<T.Value> {
    Query<T.Value>(.path(node.path.adding(.allValues, isMany: true)))
  }

  /// Returns the value under a key.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(.path(node.path.adding(.entry(key._mapKey), isMany: false)))
  }
}

// MARK: - Values of any type

extension Query where T == AnyRealmValue {
  /// The element at a position, if the value is a list; null otherwise.
  public subscript(position: Int) -> Query<AnyRealmValue> { nested(.index(position)) }

  /// The value under a key, if the value is a dictionary; null otherwise.
  public subscript(key: String) -> Query<AnyRealmValue> { nested(.entry(key)) }

  /// Any element of the value, if it is a list, or any value, if it is a dictionary.
  public var any: Query<AnyRealmValue> { nested(.all, isMany: true) }

  private func nested(
    _ step: StoredPredicate.Step,
    isMany: Bool? = nil
  ) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(.path(node.path.adding(step, isMany: isMany)))
  }
}
