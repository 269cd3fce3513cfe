import Foundation
import KennelCore
import KennelFoundation

/// An object that becomes the accessor of a stored one, which gets what it held.
internal struct Adoption {
  let object: ObjectBase
  let identity: ObjectIdentity
  let context: RealmContext
  let transaction: WriteTransaction
  /// Whether the stored object has nothing but its defaults, and is null wherever it can be.
  let isNew: Bool
  let isNullByDefault: Bool

  /// Stores what a property holds; false where it has no way of its own.
  func store(_ step: AdoptionStep) -> Bool {
    let place = FieldPlace(object, offset: step.offset)
    let key = step.key
    switch step.way {
    case .scalar(let adopt):
      attempt { () throws(DatabaseError) in
        try adopt(place, key, identity, transaction, isNullByDefault)
      }
    case .link:
      guard isNew else { return false }
      // All classes lie in memory alike.
      guard let target = adopted(Object?.self, place, key) else { return true }
      let link = context.adder.managedIdentity(of: target)
      attempt { () throws(DatabaseError) in
        try ObjectIdentity._setNullable(link, identity, key, in: transaction)
      }
    case .embedded:
      guard isNew else { return false }
      guard let embedded = adopted(EmbeddedObject?.self, place, key) else { return true }
      context.adder.place(embedded, at: Slot(identity, key), step.owning)
    case .collection(let adopt): return isNew && adopt(object, place, key)
    case .generic, .primaryKey: return false
    }
    return true
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

/// The value of an unmanaged object, whose wrapper becomes that of a managed one.
@inline(__always)
private func adopted<Value: _Persistable>(
  _ type: Value.Type,
  _ place: FieldPlace,
  _ key: PropertyKey
) -> Value {
  let value: Value
  if case .value(let held) = place[as: Persisted<Value>.self].storage {
    value = held
  } else {
    value = Value._makeDefault()
  }
  place[as: Persisted<Value>.self].storage = .managed(key)
  return value
}

extension AdoptionWay {
  init<Value: _Persistable>(_ type: Value.Type) {
    // A type of the program may be stored as an object without being one.
    let wrapped: Any.Type = Value._NonNull.self
    if let adoption = Self.scalars[ObjectIdentifier(type)] {
      self = .scalar(adoption)
    } else if wrapped is Object.Type {
      self = .link
    } else if wrapped is EmbeddedObject.Type {
      self = .embedded
    } else if let adoption = (type as? any AttachableCollection.Type)?.adoption {
      self = .collection(adoption)
    } else {
      self = .generic
    }
  }

  private static let scalars: [ObjectIdentifier: ScalarAdoption] = [
    ObjectIdentifier(Int.self): scalar(Int.self),
    ObjectIdentifier(Bool.self): scalar(Bool.self),
    ObjectIdentifier(Double.self): scalar(Double.self),
    ObjectIdentifier(Date.self): scalar(Date.self),
    ObjectIdentifier(String.self): scalar(String.self),
    ObjectIdentifier(Int?.self): optional(Int.self),
    ObjectIdentifier(String?.self): optional(String.self),
  ]

  private static func scalar<Value: _Scalar & SendableMetatype>(
    _ type: Value.Type
  ) -> ScalarAdoption {
    { (place, key, object, transaction, _) throws(DatabaseError) in
      let value = adopted(type, place, key)._stored
      try Value.Stored._setNullable(value, object, key, in: transaction)
    }
  }

  private static func optional<Value: _Scalar & SendableMetatype>(
    _ type: Value.Type
  ) -> ScalarAdoption {
    { (place, key, object, transaction, isNullByDefault) throws(DatabaseError) in
      let value = adopted(Value?.self, place, key)
      if value == nil, isNullByDefault { return }
      try Value.Stored._setNullable(value?._stored, object, key, in: transaction)
    }
  }
}

extension ObjectBase {
  /// The unmanaged value of a property of type `Int`.
  internal final func unmanagedInteger(at offset: Int) -> Int {
    let place = FieldPlace(self, offset: offset)
    return if case .value(let value) = place[as: Persisted<Int>.self].storage { value } else { 0 }
  }
}
