/// How many columns texts take on the screen.
///
/// A width is always that of what is *shown*: an escape for a control character counts its letters
/// (see `SafeText`). Widths of the parts of a text, cut between its characters, add up to the
/// width of the whole.
package enum TextWidth {
  package static func width(
    of character: Character,
    in charset: Charset = .unicode
  ) -> Int {
    width(of: String(character), in: charset)
  }

  /// The width of a text; stops counting at the first number above `limit`.
  package static func width<Text: StringProtocol>(
    of text: Text,
    upTo limit: Int = .max,
    in charset: Charset = .unicode
  ) -> Int where Text.SubSequence == Substring {
    var width = 0
    for glyph in SafeText(text[...], in: charset) {
      width += glyph.width
      if width > limit { break }
    }
    return width
  }

  /// The safe form of a text, with an ellipsis at its end where it does not fit a width.
  package static func clip<Text: StringProtocol>(
    _ text: Text,
    to width: Int,
    in charset: Charset = .unicode
  ) -> String where Text.SubSequence == Substring {
    clipped(text[...], to: width, in: charset).glyphs.map(\.text).joined()
  }

  /// The safe form of a text, clipped to a width and filled with blanks up to it.
  package static func pad<Text: StringProtocol>(
    _ text: Text,
    to width: Int,
    in charset: Charset = .unicode
  ) -> String where Text.SubSequence == Substring {
    let clipped = clipped(text[...], to: width, in: charset)
    let blanks = String(repeating: " ", count: max(0, width - clipped.width))
    return clipped.glyphs.map(\.text).joined() + blanks
  }

  /// The glyphs of a text that fit a width, the last one an ellipsis where it does not fit whole.
  static func clipped(
    _ text: Substring,
    to limit: Int,
    in charset: Charset
  ) -> (glyphs: [Glyph], width: Int) {
    var glyphs: [Glyph] = []
    var width = 0
    guard limit > 0 else { return (glyphs, width) }
    for glyph in SafeText(text, in: charset) {
      if width + glyph.width > limit {
        while width > limit - 1, let last = glyphs.popLast() { width -= last.width }
        glyphs.append(charset.ellipsis)
        return (glyphs, width + 1)
      }
      glyphs.append(glyph)
      width += glyph.width
    }
    return (glyphs, width)
  }
}

extension String {
  /// The first scalars of a longer text; `nil` where there are no more.
  ///
  /// A limit in scalars is one in bytes, too. One in characters is none: a single character has any
  /// number of combining marks.
  package func beginning(scalars count: Int) -> String? {
    guard let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex),
      end < endIndex
    else { return nil }
    return String(self[..<end])
  }
}
