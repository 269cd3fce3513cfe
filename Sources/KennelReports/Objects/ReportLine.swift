package import KennelCore

/// A line of a report, and what it is about.
package struct ReportLine: Sendable {
  package enum Target: Hashable, Sendable {
    /// The objects of a class that a query selects.
    case query(ClassKey, String)
    case object(ObjectIdentity)
  }

  package enum Role: Sendable {
    case heading, standard, note, added, changed, deleted, denied
  }

  package var text: String
  package var role: Role
  /// `nil` if there is nothing to open.
  package var target: Target?

  package init(_ text: String, _ role: Role = .standard, opening target: Target? = nil) {
    self.text = text
    self.role = role
    self.target = target
  }
}
