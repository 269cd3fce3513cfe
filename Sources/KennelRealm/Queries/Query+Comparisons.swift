import KennelCore

extension Query {
  /// The same value.
  public static func == (left: Query, right: T) -> Query<Bool> { left.compared(.equal, right) }
  /// Not the same value.
  public static func != (left: Query, right: T) -> Query<Bool> { left.compared(.notEqual, right) }
  /// The same value.
  public static func == (left: Query, right: Query) -> Query<Bool> {
    left.compared(.equal, to: right)
  }
  /// Not the same value.
  public static func != (left: Query, right: Query) -> Query<Bool> {
    left.compared(.notEqual, to: right)
  }

  /// One of several values.
  ///
  /// - Parameter collection: The values.
  /// - Returns: The condition.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
    compared(.isIn, Array(collection))
  }
}

// MARK: - Order

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// A larger value.
  public static func > (left: Query, right: T) -> Query<Bool> { left.compared(.greater, right) }
  /// A larger value or the same.
  public static func >= (left: Query, right: T) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// A smaller value.
  public static func < (left: Query, right: T) -> Query<Bool> { left.compared(.less, right) }
  /// A smaller value or the same.
  public static func <= (left: Query, right: T) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }
  /// A larger value.
  public static func > (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greater, to: right)
  }
  /// A larger value or the same.
  public static func >= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greaterOrEqual, to: right)
  }
  /// A smaller value.
  public static func < (left: Query, right: Query) -> Query<Bool> {
    left.compared(.less, to: right)
  }
  /// A smaller value or the same.
  public static func <= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.lessOrEqual, to: right)
  }

  /// The smallest of the values at the end of a path through a collection.
  public var min: Query { aggregated(.min) }
  /// The largest of the values at the end of a path through a collection.
  public var max: Query { aggregated(.max) }
  /// The sum of the values at the end of a path through a collection.
  public var sum: Query { aggregated(.sum) }
  /// The mean of the values at the end of a path through a collection.
  public var avg: Query { aggregated(.average) }
}

extension Query where T: Comparable {
  /// From the first value up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    within(range.lowerBound, below: range.upperBound)
  }

  /// From the first value to the second.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    within(range.lowerBound, through: range.upperBound)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// From the first value up to the second, without it.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    within(range.lowerBound, below: range.upperBound)
  }

  /// From the first value to the second.
  ///
  /// - Parameter range: The bounds.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    within(range.lowerBound, through: range.upperBound)
  }
}

extension Query {
  internal func within(_ lower: Any, below upper: Any) -> Query<Bool> {
    compared(.greaterOrEqual, lower) && compared(.less, upper)
  }

  internal func within(_ lower: Any, through upper: Any) -> Query<Bool> {
    Query<Bool>(.between(node, lower: lower, upper: upper))
  }
}

// MARK: - Text

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Text like a pattern, in which `*` is any text and `?` any one character.
  ///
  /// - Parameters:
  ///   - value: The pattern.
  ///   - caseInsensitive: Whether upper and lower case are the same.
  /// - Returns: The condition.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, value, caseInsensitive ? .caseInsensitive : [])
  }

  /// Text like that of another property.
  ///
  /// - Parameters:
  ///   - column: The property with the pattern.
  ///   - caseInsensitive: Whether upper and lower case are the same.
  /// - Returns: The condition.
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
    Query<Bool>(
      .comparison(.like, node, column.node, caseInsensitive ? .caseInsensitive : [])
    )
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Text or data in which something occurs.
  ///
  /// - Parameters:
  ///   - value: What occurs.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Text or data that starts with something.
  ///
  /// - Parameters:
  ///   - value: The start.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Text or data that ends with something.
  ///
  /// - Parameters:
  ///   - value: The end.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// The same text or data.
  ///
  /// - Parameters:
  ///   - value: The text.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Another text or other data.
  ///
  /// - Parameters:
  ///   - value: The text.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Text or data in which that of another property occurs.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.contains, node, column.node, options.core))
  }

  /// Text or data that starts with that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.beginsWith, node, column.node, options.core))
  }

  /// Text or data that ends with that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.endsWith, node, column.node, options.core))
  }

  /// The same text or data as another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.equal, node, column.node, options.core))
  }

  /// Other text or data than another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.notEqual, node, column.node, options.core))
  }
}

// MARK: - Stored values

extension Query where T: PersistableEnum {
  /// The raw value.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The raw value.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollectionValue {
  /// What is stored of a value of a custom type.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

// The collections below are for their types only: what can be asked of one can be asked of others.

extension Query where T: RealmCollection {
  /// What is stored of the elements, which are of a custom type.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
    Query<AnyRealmCollection<T.Element.PersistedType>>(node)
  }
}

extension Query where T: RealmKeyedCollection {
  /// What is stored of the values, which are of a custom type.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    Query<Map<T.Key, T.Value.PersistedType>>(node)
  }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum {
  /// The raw values of the elements.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
    Query<AnyRealmCollection<T.Element.RawValue>>(node)
  }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum {
  /// The raw values of the elements.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
    Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum {
  /// The raw values of the values.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> {
    Query<Map<T.Key, T.Value.RawValue>>(node)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum {
  /// The raw values of the values.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
    Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node)
  }
}

extension AnyRealmValue: _QueryNumeric, _QueryString, _QueryBinary, SortableType {}
