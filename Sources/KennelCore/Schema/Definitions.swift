public import KennelStorage

/// A class as a program defines it, by names.
///
/// ```swift
/// let dog = ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)])
/// try database.write { transaction in try transaction.define([dog]) }
/// ```
public struct ClassDefinition: Hashable, Sendable {
  /// The name.
  public var name: String
  /// Whether its objects are embedded.
  public var isEmbedded: Bool
  /// The properties in order.
  public var properties: [PropertyDefinition]
  /// The backlinks that it declares.
  public var backlinks: [BacklinkDefinition]

  /// Makes a definition.
  public init(
    _ name: String,
    isEmbedded: Bool = false,
    properties: [PropertyDefinition] = [],
    backlinks: [BacklinkDefinition] = []
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.backlinks = backlinks
  }
}

extension ClassDefinition {
  /// Why a class, property or backlink cannot have a name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The rule that the name breaks; `nil` if it can be used.
  public static func problem(ofName name: String) -> String? {
    SchemaName.problem(name)
  }
}

/// A property as a program defines it.
///
/// ```swift
/// let name = PropertyDefinition("name", .string, isPrimaryKey: true)
/// let dogs = PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade)
/// try transaction.define([ClassDefinition("Owner", properties: [name, dogs])])
/// ```
public struct PropertyDefinition: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The type.
  public var type: PropertyType
  /// Whether the property identifies the object.
  public var isPrimaryKey: Bool
  /// Whether an index is kept.
  public var isIndexed: Bool
  /// What a deletion does along links of this property; `nil` keeps what the file says.
  public var deleteRule: DeleteRule?
  /// What objects get that are created without a value; `nil` for the type's own default: null
  /// where the type allows it, else 0, "", false, an empty collection, the epoch.
  public var defaultValue: Value?

  /// Makes a definition.
  public init(
    _ name: String,
    _ type: PropertyType,
    isPrimaryKey: Bool = false,
    isIndexed: Bool = false,
    deleteRule: DeleteRule? = nil,
    defaultValue: Value? = nil
  ) {
    self.name = name
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.deleteRule = deleteRule
    self.defaultValue = defaultValue
  }
}

/// A declared backlink, which gives the links from another class a name.
///
/// ```swift
/// let owners = BacklinkDefinition("owners", origin: "Person", property: "dogs")
/// try transaction.define([ClassDefinition("Dog", backlinks: [owners])])
/// ```
public struct BacklinkDefinition: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The class whose links are followed backwards.
  public var origin: String
  /// The link property of that class.
  public var property: String

  /// Makes a definition.
  public init(_ name: String, origin: String, property: String) {
    self.name = name
    self.origin = origin
    self.property = property
  }
}
