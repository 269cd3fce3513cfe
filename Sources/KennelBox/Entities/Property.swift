import KennelCore

/// A property of an entity, for queries; generated code has one for each, such as `Note.title`.
///
/// ```swift
/// let query = try box.query { Note.title.contains("milk") && Note.done == false }.build()
/// ```
///
/// `V` is the type of the property's values. `R` is the entity that a relation leads to, the type of
/// the id for the id property, and `Void` for every other property.
public struct Property<E: EntityInspectable & __EntityRelatable, V, R>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = V

  /// The number of the property in the entity.
  public let number: Int

  /// Creates a property from its number; generated code calls it.
  public init(_ number: Int) { self.number = number }
}

/// A property that holds a value: neither an id nor a relation.
public typealias ValueProperty<E: EntityInspectable & __EntityRelatable, V> = Property<E, V, Void>
where E == E.EntityBindingType.EntityType

/// A to-many relation of an entity, for queries; generated code has one for each.
///
/// ```swift
/// let query = try box.query().link(Writer.notes) { Note.done == true }.build()
/// ```
public struct ToManyProperty<E: EntityInspectable & __EntityRelatable, R>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The number of the property in the entity.
  public let number: Int

  /// Creates a relation from its number; generated code calls it.
  public init(_ number: Int) { self.number = number }
}
