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
    case .int: set(Int64(take(Int.self, place, key)), key)
    case .bool: set(take(Bool.self, place, key), key)
    case .double: set(take(Double.self, place, key), key)
    case .date: set(Timestamp(take(Date.self, place, key)), key)
    case .string: set(take(String.self, place, key), key)
    case .optionalInt:
      let value = take(Int?.self, place, key).map { Int64($0) }
      if value != nil || !isNullByDefault { set(value, key) }
    case .optionalString:
      let value = take(String?.self, place, key)
      if value != nil || !isNullByDefault { set(value, key) }
    case .link where isNew:
      // All classes lie in memory alike.
      guard let target = take(Object?.self, place, key) else { return true }
      set(context.adder.managedIdentity(of: target), key)
    case .embedded where isNew:
      guard let embedded = take(EmbeddedObject?.self, place, key) else { return true }
      context.adder.place(embedded, at: Slot(identity, key), step.owning)
    case .collection(let adopt) where isNew: return adopt(object, place, key)
    case .generic, .primaryKey, .link, .embedded, .collection: return false
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

  /// Stores a value; inlined, so that nothing of it is generic where it is called.
  @inline(__always)
  private func set<Stored: NullablePropertyValue>(_ value: Stored?, _ key: PropertyKey) {
    do throws(DatabaseError) {
      try Stored._setNullable(value, identity, key, in: transaction)
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
