internal import KennelCore

/// Everything that a deletion would change, computed without writing.
///
/// ```swift
/// let radius = try database.snapshot().blastRadius(deleting: ada)
/// print(radius)
/// print("\(radius.deletionCount(of: Dog.self)) dogs")
/// if radius.isHarmless { try database.write { db in try db.delete(ada) } }
/// ```
///
/// If nothing else is committed first and ``isComplete`` is true, the deletion changes exactly what the
/// blast radius lists.
public struct BlastRadius: Hashable, Sendable, CustomStringConvertible {
  /// An object that a deletion concerns.
  ///
  /// ```swift
  /// for object in radius.orphans where object.className == "Dog" { print(object.name) }
  /// ```
  public struct Item: Hashable, Sendable, CustomStringConvertible {
    /// The class of the object in the file.
    public let className: String
    /// The key of the object, as ``Object/objectKey``.
    public let objectKey: Int
    /// The name that a person knows, such as `Rex`; the class and the key if the object has none.
    public let name: String
    /// The class and the key.
    fileprivate let identity: String

    /// The class, the key and the name, such as `Dog/3 Rex`.
    public var description: String { name == identity ? identity : "\(identity) \(name)" }
  }

  /// A link of an object to another one.
  ///
  /// ```swift
  /// print(radius.cutLinks.map { "\($0.property) of \($0.object)" })
  /// ```
  public struct Link: Hashable, Sendable, CustomStringConvertible {
    /// The object that links.
    public let object: Item
    /// The property in the file.
    public let property: String

    /// The object and the property, such as `Person/1 Ada.dogs`.
    public var description: String { "\(object).\(property)" }
  }

  /// Why an object is deleted.
  ///
  /// ```swift
  /// print(radius.deletions.count { $0.reason == .asked })
  /// ```
  public enum Reason: Hashable, Sendable {
    /// The caller named it.
    case asked
    /// Its owner is deleted.
    case embedded(in: Link)
    /// A deleted object links to it with the rule `cascade`.
    case cascade(from: Link)
    /// The last link to it is one with the rule `cascadeIfLast`, and is removed.
    case cascadeIfLast(from: Link)
    /// A property of it, with the target rule `cascade`, links to a deleted object.
    case targetDeleted(Item, property: String)
  }

  /// An object that is deleted.
  ///
  /// ```swift
  /// for deletion in radius.deletions where deletion.depth < 2 { print(deletion) }
  /// ```
  public struct Deletion: Hashable, Sendable, CustomStringConvertible {
    /// The object.
    public let object: Item
    /// Why it is deleted: the first cause that was found.
    public let reason: Reason
    /// Its depth in the tree of causes, from 0.
    public let depth: Int

    /// The object and the reason, indented below its cause.
    public var description: String {
      let cause =
        switch reason {
        case .asked: ""
        case .embedded(let link): ", embedded in \(link.property)"
        case .cascade(let link): ", linked by \(link.property)"
        case .cascadeIfLast(let link): ", whose last link is \(link.property)"
        case .targetDeleted(_, let property): ", which links to it by \(property)"
        }
      return String(repeating: "  ", count: depth) + object.description + cause
    }
  }

  /// A `deny` rule that prevents the deletion.
  ///
  /// ```swift
  /// for denial in radius.denials { print("Delete \(denial.remaining) first") }
  /// ```
  public struct Denial: Hashable, Sendable, CustomStringConvertible {
    /// The link with the rule.
    public let link: Link
    /// The target of the link.
    public let target: Item
    /// Whether the target would be deleted and the object remain, which its target rule forbids; if not,
    /// the object would be deleted and the target remain, which its delete rule forbids.
    public let isOfTargetRule: Bool

    /// The one of both that would remain; the rule allows a deletion that deletes it, too.
    public var remaining: Item { isOfTargetRule ? link.object : target }

    /// The link and its target as a sentence.
    public var description: String {
      isOfTargetRule
        ? "\(target) while \(link.property) of \(link.object) links to it"
        : "\(link.object) while \(link.property) links to \(target)"
    }
  }

  internal let core: KennelCore.BlastRadius
  /// The objects that are deleted, each after its cause.
  public let deletions: [Deletion]
  /// The links of remaining objects that are cut.
  public let cutLinks: [Link]
  /// The remaining objects that nothing links to any more.
  public let orphans: [Item]
  /// The `deny` rules that prevent the deletion.
  public let denials: [Denial]
  private let counts: [String: Int]

  /// The number of deleted objects; if ``isComplete`` is false, there may be more.
  public var deletionCount: Int { core.deletionCount }

  /// Whether only the named objects are deleted, no link is cut, no object is orphaned, and no
  /// `deny` rule prevents the deletion.
  public var isHarmless: Bool { core.isHarmless }

  /// Whether the lists are complete; they end at ten thousand deletions or cut links.
  public var isComplete: Bool { core.isComplete }

  /// The number of deleted objects of a model; if ``isComplete`` is false, there may be more.
  ///
  /// - Parameter model: The model.
  /// - Returns: The number.
  public func deletionCount<M: Model>(of model: M.Type) -> Int { counts[M.className] ?? 0 }

  internal init(_ core: KennelCore.BlastRadius, _ reader: DatabaseReader) throws(DatabaseError) {
    self.core = core
    var items = Items(reader: reader)
    deletions = try core.deletions.map { (deletion) throws(DatabaseError) in
      let reason: Reason =
        switch deletion.reason {
        case .asked: .asked
        case .embedded(let slot): .embedded(in: try items.link(slot.object, slot.property))
        case .cascade(let from, let key): .cascade(from: try items.link(from, key))
        case .cascadeIfLast(let from, let key): .cascadeIfLast(from: try items.link(from, key))
        case .targetDeleted(let target, let key):
          .targetDeleted(
            try items.item(target),
            property: try items.link(deletion.object, key).property
          )
        }
      return Deletion(
        object: try items.item(deletion.object),
        reason: reason,
        depth: deletion.depth
      )
    }
    cutLinks = try (core.nulled + core.removed).map { (edge) throws(DatabaseError) in
      try items.link(edge.object, edge.property)
    }
    orphans = try core.orphaned.map { (object) throws(DatabaseError) in try items.item(object) }
    denials = try core.denied.map { (denial) throws(DatabaseError) in
      Denial(
        link: try items.link(denial.object, denial.property),
        target: try items.item(denial.target),
        isOfTargetRule: denial.rule == .targetRule
      )
    }
    counts = Dictionary(grouping: deletions, by: \.object.className).mapValues(\.count)
  }

  /// The lists as lines of text.
  public var description: String {
    var lines = ["deletes \(deletionCount) \(deletionCount == 1 ? "object" : "objects")"]
    lines += deletions.map { "  \($0)" }
    let lists: [(String, [any CustomStringConvertible])] = [
      ("cuts links", cutLinks), ("leaves without a link", orphans), ("is denied", denials),
    ]
    for (title, list) in lists where !list.isEmpty {
      lines.append(title)
      lines += list.map { "  \($0)" }
    }
    if !isComplete { lines.append("and more") }
    return lines.joined(separator: "\n")
  }
}

/// The objects of a blast radius with their names, each read once.
private struct Items {
  let reader: DatabaseReader
  private var known: [ObjectIdentity: BlastRadius.Item] = [:]

  init(reader: DatabaseReader) { self.reader = reader }

  mutating func item(_ object: ObjectIdentity) throws(DatabaseError) -> BlastRadius.Item {
    if let item = known[object] { return item }
    let item = BlastRadius.Item(
      className: reader.schema[object.classKey]?.name ?? "",
      objectKey: Int(truncatingIfNeeded: object.key.rawValue),
      name: try reader.displayName(of: object),
      identity: reader.describe(object)
    )
    known[object] = item
    return item
  }

  mutating func link(
    _ object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) -> BlastRadius.Link {
    let property = reader.schema.property(key, of: object.classKey)?.name ?? "a property"
    return BlastRadius.Link(object: try item(object), property: property)
  }
}
