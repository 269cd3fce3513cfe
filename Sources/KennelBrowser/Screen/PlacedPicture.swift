/// The bytes of a picture, which are the same picture wherever the same instance is.
package final class Picture: Hashable, Sendable {
  /// A file in the form PNG.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func == (one: Picture, other: Picture) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A picture, and the cells that it covers.
package struct PlacedPicture: Hashable, Sendable {
  package let picture: Picture
  package let place: Rectangle

  /// As many pixels as a cell has at most, on common screens.
  private static let cell = (width: 10, height: 20)

  /// Puts a picture into the middle of a place: no larger than its pixels, and with its proportions.
  init(_ picture: Picture, width: Int, height: Int, in room: Rectangle) {
    self.picture = picture
    // The sizes come from the file, and may be anything.
    let width = Double(max(1, width)) / Double(Self.cell.width)
    let height = Double(max(1, height)) / Double(Self.cell.height)
    let scale = min(1, Double(room.columns) / width, Double(room.rows) / height)
    let columns = min(room.columns, max(1, Int((width * scale).rounded())))
    let rows = min(room.rows, max(1, Int((height * scale).rounded())))
    place = Rectangle(
      row: room.row,
      column: room.column + (room.columns - columns) / 2,
      rows: rows,
      columns: columns
    )
  }
}
