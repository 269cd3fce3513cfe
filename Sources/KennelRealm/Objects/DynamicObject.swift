import KennelCore

extension DynamicObject {
  /// Returns the value of a property.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }

  /// Returns the value of a property.
  ///
  /// - Parameter key: The name.
  /// - Returns: The value.
  public func value(forUndefinedKey key: String) -> Any? { self[key] }

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - value: The value, or one that can be converted to it.
  ///   - key: The name.
  public func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }

  internal var storedSchema: ObjectSchema? {
    guard let context, let schema = context.view.schema[identity.classKey] else { return nil }
    return context.model(of: identity.classKey).map { ObjectSchema($0) } ?? ObjectSchema(schema)
  }

  internal func storedProperty(_ name: String) -> PropertySchema {
    guard let context, let schema = context.view.schema[identity.classKey] else {
      throwRealmException("The object is not managed; objects without a class of Swift are")
    }
    let stored = context.storedName(of: name, in: identity.classKey)
    guard let property = schema[stored] else {
      throwRealmException("Invalid property name '\(name)' for class '\(schema.name)'.")
    }
    return property
  }

  internal func value(named name: String) -> Any? {
    if let inverse = inverse(named: name) { return inverse }
    let property = storedProperty(name)
    guard let context else { return nil }
    if property.isCollection { return context.dynamicCollection(of: self, property) }
    let stored = stored(property.key)
    if case .link(let link) = stored { return context.accessors.makeAny(link) }
    if stored.isCollection { return AnyRealmValue._get(self, property.key).plainValue }
    return propertyValue(AnyRealmValue._decode(stored, context))
  }

  /// An inverse relationship that the program's class declares.
  private func inverse(named name: String) -> Any? {
    guard let context, let binding = context.file.bindings.binding(identity.classKey),
      binding.model[name]?.isInverse == true
    else { return nil }
    return context.accessors.makeAny(identity)[name]
  }

  internal func set(_ value: Any?, named name: String) {
    guard let context else { return }
    let property = storedProperty(name)
    requireWritable(property.key)
    guard DynamicFiller(context: context).set(identity, property, to: value) else {
      throwRealmException(
        "Invalid value '\(value ?? "nil")' for '\(property.type)' property "
          + "'\(objectSchema.className).\(name)'."
      )
    }
    context.noteAssignment(identity, property.key)
  }
}
