import Foundation
import KennelCore

/// The expression tree that a closure of `where { }` builds.
internal indirect enum QueryNode {
  case constant(Any?)
  case path(QueryPath)
  case not(QueryNode)
  case and(QueryNode, QueryNode)
  case or(QueryNode, QueryNode)
  case comparison(
    StoredPredicate.Comparator,
    QueryNode,
    QueryNode,
    StoredPredicate.StringOptions
  )
  /// What a value is compared with to lie in a closed range.
  case bounds(lower: Any, upper: Any)
  case subqueryCount(QueryNode)

  /// The path that the node is; anything else stops the program.
  var path: QueryPath {
    if case .path(let path) = self { return path }
    throwRealmException("Cannot apply a key path to '\(text().format)'")
  }
}

/// A key path of a query.
internal struct QueryPath {
  struct Step {
    let stored: StoredPredicate.Step
    /// Whether it leads to several values; `nil` if to as many as the steps before.
    var isMany: Bool?

    var isCollection: Bool { if case .property = stored { isMany == true } else { false } }
  }

  var steps: [Step] = []
  /// The variable of the subquery that the path is part of.
  var variable: String?
  var aggregate: StoredPredicate.Aggregate?

  func adding(_ step: StoredPredicate.Step, isMany: Bool? = nil) -> QueryPath {
    var path = self
    path.steps.append(Step(stored: step, isMany: isMany))
    return path
  }

  func aggregated(_ aggregate: StoredPredicate.Aggregate) -> QueryPath {
    var path = self
    path.aggregate = aggregate
    return path
  }

  /// Whether it leads to several values.
  var isMany: Bool { aggregate == nil && steps.reduce(false) { $1.isMany ?? $0 } }

  /// The index of the first collection.
  var firstCollection: Int? { steps.firstIndex(where: \.isCollection) }

  var corePath: StoredPredicate.Path {
    StoredPredicate.Path(steps.map(\.stored), variable: variable, aggregate: aggregate)
  }
}

// MARK: - The predicate

extension QueryNode {
  /// The tree as a predicate.
  func predicate() -> StoredPredicate {
    var subqueries = 0
    return predicate(&subqueries)
  }

  private func predicate(_ subqueries: inout Int) -> StoredPredicate {
    switch self {
    case .not(let part): return .not(part.predicate(&subqueries))
    case .and(let left, let right):
      return .and([left.predicate(&subqueries), right.predicate(&subqueries)])
    case .or(let left, let right):
      return .or([left.predicate(&subqueries), right.predicate(&subqueries)])
    case .path(let path):
      return .comparison(.init(.path(path.corePath), .equal, .literal(.bool(true))))
    case .comparison(let comparator, let left, let right, let options):
      if left.isCollection, right.isCollection {
        throwRealmException("Comparing two collection columns is not permitted.")
      }
      if let members = memberwise(comparator, left, right) {
        return members.predicate(&subqueries)
      }
      return .comparison(
        .init(
          left.expression(&subqueries),
          comparator,
          right.expression(&subqueries),
          options: options,
          quantifier: comparator != .isIn || left.isPath ? left.quantifier : nil
        )
      )
    case .constant(let value as Bool): return .constant(value)
    case .constant, .bounds, .subqueryCount:
      throwRealmException("'\(text().format)' is no condition: compare it with something")
    }
  }

  /// Whether it is a path through a collection.
  private var isCollection: Bool {
    if case .path(let path) = self, path.variable == nil, path.aggregate == nil {
      path.firstCollection != nil
    } else {
      false
    }
  }

  private var isPath: Bool { if case .path = self { true } else { false } }

  private var quantifier: StoredPredicate.Quantifier? {
    if case .path(let path) = self, path.isMany { .any } else { nil }
  }

  private func expression(_ subqueries: inout Int) -> StoredPredicate.Expression {
    switch self {
    case .path(let path): return .path(path.corePath)
    case .constant(let value):
      let value = QueryArgument.value(value)
      if case .list(let values) = value { return .list(values.map { .literal($0) }) }
      return .literal(value)
    case .bounds(let lower, let upper):
      return .list([lower, upper].map { .literal(QueryArgument.value($0)) })
    case .subqueryCount(let condition):
      subqueries += 1
      let name = "col\(subqueries)"
      let (collection, inner) = condition.subquery(named: name)
      return .subquery(
        .init(collection.corePath, variable: name, inner.predicate(&subqueries))
      )
    case .not, .and, .or, .comparison:
      throwRealmException("'\(text().format)' is no value to compare with")
    }
  }
}

// MARK: - Subqueries

extension QueryNode {
  /// The collection of a condition, and the condition on one of its elements.
  fileprivate func subquery(named name: String) -> (QueryPath, QueryNode) {
    var collection: QueryPath?
    let inner = rewritten(name, &collection)
    guard let collection else {
      throwRealmException(
        "Subqueries must contain a keypath starting with a collection."
      )
    }
    return (collection, inner)
  }

  private func rewritten(_ name: String, _ collection: inout QueryPath?) -> QueryNode {
    switch self {
    case .constant, .bounds, .subqueryCount: return self
    case .not(let part): return .not(part.rewritten(name, &collection))
    case .and(let left, let right):
      return .and(left.rewritten(name, &collection), right.rewritten(name, &collection))
    case .or(let left, let right):
      return .or(left.rewritten(name, &collection), right.rewritten(name, &collection))
    case .comparison(let comparator, let left, let right, let options):
      return .comparison(
        comparator,
        left.rewritten(name, &collection),
        right.rewritten(name, &collection),
        options
      )
    case .path(let path):
      guard path.variable == nil, let first = path.firstCollection else { return self }
      var outer = path
      outer.steps = Array(path.steps[...first])
      outer.aggregate = nil
      if let known = collection, known.corePath != outer.corePath {
        throwRealmException(
          "Subquery predicates will only work on one collection at a time, split your query up."
        )
      }
      collection = outer
      var inner = path
      inner.steps = Array(path.steps[(first + 1)...])
      // The elements of a map are its values.
      if case .allValues? = inner.steps.first?.stored { inner.steps.removeFirst() }
      inner.variable = name
      return .path(inner)
    }
  }
}

// MARK: - The text

extension QueryNode {
  /// The tree in Realm's predicate language, and its arguments.
  func text() -> (format: String, arguments: [Any]) {
    var writer = QueryWriter()
    writer.write(self, isCondition: true)
    return (writer.format, writer.arguments)
  }
}

private struct QueryWriter {
  var format = ""
  var arguments: [Any] = []
  private var subqueries = 0

  /// - Parameters:
  ///   - node: What to write.
  ///   - prefix: Text at the start of a comparison, inside its parentheses, as in Realm.
  ///   - isCondition: Whether a property alone means that it is true.
  mutating func write(_ node: QueryNode, prefix: String = "", isCondition: Bool = false) {
    switch node {
    case .constant(let value): argument(value)
    case .path(let path):
      if path.isMany, !isCondition { format += "ANY " }
      write(path)
      if isCondition { format += " == true" }
    case .not(.path(let path)) where isCondition:
      write(path)
      format += " == false"
    case .not(let part):
      write(part, prefix: prefix + "NOT ", isCondition: true)
    case .and(let left, let right): compound(prefix, left, "&&", right)
    case .or(let left, let right): compound(prefix, left, "||", right)
    case .comparison(let comparator, let left, let right, let options):
      format += "(" + prefix
      write(left)
      // Realm asks for areas with IN.
      let word = comparator == .geoWithin ? "IN" : comparator.rawValue
      format += " \(word)\(options) "
      if case .path(let path) = right { write(path) } else { write(right) }
      format += ")"
    case .bounds(let lower, let upper):
      format += "{"
      argument(lower)
      format += ", "
      argument(upper)
      format += "}"
    case .subqueryCount(let condition):
      subqueries += 1
      let name = "col\(subqueries)"
      let (collection, inner) = condition.subquery(named: name)
      format += "SUBQUERY("
      write(collection)
      format += ", $\(name), "
      write(inner, isCondition: true)
      format += ").@count"
    }
  }

  private mutating func compound(
    _ prefix: String,
    _ left: QueryNode,
    _ word: String,
    _ right: QueryNode
  ) {
    format += prefix + "("
    write(left, isCondition: true)
    format += " \(word) "
    write(right, isCondition: true)
    format += ")"
  }

  private mutating func argument(_ value: Any?) {
    format += "%@"
    arguments.append(value.flatMap(unwrapped) ?? NSNull())
  }

  private mutating func write(_ path: QueryPath) {
    var parts = path.variable.map { ["$\($0)"] } ?? []
    for step in path.steps.map(\.stored) {
      let subscripted: Any
      switch step {
      case .entry(let key): subscripted = key
      case .index(let index): subscripted = index
      case .all:
        parts.append((parts.popLast() ?? "self") + "[*]")
        continue
      case .property, .allKeys, .allValues, .links, .allLinks, .kind:
        // A name that is a word of the language is written with a number sign.
        parts.append(StoredPredicate.Path([step]).description)
        continue
      }
      parts.append((parts.popLast() ?? "self") + "[%@]")
      arguments.append(subscripted)
    }
    if let aggregate = path.aggregate {
      // Of the objects of a collection, the operator stands before their property.
      let place = path.firstCollection.map { $0 + 1 + (path.variable == nil ? 0 : 1) }
      let isOfObjects = aggregate != .count && place.map { $0 < parts.count } ?? false
      parts.insert("@\(aggregate.rawValue)", at: isOfObjects ? place ?? parts.count : parts.count)
    }
    format += parts.isEmpty ? "self" : parts.joined(separator: ".")
  }
}
