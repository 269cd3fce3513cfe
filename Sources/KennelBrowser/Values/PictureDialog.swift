internal import KennelCore

/// Data that are a picture, drawn by the terminal.
struct PictureDialog: Dialog {
  static let title = "Looking at a picture"
  static let keys = [
    Hint("b", "as bytes"), Hint("o", "open in another program"), Hint("s", "save in a file…"),
    Hint("Esc", "back"),
  ]

  private let spot: Spot
  private let heading: String
  private let picture: Picture
  private let size: (width: Int, height: Int)

  /// More bytes take a terminal far away too long.
  private static let mostBytes = 8_000_000

  /// A picture that the terminal draws; `nil` where the data are none, or it draws none.
  init?(_ spot: Spot, in browser: Browser) {
    let count = browser.model.byteCount(at: spot)
    let beginning = browser.model.bytes(at: spot, in: 0..<DataKind.examined)
    guard browser.drawsPictures, count <= Self.mostBytes, DataKind.isPNG(beginning),
      let size = DataKind.size(ofImage: beginning)
    else { return nil }
    self.spot = spot
    self.size = size
    heading = HexDialog.heading(spot, in: browser)
    picture = Picture(browser.model.bytes(at: spot, in: 0..<count))
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    switch key.typed {
    case "q": return .closed
    case "b":
      browser.dialog = HexDialog(spot, in: browser)
      return .closed
    case "o":
      FileActions(browser).openExternally(spot)
      return .open
    case "s":
      FileActions(browser).saveValue(at: spot, toTyped: "")
      return .closed
    default:
      browser.showError("b shows the bytes, o opens it in another program, Esc goes back")
      return .open
    }
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let blank = Array(repeating: ("", frame.theme.standard), count: frame.rows)
    let box = frame.drawBox(heading, blank, on: &screen)
    var room = box
    room.row += 1
    room.rows = min(frame.rows, box.rows - 1)
    screen.drawing = PlacedPicture(picture, width: size.width, height: size.height, in: room)
  }
}
