internal import KennelStorage

/// Turns a condition into nodes that whole clusters are asked by.
///
/// A comparison of a path with values that are known becomes a chain: a question about words or
/// text at the end of the path, and one look at a remembered answer per link on the way to it.
/// An ``Interpreter`` asks each object alone where there is no such form, above all for two paths
/// against each other.
struct ScanCompiler {
  let view: StoreView
  let links: LinkIndex

  private var interpreter: Interpreter { Interpreter(view: view, links: links) }

  /// The nodes of a condition about the objects of a class, called `variable` if a subquery walks
  /// them.
  func node(
    _ condition: ResolvedPredicate,
    _ classKey: ClassKey,
    variable: String? = nil
  ) throws(DatabaseError) -> ScanNode {
    switch condition {
    case .constant(let holds): return .constant(holds)
    case .not(let part): return .not(try node(part, classKey, variable: variable))
    case .and(let parts): return .all(try nodes(parts, classKey, variable))
    case .or(let parts): return .any(try nodes(parts, classKey, variable))
    case .comparison(let comparison):
      if let fast = try fastNode(comparison, classKey, variable) { return fast }
      return .objects(interpreter, condition, variable: variable)
    }
  }

  private func nodes(
    _ parts: [ResolvedPredicate],
    _ classKey: ClassKey,
    _ variable: String?
  ) throws(DatabaseError) -> [ScanNode] {
    var nodes: [ScanNode] = []
    for part in parts { nodes.append(try node(part, classKey, variable: variable)) }
    return nodes
  }

  // MARK: - Chains

  /// A path, what it is compared with, and how.
  private struct Chain {
    var hops: ArraySlice<ResolvedPredicate.Hop>
    let test: ValueTest
    let options: Predicate.StringOptions
    let isAll: Bool
    /// The test of the objects at the end of the path, in place of the other test.
    var place: PlaceTest?

    var rest: Chain {
      var rest = self
      rest.hops = hops.dropFirst()
      return rest
    }

    /// The answer where what comes before the remaining hops is null.
    var answerForNull: Bool {
      hops.contains(where: \.isMany) ? isAll : test.holdsForNull
    }
  }

  private func fastNode(
    _ comparison: ResolvedPredicate.Comparison,
    _ classKey: ClassKey,
    _ variable: String?
  ) throws(DatabaseError) -> ScanNode? {
    var comparison = comparison
    if case .literal = comparison.left, let mirrored = comparison.comparator.mirrored {
      comparison.comparator = mirrored
      swap(&comparison.left, &comparison.right)
    } else if case .literal = comparison.left, case .path = comparison.right,
      comparison.comparator == .isIn
    {
      comparison.comparator = .equal
      swap(&comparison.left, &comparison.right)
    }
    let place: PlaceTest? = if case .place(let test) = comparison.right { test } else { nil }
    guard let values = place == nil ? comparison.right.literals : [] else { return nil }
    let test = ValueTest(comparison.comparator, values, comparison.options)
    switch comparison.left {
    case .path(let path) where path.variable == variable:
      if path.aggregate == .count, path.hops.count == 1 {
        return counting(path.hops[0], classKey, nil, test)
      }
      guard path.aggregate == nil, place != nil || !path.hops.isEmpty else { return nil }
      let chain = Chain(
        hops: path.hops[...],
        test: test,
        options: comparison.options,
        isAll: comparison.quantifier == .all,
        place: place
      )
      guard let node = try node(chain, classKey) else { return nil }
      return comparison.quantifier == .none ? .not(node) : node
    case .subquery(let path, let element, let condition) where path.variable == variable:
      guard path.hops.count == 1, let target = path.end.classKey, path.end.kind == .link,
        Self.uses(condition, only: element)
      else { return nil }
      let inner = try node(condition, target, variable: element)
      return counting(path.hops[0], classKey, TargetAnswers(view, target, inner), test)
    case .path, .subquery, .literal, .list, .place: return nil
    }
  }

  private func counting(
    _ hop: ResolvedPredicate.Hop,
    _ classKey: ClassKey,
    _ targets: TargetAnswers?,
    _ test: ValueTest
  ) -> ScanNode? {
    let sources: [LinkSource]
    switch hop {
    case .property(let property) where ColumnType(property.type).form == .keys:
      sources = [.property(property)]
    case .backlink(let origin, let property):
      sources = links.slot(classKey, origin, property).map { [.backlinks($0)] } ?? []
    case .allBacklinks:
      sources = (view.schema[classKey]?.backlinkColumns ?? [])
        .filter { view.schema.property($0.property, of: $0.origin)?.isEmbedded != true }
        .map { .backlinks($0.number) }
    case .property, .entry, .index, .keys, .nested, .nestedElements, .kind: return nil
    }
    return .count(view, sources, targets, test)
  }

  private func node(
    _ chain: Chain,
    _ classKey: ClassKey
  ) throws(DatabaseError) -> ScanNode? {
    guard let hop = chain.hops.first else { return chain.place?.node(view) }
    let isLast = chain.hops.count == 1 && chain.place == nil
    switch hop {
    case .property(let property) where isLast:
      return ScanLeaf(view, property, chain.test, chain.options, isAll: chain.isAll).node
    case .property(let property) where property.type.kind == .link:
      guard let target = property.target else { return nil }
      let form = ColumnType(property.type).form
      guard form != .collections, let targets = try answers(chain.rest, target) else { return nil }
      if form == .keys {
        return .links(view, .property(property), targets, isAll: chain.isAll)
      }
      return .link(view, property, targets, answerForNull: chain.rest.answerForNull)
    case .backlink(let origin, let property) where !isLast:
      guard let slot = links.slot(classKey, origin, property),
        let targets = try answers(chain.rest, origin)
      else { return nil }
      return .links(view, .backlinks(slot), targets, isAll: chain.isAll)
    case .property, .backlink, .allBacklinks, .entry, .index, .keys, .nested, .nestedElements,
      .kind:
      return nil
    }
  }

  private func answers(
    _ chain: Chain,
    _ target: ClassKey
  ) throws(DatabaseError) -> TargetAnswers? {
    try node(chain, target).map { TargetAnswers(view, target, $0) }
  }

  // MARK: - What a condition reads

  /// Whether every path of a condition starts from one variable.
  private static func uses(_ condition: ResolvedPredicate, only variable: String) -> Bool {
    switch condition {
    case .constant: true
    case .not(let part): uses(part, only: variable)
    case .and(let parts), .or(let parts): parts.allSatisfy { uses($0, only: variable) }
    case .comparison(let comparison):
      uses(comparison.left, only: variable) && uses(comparison.right, only: variable)
    }
  }

  private static func uses(_ operand: ResolvedPredicate.Operand, only variable: String) -> Bool {
    switch operand {
    case .literal, .place: true
    case .list(let operands): operands.allSatisfy { uses($0, only: variable) }
    case .path(let path): path.variable == variable
    // A subquery within: its own variable is fine too, but this is rare enough to be slow.
    case .subquery: false
    }
  }
}
