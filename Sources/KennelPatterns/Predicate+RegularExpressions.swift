public import KennelCore
internal import KennelStorage
internal import Synchronization

extension Predicate {
  /// Lets predicates of this process use `MATCHES`, with Perl's regular expressions as PCRE2 reads
  /// them.
  ///
  /// A text has to match as a whole, as in `NSPredicate`: `name MATCHES "R.*x"`. The case of letters
  /// counts unless the operator is `MATCHES[c]`. An expression that takes more than 5,000,000 steps on
  /// a text, such as `(a+)+b` can, ends the query with an error.
  ///
  /// ```swift
  /// import KennelPatterns
  ///
  /// Predicate.enableRegularExpressions()
  /// let regulars = try Predicate.parse(#"name MATCHES "R.*x""#, for: dog.key, in: schema)
  /// ```
  public static func enableRegularExpressions() { PerlExpressions().install() }
}

/// PCRE2 as the library for `MATCHES`.
private struct PerlExpressions: TextExpressionLibrary {
  /// The expressions that were asked for last: a predicate may read its own for each object.
  private static let known = Mutex<[(text: String, ignoresCase: Bool, code: PerlExpression)]>([])

  func expression(
    _ text: String,
    ignoresCase: Bool
  ) throws(TextExpressionError) -> any TextExpression {
    let same = Self.known.withLock { known in
      known.first { $0.text == text && $0.ignoresCase == ignoresCase }
    }
    if let same { return same.code }
    do throws(PatternError) {
      let made = PerlExpression(
        code: try Code(text, ignoresCase: ignoresCase, mostSteps: 5_000_000)
      )
      Self.known.withLock { $0 = $0.suffix(7) + [(text, ignoresCase, made)] }
      return made
    } catch {
      throw TextExpressionError(error.message)
    }
  }
}

private struct PerlExpression: TextExpression {
  let code: Code

  func matches(_ text: StoredBytes) -> Bool? { unsafe code.matches(text.buffer) }
}
