import KennelCore

/// How the value of a property gets from an unmanaged object to where it is stored.
///
/// The commonest types have a function of their own, without anything generic: the compiler makes
/// generic code once for all types, and finding out what it deals with costs more than storing a value.
internal enum AdoptionWay: Sendable {
  /// By what ``AnyPersisted`` says of the property's type.
  case generic
  /// It is the primary key, which is stored when the object is made.
  case primaryKey
  case scalar(ScalarAdoption)
  /// A link to an object that is not embedded.
  case link
  case embedded
  /// A list of objects or an inverse relationship.
  case collection(CollectionAdoption)
}

/// Stores the scalar at a place; a null is left out where the stored object is null by default.
internal typealias ScalarAdoption =
  @Sendable (
    FieldPlace, PropertyKey, ObjectIdentity, WriteTransaction, _ isNullByDefault: Bool
  ) throws(DatabaseError) -> Void

/// How one property of an object that is added is stored.
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
