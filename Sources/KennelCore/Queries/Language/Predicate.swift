public import KennelStorage

/// The condition of a query, as a tree of plain values.
///
/// ```swift
/// let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
/// for object in try snapshot.objects(of: dog.key, where: predicate) {
///   print(snapshot.describe(object))
/// }
/// ```
///
/// ``parse(_:for:in:arguments:variables:)`` makes a predicate from the predicate language; it can
/// also be built by hand. It belongs to no database: names are looked up when it runs, and
/// ``check(for:in:)`` checks them beforehand.
///
/// ``description`` is the predicate in the predicate language; parsing it gives an equal tree.
///
/// Comparisons:
///
/// - Comparisons with null are false, except `==`, `!=` and `IN`. `age == null` matches null. `age
///   != 5` is `NOT (age == 5)`, so it matches null, as `NOT (age > 5)` does.
/// - Numbers of all types compare by value. −0.0 equals 0.0. NaN equals itself and sorts before
///   every other number. Strings compare by their UTF-8 bytes.
/// - A path through a null link has the value null.
/// - A path through a collection or backlink has many values. A comparison holds if it holds for
///   any of them, unless ALL or NONE is given. ALL holds if there are no values.
public indirect enum Predicate: Hashable, Sendable {
  /// True or false for every object.
  case constant(Bool)
  /// True if all of two or more predicates are true.
  case and([Predicate])
  /// True if one of two or more predicates is true.
  case or([Predicate])
  /// True if the predicate is false.
  case not(Predicate)
  /// True if the comparison holds.
  case comparison(Comparison)
}

extension Predicate {
  /// A comparison of two expressions.
  ///
  /// ```swift
  /// let isOld = Predicate.Comparison(.path(.init("age")), .greater, .literal(.int(5)))
  /// print(try snapshot.objects(of: dog.key, where: .comparison(isOld)).count)
  /// ```
  public struct Comparison: Hashable, Sendable {
    /// How many of the left side's values must match; `nil` if not given.
    public var quantifier: Quantifier?
    /// The left side.
    public var left: Expression
    /// The operator.
    public var comparator: Comparator
    /// How strings are compared.
    public var options: StringOptions
    /// The right side.
    public var right: Expression
    /// The position of the operator in the text.
    public var source: Source

    /// Creates a comparison.
    public init(
      _ left: Expression,
      _ comparator: Comparator,
      _ right: Expression,
      options: StringOptions = [],
      quantifier: Quantifier? = nil,
      source: Source = Source()
    ) {
      self.left = left
      self.comparator = comparator
      self.right = right
      self.options = options
      self.quantifier = quantifier
      self.source = source
    }
  }

  /// How many of a path's values must match.
  ///
  /// ```swift
  /// let ages = Predicate.Expression.path(.init("dogs.age"))
  /// let allOld = Predicate.Comparison(ages, .greater, .literal(.int(5)), quantifier: .all)
  /// print(try snapshot.objects(of: person.key, where: .comparison(allOld)).count)
  /// ```
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one.
    case any = "ANY"
    /// All; true if there are none, too.
    case all = "ALL"
    /// None.
    case none = "NONE"
  }

  /// How strings compare, if not by their UTF-8 bytes.
  ///
  /// ```swift
  /// let name = Predicate.Expression.path(.init("name"))
  /// let rex: Predicate.Expression = .literal(.string("REX"))
  /// let isRex = Predicate.Comparison(name, .equal, rex, options: .caseInsensitive)
  /// print(try snapshot.objects(of: dog.key, where: .comparison(isRex)).count)
  /// ```
  public struct StringOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// `[c]`: ignores case.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// `[d]`: ignores diacritics.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
  }

  /// One side of a comparison.
  ///
  /// ```swift
  /// let ages: Predicate.Expression = .list([.literal(.int(5)), .literal(.int(9))])
  /// let between = Predicate.Comparison(.path(.init("age")), .between, ages)
  /// print(try snapshot.objects(of: dog.key, where: .comparison(between)).count)
  /// ```
  public indirect enum Expression: Hashable, Sendable {
    /// The values of a path.
    case path(Path)
    /// A value.
    case literal(Value, source: Source = Source())
    /// A list of expressions, for IN and BETWEEN.
    case list([Expression], source: Source = Source())
    /// The number of elements that match a predicate.
    case subquery(Subquery)
  }

  /// `SUBQUERY(collection, $variable, predicate).@count`.
  ///
  /// ```swift
  /// let age = Predicate.Expression.path(.init([.property("age")], variable: "dog"))
  /// let isOld = Predicate.comparison(.init(age, .greater, .literal(.int(5))))
  /// let old = Predicate.Subquery(.init("dogs"), variable: "dog", isOld)
  /// let hasOne = Predicate.comparison(.init(.subquery(old), .equal, .literal(.int(1))))
  /// print(try snapshot.objects(of: person.key, where: hasOne).count)
  /// ```
  public struct Subquery: Hashable, Sendable {
    /// The collection.
    public var collection: Path
    /// The variable for each element, without the dollar sign.
    public var variable: String
    /// The predicate of each element.
    public var predicate: Predicate

    /// Creates a subquery.
    public init(_ collection: Path, variable: String, _ predicate: Predicate) {
      self.collection = collection
      self.variable = variable
      self.predicate = predicate
    }
  }

  /// The position of a part of a predicate in its text.
  ///
  /// ```swift
  /// let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
  /// if case .comparison(let comparison) = predicate { print(comparison.source.column) }
  /// ```
  ///
  /// All sources are equal, so that equal predicates from different texts are equal.
  public struct Source: Hashable, Sendable {
    /// The column of the first character, from 1; 0 without a text.
    public let column: Int
    /// Whether the text leaves the part out: `isGood` is short for `isGood == true`.
    let isImplied: Bool

    /// Creates a source from a column.
    public init(column: Int = 0) {
      self.column = column
      isImplied = false
    }

    init(impliedAt column: Int) {
      self.column = column
      isImplied = true
    }

    /// Always true.
    public static func == (left: Source, right: Source) -> Bool { true }

    /// Hashes nothing.
    public func hash(into hasher: inout Hasher) {}
  }
}
