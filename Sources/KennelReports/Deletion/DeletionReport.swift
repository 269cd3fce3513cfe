package import KennelCore

/// The effects of a deletion as lines: what is deleted and why as a tree, which links break, who is left alone.
package struct DeletionReport {
  /// The subject of a line.
  package enum Subject: Hashable, Sendable {
    case heading(String)
    case deletion(BlastRadius.Deletion)
    /// A link that the deletion cuts.
    case edge(Edge)
    case orphan(ObjectIdentity)
    /// A rule that forbids the deletion.
    case denial(BlastRadius.Denial)
    case note
  }

  package struct Line: Sendable {
    package var text: String
    package var role: ReportLine.Role
    package var subject: Subject
    /// How deep in the tree it is; what is deeper below it is a part of it.
    package var depth: Int

    package init(_ text: String, _ role: ReportLine.Role, _ subject: Subject, depth: Int = 0) {
      (self.text, self.role, self.subject, self.depth) = (text, role, subject, depth)
    }
  }

  /// Below more deletions, what happens to links is not on the first screen.
  private static let mostBeforeLinks = 20

  private let radius: BlastRadius
  private let texts: any ObjectTexts
  /// So many lines of each kind are written out; the counts say the rest.
  private let most: Int

  package init(_ radius: BlastRadius, _ texts: any ObjectTexts, most: Int) {
    (self.radius, self.texts, self.most) = (radius, texts, most)
  }

  /// The lines of what is deleted, and those of its consequences.
  package var lines: [Line] { deletionLines + consequenceLines }

  /// The counts, and the tree of what is deleted.
  package var deletionLines: [Line] {
    guard radius.deletionCount > 0 else { return [] }
    var lines = [Self.heading("Deletes \(counts):")]
    if radius.deletionCount > Self.mostBeforeLinks, let effects {
      lines.append(Line("  \(effects): see below", .note, .note, depth: 1))
    }
    return lines + deletions + rest(radius.deletionCount)
  }

  /// The links that break, the objects that are left alone, and the rules that forbid the deletion.
  package var consequenceLines: [Line] {
    section(radius.nulled, "link", Self.nulled, line)
      + section(radius.removed, "link", Self.removed, line)
      + section(radius.orphaned, "object", Self.orphaned) { object in
        Line("  \(texts.label(object))", .standard, .orphan(object), depth: 1)
      }
      + radius.denied.prefix(most).map { denial in
        Line("✗ \(Self.sentence(denial, texts, texts.label))", .denied, .denial(denial))
      }
      + rest(radius.denied.count)
  }

  /// Why a rule forbids a deletion, as in `Dog/1.owner forbids it while it links to Person/1`.
  ///
  /// - Parameters:
  ///   - denial: The rule.
  ///   - texts: The texts for properties.
  ///   - text: The text for an object.
  /// - Returns: The sentence.
  package static func sentence(
    _ denial: BlastRadius.Denial,
    _ texts: any ObjectTexts,
    _ text: (ObjectIdentity) -> String
  ) -> String {
    let name = texts.name(of: denial.property, in: denial.object.classKey)
    let link = "\(text(denial.object)).\(name) forbids it while"
    return switch denial.rule {
    case .deleteRule: "\(link) \(text(denial.target)) exists"
    case .targetRule: "\(link) it links to \(text(denial.target))"
    }
  }

  package static func heading(_ text: String) -> Line {
    let text = text.prefix(1).uppercased() + text.dropFirst()
    return Line(text, .heading, .heading(text))
  }

  private func rest(_ count: Int) -> [Line] {
    count > most ? [Line("  … and \(count - most) more", .note, .note, depth: 1)] : []
  }

  // MARK: - The tree

  private var deletions: [Line] {
    let deletions = radius.deletions.prefix(most)
    return zip(deletions, Self.branches(deletions)).map { deleted, branch in
      let text = "  \(branch)† \(texts.label(deleted.object))\(reason(of: deleted))"
      return Line(text, .deleted, .deletion(deleted), depth: deleted.depth + 1)
    }
  }

  /// The branches before each deletion: a line down from each cause that another one follows.
  private static func branches(_ deletions: ArraySlice<BlastRadius.Deletion>) -> [String] {
    let deepest = 20
    var branches: [String] = []
    // The depths at which another one follows.
    var following: Set<Int> = []
    for deleted in deletions.reversed() {
      let depth = deleted.depth
      let causes = (1..<max(1, min(depth, deepest))).map { following.contains($0) ? "│ " : "  " }
      let isLast = !following.contains(depth)
      branches.append(causes.joined() + (depth == 0 ? "" : isLast ? "└ " : "├ "))
      following = following.filter { $0 < depth }.union([depth])
    }
    return branches.reversed()
  }

  private func reason(of deleted: BlastRadius.Deletion) -> String {
    switch deleted.reason {
    case .asked:
      return ""
    case .embedded(let slot):
      return "  (embedded: \(name(slot.property, of: slot.object.classKey)))"
    case .cascade(let from, let property):
      return "  (cascade: \(texts.text(from)).\(name(property, of: from.classKey)))"
    case .cascadeIfLast(let from, let property):
      return "  (last link: \(texts.text(from)).\(name(property, of: from.classKey)))"
    case .targetDeleted(let target, let property):
      return "  (its \(name(property, of: deleted.object.classKey)) goes: \(texts.text(target)))"
    }
  }

  // MARK: - Links

  /// A verb for one, and for several.
  private typealias Verb = (one: String, many: String)
  private static let nulled: Verb = ("becomes null", "become null")
  private static let removed: Verb = ("leaves its list or set", "leave their list or set")
  private static let orphaned: Verb = (
    "is left with no link to it", "are left with no link to them"
  )

  /// The heading and the lines of an effect on objects that stay.
  private func section<Thing>(
    _ things: [Thing],
    _ noun: String,
    _ verb: Verb,
    _ line: (Thing) -> Line
  ) -> [Line] {
    guard !things.isEmpty else { return [] }
    let title =
      things.count == 1 && radius.isComplete
      ? "1 \(noun) \(verb.one)"
      : "\(atLeast)\(things.count) \(noun)s \(verb.many)"
    return [Self.heading("\(title):")] + things.prefix(most).map(line) + rest(things.count)
  }

  private var atLeast: String { radius.isComplete ? "" : "at least " }

  private func line(_ edge: Edge) -> Line {
    let place =
      switch edge.position {
      case .value: ""
      case .index(let index): "[\(index)]"
      case .key(let key): "[\"\(key)\"]"
      case .member: "{}"
      }
    let name = name(edge.property, of: edge.object.classKey)
    let text = "  \(texts.label(edge.object)) .\(name)\(place)"
    return Line(text, .changed, .edge(edge), depth: 1)
  }

  private func name(_ property: PropertyKey, of classKey: ClassKey) -> String {
    texts.name(of: property, in: classKey)
  }

  /// The effects on objects that stay, as in `2 links become null, 1 object is left with no link to it`;
  /// `nil` where it does nothing to them.
  package var effects: String? {
    let parts = [
      (radius.nulled.count, "link", Self.nulled), (radius.removed.count, "link", Self.removed),
      (radius.orphaned.count, "object", Self.orphaned),
    ].filter { $0.0 > 0 }.map { count, noun, verb in
      "\(counted(count, noun)) \(count == 1 ? verb.one : verb.many)"
    }
    return parts.isEmpty ? nil : atLeast + parts.joined(separator: ", ")
  }

  /// As in `1 Person, 2 Address`, or `at least 40000 Dog`.
  package var counts: String {
    let parts = radius.counts.sorted { $0.key < $1.key }.map { key, count in
      "\(count) \(texts.name(of: key))"
    }
    return atLeast + parts.joined(separator: ", ")
  }
}
