import Foundation

extension RealmCollection {
  /// The values of a property of all elements.
  ///
  /// - Parameter key: The name of the property, or `self` for the elements.
  /// - Returns: An array of the values, `NSNull` for those that are missing.
  public func value(forKey key: String) -> Any? {
    if key == "@count" { return count }
    return map { element -> Any in
      guard key != "self", let object = element as? ObjectBase else { return element }
      return object.value(forKey: key) ?? NSNull()
    } as [Any]
  }

  /// The values at the end of a path of all elements, or what a collection operator makes of them.
  ///
  /// - Parameter keyPath: The names of properties with dots between; `@count`, or `@min`, `@max`,
  ///   `@sum` and `@avg` with a property behind.
  /// - Returns: An array of the values, `NSNull` for those that are missing; or a number.
  public func value(forKeyPath keyPath: String) -> Any? {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = parts.first else { return nil }
    if first == "@count" { return count }
    if first.hasPrefix("@") {
      let property = parts.count > 1 ? parts[1] : "self"
      switch first {
      case "@min": return min(ofProperty: property) as NSNumber?
      case "@max": return max(ofProperty: property) as NSNumber?
      case "@sum": return sum(ofProperty: property) as NSNumber
      case "@avg": return average(ofProperty: property) as NSNumber?
      default: throwRealmException("Unsupported collection operator '\(first)'")
      }
    }
    return map { element -> Any in
      guard let object = element as? ObjectBase else { return element }
      return object.value(forKeyPath: keyPath) ?? NSNull()
    } as [Any]
  }

  /// Sets a property of all elements.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted.
  ///   - key: The name of the property.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in Array(self) {
      guard let object = element as? ObjectBase else {
        throwRealmException("Values have no property '\(key)' to set")
      }
      object.setValue(value, forKey: key)
    }
  }
}
