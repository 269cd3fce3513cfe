internal import KennelStorage

/// A predicate whose names were found in a schema: what the evaluator works on.
indirect enum ResolvedPredicate {
  case constant(Bool)
  case and([ResolvedPredicate])
  case or([ResolvedPredicate])
  case not(ResolvedPredicate)
  case comparison(Comparison)

  /// Two operands whose types fit each other; literals have the type of the other side.
  struct Comparison {
    /// `any` if the predicate does not say.
    var quantifier: Predicate.Quantifier
    var left: Operand
    var comparator: Predicate.Comparator
    var options: Predicate.StringOptions
    var right: Operand
  }

  /// One side.
  indirect enum Operand {
    case path(Path)
    case literal(Value)
    case list([Operand])
    case subquery(Path, variable: String, ResolvedPredicate)
    case place(PlaceTest)

    /// The values of an operand that reads nothing and is no place; `nil` for any other.
    var literals: [Value]? {
      switch self {
      case .literal(let value): return [value]
      case .list(let operands):
        let values = operands.compactMap { if case .literal(let value) = $0 { value } else { nil } }
        return values.count == operands.count ? values : nil
      case .path, .subquery, .place: return nil
      }
    }
  }

  /// A path whose names were found.
  struct Path {
    /// The variable that it starts from; `nil` for the object that the query looks at.
    var variable: String?
    var hops: [Hop] = []
    var aggregate: Predicate.Aggregate?
    /// The end of the path, before the aggregate.
    var end: PathEnd
  }

  /// One step of a path.
  enum Hop {
    /// Reads a property; the elements of a collection, the values of a map.
    case property(PropertySchema)
    /// To the objects of a class that link here by a property.
    case backlink(origin: ClassKey, property: PropertyKey)
    /// To every object that links here.
    case allBacklinks
    /// The value of a map under a key, instead of all its values.
    case entry(PropertySchema, String)
    /// The element of a list at a position, from the end where it is negative.
    case index(PropertySchema, Int)
    /// The keys of a map.
    case keys(PropertySchema)
    /// An element of the collection that a mixed value is; null where it is none.
    case nested(NestedStep)
    /// All elements of the collection that a mixed value is.
    case nestedElements
    /// The name of the kind of a mixed value.
    case kind
  }
}

/// The type of the values at the end of a path.
struct PathEnd {
  /// The kind of each value.
  var kind: ValueKind
  /// The class of the objects, where they are objects of one class.
  var classKey: ClassKey?
  /// Whether there can be any number of values.
  var isMany: Bool
  /// Whether a value can be null.
  var isOptional: Bool
  /// The collection that the last hop ends in, before its elements are taken.
  var lastCollection: PropertySchema?

  static func object(_ classKey: ClassKey) -> PathEnd {
    PathEnd(kind: .link, classKey: classKey, isMany: false, isOptional: false)
  }
}
