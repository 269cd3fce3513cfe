import KennelCore

/// A condition of a query.
///
/// ```swift
/// let isOpen: QueryCondition<Note> = Note.done == false && Note.title != ""
/// let query = try box.query { isOpen }.build()
/// ```
public class QueryCondition<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E

  /// The condition as a tree.
  var tree: ConditionTree { stored }
  private let stored: ConditionTree

  init(_ tree: ConditionTree) { stored = tree }
}

/// A condition on one property, which may have an alias.
///
/// ```swift
/// let query = try box.query { "limit" .= Note.stars > 2 }.build()
/// query.setParameter("limit", to: 1)
/// ```
public final class PropertyQueryCondition<E: EntityInspectable & __EntityRelatable, V>:
  QueryCondition<E>
where E == E.EntityBindingType.EntityType {
  /// The type of the property's values.
  public typealias ValueType = V

  private let test: ConditionTree.Test
  /// The name by which the values of the condition can be replaced.
  var alias: String?

  init(_ test: ConditionTree.Test) {
    self.test = test
    super.init(.test(test))
  }

  override var tree: ConditionTree {
    var test = test
    test.alias = alias
    return .test(test)
  }
}

extension Property {
  /// A condition on the property.
  public typealias Condition = PropertyQueryCondition<E, V>

  func condition(
    _ comparison: ConditionTree.Comparison,
    _ values: [Value],
    caseSensitive: Bool = true,
    isUnsigned: Bool = false
  ) -> Condition {
    PropertyQueryCondition(
      ConditionTree.Test(
        entity: E.entityInfo.name,
        number: number,
        comparison: comparison,
        isCaseSensitive: caseSensitive,
        isUnsigned: isUnsigned,
        values: values
      )
    )
  }
}

// MARK: - Operators

infix operator ∈ : ComparisonPrecedence
infix operator ∉ : ComparisonPrecedence
infix operator .= : AliasPrecedence

precedencegroup AliasPrecedence {
  higherThan: LogicalConjunctionPrecedence
  lowerThan: ComparisonPrecedence
}

/// Both conditions hold.
public func && <E>(left: QueryCondition<E>, right: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(.all([left.tree, right.tree]))
}

/// One of the conditions holds.
public func || <E>(left: QueryCondition<E>, right: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(.any([left.tree, right.tree]))
}

/// The name of a condition, by which its values can be replaced.
///
/// ```swift
/// let query = try box.query { "limit" .= Note.stars > 2 }.build()
/// query.setParameter("limit", to: 1)
/// ```
public struct PropertyAlias: ExpressibleByStringLiteral, Sendable {
  let name: String

  /// Creates an alias from a literal.
  public init(stringLiteral value: String) { name = value }

  /// Creates an alias from a name.
  public init(_ name: String) { self.name = name }
}

/// Gives a condition an alias.
public func .= <E, V>(
  alias: PropertyAlias,
  condition: PropertyQueryCondition<E, V>
) -> PropertyQueryCondition<E, V> {
  condition.alias = alias.name
  return condition
}
