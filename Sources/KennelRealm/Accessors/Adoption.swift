import Foundation
import KennelCore
import KennelFoundation

/// How the value of a property gets from an unmanaged object to where it is stored.
///
/// The commonest types have a way of their own, without anything generic: the compiler makes generic
/// code once for all types, and finding out what it deals with costs more than storing a value.
internal enum AdoptionWay: UInt8 {
  /// By what ``AnyPersisted`` says of the property's type.
  case generic
  /// It is the primary key, which is stored when the object is made.
  case primaryKey
  case int, bool, double, date, string
  case optionalInt, optionalString
  /// A link to an object that is not embedded.
  case link
  case embedded
  case list
  case inverse

  init<Value: _Persistable>(_ type: Value.Type) {
    if let way = Self.scalars[ObjectIdentifier(type)] {
      self = way
      return
    }
    // A type of the program may be stored as an object without being one.
    let wrapped = (type as? any AnyOptional.Type)?.wrappedType
    if wrapped is Object.Type {
      self = .link
    } else if wrapped is EmbeddedObject.Type {
      self = .embedded
    } else if Value._shape.type == .linkingObjects {
      self = .inverse
    } else if Value._shape.collection == .list, Value.self is AnyClass {
      self = .list
    } else {
      self = .generic
    }
  }

  private static let scalars: [ObjectIdentifier: AdoptionWay] = [
    ObjectIdentifier(Int.self): .int,
    ObjectIdentifier(Bool.self): .bool,
    ObjectIdentifier(Double.self): .double,
    ObjectIdentifier(Date.self): .date,
    ObjectIdentifier(String.self): .string,
    ObjectIdentifier(Int?.self): .optionalInt,
    ObjectIdentifier(String?.self): .optionalString,
  ]
}

/// What becomes of one property of an object that is added.
internal struct AdoptionStep {
  let way: AdoptionWay
  /// Among the properties of the class.
  let position: Int
  /// Where the wrapper lies in the object.
  let offset: Int
  let key: PropertyKey
  /// The property, where it holds an embedded object.
  let owning: TypedProperty<ObjectIdentity?>?
}

/// An object that becomes the accessor of a stored one, which gets what it held.
internal struct Adoption {
  let object: ObjectBase
  let identity: ObjectIdentity
  let context: RealmContext
  let transaction: WriteTransaction
  /// Whether the stored object has nothing but its defaults, and is null wherever it can be.
  let isNew: Bool
  let isNullByDefault: Bool

  private var start: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(object).toOpaque() }

  /// Stores what a property holds; false where it has no way of its own.
  func store(_ step: AdoptionStep) -> Bool {
    let place = unsafe start + step.offset
    let key = step.key
    switch step.way {
    case .int:
      let value = unsafe Int64(take(Int.self, place, key))
      attempt { () throws(DatabaseError) in
        try Int64._setNullable(value, identity, key, in: transaction)
      }
    case .bool:
      let value = unsafe take(Bool.self, place, key)
      attempt { () throws(DatabaseError) in
        try Bool._setNullable(value, identity, key, in: transaction)
      }
    case .double:
      let value = unsafe take(Double.self, place, key)
      attempt { () throws(DatabaseError) in
        try Double._setNullable(value, identity, key, in: transaction)
      }
    case .date:
      let value = unsafe Timestamp(take(Date.self, place, key))
      attempt { () throws(DatabaseError) in
        try Timestamp._setNullable(value, identity, key, in: transaction)
      }
    case .string:
      let value = unsafe take(String.self, place, key)
      attempt { () throws(DatabaseError) in
        try String._setNullable(value, identity, key, in: transaction)
      }
    case .optionalInt:
      let value = unsafe take(Int?.self, place, key).map { Int64($0) }
      if value == nil, isNullByDefault { return true }
      attempt { () throws(DatabaseError) in
        try Int64._setNullable(value, identity, key, in: transaction)
      }
    case .optionalString:
      let value = unsafe take(String?.self, place, key)
      if value == nil, isNullByDefault { return true }
      attempt { () throws(DatabaseError) in
        try String._setNullable(value, identity, key, in: transaction)
      }
    case .link, .embedded, .list, .inverse: return unsafe isNew && storeLinks(step, place)
    case .generic, .primaryKey: return false
    }
    return true
  }

  /// Stores the links of a property of a new object.
  private func storeLinks(_ step: AdoptionStep, _ place: UnsafeMutableRawPointer) -> Bool {
    let key = step.key
    switch step.way {
    case .link:
      // All classes lie in memory alike.
      guard let target = unsafe take(Object?.self, place, key) else { return true }
      let link = context.adder.managedIdentity(of: target)
      attempt { () throws(DatabaseError) in
        try ObjectIdentity._setNullable(link, identity, key, in: transaction)
      }
    case .embedded:
      guard let embedded = unsafe take(EmbeddedObject?.self, place, key) else { return true }
      context.adder.place(embedded, at: Slot(identity, key), step.owning)
    case .list:
      let wrapper = unsafe place.assumingMemoryBound(to: Persisted<List<Object>>.self)
      if case .value = unsafe wrapper.pointee.storage {
        let list = unsafe place.load(as: AnyObject.self)
        guard known(list, as: List<Object>.self).adopt(object, key) else { return false }
      }
      unsafe wrapper.pointee.storage = .managed(key)
    case .inverse:
      let wrapper = unsafe place.assumingMemoryBound(to: Persisted<LinkingObjects<Object>>.self)
      // Where nobody looked at it, there will be another when somebody does.
      guard case .declared = unsafe wrapper.pointee.storage else { return false }
      unsafe wrapper.pointee.storage = .managed(key)
    case .generic, .primaryKey, .int, .bool, .double, .date, .string, .optionalInt, .optionalString:
      return false
    }
    return true
  }

  /// The value of an unmanaged object, whose wrapper becomes that of a managed one.
  @inline(__always)
  private func take<Value: _Persistable>(
    _ type: Value.Type,
    _ place: UnsafeMutableRawPointer,
    _ key: PropertyKey
  ) -> Value {
    let wrapper = unsafe place.assumingMemoryBound(to: Persisted<Value>.self)
    let value: Value
    if case .value(let held) = unsafe wrapper.pointee.storage {
      value = held
    } else {
      value = Value._makeDefault()
    }
    unsafe wrapper.pointee.storage = .managed(key)
    return value
  }

  @inline(__always)
  private func attempt(_ body: () throws(DatabaseError) -> Void) {
    do throws(DatabaseError) {
      try body()
    } catch {
      context.note(error)
    }
  }
}

extension ObjectBase {
  /// What a integer holds that is unmanaged, in a wrapper of no other type.
  internal final func unmanagedInteger(at offset: Int) -> Int {
    let place = unsafe Unmanaged.passUnretained(self).toOpaque() + offset
    let wrapper = unsafe place.assumingMemoryBound(to: Persisted<Int>.self)
    if case .value(let value) = unsafe wrapper.pointee.storage { return value }
    return 0
  }
}
