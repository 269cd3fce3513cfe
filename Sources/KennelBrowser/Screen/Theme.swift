/// How the parts of the screen look.
///
/// Colors only repeat what a sign, a word or an attribute says already.
package struct Theme: Hashable, Sendable {
  /// The line at the top.
  var title = Style(foreground: .cyan, isReversed: true)
  /// The state of the file, at the end of that line.
  var draftBadge = Style(foreground: .black, background: .yellow, isBold: true)
  var readOnlyBadge = Style(foreground: .black, background: .blue, isBold: true)
  var alarmBadge = Style(foreground: .black, background: .red, isBold: true)
  var crumbs = Style(foreground: .cyan, isReversed: true)
  var paneTitle = Style.underlined
  var focusedPaneTitle = Style(isBold: true, isUnderlined: true)
  var header = Style.bold
  var separator = Style.dim
  var cursor = Style.reversed
  /// The cursor of a pane that does not have the focus.
  var restingCursor = Style.bold
  var null = Style.dim
  var note = Style.dim
  var link = Style.color(.cyan)
  var embedded = Style.color(.blue)
  var key = Style(foreground: .yellow, isBold: true)
  var error = Style(foreground: .red, isBold: true)
  var added = Style.color(.green)
  var changed = Style.color(.yellow)
  var deleted = Style.color(.red)
  /// A value that another program has just changed.
  var fresh = Style(foreground: .green, isBold: true, isReversed: true)
  /// A match of the search.
  var match = Style(foreground: .yellow, isBold: true, isUnderlined: true)
  /// The part that is wrong.
  var mistake = Style(foreground: .red, isBold: true, isUnderlined: true)
  /// The parts of a filter that is typed.
  var queryProperty = Style.color(.cyan)
  var queryComparator = Style.color(.yellow)
  var queryValue = Style.color(.green)
  var queryKeyword = Style.bold

  var standard: Style { .standard }
}

// MARK: - Parts

extension Theme {
  /// A part of the screen whose style can be chosen.
  struct Role: Sendable {
    /// The name in `[colors]`.
    let name: String
    let purpose: String
    let path: any WritableKeyPath<Theme, Style> & Sendable

    fileprivate init(
      _ name: String,
      _ path: any WritableKeyPath<Theme, Style> & Sendable,
      _ purpose: String
    ) {
      self.name = name
      self.purpose = purpose
      self.path = path
    }
  }

  /// The styles with the names of their parts.
  package var styles: [(name: String, style: Style)] {
    Self.roles.map { ($0.name, self[keyPath: $0.path]) }
  }

  /// All of them; a test finds one that is missing.
  static let roles = [
    Role("title", \.title, "the line at the top"),
    Role("draft-badge", \.draftBadge, "the number of changes, in that line"),
    Role("read-only-badge", \.readOnlyBadge, "the words READ ONLY"),
    Role("alarm-badge", \.alarmBadge, "conflicts, and a file that is gone"),
    Role("crumbs", \.crumbs, "the path from view to view"),
    Role("pane-title", \.paneTitle, "the title of a pane"),
    Role("focused-pane-title", \.focusedPaneTitle, "the title of the pane that has the keys"),
    Role("header", \.header, "the names of columns, and the titles of boxes"),
    Role("separator", \.separator, "lines between panes"),
    Role("cursor", \.cursor, "the line of the cursor"),
    Role("resting-cursor", \.restingCursor, "the line of the cursor in another pane"),
    Role("null", \.null, "null, and what is empty"),
    Role("note", \.note, "remarks, and the words of the hint line"),
    Role("link", \.link, "links to other objects"),
    Role("embedded", \.embedded, "embedded objects"),
    Role("key", \.key, "the keys of the hint line"),
    Role("error", \.error, "what went wrong, and conflicts"),
    Role("added", \.added, "what the draft adds"),
    Role("changed", \.changed, "what the draft changes"),
    Role("deleted", \.deleted, "what the draft deletes"),
    Role("fresh", \.fresh, "what another program has just changed"),
    Role("match", \.match, "what a search has found"),
    Role("mistake", \.mistake, "the part of a filter that is wrong"),
    Role("query-property", \.queryProperty, "properties in a filter"),
    Role("query-comparator", \.queryComparator, "operators in a filter"),
    Role("query-value", \.queryValue, "values in a filter"),
    Role("query-keyword", \.queryKeyword, "words such as AND in a filter"),
  ]
}

// MARK: - Themes

extension Theme {
  /// The 16 colors of the terminal, which suit its background whatever that is.
  package static let terminal = Theme()

  /// No colors.
  package static let none: Theme = {
    var theme = Theme.terminal.withoutColors
    // A bar would look as that of the cursor does.
    theme.title = .bold
    theme.crumbs = .standard
    return theme
  }()

  var withoutColors: Theme {
    var theme = self
    for role in Self.roles { theme[keyPath: role.path] = theme[keyPath: role.path].withoutColors }
    return theme
  }

  /// Colors for a dark background.
  package static let dark = terminal.painted { $0.dark }

  /// Colors for a light background.
  package static let light = terminal.painted { $0.light }

  /// A color of the text, and perhaps one behind it.
  private typealias Colors = (text: UInt32, behind: UInt32?)

  /// The colors of a part on a dark and on a light background.
  private typealias Paint = (
    path: any WritableKeyPath<Theme, Style> & Sendable, dark: Colors, light: Colors
  )

  /// The theme with colors of its own; what is bold or underlined stays so.
  private func painted(_ colors: (Paint) -> Colors) -> Theme {
    var theme = self
    for paint in Self.paints {
      let (text, behind) = colors(paint)
      let former = self[keyPath: paint.path]
      theme[keyPath: paint.path] = Style(
        foreground: .rgb(text),
        background: behind.map(Color.rgb) ?? .standard,
        isBold: former.isBold,
        isUnderlined: former.isUnderlined
      )
    }
    return theme
  }

  /// The colors of all parts.
  private static let paints: [Paint] = [
    (\.title, (0xFFFFFF, 0x2F4B7C), (0x000000, 0xC3D5EE)),
    (\.draftBadge, (0x000000, 0xE5C07B), (0x000000, 0xF0C24B)),
    (\.readOnlyBadge, (0x000000, 0x7FB4E6), (0xFFFFFF, 0x1F5FAF)),
    (\.alarmBadge, (0x000000, 0xFF8080), (0xFFFFFF, 0xB3202C)),
    (\.crumbs, (0xD0D8E4, 0x2F4B7C), (0x303840, 0xC3D5EE)),
    (\.paneTitle, (0xC0C8D4, nil), (0x404850, nil)),
    (\.focusedPaneTitle, (0xFFFFFF, nil), (0x000000, nil)),
    (\.header, (0xFFFFFF, nil), (0x000000, nil)),
    (\.separator, (0x808894, nil), (0x606870, nil)),
    (\.cursor, (0x000000, 0xB8D4F0), (0xFFFFFF, 0x2B5797)),
    (\.restingCursor, (0xFFFFFF, 0x3A3F4B), (0x000000, 0xDDE1E6)),
    (\.null, (0x98A0AC, nil), (0x5A626A, nil)),
    (\.note, (0xA0A8B4, nil), (0x505860, nil)),
    (\.link, (0x6CC7D6, nil), (0x00646E, nil)),
    (\.embedded, (0x82B1FF, nil), (0x1B4FBF, nil)),
    (\.key, (0xE5C07B, nil), (0x7A4B00, nil)),
    (\.error, (0xFF8080, nil), (0xB3202C, nil)),
    (\.added, (0x98D982, nil), (0x13692B, nil)),
    (\.changed, (0xE5C07B, nil), (0x7A4B00, nil)),
    (\.deleted, (0xFF8080, nil), (0xB3202C, nil)),
    (\.fresh, (0x000000, 0x98D982), (0x000000, 0xA6E3A1)),
    (\.match, (0x000000, 0xFFD75F), (0x000000, 0xFFE066)),
    (\.mistake, (0xFF8080, nil), (0xB3202C, nil)),
    (\.queryProperty, (0x6CC7D6, nil), (0x00646E, nil)),
    (\.queryComparator, (0xE5C07B, nil), (0x7A4B00, nil)),
    (\.queryValue, (0x98D982, nil), (0x13692B, nil)),
    (\.queryKeyword, (0xD7A6F0, nil), (0x75309A, nil)),
  ]
}
