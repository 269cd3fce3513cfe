/// One place of a screen.
package struct Cell: Hashable, Sendable {
  /// Safe to send to a terminal; nothing in the right half of a wide glyph.
  package let glyph: Glyph

  package var style: Style

  init(_ glyph: Glyph, _ style: Style = .standard) {
    self.glyph = glyph
    self.style = style
  }

  /// How many columns the glyph takes: 1, 2, or 0 in the right half of a wide one.
  package var width: Int { glyph.width }

  package var text: String { glyph.text }

  package static let blank = Cell(.space)
}
