import KennelCore

/// The differences between a program's classes and those of a file that need a migration.
internal struct NeededMigration {
  /// A property of both whose values have to be looked at.
  struct Change {
    let className: String
    let property: ModelProperty
    let stored: PropertySchema
  }

  /// Sentences, as Realm writes them.
  private(set) var problems: [String] = []
  /// Properties that only the file has.
  private(set) var removed: [(className: String, name: String)] = []
  /// Properties of another type in the file.
  private(set) var retyped: [Change] = []
  /// Properties that differ in whether they may be null.
  private(set) var reoptioned: [Change] = []
  /// Properties with another delete rule in the file.
  private(set) var reruled: [Change] = []
  /// Integers of another width in the file, which takes no migration.
  private(set) var widened: [Change] = []
  /// Classes whose primary key is another one in the file.
  private(set) var rekeyed: [(className: String, name: String?)] = []
  /// Why no migration is possible; `nil` if one is.
  private(set) var obstacle: String?

  init(_ models: ModelSet, _ schema: KennelCore.Schema) {
    for model in models.models {
      if let stored = schema[model.storedName] { compare(model, stored, models) }
    }
  }

  private mutating func compare(
    _ model: ModelClass,
    _ stored: ClassSchema,
    _ models: ModelSet
  ) {
    if model.isEmbedded != stored.isEmbedded {
      let change = stored.isEmbedded ? "embedded to top-level" : "top-level to embedded"
      let problem = "Class '\(model.name)' has been changed from \(change)."
      problems.append(problem)
      obstacle = problem + " Give the class another name, and create its objects in the migration"
    }
    let properties = model.storedProperties
    // Several classes of the program may be stored as one.
    let names = Set(
      models.models.filter { $0.storedName == model.storedName }
        .flatMap { $0.storedProperties.map { Array($0.storedName.utf8) } }
    )
    for property in stored.properties where !names.contains(Array(property.name.utf8)) {
      problems.append("Property '\(model.name).\(property.name)' has been removed.")
      removed.append((model.storedName, property.name))
    }
    for property in properties {
      if let old = stored[property.storedName] {
        compare(Change(className: model.storedName, property: property, stored: old))
      } else {
        problems.append("Property '\(model.name).\(property.storedName)' has been added.")
      }
    }
    compareKeys(model, stored)
  }

  private mutating func compareKeys(_ model: ModelClass, _ stored: ClassSchema) {
    let old = stored.primaryKey?.name
    let new = model.primaryKey?.storedName
    if old == new { return }
    let change =
      switch (old, new) {
      case (.none, _): "added"
      case (_, .none): "removed"
      case (.some(let old), .some(let new)): "changed from '\(old)' to '\(new)'"
      }
    problems.append("Primary Key for class '\(model.name)' has been \(change).")
    rekeyed.append((model.storedName, new))
  }

  private mutating func compare(_ change: Change) {
    let name = "'\(change.className).\(change.stored.name)'"
    let old = change.stored.type
    let new = change.property.storedType
    if old.kind != new.kind || old.collection != new.collection || old.target != new.target {
      problems.append("Property \(name) has been changed from '\(old)' to '\(new)'.")
      retyped.append(change)
      return
    }
    if old.isOptional != new.isOptional {
      problems.append("Property \(name) has been made \(new.isOptional ? "optional" : "required").")
      reoptioned.append(change)
    }
    if old.bitWidth != new.bitWidth { widened.append(change) }
    if let rule = change.property.deleteRule, rule != change.stored.deleteRule {
      problems.append(
        "Delete rule of \(name) has been changed from '\(change.stored.deleteRule)' to '\(rule)'."
      )
      reruled.append(change)
    }
  }
}
