import Glibc
import KennelBrowser
@_spi(Faces) import KennelCore
import KennelReports
import KennelSQL
import KennelTerminal

/// Runs browsers on one terminal, one after another.
final class BrowserRun {
  /// The end of the program before a database was opened.
  struct End: Error {
    let ending: EventLoop.Ending
  }

  private let configuration: Configuration
  private let file: ConfigurationFile?
  private var terminal: Terminal?

  init(_ configuration: Configuration, _ file: ConfigurationFile?) {
    (self.configuration, self.file) = (configuration, file)
  }

  /// Takes the terminal, unless it has it.
  @discardableResult
  func takeTerminal() throws(TerminalError) -> Terminal {
    if let terminal { return terminal }
    let taken = try Terminal()
    if configuration.choosesColors { taken.wantsColors = true }
    terminal = taken
    return taken
  }

  private func run(_ browser: Browser, keepsTerminal: Bool = false) throws -> EventLoop.Ending {
    try rethrowing(
      try EventLoop(terminal: takeTerminal(), program: browser).run(keepsTerminal: keepsTerminal),
      as: Self.error
    )
  }

  /// Opens a database with what shows its first rows while it is read; it is shown where those were left.
  ///
  /// - Throws: What `open` throws, and ``End`` where the program was ended meanwhile.
  func visit(_ open: (@escaping FirstLook.Show) throws -> Visit) throws -> Visit {
    var left: KeptState?
    do {
      var visit = try open { left = try self.show($0) }
      visit.left = left
      return visit
    } catch {
      terminal?.leave()
      throw error
    }
  }

  /// Shows the first rows of a database until all of it is read.
  ///
  /// - Returns: What it leaves behind; `nil` if that is what was in the beginning.
  private func show(_ look: FirstLook) throws -> KeptState? {
    var settings = settings(for: look.title)
    settings.path = look.path
    settings.isReadOnly = true
    settings.reading = look
    let browser = try Browser(look.rows, settings: settings)
    let before = browser.keptState
    let ending = try run(browser, keepsTerminal: true)
    guard browser.nextFile != nil, case .quit = ending else { throw End(ending: ending) }
    return browser.keptState == before ? nil : browser.keptState
  }

  /// Shows a database until the browser ends, and keeps what it leaves behind.
  ///
  /// - Returns: How it ended, and the file to open next.
  func show(_ visit: Visit) throws -> (EventLoop.Ending, next: String?) {
    let journal = try Self.journal(for: visit)
    let kept = journal?.findKept() ?? []
    if !kept.contains(where: { $0.committingOnto != nil }) {
      visit.original?.follower?.forgetCommit()
    }
    let browser = try Browser(
      visit.database,
      settings: settings(for: visit),
      journal: journal,
      recovered: kept
    )
    visit.original?.follower?.start()
    defer { visit.original?.follower?.stop() }
    let ending = try run(browser)
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
    guard visit.database.canWrite, !visit.isReadOnly, let folder = draftFolder else {
      return nil
    }
    let names = try visit.original?.follower?.draftNames()
    if visit.isSecret, names == nil { return nil }
    return DraftJournal(for: visit.database, in: folder, named: names)
  }

  /// Says of an error of the terminal what can be done.
  static func error(_ error: TerminalError) -> CommandError {
    let text = error.description
    let other = error == .notATerminal ? "; query, schema and export do without" : ""
    return CommandError("Cannot browse: \(text.prefix(1).lowercased())\(text.dropFirst())\(other)")
  }

  private func settings(for visit: Visit) -> BrowserSettings {
    var settings = settings(for: visit.name)
    settings.kept = visit.kept
    if let left = visit.left {
      settings.kept.goOn(from: left)
      settings.isContinued = true
    }
    settings.path = visit.path
    visit.original?.tell(&settings, visit.database)
    settings.recentFiles = visit.recentFiles
    settings.greeting = visit.greeting
    settings.canOpenFiles = true
    settings.isReadOnly = visit.isReadOnly
    settings.readOnlyAdvice = visit.isReadOnly ? visit.readOnlyAdvice : nil
    settings.beginsWithRecentFiles = visit.asksForFile
    return settings
  }

  /// The surroundings of a database that is shown on the terminal.
  private func settings(for name: String) -> BrowserSettings {
    var settings = Self.settings(for: name, configuration, file)
    settings.takesMouse = configuration.takesMouse
    settings.clockTime = clockTime
    return settings
  }

  /// The surroundings of a database, with a terminal or without.
  static func settings(
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
