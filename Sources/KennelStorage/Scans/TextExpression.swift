internal import Synchronization

/// A regular expression, compiled by a library that only programs link which ask for it.
package protocol TextExpression: Sendable {
  /// Whether a text matches as a whole; `nil` if it takes too many steps to know.
  func matches(_ text: StoredBytes) -> Bool?
}

/// A library of regular expressions.
package protocol TextExpressionLibrary: Sendable {
  /// Compiles an expression.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - ignoresCase: Whether the case of letters does not count.
  /// - Returns: The expression; any thread may use it.
  /// - Throws: `TextExpressionError`: what is wrong with it.
  func expression(
    _ text: String,
    ignoresCase: Bool
  ) throws(TextExpressionError) -> any TextExpression
}

extension TextExpressionLibrary {
  /// Has the predicates of this process use the library.
  package func install() {
    installedLibrary.withLock { $0 = self }
  }
}

/// Why a text is no regular expression.
package struct TextExpressionError: Error {
  /// A sentence without a period.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

private let installedLibrary = Mutex<(any TextExpressionLibrary)?>(nil)

/// The library of this process, if it has one.
package var textExpressionLibrary: (any TextExpressionLibrary)? {
  installedLibrary.withLock { $0 }
}
