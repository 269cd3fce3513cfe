/// A class or structure whose objects a box stores.
///
/// ```swift
/// final class Note: Entity {
///   var id: Id = 0
///   var title = ""
///   var done = false
///   var stars = 0
///   var author: ToOne<Writer> = nil
///   required init() {}
/// }
/// ```
///
/// The build tool plugin `KennelBoxModels` finds entities in the sources of a target and writes the
/// code that stores them: an entity's stored properties are its properties in the database, except
/// those annotated with `transient`. An entity has an id and, if it is a class, an initializer
/// without parameters.
public protocol Entity {}

/// An entity whose properties are described; generated code adds the conformance.
///
/// ```swift
/// print(Note.entityInfo.name)
/// ```
public protocol EntityInspectable: SendableMetatype {
  /// The type that reads and writes the entity.
  associatedtype EntityBindingType: EntityBinding

  /// The binding, which reads and writes the entity.
  static var entityBinding: EntityBindingType { get }
}

extension EntityInspectable {
  /// The description of the entity.
  public static var entityInfo: EntityInfo { entityBinding.entityInfo }
}

// swift-format-ignore: NoLeadingUnderscores
/// An entity that relations can lead to; generated code adds the conformance.
///
/// ```swift
/// func name<E: EntityInspectable & __EntityRelatable>(of type: E.Type) -> String {
///   type.entityInfo.name
/// }
/// ```
public protocol __EntityRelatable: Entity {}

/// Reads and writes the objects of an entity; generated code implements it.
///
/// ```swift
/// print(Note.entityBinding.id(of: note))
/// ```
///
/// A property's number is its position in ``EntityInfo/properties``.
public protocol EntityBinding: Sendable {
  /// The entity.
  associatedtype EntityType
  /// The type of its ids.
  associatedtype IdType: IdBase

  /// The description of the entity.
  var entityInfo: EntityInfo { get }

  /// Returns the id of an object; 0 if it was never put.
  func id(of entity: EntityType) -> Id

  /// Sets the id of an object.
  func setId(_ id: Id, of entity: inout EntityType)

  /// Writes the properties of an object.
  func write(_ entity: EntityType, to writer: inout EntityWriter) throws

  /// Creates an object and reads its properties.
  func read(from reader: inout EntityReader) throws -> EntityType

  /// Connects the relations of an object, which was just put, with the store.
  func attach(_ entity: EntityType, to connector: RelationConnector) throws

  /// Returns the to-one relation with the given number; `nil` if the property with that number is
  /// not a to-one relation.
  func toOne(at number: Int, of entity: EntityType) -> (any ToOneRelation)?
}

extension EntityBinding {
  /// Does nothing: the entity has no relations.
  public func attach(_ entity: EntityType, to connector: RelationConnector) throws {}

  /// Returns `nil`: the entity has no to-one relations.
  public func toOne(at number: Int, of entity: EntityType) -> (any ToOneRelation)? { nil }
}

/// A to-one relation whose target can be set by its id.
///
/// ```swift
/// let author: any ToOneRelation = note.author
/// author.setTargetId(3)
/// ```
public protocol ToOneRelation: AnyObject {
  /// Sets the target by its id; 0 for none.
  func setTargetId(_ id: Id)
}
