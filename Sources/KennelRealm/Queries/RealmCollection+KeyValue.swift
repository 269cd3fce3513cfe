import Foundation
@_spi(Faces) import KennelCore

/// The `NSNull` that casts to `nil` of optional types too, which one made otherwise does not on Linux.
///
/// Safe to use: it does not change.
@safe nonisolated(unsafe) internal let missingValue: AnyObject = Optional<Any>.none as AnyObject

extension RealmCollection {
  /// Returns the values of a property of all elements.
  ///
  /// - Parameter key: The name of the property, or `self` for the elements.
  /// - Returns: An array of the values, or a `Set` for a set; `NSNull` for nulls.
  public func value(forKey key: String) -> Any? {
    key == "@count" ? NSNumber(value: count) : gathered(key) { $0.value(forKey: key) }
  }

  /// The elements under the key `self`, or a value of the object of each: an array, or a set if the
  /// collection has no order.
  private func gathered(_ key: String, _ value: (ObjectBase) -> Any?) -> Any {
    let values: [Any] = map { element in
      if key == "self" { return propertyValue(element) ?? missingValue }
      if let object = object(of: element) { return value(object) ?? missingValue }
      throwRealmException(
        "[<\(Element.self)> valueForUndefinedKey:]: values are not key value coding-compliant for "
          + "the key \(key). Ask for 'self', or a collection operator such as '@max.self'"
      )
    }
    return isUnordered ? Set(values.compactMap { $0 as? AnyHashable }) : values
  }

  private var isUnordered: Bool {
    self is MutableSet<Element> || (self as? AnyRealmCollection<Element>)?.base.isUnordered ?? false
  }

  /// Returns the values of a key path of all elements, or the result of a collection operator.
  ///
  /// - Parameter keyPath: Names of properties, separated by dots; `@count`, or `@min`, `@max`,
  ///   `@sum`, `@avg`, `@unionOfObjects` or `@distinctUnionOfObjects` followed by a property.
  /// - Returns: An array of the values, with `NSNull` for nulls, or a set if the collection is one;
  ///   or a number.
  public func value(forKeyPath keyPath: String) -> Any? {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = parts.first else { return nil }
    if first == "@count" { return NSNumber(value: count) }
    if first.hasPrefix("@") {
      let property = parts.count > 1 ? parts[1] : "self"
      if first == "@unionOfObjects" { return value(forKeyPath: property) }
      if first == "@distinctUnionOfObjects" {
        return (value(forKeyPath: property) as? [AnyHashable]).map { Array(Set($0)) }
      }
      guard let operation = StoredPredicate.Aggregate(named: first.dropFirst()) else {
        throwRealmException("Unsupported collection operator '\(first)'")
      }
      return aggregate(operation, property) as NSNumber?
    }
    return gathered(keyPath) { $0.value(forKeyPath: keyPath) }
  }

  /// Sets a property of all elements.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted to it.
  ///   - key: The name of the property.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in Array(self) {
      guard let object = object(of: element) else {
        throwRealmException("Values have no property '\(key)' to set")
      }
      object.setValue(value, forKey: key)
    }
  }
}

/// The object that an element is, or that it projects.
private func object(of element: Any) -> ObjectBase? {
  (unwrapped(element) as? any KeypathSortable)?._object
}

extension RealmCollection where Self: _StoredCollection {
  /// Returns the values of a property of all elements; the distinct ones, of a set.
  ///
  /// - Parameter key: The name of the property, or `self` for the elements.
  /// - Returns: The values as Foundation objects.
  @_disfavoredOverload
  public func value(forKey key: String) -> [AnyObject] { foundationObjects(value(forKey: key)) }

  /// Returns the values of a key path of all elements; the distinct ones, of a set.
  ///
  /// - Parameter keyPath: Names of properties, separated by dots.
  /// - Returns: The values as Foundation objects.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    foundationObjects(value(forKeyPath: keyPath))
  }
}

private func foundationObjects(_ values: Any?) -> [AnyObject] {
  let elements = (values as? Set<AnyHashable>).map { $0.map(\.base) } ?? values as? [Any] ?? []
  return elements.map {
    ($0 as Any?).flatMap(unwrapped).map { $0 as AnyObject } ?? missingValue
  }
}
