import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel watch`: what other programs commit.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what other programs commit, until ^C.",
    discussion: """
      One line of JSON for each object that was created, deleted or changed, with the number of the \
      commit, the time at which it was seen, and the values before and after. Commits that follow \
      each other within 50 ms may be reported together; "since" is then the commit before the first \
      of them. The file is read only, and grows by what is deleted between two commits at most.

      Examples:
        kennel watch family.kennel
        kennel watch family.kennel --class Dog | jq 'select(.change == "deleted")'
      """
  )

  /// So long it waits between two looks at the number of the newest commit.
  private static let pauseInMicroseconds: UInt32 = 50_000

  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var key: KeyOptions

  @Option(name: [.customLong("class"), .short], help: "The class to watch; all without one.")
  var className: String?

  mutating func run() throws {
    let database = try Database.openExisting(file, .readOnly)
    guard database.seesNewCommits else {
      throw CommandError(
        "Cannot watch \(file): new commits are seen only by those who may write its lock file, "
          + "\(file)-lock"
      )
    }
    var known = try database.snapshot()
    let classKey = try className.map { try findClass($0, in: known.schema, of: file).key }
    let output = ReportOutput("Watching")
    printNote("\(file): commit \(known.commitNumber); what is committed from now on follows")
    while true {
      usleep(Self.pauseInMicroseconds)
      switch database.filePlace {
      case .unchanged: break
      case .gone: throw CommandError("\(file) was deleted or renamed")
      case .replaced: throw CommandError("\(file) was replaced by another file")
      case .overwritten: throw CommandError("\(file) was overwritten by another program")
      }
      guard database.commitNumber != known.commitNumber else { continue }
      let snapshot = try database.snapshot()
      let head: Document = [
        "commit": .int64(Int64(snapshot.commitNumber)),
        "since": .int64(Int64(known.commitNumber)),
        "time": .string("\(currentTime())"),
      ]
      try CommitChanges.report(from: known, to: snapshot, class: classKey) {
        change throws(DatabaseError) in
        let line = Document(head.members + Document(change).members)
        try output.write(line.jsonLine)
      }
      try output.finish()
      known = snapshot
    }
  }
}
