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
    let chosenFile = options.file
    let chosen = try chosenFile?.read(isRequired: options.isNamed) ?? Configuration()
    let first = try isForeign ? openForeign() : nil
    let terminal: Terminal
    do throws(TerminalError) {
      terminal = try Terminal()
    } catch {
      // What is wrong with the file is said first: without a terminal nothing else would say it.
      if first == nil, let file { _ = try openForReading(file) }
      throw Self.error(error)
    }
    if chosen.choosesColors { terminal.wantsColors = true }
    var visit = try first ?? open(accept: { _ in true })
    while true {
      let (ending, next) = try Self.show(visit, on: terminal, chosen, chosenFile)
      guard let next, case .quit = ending else {
        TemporaryFiles.remove()
        ending.exitProcess()
      }
      do {
        visit = try Visit(next, isReadOnly: isReadOnly(next), isTyped: true)
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

  private func open(accept: (String) throws -> Bool) throws -> Visit {
    try Visit(
      file,
      source.reading,
      isReadOnly: isReadOnly(file),
      isFresh: fresh,
      accept: accept
    )
  }

  private func openForeign() throws -> Visit {
    guard isatty(STDOUT_FILENO) != 0 else { throw Self.error(.notATerminal) }
    let visit = try open { proposal in
      try StandardOutput.write(proposal)
      return try TerminalQuestion.ask("Open with these classes?")
    }
    // The keys do not come from the pipe.
    if file == "-" { try TerminalQuestion.takeKeysFromTerminal() }
    return visit
  }

  /// Shows a database until the browser ends, and keeps what it leaves behind.
  ///
  /// - Returns: How it ended, and the file to open next.
  private static func show(
    _ visit: Visit,
    on terminal: Terminal,
    _ configuration: Configuration,
    _ file: ConfigurationFile?
  ) throws -> (EventLoop.Ending, next: String?) {
    let journal = try journal(for: visit)
    let kept = journal?.findKept() ?? []
    if !kept.contains(where: { $0.committingOnto != nil }) {
      visit.original?.follower?.forgetCommit()
    }
    let browser = try Browser(
      visit.database,
      settings: settings(for: visit, configuration, file),
      journal: journal,
      recovered: kept
    )
    visit.original?.follower?.start()
    defer { visit.original?.follower?.stop() }
    let ending: EventLoop.Ending
    do throws(TerminalError) {
      ending = try EventLoop(terminal: terminal, program: browser).run()
    } catch {
      throw Self.error(error)
    }
    if let farewell = browser.farewell { printError(farewell) }
    let problem = browser.saveDraftNow()
    if browser.changeCount > 0 {
      let changes = counted(browser.changeCount, "change")
      let fate =
        journal == nil && visit.isSecret
        ? "lost: nothing of it is kept on a disk, since \(visit.secrecy ?? "")"
        : problem.map { "lost, since it is kept nowhere: \($0)" }
          ?? (visit.isSecret
            ? "kept, with the values before them, in a file for you alone; "
              + "'kennel --rw \(visit.path)' offers it"
            : "kept; 'kennel \(visit.path)' offers it")
      printError("\(changes) of \(visit.path) not committed, and \(fate)")
    }
    visit.keep(browser.keptState)
    return (ending, browser.nextFile)
  }

  /// The journal of a draft that outlives the program; `nil` where none does.
  private static func journal(for visit: Visit) throws -> DraftJournal? {
    guard visit.database.canWrite, !visit.isReadOnly, let folder = DraftFolder.path else {
      return nil
    }
    let names = try visit.original?.follower?.draftNames()
    if visit.isSecret, names == nil { return nil }
    return DraftJournal(for: visit.database, in: folder, named: names)
  }

  /// Runs keys without a terminal.
  private func runScript() throws {
    let path = try file ?? SampleFile.open()
    let opened = try OpenedFile.open(path, source.reading, isReadOnly: !rw)
    let named = options.isNamed ? options.file : nil
    let chosen = try named?.read(isRequired: true) ?? Configuration()
    var settings = Self.settings(for: file ?? "the sample", chosen, named)
    settings.path = path
    settings.isReadOnly = !rw
    opened.original?.tell(&settings, opened.database)
    try script.run { try Browser(opened.database, settings: settings) }
  }

  private static func error(_ error: TerminalError) -> CommandError {
    let text = error.description
    let other = error == .notATerminal ? "; query, schema and export do without" : ""
    return CommandError("Cannot browse: \(text.prefix(1).lowercased())\(text.dropFirst())\(other)")
  }

  private static func settings(
    for visit: Visit,
    _ configuration: Configuration,
    _ file: ConfigurationFile?
  ) -> BrowserSettings {
    var settings = settings(for: visit.name, configuration, file)
    settings.kept = visit.kept
    settings.path = visit.path
    visit.original?.tell(&settings, visit.database)
    settings.recentFiles = visit.recentFiles
    settings.greeting = visit.greeting
    settings.canOpenFiles = true
    settings.takesMouse = configuration.takesMouse
    settings.clockTime = clockTime
    settings.isReadOnly = visit.isReadOnly
    settings.readOnlyAdvice = visit.isReadOnly ? visit.readOnlyAdvice : nil
    settings.beginsWithRecentFiles = visit.asksForFile
    return settings
  }

  private static func settings(
    for name: String,
    _ configuration: Configuration,
    _ file: ConfigurationFile?
  ) -> BrowserSettings {
    let noColor = variable("NO_COLOR") ?? ""
    var settings = BrowserSettings(fileName: name)
    settings.theme = configuration.theme(hasColor: noColor.isEmpty)
    settings.themes = configuration.themes(hasColor: noColor.isEmpty)
    settings.charset = configuration.charset(Terminal.charset)
    settings.now = { Timestamp(seconds: Int64(time(nil))) }
    settings.time = localTime
    settings.copyForms = CopyForms.all
    settings.export = BrowserExport.write
    settings.saveBytes = ValueFile.save
    settings.loadBytes = ValueFile.load
    settings.runShell = ShellCommand.run
    settings.bindings = configuration.bindings
    settings.configurationMistake = configuration.complaint(about: file?.name ?? "")
    return settings
  }
}
