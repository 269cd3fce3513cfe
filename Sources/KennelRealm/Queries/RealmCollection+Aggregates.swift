public import Foundation
@_spi(Faces) import KennelCore
import KennelFoundation

extension NSNumber: MinMaxType, AddableType, _HasPersistedType {
  /// The type that is stored.
  public typealias PersistedType = NSNumber
}

extension NSDate: MinMaxType, _HasPersistedType {
  /// The type that is stored.
  public typealias PersistedType = NSDate
}

extension _QueryCollection {
  /// Returns the smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.min, property)
  }

  /// Returns the largest value of a property; `nil` if there is none.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.max, property)
  }

  /// Returns the sum of a property; zero if there are no values.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The sum.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    let sum = stored(.sum, property)
    let mixed = realm == nil ? nil : Aggregated.any(sum, isStored: true) as? T
    guard let sum = mixed ?? Aggregated.value(sum) else {
      throwRealmException("The sum of '\(property)' is no \(T.self)")
    }
    return sum
  }

  internal func aggregate<T>(
    _ aggregate: StoredPredicate.Aggregate,
    _ property: String
  ) -> T? {
    let value = stored(aggregate, property)
    return value.isNull ? nil : Aggregated.value(value)
  }

  /// The aggregate as a file stores it, of a collection that is managed or not.
  private func stored(
    _ aggregate: StoredPredicate.Aggregate,
    _ property: String
  ) -> StoredValue {
    guard realm == nil else { return _source.aggregate(aggregate, property) }
    let values = _queryElements.map { element in
      let value = property == "self" ? element : (element as? ObjectBase)?.value(forKey: property)
      guard let any = AnyRealmValue(value) else {
        throwRealmException("Cannot aggregate '\(property)': it is no single value")
      }
      return Aggregated.encoded(any)
    }
    return aggregate.value(of: values)
  }

  /// Returns the mean of a property; `nil` if there are no values.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    aggregate(.average, property)
  }
}

extension _QueryCollection where _Observed: KeypathSortable {
  /// Returns the smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<_Observed, T>) -> T?
  where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }

  /// Returns the largest value of a property; `nil` if there is none.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<_Observed, T>) -> T?
  where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }

  /// Returns the sum of a property; zero if there are no values.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The sum.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<_Observed, T>) -> T
  where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }

  /// Returns the mean of a property, in the property's type; `nil` if there are no values.
  ///
  /// The mean of integers is truncated, as in Realm; the overload that returns a `Double` is exact.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<_Observed, T>) -> T?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }

  /// Returns the mean of a property; `nil` if there are no values.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The mean.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<_Observed, T>) -> Double?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; `nil` if there is none.
  ///
  /// - Returns: The value.
  public func min() -> Element? { Aggregated.value(.min, of: self) }

  /// Returns the largest value; `nil` if there is none.
  ///
  /// - Returns: The value.
  public func max() -> Element? { Aggregated.value(.max, of: self) }
}

extension _QueryCollection where _QueryElement.PersistedType: AddableType {
  /// Returns the sum of the values; zero if there are none.
  ///
  /// - Returns: The sum.
  public func sum() -> _QueryElement {
    let elements = _queryElements
    let isEmptyMap = self is any AnyMap && elements.isEmpty
    return Aggregated.sum(of: elements, isStored: realm != nil && !isEmptyMap)
  }

  /// Returns the mean of the values; `nil` if there are none.
  ///
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    Aggregated.value(.average, of: _queryElements)
  }
}

extension ResultsSource {
  fileprivate func aggregate(
    _ aggregate: StoredPredicate.Aggregate,
    _ property: String
  ) -> StoredValue {
    switch elements() {
    case .values(let values):
      guard property == "self" else {
        throwRealmException("Cannot aggregate '\(property)' of values: they have only 'self'")
      }
      return aggregate.value(of: values)
    case .objects(let classKey, let keys):
      let path = PredicateNames(context: context).stored(
        StoredPredicate.Path(property),
        classKey
      )
      guard let schema = context.view.schema[classKey],
        case .property(let name)? = path.steps.first, path.steps.count == 1,
        let found = schema[name], found.type.collection == .none
      else {
        throwRealmException(
          "Invalid property name '\(property)' for class "
            + "'\(context.view.schema[classKey]?.name ?? "?")': aggregates take a property with a "
            + "single value"
        )
      }
      guard found.type.kind == .mixed || aggregate.takes(found.type.kind) else {
        throwRealmException(
          "@\(aggregate.rawValue) is not supported for \(found.type) property "
            + "'\(schema.name).\(found.name)'"
        )
      }
      let values = context.attempt {
        try keys.map {
          try context.view.value(of: ObjectIdentity(classKey, $0), property: found.key)
        }
      }
      return aggregate.value(of: values)
    }
  }
}

/// Computes aggregates and converts them to the requested type.
internal enum Aggregated {
  /// An aggregate of the elements of a collection, managed or not.
  static func value<T>(
    _ aggregate: StoredPredicate.Aggregate,
    of elements: some Sequence<some RealmCollectionValue>
  ) -> T? {
    let value = aggregate.value(of: elements.map { encoded($0) })
    return value.isNull ? nil : self.value(value)
  }

  static func sum<T: RealmCollectionValue>(of elements: some Sequence<T>, isStored: Bool) -> T {
    let sum = StoredPredicate.Aggregate.sum.value(of: elements.map { encoded($0) })
    return any(sum, isStored: isStored) as? T ?? value(sum) ?? T._makeDefault()
  }

  /// A sum of `AnyRealmValue`s; of stored ones, a `Decimal128`, as in Realm.
  static func any(_ sum: StoredValue, isStored: Bool) -> AnyRealmValue {
    switch (sum, isStored) {
    case (.decimal128, _), (_, true): ._decode(converted(sum, to: .decimal128), nil)
    case (.int(0), false): .int(0)
    case (_, false): ._decode(converted(sum, to: .double), nil)
    }
  }

  /// The stored form of an element; null for an object in an `AnyRealmValue`.
  fileprivate static func encoded<T: RealmCollectionValue>(_ element: T) -> StoredValue {
    if T.self == AnyRealmValue.self, case .object? = element as? AnyRealmValue { return .null }
    return element._encode(nil)
  }

  static func value<T>(_ value: StoredValue) -> T? {
    if T.self == NSNumber.self { return number(value) as? T }
    if T.self == NSDate.self, case .date(let time) = value {
      let date = Date(time)
      return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate) as? T
    }
    guard let type = T.self as? any RealmCollectionValue.Type else { return nil }
    return decoded(type, value) as? T
  }

  private static func decoded<V: RealmCollectionValue>(
    _ type: V.Type,
    _ value: StoredValue
  ) -> Any {
    V._decode(converted(value, to: V._shape.type), nil)
  }

  /// A number, converted to another type.
  private static func converted(
    _ value: StoredValue,
    to type: PropertyType
  ) -> StoredValue {
    guard let double = value.number?.nearestDouble else { return value }
    switch (type, value) {
    case (.double, .double), (.float, .float), (.int, .int), (.decimal128, .decimal128):
      return value
    case (.double, _): return .double(double)
    case (.float, _): return .float(Float(double))
    case (.int, _): return .int(Int64(exactly: double.rounded(.towardZero)) ?? 0)
    case (.decimal128, .int(let number)): return .decimal128(KennelCore.Decimal128(number))
    case (.decimal128, _): return Decimal128(value: double)._encode(nil)
    default: return value
    }
  }

  private static func number(_ value: StoredValue) -> NSNumber? {
    if case .int(let number) = value { return NSNumber(value: number) }
    if case .float(let number) = value { return NSNumber(value: number) }
    return (value.number?.nearestDouble).map { NSNumber(value: $0) }
  }
}
