import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports
import KennelSQL

/// `kennel check`: checks a whole file.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check every checksum, link, backlink, index, key and owner of a database.",
    discussion: """
      Findings go to standard output, one a line; the exit code is 1 where there are any. The file \
      is not changed. Of a .realm file, its own structure is checked; of an SQLite database, SQLite \
      checks its pages, indexes, constraints and foreign keys; of a PostgreSQL database, the rows that \
      contradict a foreign key and the indexes that were not finished are found.

      Examples:
        kennel check family.kennel
        kennel check family.kennel && cp family.kennel /backup
      """
  )

  @OptionGroup var source: SourceArguments

  func run() throws {
    let file = source.file
    switch ForeignKind(of: file) {
    case .realm?: return try report(try RealmSource(file).check())
    case .sqlite?:
      return try report(try SQLiteSource(file, links: []).check(), verdict: "is not sound")
    case .postgres?:
      return try report(try PostgresSource(file, source.reading).check(), verdict: "is not sound")
    case .documents?, nil: break
    }
    let database = try openForReading(file)
    var bar = ProgressBar("Checking")
    let findings = try database.check { part in
      bar.show(part)
      return true
    }
    bar.finish()
    try report(findings.map(\.message))
  }

  private func report(_ findings: [String], verdict: String = "is damaged") throws {
    for finding in findings { try StandardOutput.write(TerminalText.line(finding) + "\n") }
    guard findings.isEmpty else {
      printError("\(name) \(verdict): \(counted(findings.count, "finding"))")
      throw ExitCode(1)
    }
    printNote("\(name) is sound")
  }

  private var name: String { PostgresURL.withoutPassword(source.file) }
}
