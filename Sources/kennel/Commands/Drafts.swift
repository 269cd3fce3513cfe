import ArgumentParser
import KennelCore
@_spi(Faces) import KennelDocuments
import KennelReports
import KennelSQL

/// `kennel drafts`: lists and removes saved drafts, which were neither committed nor rolled back.
struct Drafts: ParsableCommand {
  /// The format of the list.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case jsonl
  }

  static let configuration = CommandConfiguration(
    abstract: "List the changes that were not committed, or remove some for good.",
    discussion: """
      What you change while browsing is kept until it is committed or discarded, and 'kennel FILE' \
      offers it again; see 'kennel browse --help'. The newest comes first, with what became of it:

        kept              'kennel FILE' offers it
        in use            a browser that runs has it
        file gone         nothing lies there; a file that was moved offers it
        file replaced     another file lies there, which it is not for
        file unreadable   why, says 'kennel check FILE'
        unreadable        nothing of it can be restored
        newer format      a later version of kennel can restore it

      A draft that is removed is lost. One that is in use stays, and so do all others then, and the exit \
      code is 1.

      Examples:
        kennel drafts
        kennel drafts --format jsonl
        kennel drafts --sql
        kennel drafts --remove 3f2a91c4
        kennel drafts --remove 3f2a91c4 b7705d1e
      """
  )

  @Option(name: .shortAndLong, help: "How to write it: text, or jsonl with every detail.")
  var format = Format.text

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Drafts to remove, by the beginnings of their names; at least four letters.",
      valueName: "draft"
    )
  )
  var remove: [String] = []

  @Flag(help: "Write what the drafts of SQLite databases would commit, as SQL.")
  var sql = false

  /// The shortest prefix of a name that is accepted; a shorter one may be a typing error.
  private static let fewestLetters = 4
  /// How many characters of a name are shown: enough to tell drafts apart.
  private static let shownLetters = 8

  func validate() throws {
    if sql, !remove.isEmpty { throw ValidationError("--sql and --remove exclude each other") }
    if let name = remove.first(where: { $0.utf8.count < Self.fewestLetters }) {
      throw ValidationError("'\(name)' is too short: give at least four letters of the name")
    }
  }

  mutating func run() throws {
    guard let folder = draftFolder else {
      throw CommandError("Cannot find the drafts: neither XDG_STATE_HOME nor HOME is set")
    }
    let drafts = try DraftJournal.list(in: folder)
    if !remove.isEmpty { return try remove(from: drafts) }
    if drafts.isEmpty { printNote("There are no drafts in \(folder)") }
    if sql { return try writeStatements(of: drafts, in: folder) }
    switch format {
    case .text: try StandardOutput.write(text(of: drafts))
    case .jsonl: for draft in drafts { try StandardOutput.write(json(of: draft) + "\n") }
    }
  }

  // MARK: - SQL

  private func writeStatements(of drafts: [ListedDraft], in folder: String) throws {
    let copies = try PrivateCopies()
    for draft in drafts {
      guard let path = draft.databasePath else { continue }
      let copy = copies.find(at: path)
      let isOnServer = PostgresURL.isURL(path)
      guard isOnServer || copy?.contents.forms.isEmpty == false else { continue }
      let title =
        "\(name(of: draft)): \(counted(draft.changeCount, "change")) of \(original(of: path))"
      var statements: [String]?
      var reason = state(of: draft).text
      do {
        statements =
          try isOnServer
          ? self.statements(ofServer: draft, path, in: folder)
          : copy.flatMap { try self.statements(of: draft, $0, in: folder) }
      } catch {
        // The others can be read all the same.
        reason = sentence(of: error) ?? "\(error)"
      }
      guard let statements else {
        printNote("\(title) cannot be read: \(reason)")
        continue
      }
      let lines = ["-- \(TerminalText.line(title))"] + statements
      try StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
  }

  /// The statements of a draft's commit; `nil` where it cannot be restored.
  private func statements(
    of draft: ListedDraft,
    _ copy: PrivateCopies.Entry,
    in folder: String
  ) throws -> [String]? {
    let database = try Database.openExisting(copy.path)
    let source = try SQLiteSource(copy.original.path, links: copy.contents.links)
    return try restored(draft, DraftJournal(for: database, in: folder), database).map {
      try source.statements($0.commitPreview(), copy.contents)
    }
  }

  /// The statements of the commit of a draft of a database on a server, which is read for it.
  private func statements(
    ofServer draft: ListedDraft,
    _ path: String,
    in folder: String
  ) throws -> [String]? {
    let opened = try OpenedFile.open(path, isReadOnly: true)
    guard let follower = opened.original?.follower, let names = try follower.draftNames() else {
      return nil
    }
    let journal = DraftJournal(for: opened.database, in: folder, named: names)
    return try restored(draft, journal, opened.database).map {
      try follower.statements($0.commitPreview())
    }
  }

  /// A draft as it is in its database now; `nil` where it cannot be restored.
  private func restored(
    _ draft: ListedDraft,
    _ journal: DraftJournal,
    _ database: Database
  ) throws -> Draft? {
    let kept = journal.findKept()
    defer { for draft in kept { draft.release() } }
    guard let found = kept.first(where: { $0.journalPath == draft.journalPath }),
      found.state == .restorable
    else { return nil }
    let restored = try database.makeDraft()
    try restored.restore(found.records)
    return restored
  }

  // MARK: - Removing

  private func remove(from drafts: [ListedDraft]) throws {
    var chosen: [ListedDraft] = []
    for name in remove {
      let found = drafts.filter { $0.id.hasPrefix(name) }
      guard let draft = found.first else {
        throw CommandError("There is no draft \(name); 'kennel drafts' lists them")
      }
      guard found.count == 1 else {
        let names = found.map(\.id).sorted().joined(separator: ", ")
        throw CommandError("Which draft is \(name)? There are \(names)")
      }
      if !chosen.contains(where: { $0.journalPath == draft.journalPath }) { chosen.append(draft) }
    }
    // All that can be known before is known before anything is lost.
    for draft in chosen where draft.isInUse { throw Self.inUse(draft) }
    for draft in chosen {
      guard try draft.remove() else { throw Self.inUse(draft) }
      printNote("Removed \(name(of: draft)): \(what(draft))")
    }
  }

  private static func inUse(_ draft: ListedDraft) -> CommandError {
    let path = draft.databasePath.map { " of \($0)" } ?? ""
    return CommandError(
      "Cannot remove \(draft.id.prefix(shownLetters)): a browser\(path) has it; "
        + "':rollback' there throws it away"
    )
  }

  private func what(_ draft: ListedDraft) -> String {
    guard let path = draft.databasePath else { return "what was left of it" }
    return "\(counted(draft.changeCount, "change")) of \(path)"
  }

  // MARK: - Listing

  private func name(of draft: ListedDraft) -> String {
    String(draft.id.prefix(Self.shownLetters))
  }

  private func text(of drafts: [ListedDraft]) -> String {
    if drafts.isEmpty { return "" }
    var lines = [["draft", "changed", "changes", "state", "database"]]
    for draft in drafts {
      lines.append([
        TerminalText.value(name(of: draft)),
        draft.modified.map(localTime) ?? "-",
        draft.databasePath == nil ? "-" : "\(draft.changeCount)",
        state(of: draft).text,
        TerminalText.value(draft.databasePath.map(original) ?? draft.journalPath),
      ])
    }
    return TerminalText.aligned(lines)
  }

  /// The state for people, the state for programs, and its reason.
  private func state(of draft: ListedDraft) -> (text: String, reason: String?) {
    switch draft.condition {
    case .newerFormat(let version): return ("newer format", "\(version)")
    case .unreadable(let reason): return ("unreadable", reason)
    case .readable: break
    }
    if draft.isInUse { return ("in use", nil) }
    // A database on a server is no file.
    let isOnServer = draft.databasePath.map(PostgresURL.isURL) ?? false
    switch isOnServer ? .there : draft.file {
    case .gone: return ("file gone", nil)
    case .replaced: return ("file replaced", nil)
    case .unreadable(let reason): return ("file unreadable", reason)
    case .there, nil: return draft.changeCount == 0 ? ("unreadable", nil) : ("kept", nil)
    }
  }

  /// The path of a database, or of what it is a copy of.
  private func original(of path: String) -> String {
    (try? PrivateCopies())?.find(at: path)?.original.path ?? path
  }

  private func json(of draft: ListedDraft) -> String {
    let state = state(of: draft)
    let path = draft.databasePath.map(original)
    let document: Document = [
      "draft": .string(draft.id), "state": .string(state.text),
      "reason": state.reason.map { .string($0) }, "file": path.map { .string($0) },
      "changes": path.map { _ in .int64(Int64(draft.changeCount)) },
      "lostBytes": draft.lostByteCount > 0 ? .int64(Int64(draft.lostByteCount)) : nil,
      "changed": draft.modified.map { .string("\($0)") }, "inUse": .bool(draft.isInUse),
      "journal": .string(draft.journalPath),
    ]
    return document.jsonLine
  }
}
