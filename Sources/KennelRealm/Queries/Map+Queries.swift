import Foundation
import KennelCore

extension Map {
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
      return Results<Value>(_source).value(forKeyPath: keyPath)
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
    let filler = ObjectFiller(policy: .error, context: place?.context, isAdopting: true)
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

extension Map where Value.PersistedType: SortableType {
  /// Returns the values sorted; live.
  ///
  /// - Parameter ascending: Whether the smallest value sorts first.
  /// - Returns: The values.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
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
