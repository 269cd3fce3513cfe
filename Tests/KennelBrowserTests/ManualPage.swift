import Foundation
import KennelBrowser
import KennelTestSupport

/// The manual page `kennel.1`: the help of the command line and the keys of the browser.
struct ManualPage {
  /// What `kennel --experimental-dump-help` prints.
  private struct Help: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let shouldDisplay: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let isOptional: Bool
    let isRepeating: Bool
  }

  private var lines: [String] = []

  /// The page as the formatter of manual pages reads it.
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Makes the page.
  ///
  /// - Parameters:
  ///   - help: The help of every command as JSON.
  ///   - version: The version of the program.
  /// - Throws: An error of the decoder where the help has another form.
  init(help: String, version: String) throws {
    let root = try JSONDecoder().decode(Help.self, from: Data(help.utf8)).command
    lines = [
      #".\" Made from the help of the command line and from CommandTable.swift; make walks writes it."#,
      #".TH KENNEL 1 "" "kennel \#(version)" "User Commands""#,
      ".SH NAME",
      #"kennel \- browse, edit, import and export databases of objects"#,
      ".SH SYNOPSIS",
      #".B kennel"#,
      #"[\fIfile\fR] [\fB\-\-read\-only\fR]"#,
      ".br",
      ".B kennel",
      #"\fIcommand\fR [\fIargument\fR ...]"#,
      ".SH DESCRIPTION",
    ]
    add(discussion: root.discussion ?? "")
    lines.append(".SH COMMANDS")
    for command in root.subcommands ?? [] where command.commandName != "help" {
      add(command, after: "kennel")
    }
    addKeys()
    addRest()
  }

  // MARK: - Commands

  private mutating func add(_ command: Command, after parent: String) {
    let name = "\(parent) \(command.commandName)"
    let arguments = (command.arguments ?? []).filter { argument in
      let isForAll = argument.names?.contains { ["help", "version"].contains($0.name) } == true
      return argument.shouldDisplay && !isForAll
    }
    let positional = arguments.filter { $0.kind == "positional" }
    let usage = positional.map { argument in
      let value = "\\fI\(escaped(argument.valueName ?? ""))\\fR"
      let repeated = argument.isRepeating ? value + " ..." : value
      return argument.isOptional ? "[\(repeated)]" : repeated
    }
    let options = arguments.count > positional.count ? ["[\\fIoption\\fR ...]"] : []
    lines.append(#".SS "\#(escaped(name))""#)
    lines.append((["\\fB\(escaped(name))\\fR"] + usage + options).joined(separator: " "))
    lines.append(".PP")
    lines.append(escaped(command.abstract ?? ""))
    for argument in arguments { add(argument) }
    add(discussion: command.discussion ?? "")
    for command in command.subcommands ?? [] where command.shouldDisplay {
      add(command, after: name)
    }
  }

  private mutating func add(_ argument: Argument) {
    let names = (argument.names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
    let value = argument.kind == "flag" ? [] : ["\\fI\(escaped(argument.valueName ?? ""))\\fR"]
    let title = names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    lines.append(".TP")
    lines.append(((names.isEmpty ? [] : [title]) + value).joined(separator: " "))
    let isTold = argument.abstract?.contains(argument.defaultValue ?? "") == true
    let standard = isTold ? "" : argument.defaultValue.map { " Without it: \($0)." } ?? ""
    lines.append(escaped((argument.abstract ?? "") + standard))
  }

  /// Adds paragraphs; indented lines stay as they are.
  private mutating func add(discussion: String) {
    var isLiteral = false
    for line in ("\n" + discussion).split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.first == " "
      if isIndented != isLiteral, !line.isEmpty {
        lines.append(isIndented ? ".PP\n.nf" : ".fi\n.PP")
        isLiteral = isIndented
      }
      if !line.isEmpty {
        lines.append(escaped(String(line)))
      } else if !isLiteral {
        lines.append(".PP")
      }
    }
    if isLiteral { lines.append(".fi") }
  }

  // MARK: - Keys

  private mutating func addKeys() {
    lines.append(".SH KEYS")
    add(
      discussion:
        "The last line of the screen names the keys that matter where one is; ? lists all. "
        + "A command with a name runs from the palette, too: a colon and the name. A number before a "
        + "key that moves says how often, or to which line: 5j, 90G; it begins with a digit that means "
        + "nothing else."
    )
    for command in KeyBindings.standard.all {
      let keys = command.keys.isEmpty ? [":" + command.name] : command.keys
      let places = command.places.text
      let place = places == "everywhere" ? "" : " (\(places))"
      let names = command.names.map { ":\($0)" }.joined(separator: ", ")
      add(key: keys, "\(command.summary)\(place); \(names)")
    }
    for dialog in Manual.dialogs {
      lines.append(#".SS "\#(escaped(dialog.title))""#)
      for key in dialog.keys { add(key: [key.key], key.purpose) }
    }
  }

  private mutating func add(key: [String], _ purpose: String) {
    lines.append(".TP")
    lines.append(key.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", "))
    lines.append(escaped(purpose))
  }

  // MARK: - The rest

  private mutating func addRest() {
    let sections: [(title: String, rows: [(name: String, meaning: String)])] = [
      (
        "FILES",
        [
          ("$XDG_CONFIG_HOME/kennel/config.toml", "Colors and keys, else in ~/.config."),
          ("$XDG_DATA_HOME/kennel/sample.kennel", "The sample, else in ~/.local/share."),
          ("$XDG_STATE_HOME/kennel", "What is kept between runs, else in ~/.local/state."),
        ]
      ),
      (
        "ENVIRONMENT",
        [
          ("LANG, LC_ALL, LC_CTYPE", "Characters beyond ASCII are shown if the locale is UTF-8."),
          ("NO_COLOR", "If it is not empty, no colors are used, unless a theme is configured."),
          ("TERM", "The kind of the terminal."),
          ("TZ", "The time zone of the times that are shown."),
          ("VISUAL, EDITOR", "The editor for long texts; vi without them."),
        ]
      ),
      (
        "EXIT STATUS",
        [
          ("0", "Success."), ("1", "Something failed, or was found by a check."),
          ("2", "The arguments are wrong."),
        ]
      ),
    ]
    for section in sections {
      lines.append(".SH \(section.title.contains(" ") ? "\"\(section.title)\"" : section.title)")
      for row in section.rows { add(key: [row.name], row.meaning) }
    }
  }

  /// A text that the formatter takes for a text alone.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\"": escaped += "\\(dq"
      case "‘": escaped += "\\(oq"
      case "’": escaped += "\\(cq"
      default:
        for scalar in character.unicodeScalars {
          let code = String(scalar.value, radix: 16, uppercase: true)
          let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
          escaped += scalar.isASCII ? String(scalar) : "\\[u\(padded)]"
        }
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
