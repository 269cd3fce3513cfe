public import KennelCore

/// A member of a model: a ``Property`` or ``Backlinks``.
///
/// ```swift
/// let members: [ModelMember] = [Property<String>(.indexed), Backlinks<Person>(of: \.dogs)]
/// print(members.count)
/// ```
@safe public class ModelMember: @unchecked Sendable {
  /// The name in the file; empty until a database that has the model is opened, unless the
  /// declaration names it.
  public internal(set) final var name: String
  /// The binding of the model that the member leads to, which the database keeps.
  ///
  /// Without checks for exclusive access, as ``Property/column``.
  @exclusivity(unchecked) @usableFromInline
  internal final var neighbor: Unmanaged<AnyBinding>?

  internal init(name: String?) { self.name = name ?? "" }

  /// The definition of a property; `nil` for backlinks.
  internal func property() throws(DatabaseError) -> PropertyDefinition? { nil }

  /// The definition of backlinks; `nil` for a property.
  internal func backlink(_ bindings: Bindings) throws(DatabaseError) -> BacklinkDefinition? { nil }

  /// The models that the member names.
  internal var neighbors: [any Model.Type] { [] }

  /// Finds the member in the schema of a file.
  internal func bind(_ className: String, _ bindings: Bindings) throws(DatabaseError) {}

  /// The error of an object whose model no database has.
  @usableFromInline
  @inline(never)
  internal final func unbound() -> DatabaseError {
    DatabaseError(.noSuchProperty, "The model of the property \(name) is not open in a database")
  }
}

/// A property of a model.
///
/// ```swift
/// struct Person: Model {
///   let name = Property<String>(.primaryKey)
///   let mood = Property<Mood>(name: "feeling", default: .calm)
///   let dogs = Property<[Object<Dog>]>(deleteRule: .cascade)
/// }
/// enum Mood: String, ScalarEnum { case calm, cross }
/// let database = try Database.open(path, models: Person.self)
/// try database.write { db in
///   let ada = try db.create(Person.self) { $0.name = "Ada" }
///   print(try ada.mood)
/// }
/// ```
///
/// Objects that are older than a property have its default value. A default that is changed or taken away
/// is taken over when the database is opened: objects that are created from then on have the new one,
/// others keep their values. (A default of a collection, document or `Value` that is taken away stays.)
public final class Property<V: Storable>: ModelMember, @unchecked Sendable {
  /// Options of a property.
  ///
  /// ```swift
  /// let city = Property<String>(.indexed)
  /// print(city.options == .indexed)
  /// ```
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No two objects have the same value, and ``Reading/find(_:_:)`` finds the object that has it.
    public static var primaryKey: Options { Options(rawValue: 1) }
    /// Queries for the value take logarithmic time.
    public static var indexed: Options { Options(rawValue: 2) }
    /// No two objects have the same value, except null; the property has an index, and
    /// ``Reading/find(_:_:)`` finds the object that has a value.
    public static var unique: Options { Options(rawValue: 4) }
  }

  /// The options.
  public let options: Options
  private let deleteRule: DeleteRule?
  private let targetRule: TargetRule?
  private let defaultValue: V?
  /// The property in the file; `nil` until a database that has the model is opened.
  ///
  /// Safe to use without checks for exclusive access, which cost as much as to read a number: it is set
  /// before anybody has the database.
  @safe @exclusivity(unchecked) @usableFromInline
  internal private(set) var column: TypedProperty<V.Stored>?
  @safe @exclusivity(unchecked) @usableFromInline
  internal private(set) var type = PropertyType(.mixed)

  /// Declares a property.
  ///
  /// - Parameters:
  ///   - options: Whether the property is the primary key, is unique or has an index.
  ///   - name: The name of the property in the file, if it is not that of the member.
  ///   - deleteRule: What happens to the target of a link when the object is deleted or, with
  ///     `cascadeIfLast`, the link is removed; `nil` for the rule in the file, which is
  ///     ``DeleteRule/nullify`` for a new property.
  ///   - targetRule: What happens to the object when the target of a link is deleted; `nil` for the
  ///     rule in the file, which is ``TargetRule/nullify`` for a new property.
  ///   - default: The value of objects that are created without one; `nil` for the value that the
  ///     type starts with: null, 0, "", false, an empty collection, the first case of a
  ///     `CaseIterable` enum, the start of 1970, or an identifier of zeros.
  public init(
    _ options: Options = [],
    name: String? = nil,
    deleteRule: DeleteRule? = nil,
    targetRule: TargetRule? = nil,
    default: V? = nil
  ) {
    self.options = options
    self.deleteRule = deleteRule
    self.targetRule = targetRule
    defaultValue = `default`
    super.init(name: name)
  }

  override internal func property() throws(DatabaseError) -> PropertyDefinition? {
    let type = V.propertyType
    let isScalar = type.collection == .none && type.kind != .mixed
    let value = try (defaultValue ?? V.startingValue)?.stored.value(for: type)
    return PropertyDefinition(
      name,
      type,
      isPrimaryKey: options.contains(.primaryKey),
      isUnique: options.contains(.unique),
      isIndexed: options.contains(.indexed),
      deleteRule: deleteRule,
      targetRule: targetRule,
      defaultValue: value ?? (isScalar ? type.initialValue : nil)
    )
  }

  override internal var neighbors: [any Model.Type] { V.neighbors }

  override internal func bind(
    _ className: String,
    _ bindings: Bindings
  ) throws(DatabaseError) {
    let schema = bindings.schema
    column = try schema.property(name, of: className)
    type = try schema.require(className).require(name).type
  }
}

/// The objects that link to an object through a property of a model.
///
/// ```swift
/// struct Dog: Model {
///   let name = Property<String>()
///   let owners = Backlinks<Person>(of: \.dogs)
/// }
/// struct Person: Model {
///   let name = Property<String>()
///   let dogs = Property<[Object<Dog>]>()
/// }
/// let database = try Database.open(path, models: Dog.self, Person.self)
/// for dog in try database.snapshot().objects(Dog.self) {
///   for owner in try dog.owners { print(try owner.name) }
/// }
/// ```
///
/// Every change of a link updates its backlinks. An object that links twice appears twice.
public final class Backlinks<Origin: Model>: ModelMember, @unchecked Sendable {
  private let path: any (PartialKeyPath<Origin> & Sendable)
  /// The property in the file; `nil` until a database that has the model is opened.
  ///
  /// Safe to use without checks, as ``Property/column``.
  @safe @exclusivity(unchecked) @usableFromInline internal private(set) var origins: Origins?

  /// Declares backlinks.
  ///
  /// - Parameters:
  ///   - path: The property of the other model that links here.
  ///   - name: Their name in the file, if it is not that of the member.
  public init<V: Storable>(
    of path: any (KeyPath<Origin, Property<V>> & Sendable),
    name: String? = nil
  ) {
    self.path = path
    super.init(name: name)
  }

  override internal var neighbors: [any Model.Type] { [Origin.self] }

  override internal func backlink(
    _ bindings: Bindings
  ) throws(DatabaseError) -> BacklinkDefinition? {
    BacklinkDefinition(name, origin: Origin.className, property: try originName(bindings))
  }

  private func originName(_ bindings: Bindings) throws(DatabaseError) -> String {
    let origin = try bindings.binding(Origin.self).model
    return (origin[keyPath: path] as? ModelMember)?.name ?? ""
  }

  override internal func bind(
    _ className: String,
    _ bindings: Bindings
  ) throws(DatabaseError) {
    origins = try Origins(originName(bindings), of: Origin.className, in: bindings.schema)
  }
}

/// The property whose links backlinks are.
@usableFromInline
internal struct Origins: Sendable {
  let property: PropertyKey
  /// The property where it is a list or set of links.
  let list: TypedProperty<[ObjectIdentity]>?
  /// The property where it is a link.
  let link: TypedProperty<ObjectIdentity?>?

  /// Finds a property in a schema.
  init(_ name: String, of className: String, in schema: Schema) throws(DatabaseError) {
    let found = try schema.require(className).require(name)
    property = found.key
    list = try? schema.property(name, of: className)
    link = try? schema.property(name, of: className)
  }
}
