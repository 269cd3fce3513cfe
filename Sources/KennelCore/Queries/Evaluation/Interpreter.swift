internal import KennelStorage

/// Evaluates a condition for one object at a time, by values.
///
/// It takes every condition; ``ScanCompiler`` finds those that whole clusters answer faster.
struct Interpreter {
  let view: StoreView
  let links: LinkIndex

  /// The starting points of the paths in a condition.
  struct Scope {
    /// The object that the query looks at.
    var object: ObjectIdentity
    /// The elements that the subqueries around look at.
    var variables: [String: Value] = [:]
  }

  func holds(_ condition: ResolvedPredicate, _ scope: Scope) throws(StorageError) -> Bool {
    switch condition {
    case .constant(let holds): return holds
    case .not(let part): return try !holds(part, scope)
    case .and(let parts):
      for part in parts where try !holds(part, scope) { return false }
      return true
    case .or(let parts):
      for part in parts where try holds(part, scope) { return true }
      return false
    case .comparison(let comparison): return try holds(comparison, scope)
    }
  }

  func holds(
    _ comparison: ResolvedPredicate.Comparison,
    _ scope: Scope
  ) throws(StorageError) -> Bool {
    let lefts = try values(comparison.left, scope)
    let rights = try values(comparison.right, scope)
    let isAll = comparison.quantifier == .all
    // A list is one right side of several values, a path several right sides of one.
    let tests: [ValueTest]
    if comparison.comparator == .isIn || comparison.comparator == .between {
      tests = [ValueTest(comparison.comparator, rights, comparison.options)]
    } else {
      tests = rights.map { ValueTest(comparison.comparator, [$0], comparison.options) }
    }
    for left in lefts {
      let holds: Bool
      if case .place(let place) = comparison.right {
        holds = try place.holds(left, view)
      } else {
        holds = try Self.holds(left, tests)
      }
      if holds != isAll { return comparison.quantifier == .any }
    }
    return comparison.quantifier != .any
  }

  /// Whether one of some tests holds.
  private static func holds(_ value: Value, _ tests: [ValueTest]) throws(StorageError) -> Bool {
    for test in tests where try test.holds(value) { return true }
    return false
  }

  private func values(
    _ operand: ResolvedPredicate.Operand,
    _ scope: Scope
  ) throws(StorageError) -> [Value] {
    switch operand {
    case .literal(let value): return [value]
    case .list(let operands):
      var values: [Value] = []
      for operand in operands { values += try self.values(operand, scope) }
      return values
    case .path(let path): return try values(path, scope)
    case .place: return []
    case .subquery(let collection, let variable, let condition):
      var inner = scope
      var count: Int64 = 0
      for element in try values(collection, scope) {
        inner.variables[variable] = element
        if try holds(condition, inner) { count += 1 }
      }
      return [.int(count)]
    }
  }

  // MARK: - Paths

  /// The values at the end of a path, or the one that its aggregate makes of them.
  func values(_ path: ResolvedPredicate.Path, _ scope: Scope) throws(StorageError) -> [Value] {
    try values(path, scope, limit: .max) ?? []
  }

  /// The values at the end of a path; `nil` where a step reads more than so many.
  func values(
    _ path: ResolvedPredicate.Path,
    _ scope: Scope,
    limit: Int
  ) throws(StorageError) -> [Value]? {
    var current = [path.variable.flatMap { scope.variables[$0] } ?? .link(scope.object)]
    for (index, hop) in path.hops.enumerated() {
      let isCounted = path.aggregate == .count && index == path.hops.count - 1
      if isCounted, let count = try count(hop, from: current) { return [.int(Int64(count))] }
      if limit < .max, try readCount(hop, from: current) > limit { return nil }
      var next: [Value] = []
      for value in current { try append(hop, from: value, to: &next) }
      current = next
    }
    guard let aggregate = path.aggregate else { return current }
    return [aggregate.value(of: current)]
  }

  private func append(
    _ hop: ResolvedPredicate.Hop,
    from value: Value,
    to values: inout [Value]
  ) throws(StorageError) {
    switch hop {
    case .nested(let step): return values.append(Self.element(step, of: value))
    case .nestedElements:
      if value.isCollection { values += value.elements.map(\.value) }
      return
    case .kind: return values.append(.string(value.kindName))
    case .property, .backlink, .allBacklinks, .entry, .index, .keys: break
    }
    guard case .link(let object) = value else {
      // Past a link that is null, one value is null and many are none.
      if !hop.isMany { values.append(.null) }
      return
    }
    switch hop {
    case .property(let property) where !property.isCollection:
      values.append(try view.values.value(of: object, property))
    case .property(let property):
      values += try view.values.value(of: object, property).elements.map(\.value)
    case .entry(let property, let key):
      values.append(Self.element(.key(key), of: try view.values.value(of: object, property)))
    case .index(let property, let position):
      values.append(Self.element(.index(position), of: try view.values.value(of: object, property)))
    case .keys(let property):
      values += try view.values.value(of: object, property).entries.map { .string($0.key) }
    case .backlink(let origin, let property):
      guard let slot = links.slot(object.classKey, origin, property) else { return }
      let list = try view.backlinks.origins(of: object, slot)
      for key in try list.keys(0..<list.count) {
        values.append(.link(ObjectIdentity(origin, ObjectKey(rawValue: key))))
      }
    case .allBacklinks, .nested, .nestedElements, .kind: break
    }
  }

  /// The element that a step leads to, or null; a negative position counts from the end.
  private static func element(_ step: NestedStep, of value: Value) -> Value {
    if case .index(let index) = step, index < 0, case .list(let elements) = value {
      return value.element(.index(elements.count + index)) ?? .null
    }
    return value.element(step) ?? .null
  }

  /// How many values a hop leads to, where that is known without reading them.
  private func count(
    _ hop: ResolvedPredicate.Hop,
    from values: [Value]
  ) throws(StorageError) -> Int? {
    switch hop {
    case .entry, .index, .keys, .nested, .nestedElements, .kind: return nil
    case .property, .backlink, .allBacklinks: break
    }
    var total = 0
    for case .link(let object) in values {
      switch hop {
      case .property(let property):
        guard property.isCollection else { return nil }
        total += try view.values.elementCount(of: object, property)
      case .backlink(let origin, let property):
        guard let slot = links.slot(object.classKey, origin, property) else { continue }
        total += try view.backlinks.origins(of: object, slot).count
      case .allBacklinks:
        for column in view.schema[object.classKey]?.backlinkColumns ?? []
        where view.schema.property(column.property, of: column.origin)?.isEmbedded != true {
          total += try view.backlinks.origins(of: object, column.number).count
        }
      case .entry, .index, .keys, .nested, .nestedElements, .kind: return nil
      }
    }
    return total
  }

  /// How many elements and links a hop reads.
  private func readCount(
    _ hop: ResolvedPredicate.Hop,
    from values: [Value]
  ) throws(StorageError) -> Int {
    switch hop {
    case .property, .backlink, .allBacklinks: return try count(hop, from: values) ?? values.count
    case .entry(let property, _), .index(let property, _), .keys(let property):
      return try count(.property(property), from: values) ?? 0
    case .nested, .nestedElements, .kind: return values.count
    }
  }
}

extension ResolvedPredicate.Hop {
  /// Whether it can lead to any number of values.
  var isMany: Bool {
    switch self {
    case .property(let property): property.isCollection
    case .backlink, .allBacklinks, .keys, .nestedElements: true
    case .entry, .index, .nested, .kind: false
    }
  }
}
