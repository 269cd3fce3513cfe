/// One place of a screen.
package struct Cell: Hashable, Sendable {
  /// One glyph that is safe to send to a terminal; empty in the right half of a wide one.
  package var text: String

  /// How many columns the glyph takes: 1, 2, or 0 in the right half of a wide one.
  package var width: Int8

  package var style: Style

  package init(text: String, width: Int8, style: Style = .standard) {
    self.text = text
    self.width = width
    self.style = style
  }

  package static let blank = Cell(text: " ", width: 1)

  package static func blank(_ style: Style) -> Cell { Cell(text: " ", width: 1, style: style) }

  /// What stands in the right half of a wide glyph.
  package static func rightHalf(_ style: Style) -> Cell { Cell(text: "", width: 0, style: style) }
}
