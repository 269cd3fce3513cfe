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
  package static let dark = Theme(
    title: text(0xFFFFFF, on: 0x2F4B7C),
    draftBadge: text(0x000000, on: 0xE5C07B, isBold: true),
    readOnlyBadge: text(0x000000, on: 0x7FB4E6, isBold: true),
    alarmBadge: text(0x000000, on: 0xFF8080, isBold: true),
    crumbs: text(0xD0D8E4, on: 0x2F4B7C),
    paneTitle: text(0xC0C8D4, isUnderlined: true),
    focusedPaneTitle: text(0xFFFFFF, isBold: true, isUnderlined: true),
    header: text(0xFFFFFF, isBold: true),
    separator: text(0x808894),
    cursor: text(0x000000, on: 0xB8D4F0),
    restingCursor: text(0xFFFFFF, on: 0x3A3F4B, isBold: true),
    null: text(0x98A0AC),
    note: text(0xA0A8B4),
    link: text(0x6CC7D6),
    embedded: text(0x82B1FF),
    key: text(0xE5C07B, isBold: true),
    error: text(0xFF8080, isBold: true),
    added: text(0x98D982),
    changed: text(0xE5C07B),
    deleted: text(0xFF8080),
    fresh: text(0x000000, on: 0x98D982, isBold: true),
    match: text(0x000000, on: 0xFFD75F, isBold: true, isUnderlined: true),
    mistake: text(0xFF8080, isBold: true, isUnderlined: true),
    queryProperty: text(0x6CC7D6),
    queryComparator: text(0xE5C07B),
    queryValue: text(0x98D982),
    queryKeyword: text(0xD7A6F0, isBold: true)
  )

  /// Colors for a light background.
  package static let light = Theme(
    title: text(0x000000, on: 0xC3D5EE),
    draftBadge: text(0x000000, on: 0xF0C24B, isBold: true),
    readOnlyBadge: text(0xFFFFFF, on: 0x1F5FAF, isBold: true),
    alarmBadge: text(0xFFFFFF, on: 0xB3202C, isBold: true),
    crumbs: text(0x303840, on: 0xC3D5EE),
    paneTitle: text(0x404850, isUnderlined: true),
    focusedPaneTitle: text(0x000000, isBold: true, isUnderlined: true),
    header: text(0x000000, isBold: true),
    separator: text(0x606870),
    cursor: text(0xFFFFFF, on: 0x2B5797),
    restingCursor: text(0x000000, on: 0xDDE1E6, isBold: true),
    null: text(0x5A626A),
    note: text(0x505860),
    link: text(0x00646E),
    embedded: text(0x1B4FBF),
    key: text(0x7A4B00, isBold: true),
    error: text(0xB3202C, isBold: true),
    added: text(0x13692B),
    changed: text(0x7A4B00),
    deleted: text(0xB3202C),
    fresh: text(0x000000, on: 0xA6E3A1, isBold: true),
    match: text(0x000000, on: 0xFFE066, isBold: true, isUnderlined: true),
    mistake: text(0xB3202C, isBold: true, isUnderlined: true),
    queryProperty: text(0x00646E),
    queryComparator: text(0x7A4B00),
    queryValue: text(0x13692B),
    queryKeyword: text(0x75309A, isBold: true)
  )

  private static func text(
    _ color: UInt32,
    on background: UInt32? = nil,
    isBold: Bool = false,
    isUnderlined: Bool = false
  ) -> Style {
    Style(
      foreground: .rgb(color),
      background: background.map(Color.rgb) ?? .standard,
      isBold: isBold,
      isUnderlined: isUnderlined
    )
  }
}
