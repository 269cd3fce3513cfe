import Foundation
import KennelCore

/// A model class with its properties, found once per process by reflecting on an object.
internal final class ModelClass: @unchecked Sendable {
  let objectClass: ObjectBase.Type
  let name: String
  /// The name in the file.
  let storedName: String
  /// Stored properties first, then the inverse relationships, in the order of declaration.
  let properties: [ModelProperty]
  /// Whether every stored property below ``ObjectBase`` is one of ``properties`` in the new syntax.
  let isWhollyPersisted: Bool
  private let positions: [String: Int]
  let primaryKeyPosition: Int?

  private init(_ objectClass: ObjectBase.Type) {
    self.objectClass = objectClass
    name = objectClass.className()
    storedName = objectClass.storedClassName
    let found = ModelDiscovery(objectClass).run()
    properties = found.properties
    isWhollyPersisted = found.isWhollyPersisted
    positions = Dictionary(
      found.properties.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    primaryKeyPosition = found.properties.firstIndex(where: \.isPrimaryKey)
  }

  var isEmbedded: Bool { objectClass is EmbeddedObject.Type }

  /// The properties that are stored: all but inverse relationships.
  var storedProperties: [ModelProperty] { properties.filter { !$0.isInverse } }

  var primaryKey: ModelProperty? { primaryKeyPosition.map { properties[$0] } }

  subscript(name: String) -> ModelProperty? { positions[name].map { properties[$0] } }

  func position(of name: String) -> Int? { positions[name] }

  private static let known = Memo<ObjectIdentifier, ModelClass>()

  static func of(_ objectClass: ObjectBase.Type) -> ModelClass {
    known.content(ObjectIdentifier(objectClass)) { ModelClass(objectClass) }
  }
}

/// A property of a model class.
internal struct ModelProperty: @unchecked Sendable {
  /// The name in Swift.
  let name: String
  /// The name in the file.
  var storedName: String
  let shape: PropertyShape
  var isPrimaryKey = false
  var isIndexed = false
  var deleteRule: KennelCore.DeleteRule?
  /// The value that new objects get, where it is always the same.
  var defaultValue: StoredValue?
  /// The name of the property whose inverse it is.
  var originName: String?
  /// Where it lies in an object.
  let offset: Int
  /// The wrapper's type; `nil` in the older syntax.
  var wrapper: (any AnyPersisted.Type)?
  /// The type of the collection in the older syntax.
  var plainType: (any AttachableCollection.Type)?

  var isInverse: Bool { shape.type == .linkingObjects }
}

extension ObjectBase {
  /// The name of the class in the file.
  internal static var storedClassName: String { _realmObjectName() ?? className() }

  /// Returns the schema of the class.
  ///
  /// - Returns: The schema; `nil` for the base classes, which are not stored.
  public static func sharedSchema() -> ObjectSchema? {
    let bases: [ObjectBase.Type] = [ObjectBase.self, Object.self, EmbeddedObject.self]
    return bases.contains { $0 == self } ? nil : ObjectSchema(ModelClass.of(self))
  }

  /// The schema of the object's class.
  public final var objectSchema: ObjectSchema {
    if let dynamic = self as? DynamicObject, let schema = dynamic.storedSchema { return schema }
    return ObjectSchema(ModelClass.of(type(of: self)))
  }

  /// An object of the class that notes which of its properties are read.
  @usableFromInline
  internal static func recording(_ recorder: PathRecorder) -> Self {
    let object = Self()
    object.recorder = recorder
    let properties = ModelClass.of(self).properties
    recorder.properties[ObjectIdentifier(self)] = properties.map(\.name)
    for (position, property) in properties.enumerated() {
      let place = FieldPlace(object, offset: property.offset)
      property.wrapper?.record(at: place, PropertyKey(rawValue: UInt16(position)))
    }
    return object
  }
}

/// Finds the properties of a class.
private struct ModelDiscovery {
  let objectClass: ObjectBase.Type
  let mapping: [String: String]
  let ignored: Set<String>
  let indexed: Set<String>
  let primaryKey: String?

  init(_ objectClass: ObjectBase.Type) {
    self.objectClass = objectClass
    mapping = objectClass._realmColumnNames().merging(objectClass.propertiesMapping()) { $1 }
    ignored = Set(objectClass.ignoredProperties())
    indexed = Set(objectClass.indexedProperties())
    primaryKey = objectClass.primaryKey()
  }

  func run() -> (properties: [ModelProperty], isWhollyPersisted: Bool) {
    let fields = reflectedFields(of: objectClass.init(), below: ObjectBase.self)
    let others = reflectedFields(of: objectClass.init(), below: ObjectBase.self)
    var all: [ModelProperty] = []
    for (field, other) in zip(fields, others) {
      if let wrapper = field.value as? any AnyPersisted {
        all.append(property(field, wrapper, other.value as? any AnyPersisted))
      } else if let collection = field.value as? any AttachableCollection,
        !ignored.contains(field.label)
      {
        all.append(property(field, collection))
      }
    }
    checkPrimaryKey(all)
    let sorted = all.filter { !$0.isInverse } + all.filter(\.isInverse)
    return (sorted, all.count == fields.count && all.allSatisfy { $0.wrapper != nil })
  }

  private func property(
    _ field: ReflectedField,
    _ wrapper: any AnyPersisted,
    _ other: (any AnyPersisted)?
  ) -> ModelProperty {
    // The compiler calls the wrapper of `name` `_name`.
    let name = String(field.label.dropFirst())
    let traits = wrapper.declaredTraits
    let type = Swift.type(of: wrapper)
    var property = ModelProperty(
      name: name,
      storedName: mapping[name] ?? name,
      shape: type.shape,
      offset: field.offset,
      wrapper: type
    )
    property.isPrimaryKey = traits.isPrimaryKey || name == primaryKey
    property.isIndexed = traits.isIndexed || property.isPrimaryKey || indexed.contains(name)
    property.deleteRule = traits.deleteRule.flatMap { KennelCore.DeleteRule(rawValue: $0.rawValue) }
    if let inverse = wrapper.declaredDefault as? any InverseRelationship {
      property.originName = inverse.originName
    }
    property.defaultValue = defaultValue(wrapper, other, property)
    return property
  }

  /// The declared default, unless two objects get different ones, as of `Date()` and identifiers.
  private func defaultValue(
    _ wrapper: any AnyPersisted,
    _ other: (any AnyPersisted)?,
    _ property: ModelProperty
  ) -> StoredValue? {
    guard property.shape.isPlain,
      let first = wrapper.declaredDefault as? any RealmCollectionValue,
      let second = other?.declaredDefault as? any RealmCollectionValue
    else { return nil }
    let value = first._encode(nil)
    return value == second._encode(nil) ? value : nil
  }

  private func property(
    _ field: ReflectedField,
    _ collection: any AttachableCollection
  ) -> ModelProperty {
    let type = Swift.type(of: collection)
    var property = ModelProperty(
      name: field.label,
      storedName: mapping[field.label] ?? field.label,
      shape: type.attachedShape,
      offset: field.offset,
      plainType: type
    )
    property.originName = (collection as? any InverseRelationship)?.originName
    property.isPrimaryKey = field.label == primaryKey
    property.isIndexed = property.isPrimaryKey || indexed.contains(field.label)
    return property
  }

  private func checkPrimaryKey(_ properties: [ModelProperty]) {
    let name = objectClass.className()
    let keys = properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      throwRealmException(
        "Properties '\(keys[0].name)' and '\(keys[1].name)' are both marked as the primary key of "
          + "'\(name)'; a class has one at most"
      )
    }
    if let primaryKey, keys.isEmpty {
      throwRealmException(
        "Primary key property '\(primaryKey)' does not exist on object '\(name)'"
      )
    }
    for property in properties {
      if property.shape.type == .object, property.shape.collection == .none,
        !property.shape.isOptional
      {
        throwRealmException(
          "Object property '\(name).\(property.name)' must be marked as optional: its target can "
            + "be deleted. Declare it as '\(property.shape.objectClass?.className() ?? "Object")?'."
        )
      }
      if property.isInverse, property.originName == nil {
        throwRealmException(
          "LinkingObjects property '\(name).\(property.name)' must set the origin property name "
            + "with @Persisted(originProperty: \"name\")."
        )
      }
    }
  }
}
