internal import KennelCore
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
  /// The commit of this run whose changes these are, where its list led here.
  var commit: Int?

  /// The line of the cursor.
  var line: ReportLine? { lines.indices.contains(index) ? lines[index] : nil }

  /// Gives objects that a commit numbered their final keys.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    for index in lines.indices {
      guard case .object(let object)? = lines[index].target, let new = keys[object] else {
        continue
      }
      lines[index].target = .object(new)
    }
  }
}
