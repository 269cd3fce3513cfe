import KennelCore

extension QueryText {
  /// The condition that the value at a path lies in a range.
  package static func range(_ path: String, _ bin: Distribution.Bin) -> String {
    func literal(_ value: Value) -> String { "\(Predicate.Expression.literal(value))" }
    if bin.lower == bin.upper { return "\(path) == \(literal(bin.lower))" }
    let comparator = bin.includesUpper ? "<=" : "<"
    return "\(path) >= \(literal(bin.lower)) AND \(path) \(comparator) \(literal(bin.upper))"
  }
}
