import Foundation
import KennelCore

/// Sets the properties of objects without a Swift class, converting what can be converted.
internal struct DynamicFiller {
  let context: RealmContext
  var policy = Realm.UpdatePolicy.error

  // MARK: - Objects

  /// Creates an object of a class that the program need not have, with the defaults of its model.
  ///
  /// - Parameters:
  ///   - schema: The class.
  ///   - value: A dictionary, an array or an object.
  /// - Returns: The object.
  func create(_ schema: ClassSchema, _ value: Any) -> ObjectIdentity {
    let values = named(value, schema)
    var key: StoredValue?
    if let property = schema.primaryKey {
      if let given = values.first(where: { $0.0.key == property.key }) {
        key = plain(given.1, property)
        if key == nil { refuse(given.1, property, schema) }
      }
      if let key,
        let existing = context.attempt({
          try context.view.find(schema.key, primaryKey: key)
        })
      {
        if policy == .error { refuseDuplicate(key, schema) }
        fill(existing, values.filter { $0.0.key != property.key }, schema)
        return existing
      }
    }
    let model = context.model(of: schema.key)
    let defaults = model?.objectClass.init()
    if schema.primaryKey != nil, key == nil, let defaults {
      key = model?.primaryKey?.plainValue(of: defaults)
      if let key, context.attempt({ try context.view.find(schema.key, primaryKey: key) }) != nil {
        refuseDuplicate(key, schema)
      }
    }
    context.membership.noteCreation(of: schema.key)
    var made = ObjectIdentity(schema.key, ObjectKey(rawValue: 0))
    var first: [PropertyKey: StoredValue] = [:]
    if let property = schema.primaryKey { first[property.key] = key }
    context.change { made = try $0.create(schema.key, first) }
    fill(made, values.filter { $0.0.key != schema.primaryKey?.key }, schema)
    if let model, let defaults {
      setDefaults(of: made, model, defaults, schema, except: Set(values.map(\.0.key)))
    }
    return made
  }

  /// Sets what the class of the program says and nobody else.
  private func setDefaults(
    of object: ObjectIdentity,
    _ model: ModelClass,
    _ defaults: ObjectBase,
    _ schema: ClassSchema,
    except given: Set<PropertyKey>
  ) {
    for property in model.storedProperties where !property.isPrimaryKey {
      guard let stored = schema[property.storedName], !given.contains(stored.key),
        !stored.isCollection
      else { continue }
      if property.shape.isPlain {
        _ = assign(object, stored, property.plainValue(of: defaults))
      } else if let value = property.read(of: defaults) {
        _ = set(object, stored, to: value)
      }
    }
  }

  private func refuseDuplicate(_ key: StoredValue, _ schema: ClassSchema) -> Never {
    throwRealmException(
      "Attempting to create an object of type '\(schema.name)' with an existing primary key value "
        + "'\(ValueText.describe(key))'."
    )
  }

  private func refuse(_ value: Any?, _ property: PropertySchema, _ schema: ClassSchema) -> Never {
    throwRealmException(
      "Invalid value '\(value.flatMap(unwrapped) ?? "<null>")' for '\(property.type)' property "
        + "'\(schema.name).\(property.name)'."
    )
  }

  private func fill(
    _ object: ObjectIdentity,
    _ values: [(PropertySchema, Any?)],
    _ schema: ClassSchema
  ) {
    for (property, value) in values where !set(object, property, to: value) {
      refuse(value, property, schema)
    }
  }

  /// The values that are there, by property; the names are those of Swift or of the file.
  private func named(_ value: Any, _ schema: ClassSchema) -> [(PropertySchema, Any?)] {
    ObjectFiller.named(value, schema.name, context.names(of: schema), otherName: \.name)
  }

  // MARK: - Properties

  /// Sets a property; false where the value cannot be converted.
  func set(_ object: ObjectIdentity, _ property: PropertySchema, to given: Any?) -> Bool {
    let value = ObjectFiller.present(given)
    switch property.type.collection {
    case .none:
      if property.isEmbedded {
        return value.map { embed($0, at: Slot(object, property.key), property) }
          ?? assign(object, property, .null)
      }
      return element(value, property).map { assign(object, property, $0) } ?? false
    case .list, .set: return setElements(object, property, value)
    case .map: return setEntries(object, property, value)
    }
  }

  private func assign(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: StoredValue
  ) -> Bool {
    context.change { try $0.set(object, property: property.key, to: value) }
    return true
  }

  private func setElements(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Any?
  ) -> Bool {
    let isList = property.type.collection == .list
    guard let given = value.map(ObjectFiller.elements) ?? [] else { return false }
    if property.isEmbedded {
      _ = assign(object, property, .list([]))
      return given.enumerated().allSatisfy { position, value in
        value.map { embed($0, at: Slot(object, property.key, .index(position)), property) } ?? false
      }
    }
    var stored: [StoredValue] = []
    for value in given {
      guard let value = element(value.flatMap(unwrapped), property) else { return false }
      stored.append(value)
    }
    return assign(object, property, isList ? .list(stored) : .set(stored))
  }

  private func setEntries(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Any?
  ) -> Bool {
    guard let given = value.map(ObjectFiller.entries) ?? [] else { return false }
    _ = assign(object, property, .map([]))
    for (key, value) in given {
      let value = value.flatMap(unwrapped)
      if property.isEmbedded, let value {
        guard embed(value, at: Slot(object, property.key, .key(key)), property) else {
          return false
        }
        continue
      }
      guard let stored = element(value, property) else { return false }
      context.change { try $0.setEntry(key, to: stored, of: object, property: property.key) }
    }
    return true
  }

  /// Creates an embedded object in a slot.
  private func embed(_ value: Any, at slot: Slot, _ property: PropertySchema) -> Bool {
    guard let target = property.target, let schema = context.view.schema[target],
      value is [String: Any?] || value is [Any?] || value is ObjectBase
    else { return false }
    var made: ObjectIdentity?
    let values = named(value, schema)
    context.change { made = try $0.createEmbedded(at: slot) }
    if let made { fill(made, values, schema) }
    return true
  }

  // MARK: - Values

  /// A single value or element as one of the file's; `nil` if it cannot be converted.
  private func element(_ value: Any?, _ property: PropertySchema) -> StoredValue? {
    guard let value = ObjectFiller.present(value) else {
      return property.type.isOptional ? .null : nil
    }
    if property.type.kind == .link { return link(value, property) }
    if property.type.kind == .mixed, let object = value as? Object {
      return .link(context.adder.managedIdentity(of: object))
    }
    if let any = value as? AnyRealmValue { return any._encode(context) }
    return plain(value, property)
  }

  private func plain(_ value: Any?, _ property: PropertySchema) -> StoredValue? {
    guard let value = ObjectFiller.present(value) else {
      return property.type.isOptional ? .null : nil
    }
    var shape = PropertyShape(property)
    shape.collection = .none
    return propertyValue(value).flatMap { ObjectFiller.coreValue($0, shape) }
  }

  private func link(_ value: Any, _ property: PropertySchema) -> StoredValue? {
    guard let target = property.target, let schema = context.view.schema[target] else {
      return nil
    }
    if let object = value as? Object {
      if let other = object.context, other !== context {
        return .link(create(schema, object))
      }
      let identity = context.adder.managedIdentity(of: object)
      return identity.classKey == target ? .link(identity) : nil
    }
    guard value is [String: Any?] || value is [Any?] else { return nil }
    return .link(create(schema, value))
  }
}

/// A value as key-value coding gives it: an enumeration and a custom type as what is stored, a
/// integer as one that can be asked for in every width.
internal func propertyValue(_ value: Any?) -> Any? {
  guard let value = value.flatMap(unwrapped) else { return nil }
  switch value {
  case let value as any RealmEnum: return propertyValue(value.rawValue)
  case let value as any CustomPersistable: return propertyValue(value.persistableValue)
  case let value as any FailableCustomPersistable: return propertyValue(value.persistableValue)
  case let value as AnyRealmValue: return propertyValue(value.plainValue)
  case let value as any FixedWidthInteger: return NSNumber(value: Int64(truncatingIfNeeded: value))
  default: return value
  }
}

/// Whether a value is a Boolean, and not a number that is 0 or 1.
internal func isTruthValue(_ value: Any) -> Bool {
  if type(of: value) == Bool.self { return true }
  guard let number = value as? NSNumber else { return false }
  return number === NSNumber(value: true) || number === NSNumber(value: false)
}
