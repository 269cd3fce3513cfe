internal import KennelStorage

extension PredicateChecker {
  /// A list of literals that a mixed value is compared with, as one value.
  func wholeList(
    _ right: ResolvedPredicate.Operand,
    comparedWith kind: ValueKind?,
    _ comparator: Predicate.Comparator
  ) -> ResolvedPredicate.Operand {
    guard kind == .mixed, comparator == .equal || comparator == .notEqual,
      case .list(let operands) = right
    else { return right }
    var values: [Value] = []
    for operand in operands {
      guard case .literal(let value) = operand else { return right }
      values.append(value)
    }
    return .literal(.list(values))
  }

  /// The names of kinds that `@type` is compared with, as the evaluator knows them.
  func kindNames(
    _ right: ResolvedPredicate.Operand,
    comparedWith left: ResolvedPredicate.Operand,
    column: Int
  ) throws(PredicateError) -> ResolvedPredicate.Operand {
    guard case .path(let path) = left, case .kind? = path.hops.last else { return right }
    switch right {
    case .literal(.string(let name)):
      let names = try Self.kindNames(name, column: column).map { Value.string($0) }
      return names.count == 1 ? .literal(names[0]) : .list(names.map { .literal($0) })
    case .list(let operands):
      var all: [ResolvedPredicate.Operand] = []
      for operand in operands {
        switch try kindNames(operand, comparedWith: left, column: column) {
        case .list(let several): all += several
        case let one: all.append(one)
        }
      }
      return .list(all)
    case .literal, .path, .subquery, .place: return right
    }
  }

  /// A name, in any case, and Realm's other names for the same kinds.
  private static func kindNames(
    _ name: String,
    column: Int
  ) throws(PredicateError) -> [String] {
    let lowered = name.lowercased()
    if let known = kinds.first(where: { $0.lowercased() == lowered }) { return [known] }
    if let others = otherNames[lowered] { return others }
    throw PredicateError(
      "There is no kind of value named '\(name)'",
      column: column,
      expected: "one of " + kinds.joined(separator: ", ") + ", numeric or collection",
      suggestion: NearestName.of(lowered, among: kinds + otherNames.keys)
    )
  }

  private static let kinds =
    ValueKind.allCases.filter { $0 != .mixed }.map { "\($0)" } + ["null", "list", "map"]

  private static let otherNames: [String: [String]] = [
    "integer": ["int"], "long": ["int"], "short": ["int"], "byte": ["int"], "boolean": ["bool"],
    "binary": ["data"], "bindata": ["data"], "timestamp": ["date"], "decimal": ["decimal128"],
    "object": ["link"], "array": ["list"], "dictionary": ["map"], "collection": ["list", "map"],
    "numeric": ValueKind.scalars.filter(\.isNumber).map { "\($0)" },
  ]
}
