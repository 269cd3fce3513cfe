package import KennelCore

/// What the browser is told about the model outside, which it cannot see itself.
package struct BrowserSettings: Sendable {
  /// Whether the terminal shows colors; without them, nothing is lost but beauty.
  package var hasColor: Bool
  /// What characters the terminal shows.
  package var charset: Charset
  /// The name of the file for the title.
  package var fileName: String
  /// A point in time as a person reads it.
  package var time: @Sendable (Timestamp) -> String
  /// An object as JSON, for copying.
  package var json: (@Sendable (Snapshot, ObjectIdentity) -> String?)?

  package init(
    fileName: String,
    hasColor: Bool = true,
    charset: Charset = .unicode,
    time: @escaping @Sendable (Timestamp) -> String = { "\($0)" },
    json: (@Sendable (Snapshot, ObjectIdentity) -> String?)? = nil
  ) {
    self.fileName = fileName
    self.hasColor = hasColor
    self.charset = charset
    self.time = time
    self.json = json
  }
}
