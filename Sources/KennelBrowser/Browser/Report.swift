internal import KennelReports

/// A report that a person reads, and where the cursor is in it.
struct Report {
  enum Kind {
    case statistics, doctor, difference, commits, trail
  }

  let kind: Kind
  var heading: String
  var lines: [ReportLine]
  var index = 0

  /// The line of the cursor.
  var line: ReportLine? { lines.indices.contains(index) ? lines[index] : nil }
}
