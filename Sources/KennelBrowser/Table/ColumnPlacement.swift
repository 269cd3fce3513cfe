/// Which columns of a table are seen, where, and how wide.
///
/// The columns keep their widths. The last one is cut where it does not fit, and what is left of the
/// row goes to the columns on the left that there is room for, cut if need be, and then to those that
/// are cut.
struct ColumnPlacement {
  /// A column on the screen.
  struct Placed {
    let column: Column
    var width: Int
    var start: Int
  }

  /// How wide a column is, and how wide it would be with all that it shows.
  typealias Width = (Column) -> (usual: Int, full: Int)

  private(set) var columns: [Placed] = []
  /// The first column that scrolls.
  private(set) var firstColumn = Column.key
  /// How many columns there are on the left and on the right of what is seen.
  private var hiddenLeft = 0
  private var hiddenRight = 0

  /// A column is not cut to fewer columns of the screen than these.
  private static let leastWidth = 3
  /// A column on the left is not cut to fewer than these.
  private static let leastOnLeft = 8
  /// So much room is left to the columns that scroll; pinned ones that do not leave it scroll, too.
  private static let leastScrolling = 20

  /// Places columns.
  ///
  /// - Parameters:
  ///   - all: The columns, those that do not scroll first.
  ///   - pinned: How many of them do not scroll.
  ///   - cursor: The column that has to be seen.
  ///   - revealed: A column that is seen, too, where the cursor's stays in sight then.
  ///   - first: The first column that was seen before.
  ///   - start: Where the first one begins.
  ///   - room: The width of the pane.
  ///   - width: How wide a column is.
  init(
    of all: [Column],
    pinned: Int,
    cursor: Column,
    revealed: Column? = nil,
    first: Column,
    start: Int,
    room: Int,
    width: Width
  ) {
    let pinned = Self.pinnable(all.prefix(pinned), room - start, width)
    let cursor = all.firstIndex(of: cursor)
    let target = revealed.flatMap(all.firstIndex) ?? cursor
    var first = max(pinned, all.firstIndex(of: first) ?? pinned)
    if cursor == nil || Self.fit(all, room - start, width) { first = pinned }
    if let cursor, cursor >= pinned, cursor < first { first = cursor }
    // A pinned column is in sight however far the others scroll.
    let anchor = cursor.flatMap { $0 < pinned ? target : $0 }
    while true {
      columns = Self.place(all[..<pinned] + all[min(first, all.count)...], start, room, width)
      let last = first + columns.count - pinned - 1
      guard let anchor, let target, first < anchor, let shown = columns.last else { break }
      let isCut = shown.width < min(width(shown.column).usual, 2 * Self.leastWidth)
      if target > last || target == last && isCut { first += 1 } else { break }
    }
    first -= fillLeft(from: all[pinned..<min(first, all.count)], at: pinned, room: room, width)
    firstColumn = first < all.count ? all[first] : .key
    hiddenLeft = first - pinned
    hiddenRight = all.count - first - (columns.count - min(pinned, columns.count))
    spread(room: room, width)
  }

  /// Puts as many of the columns that were scrolled past beside those that are shown as there is room
  /// for, the last of them cut; how many.
  private mutating func fillLeft(
    from passed: ArraySlice<Column>,
    at place: Int,
    room: Int,
    _ width: Width
  ) -> Int {
    var count = 0
    for column in passed.reversed() {
      guard let last = columns.last, columns.indices.contains(place) else { break }
      let usual = width(column).usual
      let left = room - 1 - (last.start + last.width) - 2
      guard left >= min(usual, Self.leastOnLeft) else { break }
      let placed = Placed(column: column, width: min(usual, left), start: columns[place].start)
      for index in columns.indices.dropFirst(place) { columns[index].start += placed.width + 2 }
      columns.insert(placed, at: place)
      count += 1
    }
    return count
  }

  /// Counts the columns to scroll to, as in `‹ 2  3 more ›`.
  var trailing: String {
    let left = hiddenLeft > 0 ? "‹ \(hiddenLeft)  " : ""
    let right = hiddenRight > 0 ? "\(hiddenRight) more ›" : ""
    return left + right
  }

  private static func place(
    _ columns: ArraySlice<Column>,
    _ start: Int,
    _ room: Int,
    _ width: Width
  ) -> [Placed] {
    var placed: [Placed] = []
    var end = start
    for column in columns {
      let left = room - end - 1
      guard left >= leastWidth || placed.isEmpty else { break }
      let usual = width(column).usual
      placed.append(Placed(column: column, width: max(0, min(usual, left)), start: end))
      end += usual + 2
    }
    return placed
  }

  /// How many of the pinned columns leave room for the others.
  private static func pinnable(_ pinned: ArraySlice<Column>, _ room: Int, _ width: Width) -> Int {
    var left = room - leastScrolling
    return pinned.prefix { column in
      left -= width(column).usual + 2
      return left >= 0
    }.count
  }

  /// Whether all columns fit; looks at no more of them than there is room for.
  private static func fit(_ columns: [Column], _ room: Int, _ width: Width) -> Bool {
    var left = room
    for column in columns {
      left -= width(column).usual + 2
      if left < -1 { return false }
    }
    return true
  }

  /// Gives the room that is left to the columns whose values are cut.
  private mutating func spread(room: Int, _ width: Width) {
    guard let last = columns.last else { return }
    var left = room - 1 - (last.start + last.width)
    var shift = 0
    for index in columns.indices {
      let more = max(0, min(left, width(columns[index].column).full - columns[index].width))
      columns[index].start += shift
      columns[index].width += more
      left -= more
      shift += more
    }
  }
}
