import Foundation
import KennelCore

/// The classes that a realm is opened with, checked, and as the file is asked for them.
internal struct ModelSet {
  let models: [ModelClass]
  /// The same, to tell lists of classes apart.
  let classes: [ObjectIdentifier]

  /// The classes of the process, or what is wrong with them, by how many images they are of.
  private static let known = Memo<Int, Result<ModelSet, any Error>>()

  /// Every class of the process that wants to be in it, looked for again once more code is loaded.
  ///
  /// - Throws: ``Realm/Error`` if two classes have the same name.
  static func ofProcess() throws -> ModelSet {
    try known.content(ProgramClasses.imageCount) { Result { try ofImages() } }.get()
  }

  private static func ofImages() throws -> ModelSet {
    let roots: [ObjectBase.Type] = [Object.self, EmbeddedObject.self, DynamicObject.self]
    let classes = ProgramClasses.subclasses(of: ObjectBase.self).compactMap {
      $0 as? ObjectBase.Type
    }
    .filter { type in
      !roots.contains { $0 == type } && type.shouldIncludeInDefaultSchema()
    }
    var byName: [String: ObjectBase.Type] = [:]
    for type in classes {
      if let other = byName[type.className()] {
        throw Realm.Error(
          .schemaMismatch,
          "The program has two model classes called '\(type.className())': "
            + "'\(String(reflecting: other))' and '\(String(reflecting: type))'. Rename one, say "
            + "which classes a realm has with Realm.Configuration.objectTypes, or override "
            + "shouldIncludeInDefaultSchema() in one to return false"
        )
      }
      byName[type.className()] = type
    }
    return ModelSet(classes)
  }

  init(_ classes: [ObjectBase.Type]) {
    var seen: Set<ObjectIdentifier> = []
    models = classes.filter { seen.insert(ObjectIdentifier($0)).inserted }
      .map(ModelClass.of).sorted { $0.name < $1.name }
    self.classes = models.map { ObjectIdentifier($0.objectClass) }
    checkTargets()
  }

  /// Every link leads to a class of the set.
  private func checkTargets() {
    let names = Set(models.map(\.name))
    var problems: [String] = []
    for model in models {
      for property in model.properties {
        guard let target = property.shape.objectClass, !names.contains(target.className()) else {
          continue
        }
        problems.append(
          "- '\(model.name).\(property.name)' links to class '\(target.className())', which is "
            + "missing from the list of classes managed by the Realm"
        )
      }
    }
    if !problems.isEmpty {
      throwRealmException("Invalid class subset list:\n" + problems.joined(separator: "\n"))
    }
  }

  /// The classes as the file is asked for them.
  ///
  /// - Parameter withDefaults: Whether defaults are declared. What objects get that are older than a
  ///   property is its type's own default, as in Realm; so a property is added without its default
  ///   first.
  /// - Returns: The definitions.
  func definitions(withDefaults: Bool) -> [ClassDefinition] {
    var definitions: [ClassDefinition] = []
    for model in models {
      var definition = ClassDefinition(
        model.storedName,
        isEmbedded: model.isEmbedded,
        properties: model.storedProperties.map { self.definition(of: $0, withDefaults) },
        backlinks: model.properties.filter(\.isInverse).compactMap(backlink)
      )
      guard let shared = definitions.firstIndex(where: { $0.name == definition.name }) else {
        definitions.append(definition)
        continue
      }
      // Classes that share their objects have what any of them has.
      let known = definitions[shared]
      let names = Set(known.properties.map(\.name) + known.backlinks.map(\.name))
      definition.properties.removeAll { names.contains($0.name) }
      definition.backlinks.removeAll { names.contains($0.name) }
      definitions[shared].properties += definition.properties
      definitions[shared].backlinks += definition.backlinks
    }
    return definitions
  }

  private func definition(
    of property: ModelProperty,
    _ withDefaults: Bool
  ) -> PropertyDefinition {
    PropertyDefinition(
      property.storedName,
      property.storedType,
      isPrimaryKey: property.isPrimaryKey,
      isIndexed: property.isIndexed && property.shape.type != .any,
      deleteRule: property.deleteRule,
      defaultValue: withDefaults ? property.defaultValue : nil
    )
  }

  private func backlink(_ property: ModelProperty) -> BacklinkDefinition? {
    guard let origin = property.shape.objectClass, let name = property.originName else {
      return nil
    }
    let stored = ModelClass.of(origin)[name]?.storedName ?? name
    return BacklinkDefinition(
      property.storedName,
      origin: origin.storedClassName,
      property: stored
    )
  }
}

extension ModelProperty {
  /// The type in the file.
  internal var storedType: KennelCore.PropertyType {
    let kind = shape.type.kind ?? .mixed
    let isLink = kind == .link
    return KennelCore.PropertyType(
      kind,
      collection: shape.collection,
      isOptional: isLink
        ? shape.collection == .none || shape.collection == .map
        : kind == .mixed || shape.isOptional,
      bitWidth: kind == .int ? shape.bitWidth : 64,
      target: isLink ? shape.objectClass?.storedClassName : nil
    )
  }
}
