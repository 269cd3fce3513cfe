import Foundation
import KennelCore

/// A realm: the objects of a file, confined to one thread, queue or actor.
///
/// ```swift
/// let realm = try Realm(configuration: configuration)
/// try realm.write {
///   realm.add(Ship(value: ["name": "Beagle", "tons": 242]))
/// }
/// let small = realm.objects(Ship.self).where { $0.tons < 300 }
/// print(small.count)
/// ```
///
/// It shows the newest commit at the time it was opened, until it is refreshed or begins a write
/// transaction. On the main queue, or the queue or actor that it was opened on, it refreshes
/// automatically.
public struct Realm: Equatable {
  internal let context: RealmContext

  internal init(_ context: RealmContext) {
    self.context = context
  }

  /// The configuration of the realm.
  public var configuration: Configuration { context.configuration }

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

  /// Whether it is frozen.
  public var isFrozen: Bool { context.isFrozen }

  /// Returns whether both are the same realm on the same thread.
  public static func == (left: Realm, right: Realm) -> Bool { left.context === right.context }

  // MARK: - Objects

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
    if KeyType.self == String.self, binding.primaryKey != nil, let stringKey = binding.stringKey {
      let text = known(key, as: String.self)
      guard let object = context.accessors.object(binding, stringKey, text) else { return nil }
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

@available(*, unavailable, message: "A realm belongs to its thread or actor: open another there")
extension Realm: Sendable {}

extension ModelProperty {
  /// A value of any type as that of a primary key.
  internal func keyValue(_ key: Any) -> StoredValue? {
    guard let value = unwrapped(key), !(value is NSNull) else {
      return shape.isOptional ? .null : nil
    }
    return ObjectFiller.coreValue(value, shape)
  }
}
