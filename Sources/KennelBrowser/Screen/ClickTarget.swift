/// A part of the screen around the panes that does something when it is clicked.
struct ClickTarget: Hashable, Sendable {
  enum Action: Hashable {
    /// As if these keys were pressed.
    case press([Key])
    /// Goes back by so many views.
    case back(Int)
    /// Puts the cursor of a dialog on a line, so many lines further; a double click chooses it.
    case line(Int)
  }

  let rectangle: Rectangle
  let action: Action
}

extension Screen {
  /// Lets a part of a row be clicked.
  mutating func addTarget(row: Int, columns: Range<Int>, _ action: ClickTarget.Action) {
    let rectangle = Rectangle(row: row, column: columns.lowerBound, rows: 1, columns: columns.count)
    targets.append(ClickTarget(rectangle: rectangle, action: action))
  }
}
