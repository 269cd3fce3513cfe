import ArgumentParser
import Glibc
import KennelBrowser
import KennelCore
import KennelDocuments
import KennelReports
import KennelSQL
import KennelTerminal

/// `kennel [browse] [FILE]`: opens a database in the terminal.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse a database in the terminal.",
    discussion: """
      Without a file, the files that you opened before are listed. Behind the list, or where there \
      are none, is a copy of the sample that is yours: what you commit to it stays until \
      'kennel sample --reset'. Nothing is written to a file before you commit.

      A file opens where you left it: the view, the columns, the bookmarks. This, the recent files \
      and what you typed into prompts is kept in $XDG_STATE_HOME/kennel/browser.json, or in \
      ~/.local/state/kennel/browser.json; remove it to forget all.

      What you have changed and not committed is kept when the connection or the program ends, and \
      offered when you open the file again. It lies in $XDG_STATE_HOME/kennel/drafts, or in \
      ~/.local/state/kennel/drafts, in a file for you alone, until it is committed or discarded; \
      'kennel drafts' lists what is there.

      Colors and keys are yours to choose in a configuration file; see 'kennel config --help'.

      With --script or --screen no terminal is needed: the keys of a script are pressed, every job \
      is waited for, and the last screen is printed. A script has an action in each line, such as \
      '= press j Enter', '= type Rex' or '= resize 100x30'; lines that begin with # are comments. \
      What it changes and does not commit is discarded. The same file and script give the same \
      screen wherever LANG, TZ and NO_COLOR are the same; a configuration file is read only if \
      --config names it.

      Examples:
        kennel
        kennel family.kennel
        kennel browse --read-only family.kennel
        kennel family.kennel --script keys.txt --screen 120x34
      """
  )

  @Argument(
    help: "The database, or a postgres:// URL; the sample without one.",
    completion: .file()
  )
  var file: String?

  @Flag(help: "Open the file for reading only.")
  var readOnly = false

  @Flag(
    help: """
      Let changes be committed to a PostgreSQL database, or by a script; without it, both open for \
      reading only.
      """
  )
  var rw = false

  @Flag(help: "Begin at the first class, not where you left off.")
  var fresh = false

  @OptionGroup var source: ReadingOptions

  @OptionGroup
  var options: ConfigurationOptions

  @OptionGroup(title: "Without a terminal")
  var script: ScriptOptions

  mutating func validate() throws {
    if readOnly, rw { throw ValidationError("--read-only and --rw exclude each other") }
  }

  mutating func run() throws {
    if script.isWanted { return try runScript() }
    let ending: EventLoop.Ending
    do {
      ending = try browse()
    } catch let end as BrowserRun.End {
      ending = end.ending
    }
    TemporaryFiles.remove()
    ending.exitProcess()
  }

  /// Shows one database after another, until a person ends the program.
  private func browse() throws -> EventLoop.Ending {
    let chosenFile = options.file
    let chosen = try chosenFile?.read(isRequired: options.isNamed) ?? Configuration()
    let run = BrowserRun(chosen, chosenFile)
    var visit: Visit
    if isForeign {
      visit = try openForeign(run)
    } else {
      do throws(TerminalError) {
        try run.takeTerminal()
      } catch {
        // What is wrong with the file is said first: without a terminal nothing else would say it.
        if let file { _ = try openForReading(file) }
        throw BrowserRun.error(error)
      }
      visit = try open(run) { _ in true }
    }
    while true {
      let (ending, next) = try run.show(visit)
      guard let next, case .quit = ending else { return ending }
      do {
        visit = try run.visit { show in
          try Visit(next, isReadOnly: isReadOnly(next), isTyped: true, show: show)
        }
      } catch let end as BrowserRun.End {
        throw end
      } catch {
        let text = sentence(of: error) ?? "\(error)"
        let name = PostgresURL.withoutPassword(next)
        visit.greeting = text.contains(name) ? text : "Cannot open \(name): \(text)"
      }
    }
  }

  // MARK: - Other programs' files

  /// Whether the file becomes a private copy, which is shown on the plain terminal as it is made, or may need
  /// a key, which is asked for there.
  private var isForeign: Bool {
    file.map { ForeignKind(of: $0) != nil || Database.isEncrypted($0) } ?? false
  }

  /// A database on a server is opened for reading only, unless a person says otherwise.
  private func isReadOnly(_ path: String?) -> Bool {
    readOnly || !rw && (path.map(PostgresURL.isURL) ?? false)
  }

  private func open(_ run: BrowserRun, accept: (String) throws -> Bool) throws -> Visit {
    try run.visit { show in
      try Visit(
        file,
        source.reading,
        isReadOnly: isReadOnly(file),
        isFresh: fresh,
        show: show,
        accept: accept
      )
    }
  }

  private func openForeign(_ run: BrowserRun) throws -> Visit {
    guard isatty(STDOUT_FILENO) != 0 else { throw BrowserRun.error(.notATerminal) }
    let visit = try open(run) { proposal in
      try StandardOutput.write(proposal)
      return try TerminalQuestion.ask("Open with these classes?")
    }
    // The keys do not come from the pipe.
    if file == "-" { try TerminalQuestion.takeKeysFromTerminal() }
    return visit
  }

  /// Runs keys without a terminal.
  private func runScript() throws {
    let path = try file ?? SampleFile.open()
    let opened = try OpenedFile.open(path, source.reading, isReadOnly: !rw)
    let named = options.isNamed ? options.file : nil
    let chosen = try named?.read(isRequired: true) ?? Configuration()
    var settings = BrowserRun.settings(for: file ?? "the sample", chosen, named)
    settings.path = path
    settings.isReadOnly = !rw
    opened.original?.tell(&settings, opened.database)
    try script.run { try Browser(opened.database, settings: settings) }
  }
}
