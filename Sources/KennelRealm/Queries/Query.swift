import KennelCore

/// A part of a query of `where { }`: the objects, a property or a condition.
///
/// ```swift
/// let large = realm.objects(Ship.self).where { $0.tons > 300 && $0.voyages.port.contains("x") }
/// ```
///
/// | written | holds where |
/// |---|---|
/// | `$0.age == 5`, `!=`, `<`, `<=`, `>`, `>=` | the comparison is true, or, for a path through a collection, true of at least one value |
/// | `$0.age == $0.limit` | the comparison of the two properties is true |
/// | `$0.age.contains(1...5)`, `$0.age.in([1, 5])` | the value is in the range, or one of the values |
/// | `$0.name.contains("x")`, `.starts(with:)`, `.ends(with:)`, `.like("a*?")` | the text contains, begins or ends with the other, or matches the pattern |
/// | `$0.dogs.contains(dog)`, `$0.tags.containsAny(in: ["x"])` | the collection contains the element, or one of the elements |
/// | `$0.dogs.count > 2`, `$0.dogs.age.max < 3` | the comparison is true of the number of elements, or of their aggregate |
/// | `$0.map["key"] == 1`, `$0.map.keys == "x"`, `$0.map.values > 1` | the comparison is true of the entry, of a key, of a value |
/// | `$0.extra["key"][0] == 3`, `$0.extra.any == "x"` | the comparison is true of an element of the list or dictionary in an `AnyRealmValue` |
/// | `($0.dogs.age > 3 && $0.dogs.name == "x").count > 1` | that many elements satisfy the whole condition |
/// | `$0.place.geoWithin(GeoBox(…))` | the place lies in the area |
/// | `&&`, `\|\|`, `!`, `$0.isGood` | as usual in Swift |
@dynamicMemberLookup
public struct Query<T> {
  internal let node: QueryNode

  internal init(_ node: QueryNode) {
    self.node = node
  }

  /// The start of a query of objects or values.
  internal init() {
    node = .path(QueryPath())
  }

  internal func adding(_ name: String, isCollection: Bool = false) -> QueryNode {
    if case .entry? = node.path.steps.last?.stored {
      throwRealmException("Cannot apply key path to Map subscripts.")
    }
    return .path(node.path.adding(.property(name), isMany: isCollection ? true : nil))
  }

  internal func compared(
    _ comparator: StoredPredicate.Comparator,
    _ value: Any?,
    _ options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(.comparison(comparator, node, .constant(value), options.core))
  }

  internal func compared<Other>(
    _ comparator: StoredPredicate.Comparator,
    to other: Query<Other>
  ) -> Query<Bool> {
    Query<Bool>(.comparison(comparator, node, other.node, []))
  }

  internal func aggregated<Value>(
    _ aggregate: StoredPredicate.Aggregate
  ) -> Query<Value> {
    Query<Value>(.path(node.path.aggregated(aggregate)))
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Returns the query in the predicate language, and its arguments.
  ///
  /// - Returns: The text, with `%@` for each argument.
  public func _constructPredicate() -> (String, [Any]) {
    let text = node.text()
    return (text.format, text.arguments)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Returns the argument of a closure of `where { }`, for tests without a realm.
  ///
  /// - Returns: The objects of the class.
  public static func _constructForTesting() -> Query<T> { Query<T>() }
}

/// How text is compared.
///
/// ```swift
/// let beagle = realm.objects(Ship.self).where {
///   $0.name.contains("BEAGLE", options: .caseInsensitive)
/// }
/// ```
public struct StringOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int8

  /// Makes options from their bits.
  public init(rawValue: Int8) {
    self.rawValue = rawValue
  }

  /// Ignores case.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Ignores diacritics.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  internal var core: StoredPredicate.StringOptions {
    StoredPredicate.StringOptions(rawValue: UInt8(rawValue & 3))
  }
}

// MARK: - Properties

extension Query where T: ObjectBase {
  /// A property of the object.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    Query<V>(adding(_name(for: member), isCollection: V.self is any _QueryCollection.Type))
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
  /// A property of the link's target.
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
    Query<V>(adding(_name(for: member), isCollection: V.self is any _QueryCollection.Type))
  }
}

extension Query where T: _QueryCollection, T._Observed: ObjectBase {
  /// A property of any of the elements, or of the values of a map.
  public subscript<V>(dynamicMember member: KeyPath<T._Observed, V>) -> Query<V> {
    Query<V>(adding(_name(for: member), isCollection: V.self is any _QueryCollection.Type))
  }
}

// MARK: - Conditions

extension Query where T == Bool {
  /// True if the condition is false.
  public static prefix func ! (query: Query) -> Query<Bool> { Query<Bool>(.not(query.node)) }

  /// True if both conditions are true.
  public static func && (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.and(left.node, right.node))
  }

  /// True if at least one condition is true.
  public static func || (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.or(left.node, right.node))
  }

  /// The number of elements of the collection that satisfy the condition.
  public var count: Query<Int> { Query<Int>(.subqueryCount(node)) }
}
