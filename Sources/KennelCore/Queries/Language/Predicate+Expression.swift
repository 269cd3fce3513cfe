internal import KennelStorage

extension Predicate.Comparison {
  /// Checks the right side of MATCHES: one expression for all objects, in a program with a library
  /// that reads it.
  func checkExpression(_ right: Value?, column: Int) throws(PredicateError) {
    guard let library = textExpressionLibrary else {
      throw PredicateError(
        "MATCHES needs a library of regular expressions, and this program has none",
        column: column,
        expected: "Predicate.enableRegularExpressions() of KennelPatterns before, or LIKE"
      )
    }
    guard case .string(let text)? = right else {
      throw PredicateError(
        "MATCHES compares with one expression",
        column: column,
        expected: "text in quotes"
      )
    }
    guard !options.contains(.diacriticInsensitive) else {
      throw PredicateError("MATCHES does not take [d]", column: column, expected: "[c], or nothing")
    }
    do throws(TextExpressionError) {
      _ = try library.expression(text, ignoresCase: options.contains(.caseInsensitive))
    } catch {
      throw PredicateError("The regular expression is wrong: \(error.message)", column: column)
    }
  }
}
