import KennelCore

/// Turns what was seen of documents into classes.
struct InferenceResolver {
  struct DraftProperty {
    let name: String
    /// The type, without regard to null.
    var type: PropertyType
    /// The evidence from each place where the class is embedded.
    var evidence: [FieldEvidence]
    var isPrimaryKey = false
    /// Why it is a link or the primary key.
    var reason: String?

    /// The evidence of the scalars that it holds.
    var scalars: [FieldEvidence] {
      switch type.collection {
      case .none: evidence
      case .list, .set: evidence.compactMap(\.elements)
      case .map: evidence.map(\.mergedFields)
      }
    }

    /// Whether nothing tells the type: there was only null, or empty arrays or objects.
    var isUnknown: Bool {
      type.kind == .mixed && scalars.allSatisfy { $0.kinds.isEmpty }
    }

    /// Whether another property is of the same type, but for null and the width of a number.
    func agrees(with other: DraftProperty) -> Bool {
      if isUnknown { return type.collection == .none || type.collection == other.type.collection }
      if other.isUnknown { return other.agrees(with: self) }
      return type.kind == other.type.kind && type.collection == other.type.collection
        && type.target == other.type.target
    }
  }

  struct DraftClass {
    var name: String
    let isEmbedded: Bool
    var documentCount: Int
    var properties: [DraftProperty]

    func position(of name: String) -> Int? {
      properties.firstIndex { $0.name.hasSameBytes(as: name) }
    }
  }

  let collections: [SchemaInference.Collection]
  let links: [DeclaredLink]
  /// The classes that references may lead to beside those of the documents.
  let known: [String]
  let isStrict: Bool
  var rules = FieldRules()
  var renamed: [String] = []
  var skipped: [String] = []
  var classes: [DraftClass] = []
  var conflicts: [SchemaProposal.Conflict] = []
  var notes: [String] = []

  mutating func resolve() {
    checkReferences()
    // Embedded classes are named after these.
    var names = Set(collections.map { ExactName($0.name) })
    for collection in collections {
      let name = goodName(of: [collection.name], besides: &names)
      let count = collection.evidence[.document] + collection.evidence[.reference]
      classes.append(
        DraftClass(name: name, isEmbedded: false, documentCount: count, properties: [])
      )
    }
    for (index, collection) in collections.enumerated() {
      let properties = properties(of: collection.evidence, owner: classes[index].name)
      classes[index].properties = properties
    }
    choosePrimaryKeys()
    for link in links { declare(link) }
    chooseLinks()
    chooseDates()
    for draft in classes {
      for property in draft.properties where property.isUnknown {
        let path = shown("\(draft.name).\(property.name)")
        notes.append("\(path): only null or empty values, so any value is allowed")
      }
    }
  }

  var proposal: SchemaProposal {
    SchemaProposal(
      classes: classes.map(definition),
      documentCounts: classes.map(\.documentCount),
      evidence: classes.flatMap { draft in
        draft.properties.map { evidence(of: $0, in: draft) }
      },
      conflicts: conflicts,
      notes: notes,
      rules: rules,
      renamed: renamed,
      skipped: skipped
    )
  }

  private func definition(_ draft: DraftClass) -> ClassDefinition {
    ClassDefinition(
      draft.name,
      isEmbedded: draft.isEmbedded,
      properties: draft.properties.map { property in
        var type = property.type
        if type.collection == .none, type.kind != .link, absent(property, in: draft) > 0 {
          type = type.optional
        }
        return PropertyDefinition(property.name, type, isPrimaryKey: property.isPrimaryKey)
      }
    )
  }

  /// How many documents have null or nothing for a property.
  func absent(_ property: DraftProperty, in draft: DraftClass) -> Int {
    draft.documentCount - property.evidence.reduce(0) { $0 + $1.total - $1[.null] }
  }

  private func evidence(
    of property: DraftProperty,
    in draft: DraftClass
  ) -> SchemaProposal.Evidence {
    let nulls = property.evidence.reduce(0) { $0 + $1[.null] }
    let scalars = property.scalars
    var counts: [SchemaProposal.TypeCount] = []
    for kind in DocumentKind.allCases where kind != .other {
      let count = scalars.reduce(0) { $0 + $1[kind] }
      guard count > 0, kind != .null || property.type.collection != .none else { continue }
      counts.append(SchemaProposal.TypeCount(type: kind.name, count: count))
    }
    let others = scalars.reduce(into: [:]) { $0.merge($1.unstorable, uniquingKeysWith: +) }
    for (type, count) in others.sorted(by: { $0.key < $1.key }) {
      counts.append(SchemaProposal.TypeCount(type: type, count: count))
    }
    return SchemaProposal.Evidence(
      className: draft.name,
      propertyName: property.name,
      counts: counts,
      nullCount: nulls,
      absentCount: absent(property, in: draft) - nulls,
      samples: Array(scalars.flatMap(\.samples).prefix(FieldEvidence.mostSamples)),
      reason: property.reason
    )
  }

  // MARK: - Properties

  private mutating func properties(
    of evidence: FieldEvidence,
    owner: String
  ) -> [DraftProperty] {
    var names = Set(evidence.fields.map { ExactName($0.name) })
    return evidence.fields.map { field in
      let name = goodName(of: [owner, field.name], besides: &names)
      let type = type(of: field.evidence, name, owner)
      return DraftProperty(name: name, type: type, evidence: [field.evidence])
    }
  }

  /// The name of a class or property, or another one if none can have it.
  private mutating func goodName(
    of path: [String],
    besides names: inout Set<ExactName>
  ) -> String {
    let old = path.last ?? ""
    guard ClassDefinition.problem(ofName: old) != nil else { return old }
    let letters = old.unicodeScalars.map { scalar -> Unicode.Scalar in
      ClassDefinition.problem(ofName: String(scalar)) == nil ? scalar : "_"
    }
    // What marks the whole name, as in @id, is no part of it.
    let isMark = old.unicodeScalars.map { ClassDefinition.problem(ofName: String($0)) != nil }
    let first = isMark.firstIndex(of: false) ?? letters.count
    let end = isMark.lastIndex(of: false).map { $0 + 1 } ?? letters.count
    var stem = String(String.UnicodeScalarView(letters[first..<end]))
    if stem.isEmpty { stem = "field" }
    while stem.utf8.count > 240 { stem.removeLast() }
    let name = names.add(unlike: stem)
    rules.rename(path, to: name)
    renamed.append("\(path.map(shown).joined(separator: ".")) to \(shown(name))")
    return name
  }

  /// The name of the class of a collection.
  func className(of collection: String) -> String {
    collections.firstIndex { $0.name.hasSameBytes(as: collection) }.map { classes[$0].name }
      ?? collection
  }

  private mutating func type(
    of evidence: FieldEvidence,
    _ name: String,
    _ owner: String
  ) -> PropertyType {
    let path = "\(owner).\(name)"
    if hasManyShapes(evidence) {
      return mixed(evidence, path, "\(summary(evidence)), which becomes mixed")
    }
    if evidence[.array] > 0 {
      if evidence[.null] > 0 { notes.append("\(shown(path)): null becomes an empty list") }
      return list(of: evidence.elements ?? FieldEvidence(), name, owner)
    }
    if evidence[.document] > 0 { return object(evidence, name, owner) }
    if evidence[.reference] > 0 { return reference(evidence) }
    return scalar(evidence, path)
  }

  /// Lists the values that no property holds, which become text.
  private mutating func noteText(_ unstorable: [String: Int], _ path: String) {
    guard !unstorable.isEmpty else { return }
    let types = unstorable.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let message = "no property can hold \(types.joined(separator: ", ")), which becomes text"
    conflicts.append(.init(path, message, isResolved: !isStrict))
  }

  /// Whether values are now an array or an object, and now something else.
  private func hasManyShapes(_ evidence: FieldEvidence) -> Bool {
    let shapes: Set<DocumentKind> = [.array, .document, .reference]
    return Set(evidence.kinds.map { shapes.contains($0) ? $0 : .null }).count > 1
  }

  /// Values that have no other type in common.
  private mutating func mixed(
    _ evidence: FieldEvidence,
    _ path: String,
    _ message: String
  ) -> PropertyType {
    noteText(evidence.unstorableInside, path)
    conflicts.append(.init(path, message, isResolved: !isStrict))
    return .mixed
  }

  /// Why the contents of a collection are neither scalars of a type nor objects of a class.
  private func mixture(in contents: FieldEvidence, of collection: String) -> String? {
    if contents[.array] > 0, !hasManyShapes(contents) { return "arrays inside \(collection)" }
    if hasManyShapes(contents) { return summary(contents) }
    guard contents[.document] > 0 else { return nil }
    if contents.values != nil { return "objects with too many different names" }
    let hasOddName = contents.fields.contains { ClassDefinition.problem(ofName: $0.name) != nil }
    return hasOddName ? "objects with names that no property can have" : nil
  }

  private mutating func scalar(_ evidence: FieldEvidence, _ path: String) -> PropertyType {
    noteText(evidence.unstorable, path)
    let kinds = evidence.kinds
    let summary = summary(evidence)
    guard let first = kinds.first else { return .mixed }
    if kinds == [.int32] { return .int(bitWidth: 32) }
    let valueKinds = Set(kinds.compactMap(\.valueKind))
    if valueKinds.count == 1, let kind = first.valueKind {
      if kinds.count > 1, kind == .int {
        notes.append("\(shown(path)): \(summary), which becomes long")
      }
      return PropertyType(kind)
    }
    if valueKinds == [.string, .date], evidence.areDates, evidence[.other] == 0 {
      notes.append("\(shown(path)): \(summary), which becomes date: each string spells one")
      return .date
    }
    if valueKinds == [.int, .double], evidence.areExactDoubles {
      notes.append("\(shown(path)): \(summary), which becomes double: each int is exact as one")
      return .double
    }
    if valueKinds == [.int, .decimal128] {
      notes.append("\(shown(path)): \(summary), which becomes decimal")
      return .decimal128
    }
    conflicts.append(.init(path, "\(summary), which becomes mixed", isResolved: !isStrict))
    return .mixed
  }

  private mutating func list(
    of elements: FieldEvidence,
    _ name: String,
    _ owner: String
  ) -> PropertyType {
    var reason = mixture(in: elements, of: "an array")
    if elements[.document] > 0, elements[.null] > 0 { reason = reason ?? "null among objects" }
    if elements[.reference] > 0, elements[.null] > 0 { reason = reason ?? "null among links" }
    return .list(content(elements, name, owner, reason, "elements"))
  }

  private mutating func object(
    _ evidence: FieldEvidence,
    _ name: String,
    _ owner: String
  ) -> PropertyType {
    let path = "\(owner).\(name)"
    guard isMap(evidence) else {
      return .link(embedded(evidence, name, owner, isList: false))
    }
    if evidence[.null] > 0 { notes.append("\(shown(path)): null becomes an empty map") }
    let values = evidence.mergedFields
    return .map(content(values, name, owner, mixture(in: values, of: "a map"), "values"))
  }

  /// The type of what a list or a map holds; `reason` says why it can only be mixed.
  private mutating func content(
    _ evidence: FieldEvidence,
    _ name: String,
    _ owner: String,
    _ reason: String?,
    _ noun: String
  ) -> PropertyType {
    let path = "\(owner).\(name)"
    if let reason { return mixed(evidence, path, "\(reason), so its \(noun) become mixed") }
    if evidence[.reference] > 0 { return reference(evidence) }
    if evidence[.document] > 0 { return .link(embedded(evidence, name, owner, isList: true)) }
    let type = scalar(evidence, path)
    return evidence[.null] > 0 && type.kind != .mixed ? type.optional : type
  }

  /// Whether the names of nested objects are keys, not the names of properties.
  private func isMap(_ evidence: FieldEvidence) -> Bool {
    if evidence.values != nil || evidence.fields.isEmpty { return true }
    if evidence.fields.contains(where: { ClassDefinition.problem(ofName: $0.name) != nil }) {
      return true
    }
    let most = evidence.fields.map(\.evidence.total).max() ?? 0
    guard evidence.fields.count >= 8, most * 2 <= evidence[.document] else { return false }
    let values = evidence.mergedFields
    let kinds = Set(values.kinds.map { $0.isWhole ? .int64 : $0 })
    return kinds.count == 1 && kinds.isDisjoint(with: [.array, .other])
  }

  // MARK: - Embedded classes

  /// The name of the class of nested objects.
  ///
  /// It is called after the field. Objects of the same shape share a class, and so do those in
  /// fields of the same name that do not contradict each other.
  private mutating func embedded(
    _ evidence: FieldEvidence,
    _ field: String,
    _ owner: String,
    isList: Bool
  ) -> String {
    let base = (isList ? Self.singular(field) : field).capitalizedFirst
    let properties = properties(of: evidence, owner: "\(owner).\(field)")
    let count = evidence[.document]
    for index in classes.indices where classes[index].isEmbedded {
      let isNamesake = classes[index].name.hasSameBytes(as: base)
      guard agrees(properties, with: classes[index], isNamesake: isNamesake) else { continue }
      merge(properties, count, into: index)
      return classes[index].name
    }
    var names = Set(classes.map { ExactName($0.name) })
    let isTaken = names.contains(ExactName(base)) || ClassDefinition.problem(ofName: base) != nil
    let stem = isTaken ? "\(owner)_\(field)" : base
    let name = names.add(
      unlike: String(stem.map { ClassDefinition.problem(ofName: "\($0)") == nil ? $0 : "_" })
    )
    classes.append(
      DraftClass(name: name, isEmbedded: true, documentCount: count, properties: properties)
    )
    return name
  }

  private func agrees(
    _ properties: [DraftProperty],
    with draft: DraftClass,
    isNamesake: Bool
  ) -> Bool {
    var common = 0
    for property in properties {
      guard let position = draft.position(of: property.name) else { continue }
      guard draft.properties[position].agrees(with: property) else { return false }
      common += 1
    }
    if isNamesake { return common > 0 || properties.isEmpty }
    return common > 1 && common == properties.count && common == draft.properties.count
  }

  private mutating func merge(_ properties: [DraftProperty], _ count: Int, into index: Int) {
    classes[index].documentCount += count
    for property in properties {
      guard let position = classes[index].position(of: property.name) else {
        classes[index].properties.append(property)
        continue
      }
      var merged = classes[index].properties[position]
      if merged.isUnknown {
        merged.type = property.type
      } else if !property.isUnknown {
        merged.type.bitWidth = max(merged.type.bitWidth, property.type.bitWidth)
        merged.type.isOptional = merged.type.isOptional || property.type.isOptional
      }
      merged.evidence += property.evidence
      classes[index].properties[position] = merged
    }
  }

  /// The name of one thing, from the name of several; English, since it is only a proposal.
  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies"), name.utf8.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where name.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    let isPlural = name.hasSuffix("s") && !name.hasSuffix("ss") && name.utf8.count > 1
    return isPlural ? String(name.dropLast()) : name
  }

  func shown(_ text: String) -> String { SchemaProposal.shown(text) }

  /// As in `2 int, 1 string`.
  private func summary(_ evidence: FieldEvidence) -> String {
    evidence.kinds.map { "\(evidence[$0]) \($0.name)" }.joined(separator: ", ")
  }
}

extension String {
  /// The same with a capital letter in front.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
