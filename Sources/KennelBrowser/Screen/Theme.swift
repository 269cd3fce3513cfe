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
  var deleted: Style { colored(.red) }
  var standard: Style { .standard }
}
