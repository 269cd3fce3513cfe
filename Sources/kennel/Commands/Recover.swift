import ArgumentParser
import KennelConversion
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel recover`: saves what is whole in a damaged file.
struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save the objects of a damaged database into a new one, and list what is lost.",
    discussion: """
      All pages that are whole are used, also if those that lead to them are gone. What is lost goes to \
      standard output, one loss a line; the exit code is 1 where there are any. No value is invented: \
      one that is lost is null, and its property can be null in the new database. What is older than \
      the newest commit is saved only where nothing newer is left, and listed. The damaged file is only \
      read; end the programs that write to it first.

      Of a .realm file, the newest commit is saved, or, where that is damaged, what is whole of it and of \
      the one before it. Objects have the key in the file plus 1, as where it is imported. With --freed, rows \
      that an app deleted or replaced are looked for in the free space of the file: those of a class Dog \
      become objects of a class FreedDog. Nothing says when they were written. Some may be of another class with the \
      same types, or, where their place was used again and again, have values of two rows.

      Examples:
        kennel recover family.kennel saved.kennel
        kennel recover family.kennel saved.kennel --json > lost.jsonl
        kennel recover family.kennel saved.kennel --classes-of backup.kennel
        kennel recover --freed app.realm found.kennel
      """
  )

  @Argument(help: "The damaged database.", completion: .file())
  var damaged: String

  @Argument(help: "The database to make; it must not exist.", completion: .file())
  var new: String

  @Flag(help: "Write a line of JSON for each loss.")
  var json = false

  @Option(
    help: """
      A database with the same classes, such as a backup, for a file that has lost its own.
      """,
    completion: .file()
  )
  var classesOf: String?

  @Flag(help: "Look for deleted and replaced rows in the free space of a .realm file, too.")
  var freed = false

  @OptionGroup var file: NewFileOptions

  @OptionGroup var key: KeyOptions

  mutating func run() throws {
    guard NewDatabase.isWanted(at: new) else {
      throw CommandError("Cannot create \(new): it already exists")
    }
    if RealmSource.isRealm(damaged) { return try recoverRealm() }
    guard !freed else {
      throw CommandError(
        "Cannot look for freed rows in \(damaged): it is no .realm file; leave out --freed"
      )
    }
    let backup = try classesOf.map { try openForReading($0) }
    let damaged = damaged
    let key = try FileKeys.key(of: damaged)
    // What was encrypted stays so.
    let newKey = try file.key(of: new) { key }
    let report = try NewDatabase.make(at: new, key: newKey, mode: file.mode) { database in
      var bar = ProgressBar("Recovering")
      defer { bar.finish() }
      return try Database.recover(damaged, key: key, into: database, classesOf: backup) { part in
        bar.show(part)
        return true
      }
    }
    let saved = "\(counted(report.objectCount, "object")) of commit \(report.commitNumber)"
    try finish(report.losses, saved: saved)
  }

  /// Saves the newest commit of a `.realm` file, or, where any of it is damaged, what is whole.
  private func recoverRealm() throws {
    if freed { return try saveRealm(RealmSource(damaged, .whole(includesFreed: true))) }
    do {
      try saveRealm(RealmSource(damaged))
    } catch let error as CommandError where error.isDamage {
      guard let whole = try? RealmSource(damaged, .whole(includesFreed: false)) else { throw error }
      try saveRealm(whole)
    }
  }

  private func saveRealm(_ source: RealmSource) throws {
    let key = try source.key.map { try FileKeys.key(like: $0) }
    let newKey = try file.key(of: new) { key }
    let summary = try NewDatabase.make(at: new, key: newKey, mode: file.mode) { database in
      var bar = ProgressBar("Recovering")
      defer { bar.finish() }
      return try source.fill(database) { bar.show($0) }
    }
    if !source.losses.isEmpty {
      let sentence = source.losses.sentence
      try write(["loss": .string("notRepresented"), "message": .string(sentence)], sentence)
    }
    var saved = "\(counted(summary.objectCount - source.freedCount, "object")) of commit "
    saved += "\(source.commitVersion)"
    if freed { saved += " and \(counted(source.freedCount, "freed row"))" }
    try finish(
      source.damages,
      saved: saved,
      isComplete: source.losses.isEmpty
    )
  }

  private func write(_ document: Document, _ sentence: String) throws {
    try StandardOutput.write((json ? document.jsonLine : TerminalText.line(sentence)) + "\n")
  }

  /// Lists what is lost; the exit code says whether anything is.
  private func finish(
    _ losses: [RecoveryReport.Loss],
    saved: String,
    isComplete: Bool = true
  ) throws {
    for loss in losses { try write(Document(loss), loss.message) }
    guard isComplete, losses.isEmpty else {
      printError("\(new): \(saved) saved; what is lost is listed")
      throw ExitCode(1)
    }
    printNote("\(new): \(saved) saved; nothing is lost")
  }
}

extension Document {
  /// A loss of a recovery.
  fileprivate init(_ loss: RecoveryReport.Loss) {
    self = [
      "loss": .string(loss.kind.rawValue),
      "class": loss.className.map { .string($0) },
      "property": loss.propertyName.map { .string($0) },
      "target": loss.target.map { .string($0) },
      "keys": .array(
        loss.keys.map { range in
          .array([
            .int64(Int64(range.lowerBound.rawValue)), .int64(Int64(range.upperBound.rawValue)),
          ])
        }
      ),
    ]
  }
}
