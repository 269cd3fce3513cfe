internal import KennelStorage

/// Paths: the names in them and what they lead to.
extension PredicateChecker {
  func path(_ path: Predicate.Path) throws(PredicateError) -> ResolvedPredicate.Path {
    var walk = Walk(end: .object(classKey))
    if let variable = path.variable {
      guard let end = variables[variable] else {
        throw PredicateError(
          "No SUBQUERY around this defines '$\(variable)'",
          column: path.columns.start
        )
      }
      walk.end = end
    }
    for (index, step) in path.steps.enumerated() {
      try take(step, path.columns[index], &walk)
    }
    if case .allBacklinks? = walk.hops.last, path.aggregate != .count {
      throw PredicateError(
        "The objects that link here from all classes can only be counted",
        column: path.columns.start,
        expected: "@links.@count, or @links.Class.property"
      )
    }
    if path.aggregate == .count, walk.isNested {
      walk.hops.append(.nestedElements)
      walk.end.isMany = true
    }
    if let aggregate = path.aggregate { try check(aggregate, walk.end, path) }
    return ResolvedPredicate.Path(
      variable: path.variable,
      hops: walk.hops,
      aggregate: path.aggregate,
      end: walk.end
    )
  }

  /// How far a path has come.
  private struct Walk {
    var hops: [ResolvedPredicate.Hop] = []
    var end: PathEnd
    /// Whether there were many values before the last collection.
    var wasMany = false

    /// Whether it has come to a mixed value, which may be a collection.
    var isNested: Bool { end.kind == .mixed && end.lastCollection == nil }
  }

  private func take(
    _ step: Predicate.Step,
    _ column: Int,
    _ walk: inout Walk
  ) throws(PredicateError) {
    switch step {
    case .property(let name) where walk.end.kind == .mixed:
      // A member of a document, or of each document of a collection.
      walk.end.lastCollection = nil
      takeNested(.nested(.key(name)), &walk)
    case .property(let name): try takeProperty(name, column, &walk)
    case .links(let origin, let property):
      let found = try link(origin, property, to: try currentClass(walk, column), column)
      walk.hops.append(.backlink(origin: found.origin, property: found.property))
      walk.end = PathEnd(kind: .link, classKey: found.origin, isMany: true, isOptional: false)
    case .allLinks:
      _ = try currentClass(walk, column)
      walk.hops.append(.allBacklinks)
      walk.end = PathEnd(kind: .link, classKey: nil, isMany: true, isOptional: false)
    case .entry(let key) where walk.isNested: takeNested(.nested(.key(key)), &walk)
    case .index(let position) where walk.isNested: takeNested(.nested(.index(position)), &walk)
    case .all where walk.isNested:
      takeNested(.nestedElements, &walk)
      walk.end.isMany = true
    case .all:
      guard walk.end.lastCollection != nil else {
        throw PredicateError("[*] needs a collection or a mixed value", column: column)
      }
      walk.end.lastCollection = nil
    case .kind:
      guard walk.end.kind == .mixed else {
        throw PredicateError(
          "@type asks for the kind of a mixed value, and \(name(of: walk.hops.last)) is "
            + Self.phrase(walk.end.kind),
          column: column
        )
      }
      walk.hops.append(.kind)
      walk.end = PathEnd(kind: .string, classKey: nil, isMany: walk.end.isMany, isOptional: false)
    case .entry(let key):
      let property = try collection(walk, .map, "['\(key)'] needs a map", column)
      walk.hops[walk.hops.count - 1] = .entry(property, key)
      narrow(&walk)
    case .index(let position):
      let property = try collection(walk, .list, "[\(position)] needs a list", column)
      walk.hops[walk.hops.count - 1] = .index(property, position)
      narrow(&walk)
    case .allKeys:
      let property = try collection(walk, .map, "@allKeys needs a map", column)
      walk.hops[walk.hops.count - 1] = .keys(property)
      walk.end = PathEnd(kind: .string, classKey: nil, isMany: true, isOptional: false)
    case .allValues:
      _ = try collection(walk, .map, "@allValues needs a map", column)
      walk.end.lastCollection = nil
    }
  }

  private func takeNested(_ hop: ResolvedPredicate.Hop, _ walk: inout Walk) {
    walk.hops.append(hop)
    walk.end.isOptional = true
  }

  /// One value of the collection instead of all.
  private func narrow(_ walk: inout Walk) {
    walk.end.isMany = walk.wasMany
    walk.end.isOptional = true
    walk.end.lastCollection = nil
  }

  private func takeProperty(
    _ name: String,
    _ column: Int,
    _ walk: inout Walk
  ) throws(PredicateError) {
    let current = try currentClass(walk, column)
    walk.wasMany = walk.end.isMany
    if let property = current[name] {
      walk.hops.append(.property(property))
      walk.end = PathEnd(
        kind: property.type.kind,
        classKey: property.target,
        isMany: walk.end.isMany || property.isCollection,
        isOptional: walk.end.isOptional || property.type.isOptional,
        lastCollection: property.isCollection ? property : nil
      )
      return
    }
    if let backlink = current.backlinks.first(where: { $0.name.hasSameBytes(as: name) }) {
      walk.hops.append(.backlink(origin: backlink.origin, property: backlink.property))
      walk.end =
        PathEnd(kind: .link, classKey: backlink.origin, isMany: true, isOptional: false)
      return
    }
    let names = current.properties.map(\.name) + current.backlinks.map(\.name)
    let suggestion = NearestName.of(name, among: names)
    throw PredicateError(
      "\(current.name) has no property '\(name)'",
      column: column,
      expected: suggestion == nil ? "a property, or text in quotes" : nil,
      suggestion: suggestion
    )
  }

  private func currentClass(_ walk: Walk, _ column: Int) throws(PredicateError) -> ClassSchema {
    if let key = walk.end.classKey, walk.end.kind == .link, let schema = schema[key] {
      return schema
    }
    let name = name(of: walk.hops.last)
    throw PredicateError(
      walk.end.kind == .mixed
        ? "\(name) is mixed, so the class of its objects is not known"
        : "\(name) is \(Self.phrase(walk.end.kind)), which has no properties",
      column: column
    )
  }

  private func name(of hop: ResolvedPredicate.Hop?) -> String {
    switch hop {
    case .property(let property), .entry(let property, _), .index(let property, _),
      .keys(let property):
      "'\(property.name)'"
    case .backlink, .allBacklinks, .nested, .nestedElements, .kind, nil: "this"
    }
  }

  private func collection(
    _ walk: Walk,
    _ kind: CollectionKind,
    _ message: String,
    _ column: Int
  ) throws(PredicateError) -> PropertySchema {
    guard let property = walk.end.lastCollection, property.type.collection == kind else {
      let found =
        walk.end.lastCollection.map { "'\($0.name)' is a \($0.type.collection)" }
        ?? "\(name(of: walk.hops.last)) is not a collection"
      throw PredicateError("\(message), and \(found)", column: column)
    }
    return property
  }

  /// The class and the link property that `@links.origin.property` names.
  private func link(
    _ origin: String,
    _ property: String,
    to target: ClassSchema,
    _ column: Int
  ) throws(PredicateError) -> (origin: ClassKey, property: PropertyKey) {
    guard let found = schema[origin] else {
      throw PredicateError(
        "There is no class '\(origin)'",
        column: column,
        suggestion: NearestName.of(origin, among: schema.classes.map(\.name))
      )
    }
    let linking = found.properties.filter {
      $0.target == target.key || $0.type.kind == .mixed
    }
    guard let link = linking.first(where: { $0.name.hasSameBytes(as: property) }) else {
      let message =
        found[property] == nil
        ? "\(origin) has no property '\(property)'"
        : "'\(property)' of \(origin) does not link to \(target.name)"
      throw PredicateError(
        message,
        column: column,
        suggestion: NearestName.of(property, among: linking.map(\.name))
      )
    }
    return (found.key, link.key)
  }

  private func check(
    _ aggregate: Predicate.Aggregate,
    _ end: PathEnd,
    _ path: Predicate.Path
  ) throws(PredicateError) {
    var whole = path
    whole.aggregate = nil
    let column = path.columns.start
    guard end.isMany else {
      throw PredicateError(
        "@\(aggregate.rawValue) needs many values, and '\(whole)' has one",
        column: column,
        expected: "a path over a collection or a backlink"
      )
    }
    guard aggregate.takes(end.kind) else {
      throw PredicateError(
        "@\(aggregate.rawValue) takes numbers, and each value of '\(whole)' is \(Self.phrase(end.kind))",
        column: column,
        expected: end.kind == .link ? "a property of the objects" : nil
      )
    }
  }

  // MARK: - Sort keys

  /// The path of a sort key: to one value that has an order.
  func sortPath(
    _ path: Predicate.Path,
    _ use: String = "sorted by"
  ) throws(PredicateError) -> ResolvedPredicate.Path {
    let resolved = try singlePath(path, use)
    if resolved.aggregate != nil { return resolved }
    guard resolved.end.kind != .link else {
      throw PredicateError(
        "'\(path)' leads to objects, which have no order",
        column: path.columns.start,
        expected: "a property of the objects"
      )
    }
    return resolved
  }

  /// A path to one value or one object.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - use: What it is for, as in `sorted by`.
  /// - Returns: The path whose names were found.
  /// - Throws: ``PredicateError`` if there is no such path, or if it has many values.
  func singlePath(
    _ path: Predicate.Path,
    _ use: String
  ) throws(PredicateError) -> ResolvedPredicate.Path {
    let resolved = try self.path(path)
    guard resolved.aggregate == nil, resolved.end.isMany else { return resolved }
    throw PredicateError(
      "'\(path)' has many values and cannot be \(use)",
      column: path.columns.start,
      expected: "one value, or '\(path).@count'"
    )
  }
}
