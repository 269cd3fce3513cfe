import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports
import KennelSQL

/// `kennel doctor`: looks for objects that a program probably did not mean.
struct ExamineFile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find orphans, islands, duplicates and links that disagree.",
    discussion: """
      'check' compares the bytes of a file with its format; 'doctor' looks at the objects:

        orphan             nothing links to the object, though at least three quarters of its class
                           are targets of one property of another class
        island             objects that link to each other, and that nothing else leads to
        duplicate-element  a list of links, texts or identifiers has an element twice
        dangling-link      a foreign key of an SQL database leads nowhere
        wrong-backlinks, unexpected-null, wrong-primary-key
                           what a sound file does not have

      Each finding names the class, the number of objects and the query that selects them; a query \
      names no more than the first hundred. The exit code is 0 where nothing was found, 1 where \
      something was, and 2 where the file cannot be read.

      Examples:
        kennel doctor family.kennel
        kennel doctor family.kennel --json
      """
  )

  @OptionGroup var source: SourceArguments

  @Flag(help: "Write a line of JSON for each finding.")
  var json = false

  func run() throws {
    let file = PostgresURL.withoutPassword(source.file)
    try reporting {
      let snapshot = try source.snapshot()
      let output = ReportOutput("Examining")
      defer { try? output.finish() }
      var findingCount = 0
      try Doctor.examine(snapshot, progress: output.progress) { finding throws(DatabaseError) in
        findingCount += 1
        if json {
          try output.write(Document(finding, snapshot).jsonLine)
        } else {
          try Self.write(finding, to: output)
        }
      }
      try output.finish()
      guard findingCount > 0 else { return printNote("\(file): nothing found") }
      printNote("\(file): \(counted(findingCount, "finding"))")
      throw ExitCode(1)
    }
  }

  private static func write(
    _ finding: DoctorFinding,
    to output: ReportOutput
  ) throws(DatabaseError) {
    try output.writeText(finding.message)
    guard let query = finding.query else { return }
    let rest = finding.isQueryComplete ? "" : ", the first of them"
    try output.writeText("  \(finding.className) where \(query)\(rest)")
  }
}

extension Document {
  fileprivate init(_ finding: DoctorFinding, _ snapshot: Snapshot) {
    let objects = finding.objects.map { DocumentValue.string(snapshot.describe($0)) }
    self = [
      "finding": .string(finding.kind.rawValue), "class": .string(finding.className),
      "count": .int64(Int64(finding.count)), "property": finding.propertyName.map { .string($0) },
      "query": finding.query.map { .string($0) }, "objects": .array(objects),
      "message": .string(finding.message),
    ]
  }
}
