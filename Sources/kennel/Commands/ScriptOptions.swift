import ArgumentParser
import KennelBrowser

/// The options of `kennel browse` that press keys without a terminal.
struct ScriptOptions: ParsableArguments {
  enum Form: String, EnumerableFlag {
    case text, svg

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .text: "Print the rows of the screen."
      case .svg: "Print a picture in SVG, with colors."
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Press the keys of a script and print the last screen; - reads standard input.",
      valueName: "keys-file"
    ),
    completion: .file()
  )
  var script: String?

  @Option(
    help: ArgumentHelp(
      "The size of the screen to print, up to 1000x1000, whatever the script opens with.",
      valueName: "columnsxrows"
    ),
    transform: size
  )
  var screen: Size?

  @Flag(help: "What the screen is printed as.")
  var form: Form?

  @Flag(help: "Draw a picture on a light background.")
  var light = false

  /// Whether keys are pressed without a terminal.
  var isWanted: Bool { script != nil || screen != nil }

  mutating func validate() throws {
    if !isWanted, form != nil || light {
      throw ValidationError("--text, --svg and --light go with --script or --screen")
    }
    if light, form != .svg { throw ValidationError("--light goes with --svg") }
  }

  /// Runs the script and prints the last screen.
  func run(_ open: @escaping () throws -> any TerminalProgram) throws {
    let text = try script.map { try FileInput($0).readAll() } ?? []
    let name = script == "-" ? "standard input" : script ?? ""
    guard let text = String(validating: text, as: UTF8.self) else {
      throw CommandError("\(name) is not UTF-8")
    }
    var terminal = ScriptTerminal(size: screen) { opening in
      if let word = opening.words.first {
        throw CommandError("\(name): After open there is a size or nothing, not ‘\(word)’")
      }
      return try open()
    }
    do {
      try terminal.run(Script(path: name, text: text))
    } catch let error as ScriptError {
      throw CommandError(error.description)
    }
    guard let screen = terminal.screen else { return }
    let rows = screen.text.map { $0 + "\n" }.joined()
    let palette: ScreenPicture.Palette = light ? .light : .dark
    try StandardOutput.write(form == .svg ? ScreenPicture(screen, palette: palette).svg : rows)
  }

  private static func size(_ text: String) throws -> Size {
    guard let size = Size(text) else {
      throw ValidationError("‘\(text)’ is no size from 1x1 to 1000x1000; write it as in 120x34")
    }
    return size
  }
}
