/// The parts of a `.realm` file that a Kennel file cannot represent.
///
/// ```swift
/// let losses = try RealmImporter.losses(of: file)
/// for loss in losses.kinds { print(loss.rawValue, losses.examples(of: loss)) }
/// ```
public struct RealmLosses: Sendable, Equatable {
  /// A kind of loss, whose raw value is the name that allows it.
  public enum Kind: String, Sendable, CaseIterable {
    /// Classes whose objects are only sent to a server become ordinary classes.
    case asymmetricClasses = "asymmetric-classes"
    /// Indexes of words are left out.
    case fullTextIndexes = "full-text-indexes"
    /// Indexes of values of any type are left out.
    case mixedIndexes = "mixed-indexes"
    /// Names that Kennel does not allow, or that another class or property has, are changed.
    case names

    /// Names the kind in words.
    public var title: String {
      switch self {
      case .asymmetricClasses: "classes that are only sent to a server become ordinary ones"
      case .fullTextIndexes: "indexes of words"
      case .mixedIndexes: "indexes of values of any type"
      case .names: "names that Kennel does not allow, or that are there already"
      }
    }
  }

  /// How many examples of a kind are kept.
  private static let mostExamples = 3

  private var counts: [Kind: Int] = [:]
  private var places: [Kind: [String]] = [:]

  /// Makes an empty list.
  public init() {}

  /// Whether there are none.
  public var isEmpty: Bool { counts.isEmpty }

  /// The kinds that there are.
  public var kinds: [Kind] { Kind.allCases.filter { counts[$0] != nil } }

  /// Returns how often a kind of loss was met.
  public func count(of kind: Kind) -> Int { counts[kind] ?? 0 }

  /// Returns the first places where a kind of loss was met.
  public func examples(of kind: Kind) -> [String] { places[kind] ?? [] }

  /// All losses with examples, as a part of a sentence.
  public var sentence: String {
    kinds.map { kind in
      let rest = count(of: kind) - examples(of: kind).count
      let more = rest > 0 ? " and \(rest) more" : ""
      let places = examples(of: kind).joined(separator: ", ") + more
      return "\(kind.title) (\(places))"
    }
    .joined(separator: "; ")
  }

  mutating func note(_ kind: Kind, _ place: String) {
    counts[kind, default: 0] += 1
    if examples(of: kind).count < Self.mostExamples { places[kind, default: []].append(place) }
  }
}
