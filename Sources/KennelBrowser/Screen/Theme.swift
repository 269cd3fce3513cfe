/// How the parts of the screen look.
///
/// Colors only repeat what a sign, a word or an attribute says already.
struct Theme {
  let hasColor: Bool

  private func colored(_ color: Color, _ style: Style = .standard) -> Style {
    guard hasColor else { return style }
    return style.adding(.color(color))
  }

  var title: Style { .reversed }
  /// What can be done with the file, apart from the rest of the title.
  var draftBadge: Style { badge(.yellow) }
  var readOnlyBadge: Style { badge(.blue) }
  var alarmBadge: Style { badge(.red) }
  private func badge(_ color: Color) -> Style {
    hasColor ? Style(foreground: .black, background: color, isBold: true) : .reversed.adding(.bold)
  }

  var crumbs: Style { .dim }
  var paneTitle: Style { .underlined }
  var focusedPaneTitle: Style { Style(isBold: true, isUnderlined: true) }
  var header: Style { .bold }
  var separator: Style { .dim }
  var cursor: Style { .reversed }
  /// The cursor of a pane that does not have the focus.
  var restingCursor: Style { .bold }
  var null: Style { .dim }
  var note: Style { .dim }
  var link: Style { colored(.cyan) }
  var embedded: Style { colored(.blue) }
  var key: Style { colored(.yellow, .bold) }
  var error: Style { colored(.red, .bold) }
  var added: Style { colored(.green) }
  var changed: Style { colored(.yellow) }
  /// What another program has just changed.
  var fresh: Style { colored(.green, Style(isBold: true, isReversed: true)) }
  var deleted: Style { colored(.red) }
  /// The parts of a filter that is typed.
  var queryProperty: Style { colored(.cyan) }
  var queryComparator: Style { colored(.yellow) }
  var queryValue: Style { colored(.green) }
  var queryKeyword: Style { .bold }
  /// The part that is wrong.
  var mistake: Style { colored(.red, Style(isBold: true, isUnderlined: true)) }
  /// What a search has found.
  var match: Style { colored(.yellow, Style(isBold: true, isUnderlined: true)) }
  var standard: Style { .standard }
}
