internal import CNCurses
internal import KennelBrowser

// Pictures are drawn by the graphics protocol of kitty, which other terminals have, too: they take a file of
// the form PNG as it is, and scale it to cells. A picture stays on the screen whatever curses writes there, until
// it is deleted.

extension Terminal {
  /// The number of the picture, of which there is one at a time.
  private static let number = 31
  /// As many letters as one sequence may have.
  private static let longestPart = 4_096

  /// Draws a picture, or takes away the one that was drawn, where it is another one than before.
  func draw(_ new: PlacedPicture?) {
    guard new != drawing else { return }
    removePicture()
    guard let new, new.place.rows > 0, new.place.columns > 0 else { return }
    // The place of the cursor is curses'.
    let (row, column) = (new.place.row + 1, new.place.column + 1)
    var bytes = Array("\u{1b}7\u{1b}[\(row);\(column)H".utf8)
    let letters = Clipboard.base64(new.picture.bytes)
    for start in stride(from: 0, to: letters.count, by: Self.longestPart) {
      let end = min(start + Self.longestPart, letters.count)
      let head =
        start > 0
        ? "" : "a=T,f=100,i=\(Self.number),c=\(new.place.columns),r=\(new.place.rows),C=1,q=2,"
      bytes += Array("\u{1b}_G\(head)m=\(end < letters.count ? 1 : 0);".utf8)
      bytes += letters[start..<end] + Array("\u{1b}\\".utf8)
    }
    send(bytes + Array("\u{1b}8".utf8))
    drawing = new
  }

  /// Deletes the picture, and frees its memory in the terminal.
  func removePicture() {
    guard drawing != nil else { return }
    drawing = nil
    send(Array("\u{1b}_Ga=d,d=I,i=\(Self.number),q=2\u{1b}\\".utf8))
  }
}
