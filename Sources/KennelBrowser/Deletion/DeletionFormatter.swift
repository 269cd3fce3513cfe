internal import KennelCore
internal import KennelReports

/// A line of what a deletion takes with it.
struct DeletionLine {
  enum Subject: Hashable {
    case heading(String)
    case deletion(BlastRadius.Deletion)
    /// A link that the deletion cuts.
    case edge(Edge)
    case orphan(ObjectIdentity)
    /// A rule that forbids the deletion.
    case denial(BlastRadius.Denial)
    /// An edit of links that the person makes before.
    case edit(LinkEdit)
    case note
  }

  var text: String
  var style: Style
  var subject: Subject
  /// How deep in the tree it is; what is deeper below it folds with it.
  var depth: Int

  init(_ text: String, _ style: Style, _ subject: Subject = .note, depth: Int = 0) {
    (self.text, self.style, self.subject, self.depth) = (text, style, subject, depth)
  }
}

/// The blast radius as a tree with counts: what is deleted and why, which links break, who is left alone.
struct DeletionFormatter {
  let model: BrowserModel
  private var theme: Theme { model.theme }

  /// So many lines of each kind are written out; the counts say the rest.
  static let mostLines = 2_000

  /// Below more deletions, what happens to links is not on the first screen.
  private static let mostBeforeLinks = 20

  /// The tree, and the counts, as lines.
  ///
  /// - Parameters:
  ///   - radius: The blast radius.
  ///   - edits: What is done about links before.
  ///   - most: So many lines of each kind are written out.
  /// - Returns: The lines.
  func lines(
    of radius: BlastRadius,
    after edits: [LinkEdit] = [],
    most: Int = mostLines
  ) -> [DeletionLine] {
    var lines: [DeletionLine] = []
    if radius.deletionCount > 0 { lines.append(heading("Deletes \(counts(of: radius)):")) }
    if radius.deletionCount > Self.mostBeforeLinks, let effects = effects(of: radius) {
      lines.append(DeletionLine("  \(effects): see below", theme.note, depth: 1))
    }
    lines += deletions(radius.deletions.prefix(most))
    lines += rest(radius.deletionCount, most)
    lines += self.edits(edits)
    lines += section(radius.nulled, "link", Self.nulled, radius, most, line)
    lines += section(radius.removed, "link", Self.removed, radius, most, line)
    lines += section(radius.orphaned, "object", Self.orphaned, radius, most) { object in
      DeletionLine("  \(model.label(object))", theme.standard, .orphan(object), depth: 1)
    }
    for denial in radius.denied.prefix(most) {
      let text = "✗ \(sentence(denial, model.label))"
      lines.append(DeletionLine(text, theme.error, .denial(denial)))
    }
    return lines + rest(radius.denied.count, most)
  }

  /// Why a rule forbids a deletion, as in `Dog/1.owner forbids it while it links to Person/1`.
  func sentence(_ denial: BlastRadius.Denial, _ text: (ObjectIdentity) -> String) -> String {
    let name = name(denial.property, of: denial.object.classKey)
    let link = "\(text(denial.object)).\(name) forbids it while"
    return switch denial.rule {
    case .deleteRule: "\(link) \(text(denial.target)) exists"
    case .targetRule: "\(link) it links to \(text(denial.target))"
    }
  }

  private func heading(_ text: String) -> DeletionLine {
    let text = text.prefix(1).uppercased() + text.dropFirst()
    return DeletionLine(text, theme.header, .heading(text))
  }

  private func rest(_ count: Int, _ most: Int) -> [DeletionLine] {
    guard count > most else { return [] }
    return [DeletionLine("  … and \(count - most) more", theme.note, depth: 1)]
  }

  // MARK: - The tree

  private func deletions(_ deletions: ArraySlice<BlastRadius.Deletion>) -> [DeletionLine] {
    zip(deletions, Self.branches(deletions)).map { deleted, branch in
      let text = "  \(branch)† \(model.label(deleted.object))\(reason(of: deleted))"
      return DeletionLine(text, theme.deleted, .deletion(deleted), depth: deleted.depth + 1)
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
      return "  (cascade: \(model.text(from)).\(name(property, of: from.classKey)))"
    case .cascadeIfLast(let from, let property):
      return "  (last link: \(model.text(from)).\(name(property, of: from.classKey)))"
    case .targetDeleted(let target, let property):
      return "  (its \(name(property, of: deleted.object.classKey)) goes: \(model.text(target)))"
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

  private func edits(_ edits: [LinkEdit]) -> [DeletionLine] {
    guard !edits.isEmpty else { return [] }
    return [heading("before that:")]
      + edits.map { edit in
        let name = name(edit.property, of: edit.object.classKey)
        let from = "\(model.label(edit.object)) .\(name)"
        let text: String
        if let replacement = edit.replacement {
          text = "  \(from) links to \(model.label(replacement)) instead"
        } else if edit.keepsObject {
          text =
            "  \(model.label(edit.object)) stays: its .\(name) does not link to "
            + "\(model.label(edit.target)) any more"
        } else {
          text = "  \(model.label(edit.target)) stays: it is taken out of \(from)"
        }
        return DeletionLine(text, theme.added, .edit(edit), depth: 1)
      }
  }

  /// The heading and the lines of an effect on objects that stay.
  private func section<Thing>(
    _ things: [Thing],
    _ noun: String,
    _ verb: Verb,
    _ radius: BlastRadius,
    _ most: Int,
    _ line: (Thing) -> DeletionLine
  ) -> [DeletionLine] {
    guard !things.isEmpty else { return [] }
    let title =
      things.count == 1 && radius.isComplete
      ? "1 \(noun) \(verb.one)"
      : "\(Self.atLeast(radius))\(things.count) \(noun)s \(verb.many)"
    return [heading("\(title):")] + things.prefix(most).map(line) + rest(things.count, most)
  }

  private static func atLeast(_ radius: BlastRadius) -> String {
    radius.isComplete ? "" : "at least "
  }

  private func line(_ edge: Edge) -> DeletionLine {
    let place =
      switch edge.position {
      case .value: ""
      case .index(let index): "[\(index)]"
      case .key(let key): "[\"\(key)\"]"
      case .member: "{}"
      }
    let name = name(edge.property, of: edge.object.classKey)
    let text = "  \(model.label(edge.object)) .\(name)\(place)"
    return DeletionLine(text, theme.changed, .edge(edge), depth: 1)
  }

  private func name(_ property: PropertyKey, of classKey: ClassKey) -> String {
    model.name(of: property, in: classKey)
  }

  /// The effects on objects that stay, as in `2 links become null, 1 object is left with no link to it`;
  /// `nil` where it does nothing to them.
  func effects(of radius: BlastRadius) -> String? {
    let parts = [
      (radius.nulled.count, "link", Self.nulled), (radius.removed.count, "link", Self.removed),
      (radius.orphaned.count, "object", Self.orphaned),
    ].filter { $0.0 > 0 }.map { count, noun, verb in
      "\(counted(count, noun)) \(count == 1 ? verb.one : verb.many)"
    }
    return parts.isEmpty ? nil : Self.atLeast(radius) + parts.joined(separator: ", ")
  }

  /// As in `1 Person, 2 Address`, or `at least 40000 Dog`.
  func counts(of radius: BlastRadius) -> String {
    let parts = radius.counts.sorted { $0.key < $1.key }.map { key, count in
      "\(count) \(model.name(of: key))"
    }
    return Self.atLeast(radius) + parts.joined(separator: ", ")
  }
}
