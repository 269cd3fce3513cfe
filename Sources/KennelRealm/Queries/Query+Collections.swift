import KennelCore

// MARK: - Lists, sets and linking objects

extension Query where T: RealmCollection {
  /// How many elements there are.
  public var count: Query<Int> { aggregated(.count) }

  /// Whether the collection has an element.
  ///
  /// - Parameter value: The element.
  /// - Returns: The condition.
  public func contains(_ value: T.Element) -> Query<Bool> {
    Query<Bool>(.comparison(.isIn, .constant(value), node, []))
  }

  /// Whether the collection has one of several elements.
  ///
  /// - Parameter collection: The elements.
  /// - Returns: The condition.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Element {
    compared(.isIn, Array(collection))
  }

  /// Whether one of the elements is a value.
  public static func == (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.equal, right)
  }

  /// Whether one of the elements is not a value.
  public static func != (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.notEqual, right)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// Whether one of the elements is larger.
  public static func > (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.greater, right)
  }
  /// Whether one of the elements is larger or the same.
  public static func >= (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// Whether one of the elements is smaller.
  public static func < (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.less, right)
  }
  /// Whether one of the elements is smaller or the same.
  public static func <= (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }

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
  /// Whether all elements are from the first value up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// Whether all elements are from the first value to the second.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// Whether all elements are from the first value up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// Whether all elements are from the first value to the second.
  ///
  /// - Parameter range: The bounds.
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
  /// How many entries there are.
  public var count: Query<Int> { aggregated(.count) }

  /// Any of the keys.
  public var keys: Query<String> { Query<String>(.path(node.path.adding(.allKeys))) }

  /// Any of the values.
  public var values: Query<T.Value> { Query<T.Value>(.path(node.path.adding(.allValues))) }

  /// The value under a key.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(.path(node.path.adding(.entry(key._mapKey))))
  }

  /// Whether the map has a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The condition.
  public func contains(_ value: T.Value) -> Query<Bool> {
    Query<Bool>(.comparison(.isIn, .constant(value), node, []))
  }

  /// Whether the map has one of several values.
  ///
  /// - Parameter collection: The values.
  /// - Returns: The condition.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Value {
    compared(.isIn, Array(collection))
  }

  /// Whether one of the values is the same.
  public static func == (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.equal, right)
  }

  /// Whether one of the values is another.
  public static func != (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.notEqual, right)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// Whether one of the values is larger.
  public static func > (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.greater, right)
  }
  /// Whether one of the values is larger or the same.
  public static func >= (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// Whether one of the values is smaller.
  public static func < (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.less, right)
  }
  /// Whether one of the values is smaller or the same.
  public static func <= (left: Query, right: T.Value) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }

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
  /// Whether all values are from the first up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// Whether all values are from the first to the second.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// Whether all values are from the first up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, below: range.upperBound)
  }

  /// Whether all values are from the first to the second.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, through: range.upperBound)
  }
}
