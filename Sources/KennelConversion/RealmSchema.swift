internal import KennelCore
internal import KennelRealmFile

/// The classes that a `.realm` file becomes.
struct RealmSchema {
  /// The classes of a program; Realm's own tables are left out.
  let classes: [ConvertedClass]
  private(set) var losses = RealmLosses()

  init(_ file: RealmFile) {
    var losses = RealmLosses()
    let programs = file.classes.filter { $0.className != nil }
    var taken: Set<[UInt8]> = []
    var names: [Int: String] = [:]
    // Two tables are called alike where one of them alone has a prefix, and that keeps its name.
    for isPrefixed in [true, false] {
      for realm in programs where (realm.className != realm.name) == isPrefixed {
        names[realm.tableKey] = Self.name(realm.className ?? "", "", &taken, &losses)
      }
    }
    classes = programs.map { realm in
      let name = names[realm.tableKey] ?? ""
      if realm.kind == .asymmetric { losses.note(.asymmetricClasses, name) }
      return ConvertedClass(realm: realm, definition: Self.definition(name, realm, names, &losses))
    }
    self.losses = losses
  }

  private static func definition(
    _ name: String,
    _ realm: RealmClass,
    _ names: [Int: String],
    _ losses: inout RealmLosses
  ) -> ClassDefinition {
    var taken: Set<[UInt8]> = []
    let properties = realm.properties.map { property in
      let path = Self.name(property.name, name + ".", &taken, &losses)
      let isPrimaryKey = property.columnKey == realm.primaryKey?.columnKey
      var isIndexed = property.isIndexed && !isPrimaryKey
      if property.isFullText {
        losses.note(.fullTextIndexes, "\(name).\(path)")
        isIndexed = false
      } else if isIndexed, property.kind == .mixed {
        losses.note(.mixedIndexes, "\(name).\(path)")
        isIndexed = false
      }
      return PropertyDefinition(
        path,
        type(of: property, names),
        isPrimaryKey: isPrimaryKey,
        isIndexed: isIndexed
      )
    }
    return ClassDefinition(name, isEmbedded: realm.kind == .embedded, properties: properties)
  }

  private static func type(of property: RealmFileProperty, _ names: [Int: String]) -> PropertyType {
    let type = PropertyType(
      kind(property.kind),
      isOptional: property.isOptional || property.hasLostValues || property.kind == .mixed,
      target: property.target.flatMap { names[$0] }
    )
    return switch property.collection {
    case nil: type.target == nil ? type : .link(type.target ?? "")
    case .list?: .list(type)
    case .set?: .set(type)
    case .dictionary?: .map(type)
    }
  }

  private static func kind(_ kind: RealmKind) -> ValueKind {
    switch kind {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .mixed: .mixed
    case .timestamp: .date
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .object: .link
    case .objectId: .objectId
    case .uuid: .uuid
    }
  }

  /// A name that Kennel allows and that no other has: the same one where it can be.
  private static func name(
    _ name: String,
    _ place: String,
    _ taken: inout Set<[UInt8]>,
    _ losses: inout RealmLosses
  ) -> String {
    let allowed = ClassDefinition.allowedName(for: name, besides: &taken)
    if !allowed.hasSameBytes(as: name) { losses.note(.names, "\(place)\(name) becomes \(allowed)") }
    return allowed
  }
}

/// A class of a `.realm` file and what it becomes; the properties of both are in one order.
struct ConvertedClass {
  let realm: RealmClass
  let definition: ClassDefinition
  var name: String { definition.name }
}
