import ArgumentParser
import KennelBrowser

/// `kennel config`: prints the configuration file with every default, or checks the one there is.
struct ShowConfiguration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print a configuration file with every default, or check yours.",
    discussion: """
      The browser reads its colors and keys from $XDG_CONFIG_HOME/kennel/config.toml, or from \
      ~/.config/kennel/config.toml. The file that is printed says in its first line where that is, \
      and has every setting, every part of the screen and every key with its default as a comment. \
      What is not in the file stays as it is.

      A mistake in the file is shown when the browser starts, which takes the default instead. \
      --check prints all of them with their lines, and exits with 1 if there are any.

      Examples:
        kennel config
        kennel config > ~/.config/kennel/config.toml
        kennel config --check
      """
  )

  @OptionGroup
  var options: ConfigurationOptions

  @Flag(help: "Check the file instead, and print what is wrong in it.")
  var check = false

  /// A file without the option that names it.
  @Argument(help: .hidden, completion: .file())
  var path: String?

  func validate() throws {
    guard let path else { return }
    let check = check ? "--check " : ""
    throw ValidationError("Write --config before the file: kennel config \(check)--config \(path)")
  }

  mutating func run() throws {
    guard let file = options.file else {
      throw CommandError("There is no home folder for a configuration file; name one by --config")
    }
    guard check else {
      return try StandardOutput.write("# \(file.path)\n#\n\(Configuration.template)")
    }
    if !options.isNamed, !exists(file.path) {
      return printNote("There is no \(file.path), so that the defaults hold")
    }
    let mistakes = try file.read(isRequired: true).mistakes
    for mistake in mistakes { printNote("\(file.path):\(mistake.line): \(mistake.text)") }
    if !mistakes.isEmpty { throw ExitCode(1) }
    printNote("\(file.path) is right")
  }
}

/// The option that names the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read colors and keys from another configuration file; see 'kennel config --help'.",
      valueName: "file"
    ),
    completion: .file()
  )
  var config: String?

  var isNamed: Bool { config != nil }

  /// The file that is named, else the usual one.
  var file: ConfigurationFile? { ConfigurationFile(config) }
}
