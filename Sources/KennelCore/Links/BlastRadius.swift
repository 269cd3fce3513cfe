public import KennelStorage

/// Everything that a deletion would change, computed without writing.
///
/// ```swift
/// let radius = try snapshot.blastRadius(deleting: [ada])
/// for deletion in radius.deletions { print(snapshot.describe(deletion.object)) }
/// ```
///
/// As long as the database is in the same state and ``isComplete`` is true, deleting the objects
/// changes exactly what the blast radius lists.
public struct BlastRadius: Hashable, Sendable {
  /// Why an object is deleted.
  ///
  /// ```swift
  /// let radius = try snapshot.blastRadius(deleting: [ada])
  /// let others = radius.deletions.filter { $0.reason != .asked }
  /// print(others.map { snapshot.describe($0.object) })
  /// ```
  public enum Reason: Hashable, Sendable {
    /// The caller named it.
    case asked
    /// Its owner is deleted, or its slot gets another value.
    case embedded(Slot)
    /// A deleted object links to it with the rule `cascade`.
    case cascade(from: ObjectIdentity, PropertyKey)
    /// A `cascadeIfLast` link to it is removed, and no other `cascade` or `cascadeIfLast` link to
    /// it remains.
    case cascadeIfLast(from: ObjectIdentity, PropertyKey)
    /// A property of it, with the target rule `cascade`, links to a deleted object.
    case targetDeleted(ObjectIdentity, PropertyKey)
  }

  /// An object that is deleted.
  ///
  /// ```swift
  /// let radius = try snapshot.blastRadius(deleting: [ada])
  /// for deletion in radius.deletions {
  ///   print(String(repeating: "  ", count: deletion.depth) + snapshot.describe(deletion.object))
  /// }
  /// ```
  public struct Deletion: Hashable, Sendable {
    /// The object.
    public let object: ObjectIdentity
    /// Why it is deleted: the first cause that was found.
    public let reason: Reason
    /// Its depth in the tree of causes, from 0.
    public let depth: Int
  }

  /// A `deny` rule that prevents the deletion.
  ///
  /// ```swift
  /// let radius = try snapshot.blastRadius(deleting: [license])
  /// for denial in radius.denied {
  ///   print("Delete \(snapshot.describe(denial.remaining)) first")
  /// }
  /// ```
  public struct Denial: Hashable, Sendable {
    /// Which rule of the property is `deny`.
    ///
    /// ```swift
    /// print(radius.denied.count { $0.rule == .targetRule })
    /// ```
    public enum Rule: Hashable, Sendable {
      /// The delete rule: the object would be deleted, its target would remain.
      case deleteRule
      /// The target rule: the target would be deleted, the object would remain.
      case targetRule
    }

    /// The object that holds the link.
    public let object: ObjectIdentity
    /// Its link property with the rule `deny`.
    public let property: PropertyKey
    /// The target of the link.
    public let target: ObjectIdentity
    /// Which rule of the property is `deny`.
    public let rule: Rule

    /// The one of both that would remain; the rule allows a deletion that deletes it, too.
    public var remaining: ObjectIdentity {
      switch rule {
      case .deleteRule: target
      case .targetRule: object
      }
    }
  }

  /// The deleted objects: a tree in preorder, each after its cause.
  public internal(set) var deletions: [Deletion] = []
  /// To-one links and map values that become null in remaining objects.
  public internal(set) var nulled: [Edge] = []
  /// Elements that are removed from lists and sets of remaining objects.
  public internal(set) var removed: [Edge] = []
  /// Remaining objects that no link points to any more.
  public internal(set) var orphaned: [ObjectIdentity] = []
  /// The rules that prevent the deletion.
  public internal(set) var denied: [Denial] = []
  /// The number of deleted objects of each class.
  public internal(set) var counts: [ClassKey: Int] = [:]
  /// Whether the plan is complete; if a limit was reached, all numbers are lower bounds.
  public internal(set) var isComplete = true

  /// Creates an empty blast radius.
  public init() {}

  /// The number of deleted objects.
  public var deletionCount: Int { deletions.count }

  /// Whether only the named objects are deleted, no link is cut, no object is orphaned, and no rule
  /// denies the deletion.
  public var isHarmless: Bool {
    deletions.allSatisfy { $0.reason == .asked } && nulled.isEmpty && removed.isEmpty
      && orphaned.isEmpty && denied.isEmpty
  }

  /// The objects that die.
  internal var dead: Set<ObjectIdentity> { Set(deletions.map(\.object)) }

  /// Whether everything here is in another one too.
  internal func isContained(in other: BlastRadius) -> Bool {
    let dead = other.dead
    // The place of an edge in a collection may have changed meanwhile.
    let cut = Set((other.nulled + other.removed).map { Slot($0.object, $0.property) })
    return deletions.allSatisfy { dead.contains($0.object) }
      && (nulled + removed).allSatisfy { cut.contains(Slot($0.object, $0.property)) }
  }
}
