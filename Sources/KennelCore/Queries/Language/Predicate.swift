public import KennelStorage

/// The condition of a query, as a tree of plain values.
///
/// ```swift
/// let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
/// for key in try snapshot.query(dog.key, predicate) { print(key.rawValue) }
/// ```
///
/// ``parse(_:for:in:arguments:variables:)`` makes a predicate from the predicate language; it can
/// also be built by hand. It belongs to no database: names are looked up when it runs, and
/// ``check(for:in:)`` checks them beforehand.
///
/// ``description`` is the predicate in the predicate language; parsing it gives an equal tree.
///
/// What a comparison means:
///
/// - A comparison with null is false, but for `==` and `!=`: `age == null` asks for null,
///   `age != 5` is exactly `NOT (age == 5)` and so holds for null, as `NOT (age > 5)` does.
/// - Numbers of all kinds compare by their numeric value, −0.0 equals 0.0, NaN equals itself and
///   comes before every number. Strings compare by their UTF-8 bytes.
/// - A path over a to-one link that is null has the value null.
/// - A path over a collection or a backlink has many values: the comparison holds when it does
///   for any of them, unless ALL or NONE says otherwise. ALL holds where there is none.
public indirect enum Predicate: Hashable, Sendable {
  /// Holds for every object, or for none.
  case constant(Bool)
  /// Holds where all of them hold; two or more.
  case and([Predicate])
  /// Holds where one of them holds; two or more.
  case or([Predicate])
  /// Holds where the other does not.
  case not(Predicate)
  /// Holds where two expressions compare as asked.
  case comparison(Comparison)
}

extension Predicate {
  /// Two expressions and what is asked of them.
  public struct Comparison: Hashable, Sendable {
    /// How many of the left side's values have to compare so; `nil` where nothing was said.
    public var quantifier: Quantifier?
    /// The left side.
    public var left: Expression
    /// What is asked.
    public var comparator: Comparator
    /// How strings are compared.
    public var options: StringOptions
    /// The right side.
    public var right: Expression
    /// Where the comparator stands in the text.
    public var source: Source

    /// Makes a comparison.
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

  /// How many of a path's values a comparison has to hold for.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// For at least one.
    case any = "ANY"
    /// For each; also where there is none.
    case all = "ALL"
    /// For not a single one.
    case none = "NONE"
  }

  /// What a comparison asks.
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    /// The same value.
    case equal = "=="
    /// Not the same value.
    case notEqual = "!="
    /// A smaller value.
    case less = "<"
    /// A smaller value or the same.
    case lessOrEqual = "<="
    /// A larger value.
    case greater = ">"
    /// A larger value or the same.
    case greaterOrEqual = ">="
    /// One of several values.
    case isIn = "IN"
    /// Within two bounds, both included.
    case between = "BETWEEN"
    /// The right side occurs somewhere in the left.
    case contains = "CONTAINS"
    /// The left side starts with the right.
    case beginsWith = "BEGINSWITH"
    /// The left side ends with the right.
    case endsWith = "ENDSWITH"
    /// The left side matches a pattern in which `*` is any text and `?` any one character.
    case like = "LIKE"
  }

  /// How strings are compared where it is not by their UTF-8 bytes.
  public struct StringOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes options from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are the same.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// `[d]`: letters with and without diacritics are the same.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
  }

  /// One side of a comparison.
  public indirect enum Expression: Hashable, Sendable {
    /// What a path leads to.
    case path(Path)
    /// A value.
    case literal(Value, source: Source = Source())
    /// Several expressions, for IN and BETWEEN.
    case list([Expression], source: Source = Source())
    /// How many objects of a collection a predicate holds for.
    case subquery(Subquery)
  }

  /// `SUBQUERY(collection, $variable, predicate).@count`.
  public struct Subquery: Hashable, Sendable {
    /// The collection that is walked.
    public var collection: Path
    /// The name that the predicate calls each element, without the dollar sign.
    public var variable: String
    /// What is asked of each element.
    public var predicate: Predicate

    /// Makes a subquery.
    public init(_ collection: Path, variable: String, _ predicate: Predicate) {
      self.collection = collection
      self.variable = variable
      self.predicate = predicate
    }
  }

  /// Where in a text a part of a predicate was read.
  ///
  /// Any two are equal: a predicate is the same wherever its parts come from.
  public struct Source: Hashable, Sendable {
    /// The column of the first character, from 1; 0 for what no text says.
    public let column: Int
    /// Whether the text leaves the part out: `isGood` is short for `isGood == true`.
    let isImplied: Bool

    /// Makes a source from a column.
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

    /// Feeds nothing.
    public func hash(into hasher: inout Hasher) {}
  }
}
