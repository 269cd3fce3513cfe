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
  /// The forms that an object can be copied in.
  package var copyForms: [CopyForm]

  package init(
    fileName: String,
    hasColor: Bool = true,
    charset: Charset = .unicode,
    time: @escaping @Sendable (Timestamp) -> String = { "\($0)" },
    copyForms: [CopyForm] = []
  ) {
    self.fileName = fileName
    self.hasColor = hasColor
    self.charset = charset
    self.time = time
    self.copyForms = copyForms
  }
}

/// A form that an object can be copied in, such as JSON.
package struct CopyForm: Sendable {
  /// The key in the menu.
  let letter: Character
  /// The line in the menu.
  let title: String
  /// The object as text; `nil` where the form cannot hold it.
  let text: @Sendable (Snapshot, ObjectIdentity) -> String?

  package init(
    letter: Character,
    title: String,
    text: @escaping @Sendable (Snapshot, ObjectIdentity) -> String?
  ) {
    self.letter = letter
    self.title = title
    self.text = text
  }
}
