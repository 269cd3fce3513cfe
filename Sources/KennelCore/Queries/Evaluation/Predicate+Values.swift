public import KennelStorage

extension Predicate {
  /// Returns whether the predicate holds for a value that is not an object, such as an element of a
  /// list.
  ///
  /// `SELF` is the value. A link has no properties here.
  ///
  /// - Parameter value: The value.
  /// - Returns: Whether it holds.
  /// - Throws: ``PredicateError`` if the predicate uses a property, an aggregate or a subquery.
  public func holds(for value: Value) throws(PredicateError) -> Bool {
    switch self {
    case .constant(let holds): return holds
    case .not(let part): return try !part.holds(for: value)
    case .and(let parts):
      for part in parts where try !part.holds(for: value) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.holds(for: value) { return true }
      return false
    case .comparison(let comparison):
      guard comparison.comparator != .geoWithin else {
        throw PredicateError(
          "GEOWITHIN asks for stored objects",
          column: comparison.source.column
        )
      }
      let lefts = try Self.values(comparison.left, value)
      let rights = try Self.values(comparison.right, value)
      guard let left = lefts.first, lefts.count == 1 else {
        throw PredicateError("A list cannot stand on the left side", column: 0)
      }
      let isSingle = comparison.comparator != .isIn && comparison.comparator != .between
      guard !isSingle || rights.count == 1, comparison.comparator != .between || rights.count == 2
      else {
        throw PredicateError(
          "'\(comparison.comparator.rawValue)' does not compare with \(rights.count) values",
          column: comparison.source.column
        )
      }
      if case .expression = comparison.comparator.form {
        try comparison.checkExpression(rights.first, column: comparison.source.column)
      }
      do throws(StorageError) {
        let test = ValueTest(comparison.comparator, rights, comparison.options)
        return try test.holds(left) != (comparison.quantifier == Quantifier.none)
      } catch {
        throw PredicateError(error.message, column: comparison.source.column)
      }
    }
  }

  private static func values(
    _ expression: Expression,
    _ value: Value
  ) throws(PredicateError) -> [Value] {
    switch expression {
    case .literal(let literal, _): return [literal]
    case .list(let elements, _):
      var values: [Value] = []
      for element in elements { values += try self.values(element, value) }
      return values
    case .path(let path):
      let names = path.steps.compactMap { step -> String? in
        if case .property(let name) = step { name } else { nil }
      }
      guard path.aggregate == nil, path.variable == nil, names.count == path.steps.count,
        names.allSatisfy({ $0.lowercased() == "self" })
      else {
        throw PredicateError(
          "A value has no property '\(path)'",
          column: path.columns.start,
          expected: "SELF, which is the value"
        )
      }
      return [value]
    case .subquery:
      throw PredicateError("A value has no collection for a SUBQUERY", column: 0)
    }
  }
}
