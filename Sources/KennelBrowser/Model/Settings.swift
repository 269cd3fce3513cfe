package import KennelCore

/// What the browser is told about the world outside, which it cannot see itself.
package struct BrowserSettings: Sendable {
  /// Whether the terminal shows colors; without them, nothing is lost but beauty.
  package var hasColor: Bool
  /// What characters the terminal shows.
  package var repertoire: Repertoire
  /// The name of the file for the title.
  package var fileName: String
  /// An object as JSON, for copying.
  package var json: (@Sendable (Snapshot, ObjectIdentity) -> String?)?

  package init(
    fileName: String,
    hasColor: Bool = true,
    repertoire: Repertoire = .unicode,
    json: (@Sendable (Snapshot, ObjectIdentity) -> String?)? = nil
  ) {
    self.fileName = fileName
    self.hasColor = hasColor
    self.repertoire = repertoire
    self.json = json
  }
}
