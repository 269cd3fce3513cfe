import Foundation
import KennelCore
import KennelFoundation

/// Fills objects with dictionaries, arrays and other objects, converting what can be converted.
internal struct ObjectFiller {
  let policy: Realm.UpdatePolicy
  /// The realm for which nested objects are made; `nil` to make unmanaged ones.
  var context: RealmContext?
  /// Whether unmanaged objects are added themselves, rather than copies of them.
  var isAdopting = false

  // MARK: - Objects

  /// Sets the properties that a value has.
  func fill(_ object: ObjectBase, with value: Any, except skipped: ModelProperty? = nil) {
    let model = ModelClass.of(type(of: object))
    for (property, value) in Self.named(value, model) where property.name != skipped?.name {
      set(property, of: object, to: value, in: model)
    }
  }

  /// Sets the properties that a value has, as far as custom types can be made of it.
  ///
  /// - Returns: Those that are to be set once the object is stored: objects, which are stored after
  ///   it, and custom types that cannot be made of every value, since what is stored takes every
  ///   value.
  func fillNew(_ object: ObjectBase, with value: Any) -> [(ModelProperty, Any?)] {
    let model = ModelClass.of(type(of: object))
    var deferred: [(ModelProperty, Any?)] = []
    for (property, value) in Self.named(value, model) {
      if property.shape.type == .object || property.shape.failableType != nil {
        // No default is stored meanwhile.
        _ = property.write(nil, of: object, self)
        deferred.append((property, value))
      } else {
        set(property, of: object, to: value, in: model)
      }
    }
    return deferred
  }

  func set(_ property: ModelProperty, of object: ObjectBase, to value: Any?, in model: ModelClass) {
    if !property.write(value, of: object, self) { refuse(value, property, model) }
  }

  private func refuse(_ value: Any?, _ property: ModelProperty, _ model: ModelClass) -> Never {
    let shown = value.flatMap(unwrapped)
    if property.shape.collection == .none, Self.raw(value, property.shape) != nil,
      let type = property.shape.failableType, let shown
    {
      throwRealmException("Could not convert value '\(shown)' to type '\(type)'.")
    }
    let type = shown.map { "\(Swift.type(of: $0))" } ?? "nil"
    throwRealmException(
      "Invalid value '\(shown ?? "<null>")' of type '\(type)' for "
        + "'\(property.typeText)' property '\(model.name).\(property.name)'."
    )
  }

  /// The values that are there, by property, in the order of the properties.
  static func named(_ value: Any, _ model: ModelClass) -> [(ModelProperty, Any?)] {
    named(value, model.name, model.storedProperties.map { ($0.name, $0) })
  }

  /// The values that are there, by what their names stand for, in the order of the names.
  static func named<Property>(
    _ value: Any,
    _ className: String,
    _ names: [(String, Property)],
    otherName: (Property) -> String? = { _ in nil }
  ) -> [(Property, Any?)] {
    switch value {
    case let dictionary as [String: Any?]:
      return names.compactMap { name, property in
        for case let name? in [name, otherName(property)] {
          if let value = dictionary[name] { return (property, value) }
        }
        return nil
      }
    case let dictionary as [AnyHashable: Any]:
      return names.compactMap { name, property in
        dictionary[AnyHashable(name)].map { (property, $0) }
      }
    case let array as [Any?]:
      guard array.count <= names.count else {
        throwRealmException(
          "Invalid array input: more values (\(array.count)) than properties (\(names.count))."
        )
      }
      return zip(names, array).map { ($0.1, $1) }
    case let object as ObjectBase:
      let schema = object.objectSchema
      return names.compactMap { name, property in
        schema[name] == nil ? nil : (property, object[name])
      }
    default:
      throwRealmException("Invalid value '\(value)' to initialize object of type '\(className)'")
    }
  }

  // MARK: - Values

  /// A value that is neither `nil`, however deep, nor what Foundation has for it.
  static func present(_ value: Any?) -> Any? {
    value.flatMap(unwrapped).flatMap { $0 is NSNull ? nil : $0 }
  }

  /// The stored form of a value of a custom type, or of one that the type may not be made of; `nil` for
  /// other types, and for what is stored as an object.
  static func raw(_ value: Any?, _ shape: PropertyShape) -> StoredValue? {
    guard shape.failableType != nil, shape.type != .object else { return nil }
    guard let value = present(value) else { return shape.isOptional ? .null : nil }
    return coreValue(value, shape)
  }

  /// The same of several values.
  static func raw(_ values: [Any?], _ shape: PropertyShape) -> [StoredValue]? {
    let raw = values.compactMap { self.raw($0, shape) }
    return raw.count == values.count && shape.failableType != nil ? raw : nil
  }

  /// A value as one of a property's type; `nil` if it cannot be converted.
  func convert<T: _Persistable>(_ value: Any?) -> T? {
    let shape = T._shape
    guard let value = Self.present(value) else {
      return shape.isOptional ? T._makeDefault() : nil
    }
    if shape.type == .object, !(value is T) || value is ObjectBase {
      guard let object = object(value, shape) else { return nil }
      return object as? T ?? customValue(object)
    }
    if let same = value as? T { return same }
    if shape.type == .any { return AnyRealmValue(value).flatMap { $0 as? T } }
    guard let stored = Self.coreValue(value, shape) else { return nil }
    if let type = T.self as? any _PersistableInsideOptional.Type {
      return type._decodeIfValid(stored, nil) as? T
    }
    return (T.self as? any RealmCollectionValue.Type).flatMap { $0._decode(stored, nil) as? T }
  }

  /// A value of a custom type that is stored as an object.
  private func customValue<T: _Persistable>(_ object: ObjectBase) -> T? {
    func wrapped<Custom: CustomPersistable>(_ type: Custom.Type) -> Any? {
      (object as? Custom.PersistedType).map { type.init(persistedValue: $0) }
    }
    func wrapped<Custom: FailableCustomPersistable>(_ type: Custom.Type) -> Any? {
      (object as? Custom.PersistedType).flatMap { type.init(persistedValue: $0) }
    }
    let type: Any.Type = T._NonNull.self
    if let custom = type as? any CustomPersistable.Type { return wrapped(custom) as? T }
    return (type as? any FailableCustomPersistable.Type).flatMap { wrapped($0) as? T }
  }

  /// The object that a value is, or that is made of it.
  private func object(_ value: Any, _ shape: PropertyShape) -> ObjectBase? {
    guard let objectClass = shape.objectClass else { return nil }
    if let custom = value as? any CustomPersistable {
      return self.object(custom.persistableValue, shape)
    }
    if let object = value as? ObjectBase {
      if isLinkedItself(object), isInstance(object, of: objectClass) { return object }
      if !isInstance(object, of: objectClass), !(object is DynamicObject) {
        // An object of another class is taken for its properties.
        guard object.objectSchema.className == objectClass.className() else { return nil }
      }
    } else if !(value is [String: Any?] || value is [AnyHashable: Any] || value is [Any?]) {
      return nil
    }
    if let context, let type = objectClass as? Object.Type {
      return context.adder.create(type, value, policy)
    }
    let object = objectClass.init()
    ObjectFiller(policy: policy, context: context).fill(object, with: value)
    return object
  }

  /// Whether an object is linked to as it is, and not copied.
  private func isLinkedItself(_ object: ObjectBase) -> Bool {
    guard let context else { return true }
    guard let other = object.context else { return object is EmbeddedObject || isAdopting }
    // A stored embedded object has its owner; another object gets a copy of it.
    return other === context && (isAdopting || !(object is EmbeddedObject))
  }

  /// A value of any type as one of the file's; `nil` if it cannot be converted.
  static func coreValue(_ given: Any, _ shape: PropertyShape) -> StoredValue? {
    guard let value = propertyValue((given as? any RawRepresentable)?.rawValue ?? given) else {
      return shape.type == .any ? .null : nil
    }
    switch shape.type {
    case .int: return integer(value, bitWidth: shape.bitWidth).map { .int($0) }
    case .bool:
      if let value = value as? Bool { return .bool(value) }
      guard let number = integer(value, bitWidth: 64), number == 0 || number == 1 else {
        return nil
      }
      return .bool(number == 1)
    case .float: return (value as? Float ?? number(value).map(Float.init)).map { .float($0) }
    case .double: return number(value).map { .double($0) }
    case .string: return (value as? String).map { .string($0) }
    case .data: return (value as? Data).map { .data(Array($0)) }
    case .date: return (value as? Date).map { .date(Timestamp($0)) }
    case .objectId:
      if let id = value as? ObjectId { return id._encode(nil) }
      return (value as? String).flatMap(KennelCore.ObjectId.init).map { .objectId($0) }
    case .UUID:
      if let id = value as? UUID { return id._encode(nil) }
      return (value as? String).flatMap(UUIDValue.init).map { .uuid($0) }
    case .decimal128: return Decimal128.number(value).map { $0._encode(nil) }
    case .any: return AnyRealmValue(value).map { $0._encode(nil) }
    case .object, .linkingObjects: return nil
    }
  }

  /// The elements of any sequence.
  static func elements(_ value: Any) -> [Any?]? {
    if let array = value as? [Any?] { return array }
    if value is String { return nil }
    guard let sequence = value as? any Sequence else { return nil }
    return list(sequence)
  }

  /// The entries of a dictionary or map; `nil` for anything else.
  static func entries(_ value: Any) -> [(String, Any?)]? {
    switch value {
    case let dictionary as [String: Any?]: dictionary.map { ($0.key, $0.value) }
    case let map as any AnyMap: map.anyEntries
    case let array as [Any] where array.isEmpty: []
    default: nil
    }
  }

  private static func list(_ sequence: some Sequence) -> [Any?] {
    sequence.map { $0 as Any? }
  }

  private static func integer(_ value: Any, bitWidth: Int) -> Int64? {
    if isTruthValue(value) { return (value as? Bool).map { $0 ? 1 : 0 } }
    let number = (value as? NSNumber).flatMap { Int64(exactly: $0) }
    let range = KennelCore.PropertyType.int(bitWidth: bitWidth).intRange
    return number.flatMap { range.contains($0) ? $0 : nil }
  }

  private static func number(_ value: Any) -> Double? {
    switch value {
    case _ where isTruthValue(value): nil
    case let value as Double: value
    case let value as Float: Double(value)
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  }
}

extension ModelProperty {
  /// The type as messages name it.
  internal var typeText: String {
    let name = shape.objectClass?.className() ?? "\(shape.type)"
    let element = name + (shape.isOptional && shape.type != .object ? "?" : "")
    return switch shape.collection {
    case .none: element
    case .list: "array<\(element)>"
    case .set: "set<\(element)>"
    case .map: "dictionary<string, \(element)>"
    }
  }
}
