import Foundation
import KennelCore
import KennelTestSupport
import Synchronization

/// One database and its twin, side by side.
///
/// An operation is a number: what it does to which object follows from the number and from what is
/// there, so that any part of a sequence of operations is a sequence that can be run.
final class TwinRun {
  /// What the engine and the twin disagree about.
  struct Difference: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  /// How many commits of all runs had a crash.
  static let crashCount = Mutex(0)

  private let folder: TemporaryFolder
  private(set) var path: String
  var schema: TwinSchema
  private(set) var database: Database
  private(set) var transaction: WriteTransaction?
  /// What the transaction should see.
  var twin: Twin
  /// What the newest commit should hold.
  var committed: Twin
  private(set) var committedSchema: TwinSchema
  /// Snapshots that began earlier, with what they should see.
  private var held: [(snapshot: Snapshot, twin: Twin)] = []
  /// A draft that somebody is still thinking about, and what it should show.
  var draft: DraftTwin?
  /// What was done, for people.
  private(set) var log: [String] = []

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    path = folder.file("twin.kennel")
    schema = TwinSchema(seed: seed)
    committedSchema = schema
    twin = schema.twin
    committed = twin
    database = try Database.open(path)
    try database.write { try $0.define(schema.definitions) }
  }

  deinit { transaction?.rollback() }

  func note(_ line: String) {
    log.append(Self.short(line))
  }

  /// What Swift writes of values, without what does not matter here.
  static func short(_ text: String) -> String {
    var text = text.replacing(/Kennel(Storage|Core)\./, with: "")
    text = text.replacing(/(Value|Position)\./, with: "")
    text = text.replacing(/(ObjectIdentity|Slot|MapEntry)\(/, with: "(")
    text = text.replacing(/\w+Key\(rawValue: (\d+)\)/) { match in match.output.1 }
    text = text.replacing(/(classKey|key|object|property|position|value):\s/, with: "")
    return text.replacing(/x{50,}/, with: "x…")
  }

  /// Adds to the last line of the log.
  func remark(_ text: String) {
    log[log.count - 1] += ": " + Self.short(text)
  }

  func writing() throws -> WriteTransaction {
    if let transaction { return transaction }
    let begun = try database.beginWrite()
    transaction = begun
    return begun
  }

  // MARK: - The whole

  /// Runs operations; the first difference, if there is one.
  static func run(
    seed: UInt64,
    _ operations: [UInt64]
  ) -> (difference: String, log: [String])? {
    do {
      let run = try TwinRun(seed: seed)
      do {
        for operation in operations {
          var random = SplitMix64(seed: operation)
          try run.step(&random)
        }
        try run.commit()
        if run.draft != nil { try run.commitDraft() }
        try run.reopen()
        if let finding = try run.database.check().first {
          throw Difference("\(finding.kind): \(finding)")
        }
        return nil
      } catch {
        return (Self.short("\(error)"), run.log)
      }
    } catch {
      return ("\(error)", [])
    }
  }

  static func operations(seed: UInt64, count: Int) -> [UInt64] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.next() }
  }

  /// Fewer operations that differ too: parts are left out as long as a difference stays.
  static func shrink(seed: UInt64, _ operations: [UInt64], runs: Int = 250) -> [UInt64] {
    var kept = operations
    var size = kept.count / 2
    var rest = runs
    while size > 0, rest > 0 {
      var start = 0
      while start < kept.count, rest > 0 {
        var fewer = kept
        fewer.removeSubrange(start..<min(start + size, kept.count))
        rest -= 1
        if run(seed: seed, fewer) != nil { kept = fewer } else { start += size }
      }
      size /= 2
    }
    return kept
  }

  // MARK: - Transactions

  func commit() throws {
    note("commit")
    if let transaction {
      try compare(transaction, "before the commit")
      try transaction.commit()
    }
    transaction = nil
    committed = twin
    committedSchema = schema
    try compare(try database.snapshot(), "after the commit")
    try compareHeld()
  }

  func rollback() throws {
    note("rollback")
    transaction?.rollback()
    transaction = nil
    twin = committed
    schema = committedSchema
    try compare(try database.snapshot(), "after the rollback")
  }

  func reopen() throws {
    try rollback()
    note("reopen")
    draft = nil
    try compareHeld()
    held = []
    database = try Database.open(path)
    try compare(try database.snapshot(), "after reopening")
  }

  /// Commits while the program is killed or the power fails, and goes on with what is there then: this commit
  /// or the one before it, whole.
  func loseCommit(_ random: inout SplitMix64) throws {
    draft = nil
    let before = (bytes: try bytes(), twin: committed, schema: committedSchema)
    try commit()
    let number = try database.snapshot().commitNumber
    let loss = PowerLoss(
      before: before.bytes,
      after: try bytes(),
      partByteCount: random.once(in: 3) ? 512 : 4096
    )
    let missing = Set((0..<random.below(4)).map { _ in random.below(max(1, loss.parts.count)) })
    note("lose \(missing.sorted()) of \(loss.parts.count) parts of the commit")
    let image = loss.image(has: { !missing.contains($0) }, isLong: random.once(in: 2))
    let crashes = Self.crashCount.withLock { count in
      count += 1
      return count
    }
    path = folder.file("crash \(crashes).kennel")
    try Data(image).write(to: URL(fileURLWithPath: path))
    held = []
    database = try Database.open(path)
    let snapshot = try database.snapshot()
    if snapshot.commitNumber != number {
      if missing.isDisjoint(with: loss.parts.indices) { throw Difference("a whole commit is lost") }
      (committed, committedSchema) = (before.twin, before.schema)
    }
    (twin, schema) = (committed, committedSchema)
    try compare(snapshot, "after the crash")
    if let finding = try database.check().first { throw Difference("after the crash: \(finding)") }
  }

  private func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func hold() throws {
    note("hold a snapshot")
    held.append((try database.snapshot(), committed))
    if held.count > 3 { held.removeFirst() }
  }

  func compareHeld() throws {
    for (snapshot, twin) in held {
      try Self.compare(snapshot, twin, "from a snapshot that began earlier")
    }
  }

  func compare(_ snapshot: DatabaseReader, _ when: String) throws {
    try Self.compare(snapshot, twin, when)
  }
}
