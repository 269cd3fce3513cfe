import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel check`: checks a whole file.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check every checksum, link, backlink, index, key and owner of a database.",
    discussion: """
      Findings go to standard output, one a line; the exit code is 1 where there are any. The file \
      is not changed.

      Examples:
        kennel check family.kennel
        kennel check family.kennel && cp family.kennel /backup
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  mutating func run() throws {
    let database = try openForReading(file)
    var bar = ProgressBar("Checking")
    let findings = try database.check { part in
      bar.show(part)
      return true
    }
    bar.finish()
    for finding in findings { try StandardOutput.write(TerminalText.line(finding.message) + "\n") }
    guard findings.isEmpty else {
      printError("\(file) is damaged: \(counted(findings.count, "finding"))")
      throw ExitCode(1)
    }
    printNote("\(file) is sound")
  }
}
