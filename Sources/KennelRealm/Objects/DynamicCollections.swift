import Foundation
import KennelCore

/// Collections of objects without a Swift class, with elements of the types that the file says.
extension RealmContext {
  internal func dynamicCollection(
    of object: DynamicObject,
    _ property: PropertySchema
  ) -> Any {
    let place = ManagedPlace(object, self, property.key)
    func made<T: RealmCollectionValue>(_ element: T.Type) -> Any {
      switch property.type.collection {
      case .set: MutableSet<T>.at(place)
      case .map: Map<String, T>.at(place)
      case .list, .none: List<T>.at(place)
      }
    }
    return made(elementType(property.type))
  }

  private func elementType(
    _ type: KennelCore.PropertyType
  ) -> any RealmCollectionValue.Type {
    func either<T: _PersistableInsideOptional>(_: T.Type) -> any RealmCollectionValue.Type {
      type.isOptional ? T?.self : T.self
    }
    return switch type.kind {
    case .bool: either(Bool.self)
    case .int: either(Int.self)
    case .float: either(Float.self)
    case .double: either(Double.self)
    case .string: either(String.self)
    case .data: either(Data.self)
    case .date: either(Date.self)
    case .objectId: either(ObjectId.self)
    case .uuid: either(UUID.self)
    case .decimal128: either(Decimal128.self)
    case .mixed: AnyRealmValue.self
    case .link: either(DynamicObject.self)
    }
  }

  // MARK: - Creating

  /// Creates an object of a class that the program need not have, with the defaults of its model.
  internal func createDynamic(
    _ className: String,
    _ value: Any,
    _ policy: Realm.UpdatePolicy
  ) -> DynamicObject {
    let schema = storedSchema(ofClass: className)
    if schema.isEmbedded {
      throwRealmException(
        "Embedded objects cannot be created directly: create a '\(className)' in the property of the "
          + "object that owns it"
      )
    }
    if policy != .error, schema.primaryKey == nil {
      throwRealmException("'\(className)' does not have a primary key and can not be updated")
    }
    let filler = DynamicFiller(context: self, policy: policy)
    return accessors.makeDynamic(filler.create(schema, value))
  }

  /// The class of the file with a name, or with that of a class of the program.
  fileprivate func storedSchema(ofClass name: String) -> ClassSchema {
    guard let schema = view.schema[storedName(ofClass: name)] else {
      throwRealmException(
        "Object type '\(name)' is not managed by the Realm: the file has no such class"
      )
    }
    return schema
  }
}

extension ObjectBase {
  /// Returns a list property by name.
  ///
  /// - Parameter propertyName: The name of a list property.
  /// - Returns: The list, of dynamic objects.
  public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    dynamicPlace(propertyName).map(List.at) ?? List()
  }

  /// Returns a set property by name.
  ///
  /// - Parameter propertyName: The name of a set property.
  /// - Returns: The set, of dynamic objects.
  public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    dynamicPlace(propertyName).map(MutableSet.at) ?? MutableSet()
  }

  /// Returns a map property by name.
  ///
  /// - Parameter propertyName: The name of a map property.
  /// - Returns: The map, of dynamic objects.
  public final func dynamicMap<Key: _MapKey>(
    _ propertyName: String
  ) -> Map<Key, DynamicObject?> {
    guard let place = dynamicPlace(propertyName) else { return Map() }
    return Map.at(place)
  }

  private func dynamicPlace(_ name: String) -> ManagedPlace? {
    guard let context else {
      throwRealmException("Dynamic collections belong to objects of a realm: add the object first")
    }
    let own = self is DynamicObject ? nil : ModelClass.of(type(of: self))[name]
    let stored = own?.storedName ?? context.storedName(of: name, in: identity.classKey)
    guard let property = context.view.schema[identity.classKey]?[stored] else {
      throwRealmException("Invalid property name '\(name)' for class '\(objectSchema.className)'.")
    }
    return ManagedPlace(self, context, property.key)
  }
}

extension Realm {
  /// Returns all objects of a class of the file, which need not exist in the program.
  ///
  /// - Parameter typeName: The class.
  /// - Returns: The objects, as dynamic objects.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    context.requireConfinement()
    context.isRead = true
    return Results(ResultsSource(context, .all(context.storedSchema(ofClass: typeName).key)))
  }

  /// Returns the object that has the given primary key, for a class of the file.
  ///
  /// - Parameters:
  ///   - typeName: The class.
  ///   - key: The primary key.
  /// - Returns: The object, as a dynamic object.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    context.requireConfinement()
    context.isRead = true
    let name = context.storedName(ofClass: typeName)
    guard let schema = context.view.schema[name], let property = schema.primaryKey else {
      throwRealmException(
        "Class '\(typeName)' does not have a primary key and can't be queried by one"
      )
    }
    let given = propertyValue(key).flatMap { $0 is NSNull ? nil : $0 }
    guard let value = given.map({ ObjectFiller.coreValue($0, PropertyShape(property)) }) ?? .null
    else { return nil }
    return context.attempt { try context.view.find(schema.key, primaryKey: value) }
      .map(context.accessors.makeDynamic)
  }

  /// Creates an object of a class of the file.
  ///
  /// - Parameters:
  ///   - typeName: The class.
  ///   - value: A dictionary by property name, an array of all property values, or an object.
  ///   - update: What to do if an object with the same primary key exists.
  /// - Returns: The object, as a dynamic object.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String,
    value: Any = [:],
    update: UpdatePolicy = .error
  ) -> DynamicObject {
    context.requireTransaction()
    return context.createDynamic(typeName, value, update)
  }
}
