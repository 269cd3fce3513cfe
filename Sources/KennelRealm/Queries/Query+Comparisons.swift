import KennelCore

extension Query {
  /// True if the values are equal.
  public static func == (left: Query, right: T) -> Query<Bool> { left.compared(.equal, right) }
  /// True if the values differ.
  public static func != (left: Query, right: T) -> Query<Bool> { left.compared(.notEqual, right) }
  /// True if the values are equal.
  public static func == (left: Query, right: Query) -> Query<Bool> {
    left.compared(.equal, to: right)
  }
  /// True if the values differ.
  public static func != (left: Query, right: Query) -> Query<Bool> {
    left.compared(.notEqual, to: right)
  }

  /// True if the value is one of several.
  ///
  /// - Parameter collection: The values.
  /// - Returns: The condition.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
    compared(.isIn, Array(collection))
  }
}

// MARK: - Order

/// Texts are ordered by their UTF-8 bytes.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// True if the value is greater.
  public static func > (left: Query, right: T) -> Query<Bool> { left.compared(.greater, right) }
  /// True if the value is greater or equal.
  public static func >= (left: Query, right: T) -> Query<Bool> {
    left.compared(.greaterOrEqual, right)
  }
  /// True if the value is less.
  public static func < (left: Query, right: T) -> Query<Bool> { left.compared(.less, right) }
  /// True if the value is less or equal.
  public static func <= (left: Query, right: T) -> Query<Bool> {
    left.compared(.lessOrEqual, right)
  }
  /// True if the value is greater.
  public static func > (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greater, to: right)
  }
  /// True if the value is greater or equal.
  public static func >= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greaterOrEqual, to: right)
  }
  /// True if the value is less.
  public static func < (left: Query, right: Query) -> Query<Bool> {
    left.compared(.less, to: right)
  }
  /// True if the value is less or equal.
  public static func <= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.lessOrEqual, to: right)
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// The smallest value of a path through a collection.
  public var min: Query { aggregated(.min) }
  /// The largest value of a path through a collection.
  public var max: Query { aggregated(.max) }
  /// The sum of the values of a path through a collection.
  public var sum: Query { aggregated(.sum) }
  /// The mean of the values of a path through a collection.
  public var avg: Query { aggregated(.average) }
}

extension Query where T: RealmCollectionValue, T._NonNull: Comparable {
  /// True if the value lies in a half-open range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: Range<T._NonNull>) -> Query<Bool> {
    compared(.greaterOrEqual, range.lowerBound) && compared(.less, range.upperBound)
  }

  /// True if the value lies in a closed range.
  ///
  /// - Parameter range: The range.
  /// - Returns: The condition.
  public func contains(_ range: ClosedRange<T._NonNull>) -> Query<Bool> {
    let bounds = QueryNode.bounds(lower: range.lowerBound, upper: range.upperBound)
    return Query<Bool>(.comparison(.between, node, bounds, []))
  }
}

// MARK: - Text

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// True if the text matches a pattern: `*` is any text, `?` one character.
  ///
  /// - Parameters:
  ///   - value: The pattern.
  ///   - caseInsensitive: Whether case is ignored.
  /// - Returns: The condition.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, value, caseInsensitive ? .caseInsensitive : [])
  }

  /// True if the text matches the pattern in another property.
  ///
  /// - Parameters:
  ///   - column: The property with the pattern.
  ///   - caseInsensitive: Whether case is ignored.
  /// - Returns: The condition.
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
    Query<Bool>(
      .comparison(.like, node, column.node, caseInsensitive ? .caseInsensitive : [])
    )
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// True if the text or data contains a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// True if the text or data begins with a value.
  ///
  /// - Parameters:
  ///   - value: The start.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// True if the text or data ends with a value.
  ///
  /// - Parameters:
  ///   - value: The end.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// True if the text or data is equal.
  ///
  /// - Parameters:
  ///   - value: The text or data.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// True if the text or data differs.
  ///
  /// - Parameters:
  ///   - value: The text or data.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// True if the text or data contains that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.contains, node, column.node, options.core))
  }

  /// True if the text or data begins with that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.beginsWith, node, column.node, options.core))
  }

  /// True if the text or data ends with that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.endsWith, node, column.node, options.core))
  }

  /// True if the text or data equals that of another property.
  ///
  /// - Parameters:
  ///   - column: The other property.
  ///   - options: How text is compared.
  /// - Returns: The condition.
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(.equal, node, column.node, options.core))
  }

  /// True if the text or data differs from that of another property.
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
  /// The stored value of a custom type.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

// The collections below are for their types only: what can be asked of one can be asked of others.

extension Query where T: RealmCollection {
  /// The stored elements of a custom type.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
    Query<AnyRealmCollection<T.Element.PersistedType>>(node)
  }
}

extension Query where T: RealmKeyedCollection {
  /// The stored values of a custom type.
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
