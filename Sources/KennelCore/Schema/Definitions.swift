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
  /// Whether objects of the class are embedded.
  public var isEmbedded: Bool
  /// The properties, in order.
  public var properties: [PropertyDefinition]
  /// The declared backlinks.
  public var backlinks: [BacklinkDefinition]

  /// Creates a definition.
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
  /// Returns why a name is not allowed for a class, property or backlink.
  ///
  /// - Parameter name: The name.
  /// - Returns: The rule that the name violates; `nil` if it is allowed.
  public static func problem(ofName name: String) -> String? {
    SchemaName.problem(name)
  }

  /// Returns a name for what another program named, for a class, property or backlink.
  ///
  /// Each character that no name has becomes `_`. Behind a name that is taken comes `_`, then `_2`,
  /// `_3` and so on.
  ///
  /// - Parameters:
  ///   - name: The name that it has elsewhere.
  ///   - taken: The UTF-8 bytes of the names that are taken; the new one is added.
  /// - Returns: The same name if it is allowed and not taken, otherwise a similar one.
  public static func allowedName(
    for name: String,
    besides taken: inout Set<[UInt8]>
  ) -> String {
    if problem(ofName: name) == nil, taken.insert(Array(name.utf8)).inserted { return name }
    var stem = ""
    // A number may follow.
    for scalar in name.unicodeScalars where stem.utf8.count < 240 {
      stem.unicodeScalars.append(problem(ofName: String(scalar)) == nil ? scalar : "_")
    }
    if stem.isEmpty { stem = "_" }
    var unique = stem
    var number = 1
    while !taken.insert(Array(unique.utf8)).inserted {
      unique = stem + (number == 1 ? "_" : "_\(number)")
      number += 1
    }
    return unique
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
  /// Whether the property is the primary key.
  public var isPrimaryKey: Bool
  /// Whether no two objects may have the same value, except null; such a property is indexed.
  public var isUnique: Bool
  /// Whether the property is indexed.
  public var isIndexed: Bool
  /// The delete rule of its links; `nil` keeps the rule in the file.
  public var deleteRule: DeleteRule?
  /// The target rule of its links; `nil` keeps the rule in the file.
  public var targetRule: TargetRule?
  /// The value of objects created without one.
  ///
  /// `nil` means the default in the file, which for a new property is that of the type: null if
  /// optional, otherwise 0, "", false, an empty collection or the epoch.
  public var defaultValue: Value?
  /// How the JSON schema that the property was read from writes it; `nil` keeps the form in the file.
  public var schemaForm: SchemaForm?

  /// Creates a definition.
  public init(
    _ name: String,
    _ type: PropertyType,
    isPrimaryKey: Bool = false,
    isUnique: Bool = false,
    isIndexed: Bool = false,
    deleteRule: DeleteRule? = nil,
    targetRule: TargetRule? = nil,
    defaultValue: Value? = nil,
    schemaForm: SchemaForm? = nil
  ) {
    self.name = name
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.deleteRule = deleteRule
    self.targetRule = targetRule
    self.defaultValue = defaultValue
    self.schemaForm = schemaForm
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
  /// The class with the link property.
  public var origin: String
  /// The link property.
  public var property: String

  /// Creates a definition.
  public init(_ name: String, origin: String, property: String) {
    self.name = name
    self.origin = origin
    self.property = property
  }
}
