import Foundation
import KennelCore

/// Finds elements of unmanaged collections by reading properties by name, element by element.
internal enum UnmanagedSearch {
  static func holds(_ predicate: StoredPredicate, _ element: Any) -> Bool {
    switch predicate {
    case .constant(let holds): return holds
    case .and(let parts): return parts.allSatisfy { holds($0, element) }
    case .or(let parts): return parts.contains { holds($0, element) }
    case .not(let part): return !holds(part, element)
    case .comparison(var comparison):
      comparison.left = literal(comparison.left, element)
      comparison.right = literal(comparison.right, element)
      do {
        return try StoredPredicate.comparison(comparison).holds(for: .null)
      } catch {
        throwRealmException("Cannot search unmanaged elements by '\(predicate)': \(error)")
      }
    }
  }

  /// The expression with its path replaced by the value of an element.
  private static func literal(
    _ expression: StoredPredicate.Expression,
    _ element: Any
  ) -> StoredPredicate.Expression {
    guard case .path(let path) = expression, path.variable == nil, path.aggregate == nil else {
      return expression
    }
    var value = unwrapped(element)
    for step in path.steps {
      guard case .property(let name) = step else { return expression }
      value = (value as? ObjectBase).flatMap { $0.value(forKey: name) }.flatMap(unwrapped)
    }
    return .literal(QueryArgument.value(value))
  }
}
