import Foundation
import KennelCore

extension Realm {
  /// The classes of the realm.
  public var schema: Schema {
    Schema(context.file.bindings.byClass.values.map { ObjectSchema($0.model) })
  }

  /// Whether there are no objects of the realm's classes.
  public var isEmpty: Bool {
    context.requireConfinement()
    context.isRead = true
    return context.file.bindings.byKey.keys.allSatisfy { context.view.count(of: $0) == 0 }
  }

  /// Returns all objects of a class, or projections of them; live.
  ///
  /// - Parameter type: The class, or the projection.
  /// - Returns: The objects, in the order of creation.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    context.requireConfinement()
    context.isRead = true
    guard let objectClass = Element._shape.objectClass, !(objectClass is EmbeddedObject.Type) else {
      throwRealmException(
        "Cannot query '\(type)': ask for a class that derives from Object, or a projection of one. "
          + "Embedded objects are found through their owners"
      )
    }
    return Results(ResultsSource(context, .all(context.binding(of: objectClass).classKey)))
  }

  /// Returns the object with a primary key.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - key: The primary key.
  /// - Returns: The object; `nil` if there is none.
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type,
    forPrimaryKey key: KeyType
  ) -> Element? {
    context.requireConfinement()
    context.isRead = true
    let binding = context.binding(of: type)
    if KeyType.self == Int.self, binding.primaryKey != nil, let integerKey = binding.integerKey {
      let number = Int64(known(key, as: Int.self))
      guard let object = context.accessors.object(binding, integerKey, number) else { return nil }
      return known(object, as: type)
    }
    guard let property = binding.model.primaryKey else {
      throwRealmException(
        "Class '\(binding.model.name)' does not have a primary key and can't be queried by one; "
          + "declare one with @Persisted(primaryKey: true)"
      )
    }
    guard let value = property.keyValue(key) else {
      throwRealmException(
        "Invalid value '\(key)' of type '\(Swift.type(of: key))' for '\(property.shape.type)' "
          + "property '\(binding.model.name).\(property.name)'."
      )
    }
    return context.accessors.find(binding, value).map {
      known(binding.plan.makeAccessor($0, context), as: type)
    }
  }
}
