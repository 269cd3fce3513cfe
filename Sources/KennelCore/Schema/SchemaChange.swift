public import KennelStorage

/// A change of the schema that a draft or a write transaction makes, with the objects that are there.
///
/// ```swift
/// let draft = try database.makeDraft()
/// try draft.changeSchema(.renameProperty("name", of: "Dog", to: "callName"))
/// try draft.changeSchema(.retypeProperty("age", of: "Dog", to: .double, clearing: false))
/// print(draft.schemaChanges.map { "\($0.change)" })
/// ```
///
/// Classes and properties are named as they are when the change is made.
public enum SchemaChange: Hashable, Sendable {
  /// Adds a class without properties.
  case addClass(String, isEmbedded: Bool)
  /// Renames a class.
  case renameClass(String, to: String)
  /// Deletes a class, which must have no objects, and to which no property of another class links.
  case deleteClass(String)
  /// Adds a property; the objects that are there get its default.
  case addProperty(PropertyDefinition, of: String)
  /// Renames a property.
  case renameProperty(String, of: String, to: String)
  /// Gives a property another type, and converts its values.
  ///
  /// A value that cannot be converted becomes null, or the default of the type where that is
  /// required, if `clearing` says so; otherwise nothing is changed. Of a collection, only the elements
  /// that cannot be converted go.
  case retypeProperty(String, of: String, to: PropertyType, clearing: Bool)
  /// Deletes a property with its values and embedded objects; the rules of its links are ignored.
  case deleteProperty(String, of: String)
  /// Makes a property the primary key of its class; `nil` for none.
  case setPrimaryKey(String?, of: String)
  /// Makes a property unique, or allows equal values.
  case setUnique(Bool, String, of: String)
  /// Makes an index for a property, or removes it.
  case setIndexed(Bool, String, of: String)
  /// Changes the delete rule of the links of a property.
  case setDeleteRule(DeleteRule, String, of: String)
  /// Changes the target rule of the links of a property.
  case setTargetRule(TargetRule, String, of: String)

  /// The class that is changed, by its name before the change.
  public var className: String {
    switch self {
    case .addClass(let name, _), .renameClass(let name, _), .deleteClass(let name),
      .addProperty(_, let name), .renameProperty(_, let name, _),
      .retypeProperty(_, let name, _, _), .deleteProperty(_, let name),
      .setPrimaryKey(_, let name), .setUnique(_, _, let name), .setIndexed(_, _, let name),
      .setDeleteRule(_, _, let name), .setTargetRule(_, _, let name):
      name
    }
  }

  /// The property that is changed, by its name before the change; `nil` if the class is.
  public var propertyName: String? {
    switch self {
    case .addClass, .renameClass, .deleteClass: nil
    case .addProperty(let definition, _): definition.name
    case .renameProperty(let name, _, _), .retypeProperty(let name, _, _, _),
      .deleteProperty(let name, _), .setUnique(_, let name, _), .setIndexed(_, let name, _),
      .setDeleteRule(_, let name, _), .setTargetRule(_, let name, _):
      name
    case .setPrimaryKey(let name, _): name
    }
  }

  /// Whether values go with it, so that a draft cannot take it back once it is committed.
  public var isFinal: Bool {
    switch self {
    case .deleteClass, .deleteProperty, .retypeProperty: true
    case .addClass, .renameClass, .addProperty, .renameProperty, .setPrimaryKey, .setUnique,
      .setIndexed, .setDeleteRule, .setTargetRule:
      false
    }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// The change as a sentence without its period, such as `rename Dog.name to nickname`.
  public var description: String {
    let property = propertyName.map { "\(className).\($0)" } ?? className
    switch self {
    case .addClass(let name, let isEmbedded):
      return "add \(isEmbedded ? "embedded class" : "class") \(name)"
    case .renameClass(let name, let new): return "rename class \(name) to \(new)"
    case .deleteClass(let name): return "delete class \(name)"
    case .addProperty(let definition, _): return "add \(property), \(definition.text)"
    case .renameProperty(_, _, let new): return "rename \(property) to \(new)"
    case .retypeProperty(_, _, let type, let isClearing):
      return "make \(property) \(type)" + (isClearing ? ", clearing what does not fit" : "")
    case .deleteProperty: return "delete \(property)"
    case .setPrimaryKey(let name, _):
      return name == nil
        ? "remove the primary key of \(className)" : "make \(property) the primary key"
    case .setUnique(let isUnique, _, _):
      return isUnique ? "make \(property) unique" : "allow equal values of \(property)"
    case .setIndexed(let isIndexed, _, _):
      return isIndexed ? "make an index of \(property)" : "remove the index of \(property)"
    case .setDeleteRule(let rule, _, _): return "set the delete rule of \(property) to \(rule)"
    case .setTargetRule(let rule, _, _): return "set the target rule of \(property) to \(rule)"
    }
  }
}

extension PropertyDefinition {
  /// Everything but the name, as in `string?, unique`.
  internal var text: String {
    var parts = ["\(type)"]
    if isPrimaryKey { parts.append("primary key") }
    if isUnique { parts.append("unique") }
    if isIndexed { parts.append("indexed") }
    if let deleteRule, deleteRule != .nullify { parts.append("delete rule \(deleteRule)") }
    if let targetRule, targetRule != .nullify { parts.append("target rule \(targetRule)") }
    if let defaultValue { parts.append("default \(ValueText.describeMixed(defaultValue))") }
    return parts.joined(separator: ", ")
  }
}

/// The effect of a change of the schema on the objects that are there.
///
/// ```swift
/// let plan = try draft.reader.plan(of: .deleteProperty("age", of: "Dog"))
/// print(plan.valueCount, "values would be deleted")
/// ```
public struct SchemaPlan: Hashable, Sendable {
  /// A value that cannot be converted, or that another object has, too.
  ///
  /// ```swift
  /// let toInt = SchemaChange.retypeProperty("name", of: "Dog", to: .int, clearing: false)
  /// for misfit in try draft.reader.plan(of: toInt).misfits {
  ///   print(draft.reader.describe(misfit.object), ValueText.describe(misfit.value))
  /// }
  /// ```
  public struct Misfit: Hashable, Sendable {
    /// The object.
    public let object: ObjectIdentity
    /// Its value before the change.
    public let value: Value
  }

  /// The number of objects of the class.
  public internal(set) var objectCount = 0
  /// The number of values that are converted, deleted, or put into an index.
  public internal(set) var valueCount = 0
  /// The number of links that are deleted.
  public internal(set) var linkCount = 0
  /// The number of embedded objects that are deleted, without those embedded in them.
  public internal(set) var embeddedCount = 0
  /// The number of values that cannot be converted.
  public internal(set) var misfitCount = 0
  /// The first of them, by the keys of their objects; no more than ``mostMisfits``.
  public internal(set) var misfits: [Misfit] = []
  /// The number of objects that would have the same value of a unique property as an object before them.
  public internal(set) var duplicateCount = 0
  /// The first of them, by their keys; no more than ``mostMisfits``.
  public internal(set) var duplicates: [Misfit] = []

  /// So many values that do not fit are named.
  public static let mostMisfits = 20

  internal init() {}

  internal mutating func noteMisfit(_ object: ObjectIdentity, _ value: Value) {
    misfitCount += 1
    if misfits.count < Self.mostMisfits { misfits.append(Misfit(object: object, value: value)) }
  }

  internal mutating func noteDuplicate(_ object: ObjectIdentity, _ value: Value) {
    duplicateCount += 1
    if duplicates.count < Self.mostMisfits {
      duplicates.append(Misfit(object: object, value: value))
    }
  }
}
