import Foundation
import KennelCore

extension Map {
  private var managedValues: Results<Value> { Results(_source) }

  /// The values of a managed or an unmanaged map.
  private var anyValues: AnyRealmCollection<Value> {
    if place != nil { return AnyRealmCollection(managedValues) }
    let list = List<Value>()
    list.append(objectsIn: values)
    return AnyRealmCollection(list)
  }

  // MARK: - Aggregates

  /// Returns the smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    anyValues.min(ofProperty: property)
  }

  /// Returns the largest value of a property; `nil` if there is none.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    anyValues.max(ofProperty: property)
  }

  /// Returns the sum of a property.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The sum.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    anyValues.sum(ofProperty: property)
  }

  /// Returns the mean of a property; `nil` if there is none.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    anyValues.average(ofProperty: property)
  }

  // MARK: - Values by key

  /// Returns the value under a key, or that of `@count`, `@allKeys` or `@allValues`.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, `NSNull` for a null entry; `nil` if there is no entry.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "@count": NSNumber(value: count)
    case "@allKeys": keys
    case "@allValues": values
    default: self[Key(_mapKey: key)].map { propertyValue($0) ?? missingValue }
    }
  }

  /// Returns the value of a key path that begins with a key of the map.
  ///
  /// - Parameter keyPath: A key and names of properties, separated by dots.
  /// - Returns: The value; `nil` if there is none.
  public func value(forKeyPath keyPath: String) -> Any? {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = parts.first else { return nil }
    if first.hasPrefix("@"), parts.count > 1 || value(forKey: first) == nil {
      return managedValues.value(forKeyPath: keyPath)
    }
    guard parts.count > 1 else { return value(forKey: first) }
    return (value(forKey: first) as? ObjectBase)?.value(forKeyPath: parts[1])
  }

  /// Sets the value under a key; `nil` removes the entry, `NSNull` stores null.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted to it.
  ///   - key: The key.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value = value.flatMap(unwrapped) else {
      removeObject(for: Key(_mapKey: key))
      return
    }
    let filler = ObjectFiller(.error, place?.context, isAdopting: true)
    guard let converted: Value = filler.convert(value) else {
      throwRealmException("Invalid value '\(value)' for a map of \(Value.self)")
    }
    updateValue(converted, forKey: Key(_mapKey: key))
  }
}

extension Map {
  /// Returns the value under a key as a Foundation object.
  ///
  /// - Parameter key: The key, or `@count`, `@allKeys` and `@allValues`.
  /// - Returns: The value; `nil` if there is none.
  @_disfavoredOverload
  public func value(forKey key: String) -> AnyObject? {
    (value(forKey: key) as Any?).flatMap(unwrapped).map { $0 as AnyObject }
  }

  /// Returns the value of a key path as a Foundation object.
  ///
  /// - Parameter keyPath: A key and names of properties, separated by dots.
  /// - Returns: The value; `nil` if there is none.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    (value(forKeyPath: keyPath) as Any?).flatMap(unwrapped).map { $0 as AnyObject }
  }

  /// Returns the value under a key as a Foundation object.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, `NSNull` for a null entry; `nil` if there is no entry.
  @_disfavoredOverload
  public func object(forKey key: AnyObject) -> AnyObject? {
    guard let key = key as? String, let value = self[Key(_mapKey: key)] else { return nil }
    return (propertyValue(value) ?? NSNull()) as AnyObject
  }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase & RealmCollectionValue {
  /// Returns the objects sorted by a property; live.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - ascending: Whether the smallest value sorts first.
  /// - Returns: The objects.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<Value.Wrapped, T>,
    ascending: Bool = true
  ) -> Results<Value> where T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Returns the smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }

  /// Returns the largest value of a property; `nil` if there is none.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }

  /// Returns the sum of a property; zero if there are no values.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The sum.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
  where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }

  /// Returns the mean of a property, in the property's type; `nil` if there are no values.
  ///
  /// The mean of integers is truncated, as in Realm; the overload that returns a `Double` is exact.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }

  /// Returns the mean of a property; `nil` if there are no values.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The mean.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> Double?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension Map where Value.PersistedType: SortableType {
  /// Returns the values sorted; live.
  ///
  /// - Parameter ascending: Whether the smallest value sorts first.
  /// - Returns: The values.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }

  /// Returns the distinct values; live.
  ///
  /// - Returns: The values.
  public func distinct() -> Results<Value> { distinct(by: ["self"]) }
}

extension Map where Value.PersistedType: MinMaxType {
  /// Returns the smallest value; `nil` if there is none.
  ///
  /// - Returns: The value.
  public func min() -> Value? { Aggregated.value(.min, of: values) }

  /// Returns the largest value; `nil` if there is none.
  ///
  /// - Returns: The value.
  public func max() -> Value? { Aggregated.value(.max, of: values) }
}

extension Map where Value.PersistedType: AddableType {
  /// Returns the sum of the values; zero if there are none.
  ///
  /// - Returns: The sum.
  public func sum() -> Value { Aggregated.sum(of: values, isStored: place != nil && !isEmpty) }

  /// Returns the mean of the values; `nil` if there are none.
  ///
  /// - Returns: The mean.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    Aggregated.value(.average, of: values)
  }
}
