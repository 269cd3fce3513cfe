import KennelCore

// MARK: - Lists, sets and linking objects

extension Query where T: RealmCollection {
  /// The number of elements.
  public var count: Query<Int> { aggregated(.count) }

  /// True if the collection contains an element.
  ///
  /// - Parameter value: The element.
  /// - Returns: The condition.
  public func contains(_ value: T.Element) -> Query<Bool> {
    Query<Bool>(.comparison(.isIn, .constant(value), node, []))
  }

  /// True if the collection contains one of several elements.
  ///
  /// - Parameter collection: The elements.
  /// - Returns: The condition.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Element {
    compared(.isIn, Array(collection))
  }

  /// True if an element equals a value.
  public static func == (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.equal, right)
  }

  /// True if an element differs from a value.
  public static func != (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.notEqual, right)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryOrdered {
  /// True if an element is greater.
  public static func > (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.greater, right)
  }
  /// True if an element is greater or equal.
  public static func >= (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// True if an element is less.
  public static func < (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.less, right)
  }
  /// True if an element is less or equal.
  public static func <= (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// The smallest element.
  public var min: Query<T.Element> { aggregated(.min) }
  /// The largest element.
  public var max: Query<T.Element> { aggregated(.max) }
  /// The sum of the elements.
  public var sum: Query<T.Element> { aggregated(.sum) }
  /// The mean of the elements.
  public var avg: Query<T.Element> { aggregated(.average) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// True if all elements lie in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// True if all elements lie in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// True if all elements lie in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// True if all elements lie in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

extension Query {
  fileprivate func allWithin(_ lower: Any, below upper: Any) -> Query<Bool> {
    let (min, max): (Query<Int>, Query<Int>) = (aggregated(.min), aggregated(.max))
    return min.compared(.greaterOrEqual, lower) && max.compared(.less, upper)
  }

  fileprivate func allWithin(_ lower: Any, through upper: Any) -> Query<Bool> {
    let (min, max): (Query<Int>, Query<Int>) = (aggregated(.min), aggregated(.max))
    return min.compared(.greaterOrEqual, lower) && max.compared(.lessOrEqual, upper)
  }
}

// MARK: - Maps

extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> { aggregated(.count) }

  /// Any of the keys.
  public var keys: Query<String> { Query<String>(.path(node.path.adding(.allKeys))) }

  /// Any of the values.
  public var values: Query<T.Value> { Query<T.Value>(.path(node.path.adding(.allValues))) }

  /// Returns the value under a key.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(.path(node.path.adding(.entry(key._mapKey))))
  }

  /// True if the map contains a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The condition.
  public func contains(_ value: T.Value) -> Query<Bool> {
    Query<Bool>(.comparison(.isIn, .constant(value), node, []))
  }

  /// True if the map contains one of several values.
  ///
  /// - Parameter collection: The values.
  /// - Returns: The condition.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Value {
    compared(.isIn, Array(collection))
  }

  /// True if a value is equal.
  public static func == (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.equal, right)
  }

  /// True if a value differs.
  public static func != (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.notEqual, right)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryOrdered {
  /// True if a value is greater.
  public static func > (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.greater, right)
  }
  /// True if a value is greater or equal.
  public static func >= (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// True if a value is less.
  public static func < (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.less, right)
  }
  /// True if a value is less or equal.
  public static func <= (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// The smallest value.
  public var min: Query<T.Value> { aggregated(.min) }
  /// The largest value.
  public var max: Query<T.Value> { aggregated(.max) }
  /// The sum of the values.
  public var sum: Query<T.Value> { aggregated(.sum) }
  /// The mean of the values.
  public var avg: Query<T.Value> { aggregated(.average) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// True if all values lie in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// True if all values lie in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// True if all values lie in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// True if all values lie in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

// MARK: - Values of any type

extension Query where T == AnyRealmValue {
  /// The element at a position, if the value is a list; null otherwise.
  public subscript(position: Int) -> Query<AnyRealmValue> { nested(.nested(.index(position))) }

  /// The value under a key, if the value is a dictionary; null otherwise.
  public subscript(key: String) -> Query<AnyRealmValue> { nested(.nested(.key(key))) }

  /// Any element of the value, if it is a list, or any value, if it is a dictionary.
  public var any: Query<AnyRealmValue> { nested(.nestedElements) }

  private func nested(_ step: QueryPath.Step) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(.path(node.path.adding(step)))
  }
}
