/// Which pane is where.
///
/// | size | what is seen |
/// |---|---|
/// | a graph, from 60 columns | referrers, the object and its links; below them, what the cursor is on |
/// | from 130 columns | collections, the main pane, links and, below them, changes; beside a table, where it leaves room |
/// | from 60 columns | collections and the main pane; links below an object |
/// | narrower | the pane that has the focus |
///
/// A pane that has the focus is always seen: where there is no place for it, it takes that of the
/// main pane. Rows go to the body first, then to the status line, the title and the hints, in the order
/// in which one can do without them.
struct Layout {
  var title: Rectangle?
  var status: Rectangle?
  var hints: Rectangle?
  var body: Rectangle
  var panes: [Pane: Rectangle] = [:]
  /// Where the graph shows what the cursor is on.
  var preview: Rectangle?
  /// The columns of the lines between panes.
  var separators: [Rectangle] = []

  struct Wishes {
    var focus: Pane
    var isZoomed: Bool
    var hasChanges: Bool
    /// Whether the links belong to what is shown even without the focus.
    var showsLinks: Bool
    /// Whether there is an object whose links could be shown.
    var hasLinks: Bool
    /// How wide a table is with all of its columns; `nil` where no table is shown.
    var tableWidth: Int?
    var collectionsWidth: Int
    /// Whether an object is shown between what links to it and what it links to.
    var isGraph: Bool
    /// How many rows the graph needs to show what the cursor is on.
    var previewRows: Int
  }

  /// From so many columns on, there is room for links beside the main pane.
  static let wide = 130

  init(_ size: Size, _ wishes: Wishes) {
    var top = 0
    var bottom = size.rows
    let screen = size.bounds
    if size.rows >= 2 {
      bottom -= 1
      status = screen.line(bottom)
    }
    if size.rows >= 3 {
      title = screen.line(0)
      top = 1
    }
    if size.rows >= 5 {
      hints = screen.line(bottom)
      status = screen.line(bottom - 1)
      bottom -= 1
    }
    body = Rectangle(row: top, column: 0, rows: bottom - top, columns: size.columns)
    if wishes.isZoomed || size.columns < 60 {
      panes[wishes.focus] = body
    } else if wishes.isGraph {
      divideGraph(wishes)
    } else {
      divide(wishes, isWide: size.columns >= Self.wide)
    }
  }

  private mutating func divideGraph(_ wishes: Wishes) {
    var rest = body
    if body.rows >= 15 {
      let height = min(body.rows / 3, wishes.previewRows)
      preview = cutBottom(height, from: &rest)
    }
    let side = (body.columns - 2) * 3 / 10
    panes[.referrers] = cut(side, from: &rest)
    panes[.main] = cut(rest.columns - side - 1, from: &rest)
    panes[.links] = rest
  }

  private mutating func divide(_ wishes: Wishes, isWide: Bool) {
    var rest = body
    let left = min(max(16, wishes.collectionsWidth), body.columns / 3)
    panes[.collections] = cut(left, from: &rest)
    guard isWide else { return narrow(rest, wishes) }
    let hasChanges = wishes.hasChanges || wishes.focus == .changes
    guard wishes.hasLinks || hasChanges else {
      panes[.main] = rest
      return
    }
    let right = Self.rightWidth(in: rest.columns, wishes, hasChanges)
    guard right > 0 else {
      panes[.main] = rest
      return
    }
    panes[.main] = cut(rest.columns - right - 1, from: &rest)
    if hasChanges {
      let height = max(3, body.rows / (wishes.focus == .changes ? 2 : 3))
      panes[.changes] = cutBottom(height, from: &rest)
    }
    panes[.links] = rest
  }

  /// The least width of the links, and that of a table which leaves them so much.
  private static let (leastLinks, leastTable) = (36, 120)

  /// How wide the links and the changes are beside the main pane; 0 where there is no room for them.
  ///
  /// Beside an object they are what it points to, with what that holds. Beside a table they have what
  /// its columns leave.
  private static func rightWidth(in columns: Int, _ wishes: Wishes, _ hasChanges: Bool) -> Int {
    guard let tableWidth = wishes.tableWidth else { return max(leastLinks, columns * 2 / 5) }
    let left = columns - 1 - min(tableWidth, max(leastTable, columns - 1 - leastLinks))
    let isNeeded = hasChanges || wishes.focus == .links
    if left < leastLinks { return isNeeded ? leastLinks : 0 }
    return min(left, columns / 2)
  }

  private mutating func narrow(_ rest: Rectangle, _ wishes: Wishes) {
    if wishes.focus == .changes {
      panes[.changes] = rest
      return
    }
    let isTall = rest.rows >= 12
    guard isTall, wishes.showsLinks || wishes.focus == .links else {
      panes[wishes.focus == .links ? .links : .main] = rest
      return
    }
    let height = wishes.focus == .links ? rest.rows / 2 : rest.rows * 2 / 5
    var main = rest
    panes[.links] = cutBottom(height, from: &main)
    panes[.main] = main
  }

  /// Cuts rows from the bottom.
  private func cutBottom(_ rows: Int, from rest: inout Rectangle) -> Rectangle {
    rest.rows -= rows
    return Rectangle(row: rest.endRow, column: rest.column, rows: rows, columns: rest.columns)
  }

  /// Cuts columns and a line from the left.
  private mutating func cut(_ columns: Int, from rest: inout Rectangle) -> Rectangle {
    separators.append(rest.dropping(columns).prefix(1))
    defer { rest = rest.dropping(columns + 1) }
    return rest.prefix(columns)
  }
}
