internal import KennelCore

/// Everything that a deletion would change, computed without writing.
///
/// ```swift
/// let radius = try database.snapshot().blastRadius(deleting: ada)
/// print(radius)
/// if radius.isHarmless { try database.write { db in try db.delete(ada) } }
/// ```
///
/// If nothing else is committed first and ``isComplete`` is true, the deletion changes exactly what the
/// blast radius lists.
public struct BlastRadius: Hashable, Sendable, CustomStringConvertible {
  internal let core: KennelCore.BlastRadius
  /// A line of text for each object that is deleted, indented below its cause.
  public let deletions: [String]
  /// A line of text for each link of a remaining object that is cut.
  public let cutLinks: [String]
  /// The remaining objects that nothing links to any more.
  public let orphans: [String]
  /// A line of text for each `deny` rule that prevents the deletion.
  public let denials: [String]

  /// The number of deleted objects; if ``isComplete`` is false, there may be more.
  public var deletionCount: Int { core.deletionCount }

  /// Whether only the named objects are deleted, no link is cut, no object is orphaned, and no
  /// `deny` rule prevents the deletion.
  public var isHarmless: Bool { core.isHarmless }

  /// Whether the lists are complete; they end at ten thousand deletions or cut links.
  public var isComplete: Bool { core.isComplete }

  internal init(_ core: KennelCore.BlastRadius, _ reader: DatabaseReader) throws(DatabaseError) {
    self.core = core
    let text = BlastText(reader: reader)
    var deletions: [String] = []
    for deletion in core.deletions { deletions.append(try text.line(deletion)) }
    var cuts: [String] = []
    for edge in core.nulled + core.removed { cuts.append(try text.cut(edge)) }
    var orphans: [String] = []
    for orphan in core.orphaned { orphans.append(try text.name(orphan)) }
    var denials: [String] = []
    for denial in core.denied { denials.append(try text.denial(denial)) }
    (self.deletions, cutLinks, self.orphans, self.denials) = (deletions, cuts, orphans, denials)
  }

  /// The lists as lines of text.
  public var description: String {
    var lines = ["deletes \(deletionCount) \(deletionCount == 1 ? "object" : "objects")"]
    lines += deletions.map { "  \($0)" }
    for (title, list) in [
      ("cuts links", cutLinks), ("leaves without a link", orphans), ("is denied", denials),
    ] where !list.isEmpty {
      lines.append(title)
      lines += list.map { "  \($0)" }
    }
    if !isComplete { lines.append("and more") }
    return lines.joined(separator: "\n")
  }
}

/// The sentences of a blast radius.
private struct BlastText {
  let reader: DatabaseReader

  /// The text of an identity with the name of the object.
  func name(_ object: ObjectIdentity) throws(DatabaseError) -> String {
    let (text, name) = (reader.describe(object), try reader.displayName(of: object))
    return name == text ? text : "\(text) \(name)"
  }

  private func property(_ key: PropertyKey, of object: ObjectIdentity) -> String {
    reader.schema.property(key, of: object.classKey)?.name ?? "a property"
  }

  func line(_ deletion: KennelCore.BlastRadius.Deletion) throws(DatabaseError) -> String {
    let cause =
      switch deletion.reason {
      case .asked: ""
      case .embedded(let slot): ", embedded in \(property(slot.property, of: slot.object))"
      case .cascade(let from, let key): ", linked by \(property(key, of: from))"
      case .cascadeIfLast(let from, let key):
        ", whose last link is \(property(key, of: from))"
      }
    return String(repeating: "  ", count: deletion.depth) + (try name(deletion.object)) + cause
  }

  func cut(_ edge: Edge) throws(DatabaseError) -> String {
    "\(try name(edge.object)).\(property(edge.property, of: edge.object))"
  }

  func denial(_ denial: KennelCore.BlastRadius.Denial) throws(DatabaseError) -> String {
    "\(try name(denial.object)) while \(property(denial.property, of: denial.object)) links to "
      + (try name(denial.target))
  }
}
