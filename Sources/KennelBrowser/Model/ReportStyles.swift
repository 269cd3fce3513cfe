internal import KennelReports

extension Theme {
  /// The style of a line of a report.
  func style(of role: ReportLine.Role) -> Style {
    switch role {
    case .heading: header
    case .standard: standard
    case .note: note
    case .added: added
    case .changed: changed
    case .deleted: deleted
    case .denied: error
    }
  }
}
