import Foundation
import KennelTestSupport
import Testing

/// The configuration file: `kennel config`, and what the browser makes of it.
@Suite("The configuration file")
struct ConfigurationCommandTests {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  private var environment: [String: String] {
    ["XDG_DATA_HOME": place.path, "XDG_CONFIG_HOME": place.path]
  }

  @discardableResult
  private func write(_ text: String, to name: String = "c.toml") throws -> String {
    let file = place.file(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  private func kennel(_ arguments: String..., keys: String = "") throws -> Outcome {
    try Kennel.run(all: arguments, input: keys, environment: environment)
  }

  @Test func `is printed with every default, after the line that says where it belongs`() throws {
    let outcome = try kennel("config")
    #expect(outcome.exitCode == 0 && outcome.messages == "")
    #expect(outcome.output.hasPrefix("# \(place.path)/kennel/config.toml\n"))
    for part in [
      "#theme = \"auto\"", "#keymap = \"default\"", "[colors]", "#link = \"cyan\"", "[keys]",
    ] {
      #expect(outcome.output.contains("\n\(part)"), "\(part)")
    }
    #expect(outcome.output.contains("#\"Left\" = [\"left\", \"walk-left\"]"))
    #expect(outcome.output.contains("# (no key) = \"doctor\": find orphans"))
  }

  @Test func `of defaults is right, as it is and with every line taken in`() throws {
    let template = try kennel("config").output
    let taken = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
    }
    #expect(taken.filter { !$0.hasPrefix("#") && $0.contains(" = ") }.count > 130)
    for text in [template, taken.joined(separator: "\n")] {
      let file = try write(text)
      let outcome = try kennel("config", "--check", "--config", file)
      #expect(outcome.exitCode == 0 && outcome.messages == "\(file) is right\n", "\(outcome)")
      let keys = "= press j Enter l ?\n"
      let plain = try kennel("--screen", "120x34", "--script", "-", "--svg", keys: keys)
      let same = try kennel(
        "--config",
        file,
        "--screen",
        "120x34",
        "--script",
        "-",
        "--svg",
        keys: keys
      )
      #expect(same.output == plain.output && plain.exitCode == 0)
    }
  }

  @Test func `is checked, each mistake at its line`() throws {
    let file = try write(
      """
      theme = "drak"

      mouse = 1
      [colors]
      link = "yellow bold"
      title = "#12"
      [keys]
      "ctrl-d" = "page-dwon"
      "f7" = ["sort",
              "drop"]
      "g" = "top"
      """
    )
    let outcome = try kennel("config", "--check", "--config", file)
    #expect(outcome.exitCode == 1 && outcome.output == "")
    let lines = outcome.messages.split(separator: "\n").map(String.init)
    let expected = [
      "1: theme: ‘drak’ is not known; did you mean \"dark\"?",
      "3: mouse: write true or false, without quotes",
      "6: title: ‘#12’ is no color",
      "8: there is no command ‘page-dwon’; did you mean ‘page-down’?",
      "11: ‘g’ would hide gg, ",
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, expected) in zip(lines, expected) {
      #expect(line.hasPrefix("\(file):\(expected)"), "\(line)")
    }
  }

  @Test(arguments: [
    ("a = 1\ntheme = dark\n", 2), ("theme = \"dark\"\ntheme = \"light\"\n", 2), ("[keys\n", 1),
    ("\n\n^D = \"down\"\n", 3), ("a = \"\u{0}\"", 1), ("x = [[[[[[[[", 1),
    // The library fails an assertion, or reaches what it says cannot be reached.
    ("[\nab].90hd", 1), ("[#", 1), ("mouse = true\n\n[,]\n[keys]\n", 3), ("\u{FEDF}", 1),
    ("\n[\u{FEDF}]", 2),
    // Tables in tables would take all of the stack.
    ("mouse = true\na" + String(repeating: ".a", count: 500_000) + " = 1", 2),
    ("x = " + String(repeating: "[", count: 100_000), 1),
    ("x = " + String(repeating: "{a = ", count: 1_000) + "1", 1),
  ])
  func `that cannot be read is a mistake at its line`(text: String, line: Int) throws {
    let file = try write(text)
    let outcome = try kennel("config", "--check", "--config", file)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("\(file):\(line): "), "\(outcome.messages)")
    // The browser takes the defaults.
    let screen = try kennel("--config", file, "--screen", "80x24")
    #expect(screen.exitCode == 0 && screen.output.contains("\(line): "), "\(screen.output)")
  }

  @Test func `that is not UTF-8 or not there is told`() throws {
    let file = place.file("bytes.toml")
    try Data([0x0A, 0x61, 0xFF]).write(to: URL(fileURLWithPath: file))
    let bytes = try kennel("config", "--check", "--config", file)
    #expect(bytes.messages == "\(file):2: the file is not UTF-8\n" && bytes.exitCode == 1)
    let missing = try kennel("--config", place.file("none"), "--screen", "80x24")
    #expect(missing.exitCode == 1 && missing.messages.contains("Cannot read"))
    let unnamed = try kennel("config", "--check", file)
    #expect(unnamed.exitCode == 2 && unnamed.messages.contains("--check --config \(file)"))
    let usual = try kennel("config", "--check")
    #expect(
      usual.exitCode == 0 && usual.messages.hasPrefix("There is no \(place.path)/kennel/config")
    )
  }

  @Test func `changes keys and colors of the browser`() throws {
    let file = try write(
      "[keys]\n\"ctrl-g\" = \"bottom\"\n\"f7\" = \"filter\"\n[colors]\ntitle = \"#010203\"\n"
    )
    let keys = "= press j Enter ^G\n"
    let text = try kennel("--config", file, "--script", "-", "--screen", "80x24", keys: keys)
    #expect(text.output.contains("Dog  16 of 16") && text.output.contains("F7 filter"))
    let svg = try kennel("--config", file, "--screen", "80x24", "--svg").output
    #expect(svg.contains("#010203"))
    #expect(try !kennel("--screen", "80x24", "--svg").output.contains("#010203"))
  }

  @Test func `has commands of a person's own, for which no value is a command`() throws {
    let trap = place.file("trap")
    let family = """
      {"$kennel":1}
      {"$class":"Dog"}
      {"$property":"name","type":"string"}
      {"$object":"Dog/7","name":"rex'; $(touch \(trap)) `touch \(trap)` \\" $key"}

      """
    let database = place.file("family.kennel")
    #expect(try Kennel.run("import", database, input: family).exitCode == 0)
    let file = try write(
      """
      [commands.facts]
      key = "g h"
      run = 'echo "$class|$object|$key|$property|$value"; echo "$json" | head -c 20'
      [commands.capitals]
      run = 'printf %s "$value" | tr a-z A-Z'
      output = "value"
      [commands.failing]
      run = 'echo something >&2; exit 3'
      [keys]
      "g u" = "capitals"
      "f9" = "failing"
      """
    )
    func screen(_ keys: String) throws -> String {
      let keys = "= press Enter l \(keys)\n"
      return try kennel(
        "browse",
        "--rw",
        database,
        "--config",
        file,
        "--script",
        "-",
        "--screen",
        "120x24",
        keys: keys
      ).output
    }
    let shown = try screen("gh")
    #expect(shown.contains("Dog|Dog/7|7|name|rex'; $(touch \(trap)) `touch"), "\(shown)")
    #expect(shown.contains("{\"$object\":\"Dog/7\","))
    #expect(try screen("gu").contains("~REX'; $(TOUCH "))
    #expect(try screen("F9").contains("‘failing’ ended with 3: something"))
    #expect(!place.exists("trap"))
  }

  @Test func `of a person is read without an option, but not by scripts`() throws {
    let file = try write("mouse = \"off\"\n[keys]\n\"f7\" = \"bottom\"\n", to: "kennel/config.toml")
    let script = try kennel("--screen", "80x24")
    #expect(!script.output.contains("config.toml"))
    #expect(try kennel("config", "--check").messages.hasPrefix("\(file):1: mouse: write"))
    let terminal = try TmuxTerminal([Executable.path("kennel")], environment: environment)
    try terminal.waitFor("config.toml:1: mouse: write true or false")
    try terminal.press("Enter F7")
    try terminal.waitFor("13 of 13")
    try terminal.press("q")
  }
}
