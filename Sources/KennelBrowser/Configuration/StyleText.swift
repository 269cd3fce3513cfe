@_spi(Faces) internal import KennelCore

/// A style as a configuration file writes it: a color of the text, a color behind it, attributes, as
/// in `"yellow"`, `"#ffffff blue bold"` or `"underline"`.
struct StyleText: Sendable {
  private(set) var foreground: Color?
  private(set) var background: Color?
  private(set) var attributes: Set<String> = []

  private static let attributeNames = ["bold", "dim", "underline", "reverse", "plain"]

  /// Describes the words, for messages and documents.
  static let grammar =
    "a color of the text, one behind it, and bold, dim, underline, reverse or plain"

  /// Reads the words.
  ///
  /// - Throws: Why they are no style.
  init(_ text: String) throws(ValidationError) {
    for word in text.lowercased().split(separator: " ").map(String.init) {
      if Self.attributeNames.contains(word) {
        attributes.insert(word)
      } else if let color = Color(word) {
        guard background == nil else {
          throw ValidationError("‘\(text)’ has more than two colors; write \(Self.grammar)")
        }
        if foreground == nil { foreground = color } else { background = color }
      } else {
        throw ValidationError(Self.mistake(word))
      }
    }
    guard foreground != nil || !attributes.isEmpty else {
      throw ValidationError("the style is empty; write \(Self.grammar)")
    }
  }

  private static func mistake(_ word: String) -> String {
    if word.first == "#" {
      return "‘\(word)’ is no color; write # and six hexadecimal digits, as in #6cb0f2"
    }
    if Int(word) != nil { return "‘\(word)’ is no color; the numbers of colors go from 0 to 255" }
    let meant = NearestName.of(word, among: Color.names + ["default", "gray"] + attributeNames)
    let advice = "write a name such as cyan or bright-blue, a number from 0 to 255, or #rrggbb"
    return "‘\(word)’ is no color; " + (meant.map { "did you mean ‘\($0)’?" } ?? advice)
  }

  /// A style with these colors, and with these attributes if there are any.
  func changing(_ style: Style) -> Style {
    var style = style
    if let foreground { style.foreground = foreground }
    if let background {
      style.background = background
      style.isReversed = false
    }
    guard !attributes.isEmpty else { return style }
    style.isBold = attributes.contains("bold")
    style.isDim = attributes.contains("dim")
    style.isUnderlined = attributes.contains("underline")
    style.isReversed = attributes.contains("reverse")
    return style
  }
}
