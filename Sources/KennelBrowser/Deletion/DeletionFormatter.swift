internal import KennelCore
internal import KennelReports

/// A line of what a deletion takes with it.
struct DeletionLine {
  enum Subject: Hashable {
    /// An effect of the deletion.
    case effect(DeletionReport.Subject)
    /// An edit of links that the person makes before.
    case edit(LinkEdit)
  }

  var text: String
  var style: Style
  var subject: Subject
  /// How deep in the tree it is; what is deeper below it folds with it.
  var depth: Int

  init(_ text: String, _ style: Style, _ subject: Subject, depth: Int = 0) {
    (self.text, self.style, self.subject, self.depth) = (text, style, subject, depth)
  }

  init(_ line: DeletionReport.Line, _ theme: Theme) {
    self.init(line.text, theme.style(of: line.role), .effect(line.subject), depth: line.depth)
  }
}

extension BrowserModel: ObjectTexts {}

/// The report of a deletion with the edits of links that a person makes before.
struct DeletionFormatter {
  let model: BrowserModel
  private var theme: Theme { model.theme }

  /// So many lines of each kind are written out; the counts say the rest.
  static let mostLines = 2_000

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
    let report = DeletionReport(radius, model, most: most)
    return report.deletionLines.map { DeletionLine($0, theme) } + self.edits(edits)
      + report.consequenceLines.map { DeletionLine($0, theme) }
  }

  /// Why a rule forbids a deletion, as in `Dog/1.owner forbids it while it links to Person/1`.
  func sentence(_ denial: BlastRadius.Denial) -> String {
    DeletionReport.sentence(denial, model, model.text)
  }

  /// The effects on objects that stay, as in `2 links become null, 1 object is left with no link to it`;
  /// `nil` where it does nothing to them.
  func effects(of radius: BlastRadius) -> String? {
    DeletionReport(radius, model, most: 0).effects
  }

  /// As in `1 Person, 2 Address`, or `at least 40000 Dog`.
  func counts(of radius: BlastRadius) -> String {
    DeletionReport(radius, model, most: 0).counts
  }

  private func edits(_ edits: [LinkEdit]) -> [DeletionLine] {
    guard !edits.isEmpty else { return [] }
    return [DeletionLine(DeletionReport.heading("before that:"), theme)]
      + edits.map { edit in
        let name = model.name(of: edit.property, in: edit.object.classKey)
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
}
