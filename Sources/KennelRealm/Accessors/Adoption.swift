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
    case .int:
      let value = Int64(take(Int.self, place, key))
      attempt { () throws(DatabaseError) in
        try Int64._setNullable(value, identity, key, in: transaction)
      }
    case .bool:
      let value = take(Bool.self, place, key)
      attempt { () throws(DatabaseError) in
        try Bool._setNullable(value, identity, key, in: transaction)
      }
    case .double:
      let value = take(Double.self, place, key)
      attempt { () throws(DatabaseError) in
        try Double._setNullable(value, identity, key, in: transaction)
      }
    case .date:
      let value = Timestamp(take(Date.self, place, key))
      attempt { () throws(DatabaseError) in
        try Timestamp._setNullable(value, identity, key, in: transaction)
      }
    case .string:
      let value = take(String.self, place, key)
      attempt { () throws(DatabaseError) in
        try String._setNullable(value, identity, key, in: transaction)
      }
    case .optionalInt:
      let value = take(Int?.self, place, key).map { Int64($0) }
      if value == nil, isNullByDefault { return true }
      attempt { () throws(DatabaseError) in
        try Int64._setNullable(value, identity, key, in: transaction)
      }
    case .optionalString:
      let value = take(String?.self, place, key)
      if value == nil, isNullByDefault { return true }
      attempt { () throws(DatabaseError) in
        try String._setNullable(value, identity, key, in: transaction)
      }
    case .link, .embedded, .collection: return isNew && storeLinks(step, place)
    case .generic, .primaryKey: return false
    }
    return true
  }

  /// Stores the links of a property of a new object.
  private func storeLinks(_ step: AdoptionStep, _ place: FieldPlace) -> Bool {
    let key = step.key
    switch step.way {
    case .link:
      // All classes lie in memory alike.
      guard let target = take(Object?.self, place, key) else { return true }
      let link = context.adder.managedIdentity(of: target)
      attempt { () throws(DatabaseError) in
        try ObjectIdentity._setNullable(link, identity, key, in: transaction)
      }
    case .embedded:
      guard let embedded = take(EmbeddedObject?.self, place, key) else { return true }
      context.adder.place(embedded, at: Slot(identity, key), step.owning)
    case .collection(let adopt): return adopt(object, place, key)
    case .generic, .primaryKey, .int, .bool, .double, .date, .string, .optionalInt, .optionalString:
      return false
    }
    return true
  }

  /// The value of an unmanaged object, whose wrapper becomes that of a managed one.
  @inline(__always)
  private func take<Value: _Persistable>(
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
  /// The unmanaged value of a property of type `Int`.
  internal final func unmanagedInteger(at offset: Int) -> Int {
    let place = FieldPlace(self, offset: offset)
    return if case .value(let value) = place[as: Persisted<Int>.self].storage { value } else { 0 }
  }
}
