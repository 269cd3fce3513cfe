import Foundation

/// Properties by name, as key-value coding gives them.
extension ObjectBase {
  /// Accesses a property by name.
  public final subscript(key: String) -> Any? {
    get {
      if let dynamic = self as? DynamicObject { return dynamic.value(named: key) }
      return property(key).read(of: self)
    }
    set {
      if let dynamic = self as? DynamicObject {
        dynamic.set(newValue, named: key)
        return
      }
      let model = ModelClass.of(type(of: self))
      let property = property(key)
      if property.isInverse {
        throwRealmException(
          "Linking objects properties are read-only: set '\(model.name).\(key)' by setting "
            + "'\(property.originName ?? "the link")' of the objects that link here"
        )
      }
      context?.requireConfinement()
      if let context, let stored = context.binding(of: type(of: self)).key(key) {
        context.requireWritable(self, stored)
      }
      ObjectFiller(policy: .error, context: context, isAdopting: true)
        .set(property, of: self, to: newValue, in: model)
    }
  }

  private func property(_ name: String) -> ModelProperty {
    let model = ModelClass.of(type(of: self))
    guard let property = model[name] else {
      throwRealmException("Invalid property name '\(name)' for class '\(model.name)'.")
    }
    return property
  }

  /// Returns the value of a property by name.
  ///
  /// - Parameter key: The name.
  /// - Returns: The value.
  public final func value(forKey key: String) -> Any? {
    switch key {
    case "isInvalidated", "invalidated": isInvalidated
    case "self": self
    default: self[key]
    }
  }

  /// Sets a property by name.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted to it.
  ///   - key: The name.
  public final func setValue(_ value: Any?, forKey key: String) {
    self[key] = value
  }

  /// Returns the value of a key path, with names separated by dots.
  ///
  /// - Parameter keyPath: The path.
  /// - Returns: The value; `nil` if a link on the path is null.
  public final func value(forKeyPath keyPath: String) -> Any? {
    var current: Any? = self
    for name in keyPath.split(separator: ".") {
      guard let object = current as? ObjectBase else { return nil }
      current = object.value(forKey: String(name))
    }
    return current
  }

  /// Sets the property of a key path, with names separated by dots.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted to it.
  ///   - keyPath: The path.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    let names = keyPath.split(separator: ".").map(String.init)
    guard let last = names.last else { return }
    let owner = self.value(forKeyPath: names.dropLast().joined(separator: ".")) as? ObjectBase
    owner?.setValue(value, forKey: last)
  }
}
