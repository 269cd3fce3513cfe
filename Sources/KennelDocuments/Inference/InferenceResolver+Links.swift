import KennelCore

/// Which fields are primary keys, and which hold those of other objects.
extension InferenceResolver {
  mutating func choosePrimaryKeys() {
    for index in collections.indices {
      let draft = classes[index]
      for name in [SchemaInference.identifier, "id"] {
        guard let position = draft.position(of: name) else { continue }
        let property = draft.properties[position]
        guard property.type.collection == .none,
          property.type.kind.canBePrimaryKey,
          absent(property, in: draft) == 0, let evidence = property.evidence.first
        else { continue }
        if let identifiers = evidence.identifiers, identifiers.count < draft.documentCount {
          if name == SchemaInference.identifier {
            notes.append("\(shown("\(draft.name)._id")): values repeat, so it is not a primary key")
          }
          continue
        }
        if evidence.identifiers == nil, name != SchemaInference.identifier { continue }
        classes[index].properties[position].isPrimaryKey = true
        classes[index].properties[position].reason = "primary key"
        break
      }
    }
  }

  mutating func chooseLinks() {
    let keys = collections.indices.compactMap { index in
      classes[index].properties.first(where: \.isPrimaryKey).map { (classes[index].name, $0) }
    }
    for index in classes.indices {
      for position in classes[index].properties.indices {
        let property = classes[index].properties[position]
        guard !property.isPrimaryKey, keys.contains(where: { $0.1.type.kind == property.type.kind })
        else { continue }
        let path = shown("\(classes[index].name).\(property.name)")
        guard let target = target(of: property, keys, path) else { continue }
        classes[index].properties[position].link(to: target)
        classes[index].properties[position].reason = "each is a primary key of \(shown(target))"
      }
    }
  }

  /// The class that the values of a property point to.
  private mutating func target(
    of property: DraftProperty,
    _ keys: [(className: String, key: DraftProperty)],
    _ path: String
  ) -> String? {
    let scalars = property.scalars
    if scalars.contains(where: \.isOverwhelmed) {
      notes.append("\(path): too many different values to see whether it is a link")
      return nil
    }
    let sets = scalars.compactMap(\.identifiers)
    guard sets.count == scalars.count, sets.contains(where: { $0.count > 0 }) else { return nil }
    let candidates = keys.filter { candidate in
      candidate.key.type.kind == property.type.kind
        && sets.allSatisfy { set in
          candidate.key.evidence.first?.identifiers.map { set.isSubset(of: $0) } ?? false
        }
    }.map(\.className)
    guard !candidates.isEmpty else { return nil }
    let names = NameOfLink(property.name)
    let named = candidates.filter(names.suggests)
    let isNamed = property.type.kind == .int
    let chosen =
      named.count == 1
      ? named[0]
      : candidates.count == 1 && (!isNamed || names.hasSuffix) ? candidates[0] : nil
    let isList = property.type.collection == .list
    if let chosen, !isList || scalars.allSatisfy({ $0[.null] == 0 }) { return chosen }
    let classes = candidates.map(shown).joined(separator: " and ")
    let reason = chosen == nil ? "" : ", but a list of links cannot hold null"
    notes.append(
      "\(path): each value is a primary key of \(classes) too\(reason); if it is a link, declare it"
    )
    return nil
  }

  // MARK: - References

  /// Takes references for objects where one leads to a class that is not there.
  mutating func checkReferences() {
    var names = Set(known.map(ExactName.init))
    names.formUnion(collections.map { ExactName($0.name) })
    for collection in collections {
      var missing: [String] = []
      collection.evidence.visit(isTop: false) { _, evidence, _ in
        guard !evidence.targets.isSubset(of: names) else { return }
        missing += evidence.targets.subtracting(names).map(\.text)
        evidence.takeReferencesForObjects()
      }
      for target in Set(missing).sorted() {
        notes.append(
          "\(shown(collection.name)): a DBRef names \(shown(target)), which is not among the documents; "
            + "import both together, or name the class by --rename "
            + "\(FieldRules.word(target + "=CLASS")), to have links"
        )
      }
    }
  }

  /// The type of references, which all lead to classes that are there.
  func reference(_ evidence: FieldEvidence) -> PropertyType {
    guard evidence.targets.count == 1, let target = evidence.targets.first else { return .mixed }
    return .link(className(of: target.text))
  }

  // MARK: - Dates in text

  /// Makes properties dates whose values are all text that spells dates.
  mutating func chooseDates() {
    for index in classes.indices {
      for position in classes[index].properties.indices {
        let property = classes[index].properties[position]
        let scalars = property.scalars
        guard property.type.kind == .string, property.reason == nil,
          property.name != SchemaInference.identifier, property.name != "id",
          scalars.allSatisfy({ $0.areDates && $0[.other] == 0 }),
          scalars.contains(where: { $0[.string] > 0 })
        else { continue }
        classes[index].properties[position].type.kind = .date
        let path = shown("\(classes[index].name).\(property.name)")
        let count = scalars.reduce(0) { $0 + $1[.string] }
        notes.append("\(path): \(count) string, which becomes date: each string spells one")
      }
    }
  }

  // MARK: - Declared links

  /// Makes a property the link that it is declared to be.
  mutating func declare(_ link: DeclaredLink) {
    func refuse(_ message: String) {
      conflicts.append(.init(nil, "\(link.place): \(message)"))
    }
    guard var index = classes.firstIndex(where: { $0.name.hasSameBytes(as: link.owner) }) else {
      return refuse("there is no class \(link.owner)")
    }
    for (number, step) in link.path.enumerated() {
      let draft = classes[index]
      guard let position = draft.position(of: step) else {
        return refuse("class \(draft.name) has no property \(step)")
      }
      let type = draft.properties[position].type
      guard number == link.path.count - 1 else {
        guard let next = classes.firstIndex(where: { $0.isEmbedded && $0.name == type.target })
        else { return refuse("\(draft.name).\(step) is not an embedded object") }
        index = next
        continue
      }
      guard let target = classes.firstIndex(where: { $0.name.hasSameBytes(as: link.target) }) else {
        return refuse("there is no class \(link.target)")
      }
      guard let key = primaryKey(of: target, named: link.foreignKey) else {
        return refuse("class \(link.target) has no such primary key to link to")
      }
      guard !draft.properties[position].isPrimaryKey, type.kind == key.kind else {
        return refuse("\(draft.name).\(step) is a \(type), which is not a key of \(link.target)")
      }
      classes[index].properties[position].link(to: classes[target].name)
      classes[index].properties[position].reason = "declared as a link"
    }
  }

  /// The type of a primary key; a property that is named becomes one if its values are unique.
  private mutating func primaryKey(of index: Int, named name: String?) -> PropertyType? {
    let draft = classes[index]
    if let key = draft.properties.first(where: \.isPrimaryKey) {
      return name.map { $0.hasSameBytes(as: key.name) } ?? true ? key.type : nil
    }
    guard let name, let position = draft.position(of: name), !draft.isEmbedded,
      draft.properties[position].type.collection == .none,
      draft.properties[position].type.kind.canBePrimaryKey,
      absent(draft.properties[position], in: draft) == 0,
      draft.properties[position].evidence.first?.identifiers?.count == draft.documentCount
    else { return nil }
    classes[index].properties[position].isPrimaryKey = true
    classes[index].properties[position].reason = "primary key"
    return draft.properties[position].type
  }
}

extension InferenceResolver.DraftProperty {
  /// Creates the property, or the elements of its collection, links to a class.
  mutating func link(to target: String) {
    let link = PropertyType.link(target)
    switch type.collection {
    case .none: type = link
    case .map: type = .map(link)
    case .list, .set: type = .list(link)
    }
  }
}

/// The name of a field that may hold primary keys.
private struct NameOfLink {
  private let stem: String
  /// Whether the name says that it holds a key, as `ownerId` does.
  let hasSuffix: Bool

  init(_ name: String) {
    for suffix in ["_ids", "_id", "Ids", "IDs", "Id", "ID"]
    where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      stem = Self.plain(String(name.dropLast(suffix.count)))
      hasSuffix = true
      return
    }
    stem = Self.plain(name)
    hasSuffix = false
  }

  func suggests(_ className: String) -> Bool {
    stem == Self.plain(className)
  }

  private static func plain(_ name: String) -> String {
    InferenceResolver.singular(name.lowercased())
  }
}
