internal import KennelCore

struct DeletionLine {
  var text: String
  var style: Style
}

/// The blast radius as a tree with counts: who dies and why, which links break, who is left alone.
struct DeletionView {
  let model: BrowserModel
  let theme: Theme

  /// So many lines of each kind are written out; the counts say the rest.
  static let mostLines = 2_000

  /// The tree, and the counts, as lines.
  ///
  /// - Parameters:
  ///   - radius: The blast radius.
  ///   - most: So many lines of each kind are written out.
  /// - Returns: The lines.
  func lines(of radius: BlastRadius, most: Int = mostLines) -> [DeletionLine] {
    let atLeast = radius.isComplete ? "" : "at least "
    var lines: [DeletionLine] = []
    if radius.deletionCount > 0 {
      lines.append(DeletionLine(text: "Deletes \(counts(of: radius)):", style: theme.header))
    }
    let deaths = radius.deletions.prefix(most)
    let isLast = Self.lastSiblings(deaths)
    for (death, isLast) in zip(deaths, isLast) { lines.append(line(of: death, isLast)) }
    rest(radius.deletionCount, most, &lines)
    lines += edges(radius.nulled, "becomes null", "become null", atLeast, most)
    lines += edges(
      radius.removed,
      "leaves its list or set",
      "leave their list or set",
      atLeast,
      most
    )
    if !radius.orphaned.isEmpty {
      let count = radius.orphaned.count
      let title =
        count == 1 && radius.isComplete
        ? "1 object is left with no link to it:"
        : "\(atLeast)\(count) objects are left with no link to them:"
      lines.append(DeletionLine(text: title.capitalizedFirst, style: theme.header))
      for object in radius.orphaned.prefix(most) {
        lines.append(DeletionLine(text: "  \(model.label(object))", style: theme.standard))
      }
      rest(radius.orphaned.count, most, &lines)
    }
    for denial in radius.denied {
      let name = name(denial.property, of: denial.object.classKey)
      let text =
        "✗ \(model.label(denial.object)).\(name) forbids it while "
        + "\(model.label(denial.target)) exists"
      lines.append(DeletionLine(text: text, style: theme.error))
    }
    return lines
  }

  private func rest(_ count: Int, _ most: Int, _ lines: inout [DeletionLine]) {
    guard count > most else { return }
    let text = "  … and \(count - most) more"
    lines.append(DeletionLine(text: text, style: theme.note))
  }

  /// Whether each deletion is the last one of those with the same cause.
  private static func lastSiblings(_ deaths: ArraySlice<BlastRadius.Deletion>) -> [Bool] {
    var isLast: [Bool] = []
    // The depths at which another one follows.
    var following: Set<Int> = []
    for death in deaths.reversed() {
      isLast.append(!following.contains(death.depth))
      following = following.filter { $0 < death.depth }.union([death.depth])
    }
    return isLast.reversed()
  }

  private func line(of death: BlastRadius.Deletion, _ isLast: Bool) -> DeletionLine {
    let indent = String(repeating: "  ", count: min(20, death.depth + 1))
    let reason: String
    switch death.reason {
    case .asked:
      reason = ""
    case .embedded(let slot):
      reason = "  (embedded: \(name(slot.property, of: slot.object.classKey)))"
    case .cascade(let from, let property):
      reason = "  (cascade: \(model.text(from)).\(name(property, of: from.classKey)))"
    case .cascadeIfLast(let from, let property):
      reason = "  (last link: \(model.text(from)).\(name(property, of: from.classKey)))"
    }
    let branch = death.depth == 0 ? "" : isLast ? "└ " : "├ "
    let label = model.label(death.object)
    return DeletionLine(text: "\(indent)\(branch)† \(label)\(reason)", style: theme.deleted)
  }

  private func edges(
    _ edges: [Edge],
    _ one: String,
    _ many: String,
    _ atLeast: String,
    _ most: Int
  ) -> [DeletionLine] {
    guard !edges.isEmpty else { return [] }
    let title =
      edges.count == 1 && atLeast.isEmpty
      ? "1 link \(one):" : "\(atLeast)\(edges.count) links \(many):"
    var lines = [DeletionLine(text: title.capitalizedFirst, style: theme.header)]
    for edge in edges.prefix(most) {
      let place: String
      switch edge.position {
      case .value: place = ""
      case .index(let index): place = "[\(index)]"
      case .key(let key): place = "[\"\(key)\"]"
      case .member: place = "{}"
      }
      let name = name(edge.property, of: edge.object.classKey)
      let text = "  \(model.label(edge.object)) .\(name)\(place)"
      lines.append(DeletionLine(text: text, style: theme.changed))
    }
    rest(edges.count, most, &lines)
    return lines
  }

  private func name(_ property: PropertyKey, of classKey: ClassKey) -> String {
    model.schema.property(property, of: classKey)?.name ?? "?"
  }

  /// As in `1 Person, 2 Address`, or `at least 40000 Dog`.
  func counts(of radius: BlastRadius) -> String {
    let parts = radius.counts.sorted { $0.key < $1.key }.map { key, count in
      "\(count) \(model.schema[key]?.name ?? "?")"
    }
    return (radius.isComplete ? "" : "at least ") + parts.joined(separator: ", ")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
