/// A screen as a picture in SVG.
///
/// Every glyph stands at its cell, whatever font shows it: a run of ASCII is placed by its first
/// column and fitted to its width, and every other glyph is placed by itself.
package struct ScreenPicture {
  /// The colors of a terminal.
  package struct Palette: Hashable, Sendable {
    package let foreground: String
    package let background: String
    /// The first 16 colors.
    let colors: [String]

    package static let dark = Palette(
      foreground: "#d0d4da",
      background: "#17191d",
      colors: [
        "#17191d", "#ef6b73", "#8fc379", "#e2b86b", "#6cb0f2", "#c98fe0", "#56b6c2", "#f0f2f5",
        "#7d838c", "#ff9aa0", "#b3e0a0", "#f5d491", "#9accff", "#e0b5f2", "#8adbe5", "#ffffff",
      ]
    )

    package static let light = Palette(
      foreground: "#24292f",
      background: "#ffffff",
      colors: [
        "#24292f", "#c02530", "#1a7f37", "#b98300", "#0a60c4", "#8540b8", "#0b7285", "#6e7781",
        "#57606a", "#a0111f", "#116329", "#8a6100", "#033d8b", "#6927a0", "#065c6b", "#8c959f",
      ]
    )

    func color(_ color: Color) -> String? {
      switch color.kind {
      case .standard: return nil
      case .palette(let number) where number < 16: return colors[Int(number)]
      case .palette, .rgb: return Color.rgb(color.bits).name
      }
    }
  }

  private static let cellWidth = 9
  private static let cellHeight = 18
  private static let margin = 8
  /// Where letters stand in their row.
  private static let baseline = 14

  private let screen: Screen
  private let palette: Palette

  package init(_ screen: Screen, palette: Palette) {
    self.screen = screen
    self.palette = palette
  }

  /// The picture as a file of its own.
  package var svg: String {
    let width = screen.size.columns * Self.cellWidth + 2 * Self.margin
    let height = screen.size.rows * Self.cellHeight + 2 * Self.margin
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
        + #"viewBox="0 0 \#(width) \#(height)" font-size="15" "#
        + #"font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace">"#,
      #"<rect width="\#(width)" height="\#(height)" rx="6" fill="\#(palette.background)"/>"#,
    ]
    for row in 0..<screen.size.rows {
      let runs = runs(ofRow: row)
      lines += runs.flatMap { boxes(of: $0, row: row) }
      lines += runs.flatMap { texts(of: $0, row: row) }
    }
    return (lines + ["</svg>"]).map { $0 + "\n" }.joined()
  }

  // MARK: - Runs

  /// Neighboring cells that look the same; one cell if it is not ASCII.
  private struct Run {
    var column: Int
    var columns: Int
    var text: String
    var look: Look
  }

  /// A style with the colors that are seen.
  private struct Look: Hashable {
    var foreground: String
    var background: String
    var isBold: Bool
    var isDim: Bool
    var isUnderlined: Bool
  }

  private func runs(ofRow row: Int) -> [Run] {
    var runs: [Run] = []
    var isOpen = false
    for (column, cell) in screen.cells(ofRow: row).enumerated() where cell.width > 0 {
      let isCursor = screen.cursor == Screen.Position(row: row, column: column)
      let look = look(of: cell.style, isCursor: isCursor)
      let isPlain = cell.text.utf8.count == 1
      if isOpen, isPlain, let last = runs.last, last.look == look {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Run(column: column, columns: Int(cell.width), text: cell.text, look: look))
      }
      isOpen = isPlain
    }
    return runs
  }

  private func look(of style: Style, isCursor: Bool) -> Look {
    var look = Look(
      foreground: palette.color(style.foreground) ?? palette.foreground,
      background: palette.color(style.background) ?? palette.background,
      isBold: style.isBold,
      isDim: style.isDim,
      isUnderlined: style.isUnderlined
    )
    if style.isReversed != isCursor { swap(&look.foreground, &look.background) }
    return look
  }

  // MARK: - Elements

  /// The box behind a run and the line under it.
  private func boxes(of run: Run, row: Int) -> [String] {
    var boxes: [String] = []
    func add(y: Int, height: Int, color: String) {
      boxes.append(
        #"<rect x="\#(x(of: run.column))" y="\#(Self.margin + row * Self.cellHeight + y)" "#
          + #"width="\#(run.columns * Self.cellWidth)" height="\#(height)" fill="\#(color)"/>"#
      )
    }
    if run.look.background != palette.background {
      add(y: 0, height: Self.cellHeight, color: run.look.background)
    }
    if run.look.isUnderlined {
      add(y: Self.cellHeight - 2, height: 1, color: run.look.foreground)
    }
    return boxes
  }

  /// The texts of a run, told apart where more than one blank stands between them.
  private func texts(of run: Run, row: Int) -> [String] {
    var found: [String] = []
    var piece = Run(column: run.column, columns: 0, text: "", look: run.look)
    for (offset, character) in (run.text + "  ").enumerated() {
      if character != " " {
        if piece.text.isEmpty { piece.column = run.column + offset }
        piece.text.append(character)
      } else if piece.text.last == " " {
        piece.text.removeLast()
        piece.columns = piece.text.count
        found.append(text(of: piece, row: row))
        piece.text = ""
      } else if !piece.text.isEmpty {
        piece.text.append(character)
      }
    }
    return found
  }

  private func text(of run: Run, row: Int) -> String {
    var attributes =
      #"x="\#(x(of: run.column))" y="\#(Self.margin + row * Self.cellHeight + Self.baseline)" "#
      + #"fill="\#(run.look.foreground)""#
    if run.columns > 1 {
      attributes += #" textLength="\#(run.columns * Self.cellWidth)""#
      attributes += #" lengthAdjust="spacingAndGlyphs""#
    }
    if run.look.isBold { attributes += #" font-weight="bold""# }
    if run.look.isDim { attributes += #" fill-opacity="0.6""# }
    return "<text \(attributes)>\(Self.escaped(run.text))</text>"
  }

  private func x(of column: Int) -> Int { Self.margin + column * Self.cellWidth }

  /// A text as XML holds it; what XML cannot hold becomes a sign in its place.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{0}"..<"\u{20}", "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
