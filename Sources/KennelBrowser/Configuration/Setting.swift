@_spi(Faces) internal import KennelCore

/// A setting of the configuration file besides colors and keys; its row says all of it.
///
/// The rows are read, checked, written into the default file and documented by this table.
package struct Setting: Sendable {
  package let name: String
  /// The possible values, in words.
  package let values: String
  /// The default, in words.
  package let standard: String
  package let purpose: String
  /// The default as the file writes it.
  let example: String
  /// Takes a value; why it is none, if so.
  private let read: @Sendable (Configuration.Entry.Value, inout Configuration) -> String?

  package static let all = [
    Setting(
      name: "theme",
      values: "`\"auto\"`, `\"dark\"`, `\"light\"`, `\"16\"`, `\"none\"`",
      standard: "`\"auto\"`",
      purpose: "colors for a dark or a light background, the terminal’s own 16, or none; `auto` "
        + "asks the terminal for its background, takes the 16 where it does not say, and none if "
        + "`NO_COLOR` is set",
      example: "\"auto\""
    ) { value, configuration in
      choose(value, from: ThemeName.self) { configuration.themeName = $0 }
    },
    Setting(
      name: "keymap",
      values: KeyPreset.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", "),
      standard: "`\"default\"`",
      purpose: "a set of keys to begin with",
      example: "\"default\""
    ) { value, configuration in
      choose(value, from: KeyPreset.self) { configuration.preset = $0 }
    },
    Setting(
      name: "mouse",
      values: "`true`, `false`",
      standard: "`true`",
      purpose: "whether the mouse works from the start; `%` turns it on and off",
      example: "true"
    ) { value, configuration in
      guard case .flag(let flag) = value else { return "write true or false, without quotes" }
      configuration.takesMouse = flag
      return nil
    },
    Setting(
      name: "ambiguous-width",
      values: "`1`, `2`",
      standard: "`1`",
      purpose: "columns of characters that some terminals show wide, as → and é; with 2, others "
        + "take their place",
      example: "1"
    ) { value, configuration in
      guard case .number(let number) = value, number == "1" || number == "2" else {
        return "write 1 or 2, without quotes"
      }
      configuration.hasWideAmbiguous = number == "2"
      return nil
    },
  ]

  // MARK: - Reading

  private static func choose<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: Configuration.Entry.Value,
    from type: Choice.Type,
    _ set: (Choice) -> Void
  ) -> String? {
    let names = type.allCases.map(\.rawValue)
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    guard case .text(let text) = value else { return "write one of \(list), in quotes" }
    guard let choice = type.init(rawValue: text) else {
      let meant = NearestName.of(text, among: names).map { "; did you mean \"\($0)\"?" }
      return "‘\(text)’ is not known" + (meant ?? "; write one of \(list)")
    }
    set(choice)
    return nil
  }

  /// Takes an entry that is not one of the keys; what is wrong with it, if so.
  static func read(
    _ entry: Configuration.Entry,
    into configuration: inout Configuration
  ) -> String? {
    if entry.path.first == Configuration.colorTable {
      return readColor(entry, into: &configuration)
    }
    let name = entry.path.joined(separator: ".")
    guard let setting = all.first(where: { $0.name == name }) else {
      let tables = [Configuration.colorTable, Configuration.keyTable, Configuration.commandTable]
      let names = all.map(\.name) + tables
      let meant = NearestName.of(entry.path[0], among: names).map { "did you mean ‘\($0)’?" }
      return "there is no setting ‘\(name)’; "
        + (meant ?? "there are \(names.joined(separator: ", "))")
    }
    return setting.read(entry.value, &configuration).map { "\(name): \($0)" }
  }

  private static func readColor(
    _ entry: Configuration.Entry,
    into configuration: inout Configuration
  ) -> String? {
    guard entry.path.count > 1 else {
      let mistake = "colors is a table: write [colors], and the parts below it"
      return entry.value == .table ? nil : mistake
    }
    let name = entry.path.dropFirst().joined(separator: ".")
    guard let role = Theme.roles.first(where: { $0.name == name }) else {
      let meant = NearestName.of(name, among: Theme.roles.map(\.name))
      return "no part of the screen is called ‘\(name)’; "
        + (meant.map { "did you mean ‘\($0)’?" } ?? "‘kennel config’ lists them")
    }
    let text: String
    switch entry.value {
    case .text(let words): text = words
    case .number(let number): text = number
    case .flag, .list, .table, .other:
      return "\(name): write \(StyleText.grammar), in quotes, as in \"yellow bold\""
    }
    do throws(ValidationError) {
      configuration.styles.append((role, try StyleText(text)))
      return nil
    } catch {
      return "\(name): \(error.message)"
    }
  }
}
