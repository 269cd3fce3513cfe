extension ReportedChange {
  /// So many values of one object are listed.
  private static let mostValues = 50

  /// The change as lines: the object, and below it what differs.
  ///
  /// Each line opens the newer object.
  package var lines: [ReportLine] {
    switch self {
    case .schema(let change):
      return [ReportLine("  \(change.text)", .changed)]
    case .object(let change):
      let role: ReportLine.Role =
        switch change.kind {
        case .created: .added
        case .changed: .changed
        case .deleted: .deleted
        }
      let target = change.new.map { ReportLine.Target.object($0) }
      var lines = [ReportLine("  \(change.kind.sign) \(change.text)", role, opening: target)]
      lines += change.valueTexts.prefix(Self.mostValues).map {
        ReportLine("      \($0)", opening: target)
      }
      let rest = change.values.count - Self.mostValues
      if rest > 0 { lines.append(ReportLine("      … and \(rest) more", .note, opening: target)) }
      return lines
    }
  }
}
