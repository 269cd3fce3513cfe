import Foundation
import KennelCore

/// How the value of a property gets from an unmanaged object to where it is stored.
///
/// The commonest types have a way of their own, without anything generic: the compiler makes generic
/// code once for all types, and finding out what it deals with costs more than storing a value.
internal enum AdoptionWay: Sendable {
  /// By what ``AnyPersisted`` says of the property's type.
  case generic
  /// It is the primary key, which is stored when the object is made.
  case primaryKey
  case int, bool, double, date, string
  case optionalInt, optionalString
  /// A link to an object that is not embedded.
  case link
  case embedded
  /// A list of objects or an inverse relationship.
  case collection(CollectionAdoption)

  init<Value: _Persistable>(_ type: Value.Type) {
    if let way = Self.scalars[ObjectIdentifier(type)] {
      self = way
      return
    }
    // A type of the program may be stored as an object without being one.
    let wrapped: Any.Type = Value._NonNull.self
    if wrapped is Object.Type {
      self = .link
    } else if wrapped is EmbeddedObject.Type {
      self = .embedded
    } else if let adoption = (type as? any AttachableCollection.Type)?.adoption {
      self = .collection(adoption)
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

/// A step of adding an object: one property.
internal struct AdoptionStep: Sendable {
  let way: AdoptionWay
  /// Among the properties of the class.
  let position: Int
  /// Where the wrapper lies in the object.
  let offset: Int
  let key: PropertyKey
  /// The property, where it holds an embedded object.
  let owning: TypedProperty<ObjectIdentity?>?
}
