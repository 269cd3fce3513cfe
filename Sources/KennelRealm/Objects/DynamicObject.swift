import KennelCore

/// An object whose properties are read and written by name: in migrations, and of classes that the
/// program does not have.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The value of a property.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }

  internal var storedSchema: ObjectSchema? {
    guard let context, let schema = context.view.schema[identity.classKey] else { return nil }
    return ObjectSchema(schema)
  }

  internal func storedProperty(_ name: String) -> PropertySchema {
    guard let context, let schema = context.view.schema[identity.classKey] else {
      throwRealmException("The object is not managed; objects without a class of Swift are")
    }
    guard let property = schema[name] else {
      throwRealmException("Invalid property name '\(name)' for class '\(schema.name)'.")
    }
    return property
  }

  internal func value(named name: String) -> Any? {
    let property = storedProperty(name)
    guard let context else { return nil }
    if property.isCollection { return context.dynamicCollection(of: self, property) }
    let stored = stored(property.key)
    if case .link(let link) = stored { return context.dynamicAccessor(link) }
    return AnyRealmValue._decode(stored, context).plainValue
  }

  internal func set(_ value: Any?, named name: String) {
    guard let context else { return }
    let property = storedProperty(name)
    requireWritable(property.key)
    let shape = PropertyShape(property)
    guard let stored = ObjectFiller.stored(value, shape, context) else {
      throwRealmException(
        "Invalid value '\(value ?? "nil")' for '\(property.type)' property "
          + "'\(objectSchema.className).\(name)'."
      )
    }
    store(property.key, stored)
  }
}

/// An object of a migration.
public typealias MigrationObject = DynamicObject

extension PropertyShape {
  internal init(_ property: PropertySchema) {
    self.init(
      PropertyType(property.type.kind),
      bitWidth: property.type.bitWidth,
      isOptional: property.type.isOptional
    )
    collection = property.type.collection
  }
}
