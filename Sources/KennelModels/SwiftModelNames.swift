import KennelCore

/// The Swift names of classes.
struct SwiftClassNames {
  private var names: [[UInt8]: String] = [:]
  /// Names that have another meaning in the source or belong to another class.
  private var taken: Set<String>

  /// The types that a file of model classes mentions.
  static let realm: Set = [
    "Any", "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Dictionary", "Double",
    "EmbeddedObject", "Float", "Foundation", "Int", "Int16", "Int32", "Int8", "KennelRealm",
    "LinkingObjects", "List", "Map", "MutableSet", "Object", "ObjectId", "Optional", "Persisted",
    "Protocol", "Realm", "Self", "String", "Swift", "Type", "UUID", "self",
  ]

  /// Keeps the names of types free.
  init(taken: Set<String>) {
    self.taken = taken
  }

  subscript(name: String) -> String { names[Array(name.utf8)] ?? name }

  mutating func add(_ name: String) {
    let stem = SwiftNames.isIdentifier(name) ? name : SwiftNames.identifier(for: name)
    let swiftName = SwiftNames.unused(stem, or: stem + "Model") { !taken.contains($0) }
    taken.insert(swiftName)
    names[Array(name.utf8)] = swiftName
  }
}

/// The Swift names of the properties of a class.
struct SwiftPropertyNames {
  private var names: [[UInt8]: String] = [:]
  /// Names that have another meaning or belong to another property.
  private var taken: Set<String> = ["Any", "Protocol", "Self", "Type", "init", "self"]

  /// The types that a class of Realm mentions, and what its base class has.
  static let realm = SwiftNames.modelMembers.union(["Data", "Date", "ObjectId", "String", "UUID"])

  /// Names the properties and backlinks of a class; some names are reserved.
  init(_ definition: ClassDefinition, reserved: Set<String> = realm) {
    taken.formUnion(reserved)
    let all = definition.properties.map(\.name) + definition.backlinks.map(\.name)
    // Names that can stay come first, so that no other takes them.
    for name in all where SwiftNames.isIdentifier(name) && isFree(name) { add(name, for: name) }
    for name in all where names[Array(name.utf8)] == nil {
      let stem = SwiftNames.identifier(for: name)
      add(SwiftNames.unused(stem, or: stem + "Value", isFree), for: name)
    }
  }

  subscript(name: String) -> String { names[Array(name.utf8)] ?? name }

  /// The compiler gives the wrapper of `id` the name `_id`, which is then taken too.
  private func isFree(_ name: String) -> Bool {
    !taken.contains(name) && !taken.contains("_" + name)
  }

  private mutating func add(_ swiftName: String, for name: String) {
    names[Array(name.utf8)] = swiftName
    taken.insert(swiftName)
    taken.insert("_" + swiftName)
  }
}
