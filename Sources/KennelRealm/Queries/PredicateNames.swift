import KennelCore

/// Replaces names of Swift by those of the file, which `propertiesMapping()` makes different.
internal struct PredicateNames {
  let context: RealmContext

  /// A predicate with the names of the file.
  ///
  /// - Parameters:
  ///   - predicate: A predicate that may name properties as Swift does.
  ///   - classKey: The class of the objects that it is asked of; `nil` for values.
  /// - Returns: The predicate.
  func stored(_ predicate: StoredPredicate, _ classKey: ClassKey?) -> StoredPredicate {
    stored(predicate, Scope(root: models(classKey)))
  }

  /// A path with the names of the file.
  func stored(
    _ path: StoredPredicate.Path,
    _ classKey: ClassKey?
  ) -> StoredPredicate.Path {
    stored(path, Scope(root: models(classKey))).path
  }

  private func models(_ classKey: ClassKey?) -> [ModelClass] {
    classKey.map(context.file.bindings.models) ?? []
  }

  private struct Scope {
    /// The classes of the program whose objects are asked; several may share a class of the file.
    var root: [ModelClass] = []
    var variables: [String: [ModelClass]] = [:]
    /// The variable of the innermost subquery: there, a path without one begins at its element, as
    /// in Realm.
    var innermost: String?
  }

  private func stored(_ predicate: StoredPredicate, _ scope: Scope) -> StoredPredicate {
    switch predicate {
    case .constant: return predicate
    case .and(let parts): return .and(parts.map { stored($0, scope) })
    case .or(let parts): return .or(parts.map { stored($0, scope) })
    case .not(let part): return .not(stored(part, scope))
    case .comparison(var comparison):
      if comparison.left.isNowhere || comparison.comparator != .isIn && comparison.right.isNowhere {
        return .constant(comparison.comparator == .notEqual)
      }
      comparison.left = stored(comparison.left, scope)
      comparison.right = stored(comparison.right, scope)
      return comparedWithNull(comparison, scope) ?? Self.withEqualNulls(comparison)
    }
  }

  /// A text is greater than null, as in Realm; `nil` for any other comparison.
  private func comparedWithNull(
    _ comparison: StoredPredicate.Comparison,
    _ scope: Scope
  ) -> StoredPredicate? {
    guard case .path(let path) = comparison.left, case .literal(.null, _) = comparison.right,
      path.steps.count == 1, case .property(let name) = path.steps[0], path.aggregate == nil
    else { return nil }
    let models = path.variable.map { scope.variables[$0] ?? [] } ?? scope.root
    let shape = models.lazy.flatMap(\.properties).first { $0.storedName == name }?.shape
    guard shape?.type == .string, shape?.collection == KennelCore.CollectionKind.none else {
      return nil
    }
    var known = comparison
    switch comparison.comparator {
    case .greater: known.comparator = .notEqual
    case .greaterOrEqual: return .constant(true)
    case .less: return .constant(false)
    case .lessOrEqual: known.comparator = .equal
    default: return nil
    }
    return .comparison(known)
  }

  /// Of two properties without a value, each is at least and at most the other, as in Realm.
  private static func withEqualNulls(
    _ comparison: StoredPredicate.Comparison
  ) -> StoredPredicate {
    guard case .path = comparison.left, case .path = comparison.right,
      comparison.comparator == .greaterOrEqual || comparison.comparator == .lessOrEqual
    else { return .comparison(comparison) }
    var (strict, equal) = (comparison, comparison)
    strict.comparator = comparison.comparator == .greaterOrEqual ? .greater : .less
    equal.comparator = .equal
    return .or([.comparison(strict), .comparison(equal)])
  }

  private func stored(
    _ expression: StoredPredicate.Expression,
    _ scope: Scope
  ) -> StoredPredicate.Expression {
    switch expression {
    case .literal: return expression
    case .list(let elements, let source):
      let kept = elements.filter { !$0.isNowhere }
      return .list(kept.map { stored($0, scope) }, source: source)
    case .path(let path): return .path(stored(path, scope).path)
    case .subquery(var subquery):
      let (collection, end) = stored(subquery.collection, scope)
      subquery.collection = collection
      var inner = scope
      inner.variables[subquery.variable] = end
      inner.innermost = subquery.variable
      subquery.predicate = stored(subquery.predicate, inner)
      return .subquery(subquery)
    }
  }

  private func stored(
    _ path: StoredPredicate.Path,
    _ scope: Scope
  ) -> (path: StoredPredicate.Path, end: [ModelClass]) {
    var path = path
    if path.variable == nil, !path.steps.isEmpty { path.variable = scope.innermost }
    var models = path.variable.map { scope.variables[$0] ?? [] } ?? scope.root
    for (index, step) in path.steps.enumerated() {
      switch step {
      case .property(let name):
        let property =
          models.lazy.compactMap { $0[name] }.first
          ?? models.lazy.flatMap(\.properties).first { $0.storedName == name }
        path.steps[index] = .property(property?.storedName ?? name)
        let target = property?.shape.objectClass?.storedClassName
        models = self.models(target.flatMap { context.view.schema[$0]?.key })
      case .links(let origin, let name):
        models = self.models(context.view.schema[origin]?.key)
        let property = models.lazy.compactMap { $0[name] }.first
        path.steps[index] = .links(origin: origin, property: property?.storedName ?? name)
      case .allLinks, .allKeys, .kind: models = []
      case .entry, .index, .all, .allValues: break
      }
    }
    return (path, models)
  }
}

extension StoredPredicate.Expression {
  /// Whether it is or has an unmanaged object, which equals no stored one.
  fileprivate var isNowhere: Bool {
    switch self {
    case .literal(let value, _): value.links.contains(QueryArgument.nowhere)
    case .list(let elements, _): elements.contains { $0.isNowhere }
    case .path, .subquery: false
    }
  }
}
