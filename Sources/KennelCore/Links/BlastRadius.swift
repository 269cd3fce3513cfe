public import KennelStorage

/// What a deletion or an unlinking takes with it, computed without writing.
///
/// What a commit does is exactly what the blast radius said before.
public struct BlastRadius: Hashable, Sendable {
  /// Why an object dies.
  public enum Reason: Hashable, Sendable {
    /// Somebody asked for it.
    case asked
    /// Its owner dies, or its slot gets another value.
    case embedded(Slot)
    /// An object that dies links to it with the rule `cascade`.
    case cascade(from: ObjectIdentity, PropertyKey)
    /// Its last strong link goes; the rule is `cascadeIfLast`.
    case cascadeIfLast(from: ObjectIdentity, PropertyKey)
  }

  /// An object that dies.
  public struct Deletion: Hashable, Sendable {
    /// The object.
    public let object: ObjectIdentity
    /// Why it dies: the first cause that was found.
    public let reason: Reason
    /// How deep it stands in the tree of causes, from 0.
    public let depth: Int
  }

  /// A rule that forbids the deletion.
  public struct Denial: Hashable, Sendable {
    /// The object that would die.
    public let object: ObjectIdentity
    /// Its link property with the rule `deny`.
    public let property: PropertyKey
    /// The target that would live on.
    public let target: ObjectIdentity
  }

  /// The objects that die: a tree in preorder, each after its cause.
  public internal(set) var deletions: [Deletion] = []
  /// To-one links and map values of objects that live on, which become null.
  public internal(set) var nulled: [Edge] = []
  /// Entries of lists and sets of objects that live on, which vanish.
  public internal(set) var removed: [Edge] = []
  /// Objects that live on and to which no link is left.
  public internal(set) var orphaned: [ObjectIdentity] = []
  /// What forbids the deletion.
  public internal(set) var denied: [Denial] = []
  /// How many objects of each class die.
  public internal(set) var counts: [ClassKey: Int] = [:]
  /// False where a limit was reached: then all numbers mean *at least*.
  public internal(set) var isComplete = true

  /// Makes a blast radius that takes nothing.
  public init() {}

  /// How many objects die.
  public var deletionCount: Int { deletions.count }

  /// Whether nothing dies but what was asked for, and no other object changes.
  public var isHarmless: Bool {
    deletions.allSatisfy { $0.reason == .asked } && nulled.isEmpty && removed.isEmpty
      && orphaned.isEmpty && denied.isEmpty
  }

  /// The objects that die.
  internal var dead: Set<ObjectIdentity> { Set(deletions.map(\.object)) }

  /// Whether everything here is in another one too.
  internal func isContained(in other: BlastRadius) -> Bool {
    let dead = other.dead
    let cut = Set(other.nulled.map(EdgeWithoutPosition.init))
      .union(other.removed.map(EdgeWithoutPosition.init))
    return deletions.allSatisfy { dead.contains($0.object) }
      && (nulled + removed).allSatisfy { cut.contains(EdgeWithoutPosition($0)) }
  }
}

/// An edge whose place in a collection may have changed meanwhile.
private struct EdgeWithoutPosition: Hashable {
  let object: ObjectIdentity
  let property: PropertyKey

  init(_ edge: Edge) {
    object = edge.object
    property = edge.property
  }
}
