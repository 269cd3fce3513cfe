internal import KennelCore

/// Menus of what can be changed of a property.
struct SchemaMenus: BrowserPart {
  let browser: Browser

  /// Enter: all that can be changed of the property.
  func open() {
    if let reason = SchemaEditing.whyNot(in: browser) { return showError(reason) }
    guard let (schema, property) = SchemaEditing(browser).subject, let property else { return }
    let type = property.type
    let choices =
      [
        MenuDialog.Choice("t", "type \(type)…") { SchemaEditing($0).retype() },
        MenuDialog.Choice("r", "rename…") { SchemaEditing($0).rename() },
      ]
      + (property.canLink
        ? ruleChoices(property, schema)
        : [nullChoice(property, schema)] + keyChoices(property, schema))
      + [MenuDialog.Choice("x", "delete…") { SchemaEditing($0).delete() }]
    open(MenuDialog("\(schema.name).\(property.name)", choices))
  }

  private func choice(
    _ letter: Character,
    _ label: String,
    _ change: SchemaChange
  ) -> MenuDialog.Choice {
    MenuDialog.Choice(letter, label) { SchemaEditing($0).ask(change) }
  }

  private func nullChoice(
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) -> MenuDialog.Choice {
    var other = property.type
    other.isOptional.toggle()
    let what = property.isCollection ? " elements" : ""
    return choice(
      "n",
      property.type.isOptional ? "no null\(what)" : "allow null\(what)",
      .retypeProperty(property.name, of: schema.name, to: other, clearing: false)
    )
  }

  /// Indexes and keys, which single scalars have.
  private func keyChoices(
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) -> [MenuDialog.Choice] {
    guard !property.isCollection else { return [] }
    let (name, className) = (property.name, schema.name)
    var choices: [MenuDialog.Choice] = []
    if !property.isPrimaryKey, !property.isUnique {
      let label = property.isIndexed ? "remove the index" : "make an index"
      choices.append(choice("i", label, .setIndexed(!property.isIndexed, name, of: className)))
    }
    guard !schema.isEmbedded else { return choices }
    if !property.isPrimaryKey {
      let label = property.isUnique ? "allow equal values" : "make it unique"
      choices.append(choice("u", label, .setUnique(!property.isUnique, name, of: className)))
    }
    if property.type.kind.canBePrimaryKey {
      let isKey = property.isPrimaryKey
      let label = isKey ? "no longer the primary key" : "make it the primary key"
      choices.append(choice("p", label, .setPrimaryKey(isKey ? nil : name, of: className)))
    }
    return choices
  }

  // MARK: - Rules

  private func ruleChoices(
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) -> [MenuDialog.Choice] {
    // Embedded objects are deleted with their owner.
    if property.isEmbedded { return [] }
    let (name, className) = (property.name, schema.name)
    return [
      .init("d", "delete rule: \(property.deleteRule)…") {
        SchemaMenus($0).openDeleteRules(name, className)
      },
      .init("o", "target rule: \(property.targetRule)…") {
        SchemaMenus($0).openTargetRules(name, className)
      },
    ]
  }

  private func openDeleteRules(_ name: String, _ className: String) {
    let rules: [(Character, DeleteRule, String)] = [
      ("n", .nullify, "nullify: the target stays"),
      ("c", .cascade, "cascade: the target is deleted, too"),
      ("l", .cascadeIfLast, "cascadeIfLast: the target is deleted with its last such link"),
      ("d", .deny, "deny: no deletion while there is a target"),
    ]
    let choices = rules.map { choice($0, $2, .setDeleteRule($1, name, of: className)) }
    open(MenuDialog("When an object with \(className).\(name) is deleted", choices))
  }

  private func openTargetRules(_ name: String, _ className: String) {
    let rules: [(Character, TargetRule, String)] = [
      ("n", .nullify, "nullify: the link goes"),
      ("c", .cascade, "cascade: the \(className) is deleted, too"),
      ("d", .deny, "deny: the target cannot be deleted"),
    ]
    let choices = rules.map { choice($0, $2, .setTargetRule($1, name, of: className)) }
    open(MenuDialog("When the target of \(className).\(name) is deleted", choices))
  }
}
