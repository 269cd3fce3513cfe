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
    let stored = stored(property.key)
    guard let context else { return nil }
    if property.isCollection { return context.dynamicCollection(stored) }
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

extension RealmContext {
  /// The elements of a collection of an object without a Swift class.
  internal func dynamicCollection(_ value: KennelCore.Value) -> Any {
    func element(_ value: KennelCore.Value) -> Any? {
      if case .link(let link) = value { return dynamicAccessor(link) }
      return AnyRealmValue._decode(value, self).plainValue
    }
    switch value {
    case .list(let values), .set(let values): return values.map(element)
    case .map(let entries):
      return Dictionary(
        entries.map { ($0.key, element($0.value)) },
        uniquingKeysWith: { first, _ in first }
      )
    default: return [Any?]()
    }
  }
}

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
