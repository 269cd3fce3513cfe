/// How a cell looks.
package struct Style: Hashable, Sendable {
  package var foreground: Color
  package var background: Color
  package var isBold: Bool
  package var isDim: Bool
  package var isReversed: Bool
  package var isUnderlined: Bool

  package init(
    foreground: Color = .standard,
    background: Color = .standard,
    isBold: Bool = false,
    isDim: Bool = false,
    isReversed: Bool = false,
    isUnderlined: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
    self.isUnderlined = isUnderlined
  }

  package static let standard = Style()
  package static let bold = Style(isBold: true)
  package static let dim = Style(isDim: true)
  package static let reversed = Style(isReversed: true)
  package static let underlined = Style(isUnderlined: true)

  package static func color(_ color: Color) -> Style { Style(foreground: color) }

  /// The attributes of both; the colors of `other` where it has any.
  ///
  /// A bar has no colors but its own, so that a selection is one bar from end to end.
  package func adding(_ other: Style) -> Style {
    let isBar = other.isReversed || other.background != .standard
    return Style(
      foreground: other.foreground != .standard || isBar ? other.foreground : foreground,
      background: other.background != .standard || isBar ? other.background : background,
      isBold: isBold || other.isBold,
      isDim: (isDim && !isBar) || other.isDim,
      isReversed: (isReversed && !isBar) || other.isReversed,
      isUnderlined: isUnderlined || other.isUnderlined
    )
  }

  /// The style for where there are no colors: what stands out by its background is reversed.
  package var withoutColors: Style {
    var style = self
    style.foreground = .standard
    style.background = .standard
    if background != .standard { style.isReversed = true }
    return style
  }
}
