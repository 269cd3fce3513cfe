import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// `kennel drafts`: what the browser keeps, seen from the command line.
@Suite struct `The command drafts` {
  private let place: TemporaryPlace
  private var folder: String { place.file("state/kennel/drafts") }

  init() throws {
    place = try TemporaryPlace()
  }

  private func drafts(_ arguments: String...) throws -> Outcome {
    try Kennel.run(
      all: ["drafts"] + arguments,
      environment: ["XDG_STATE_HOME": place.file("state")]
    )
  }

  /// Makes a database, and a draft of it as a browser keeps one.
  private func makeDraft(_ name: String, changes: Int) throws -> DraftJournal {
    let database = try Database.open(place.file(name))
    try database.write { transaction in
      if transaction.schema["Dog"] == nil {
        try transaction.define([
          ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)])
        ])
      }
    }
    let draft = try database.makeDraft()
    let dog = try #require(draft.reader.schema["Dog"])
    for _ in 0..<changes { try draft.create(dog.key, [:]) }
    let journal = DraftJournal(for: database, in: folder)
    try journal.keep(draft.records, number: 1)
    return journal
  }

  private func keep(_ name: String, changes: Int) throws {
    try makeDraft(name, changes: changes).close()
  }

  private var journals: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func setTime(_ seconds: Double, of journal: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)],
      ofItemAtPath: folder + "/" + journal
    )
  }

  /// The name that the list gives to a journal.
  private func name(of journal: String) -> String {
    String(journal.drop { $0 != "-" }.dropFirst().prefix(8))
  }

  @Test func `says that there is none where there is none`() throws {
    let outcome = try drafts()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages == "There are no drafts in \(folder)\n")
    #expect(!place.exists("state"))
    #expect(try drafts("--format", "jsonl").output.isEmpty)
  }

  @Test func `lists each with what became of its file, the newest first`() throws {
    var names: [String: String] = [:]
    for (index, name) in ["kept", "gone", "replaced", "damaged", "newer"].enumerated() {
      let before = Set(journals)
      try keep("\(name).kennel", changes: index + 1)
      let journal = try #require(Set(journals).subtracting(before).first)
      names[name] = journal
      let file = URL(fileURLWithPath: folder + "/" + journal)
      var bytes = try Data(contentsOf: file)
      switch name {
      case "gone": try FileManager.default.removeItem(atPath: place.file("gone.kennel"))
      case "replaced":
        try FileManager.default.removeItem(atPath: place.file("replaced.kennel"))
        _ = try Database.open(place.file("replaced.kennel")).beginWrite().commit()
      case "damaged": bytes[20] ^= 1
      case "newer":
        // The header's checksum is the last of its bytes.
        bytes[8] = 2
      default: break
      }
      try bytes.write(to: file)
      try setTime(Double(1_000_000 - 60 * index), of: journal)
    }
    let before = try journals.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
    let outcome = try drafts()
    #expect(outcome.exitCode == 0 && outcome.messages.isEmpty)
    let lines = outcome.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    func line(_ key: String, _ time: String, _ rest: String) -> String {
      "\(names[key].map(name) ?? "") 1970-01-12 13:\(time) \(rest)"
    }
    #expect(lines[0] == "draft changed changes state database")
    #expect(lines[1] == line("kept", "46", "1 kept \(place.file("kept.kennel"))"))
    #expect(lines[2] == line("gone", "45", "2 file gone \(place.file("gone.kennel"))"))
    #expect(lines[3] == line("replaced", "44", "3 file replaced \(place.file("replaced.kennel"))"))
    #expect(lines[4] == line("damaged", "43", "- unreadable \(folder)/\(names["damaged"] ?? "")"))
    #expect(lines.count == 6)
    let json = try drafts("-f", "jsonl").output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(json.count == 5)
    #expect(json[0]["state"] as? String == "kept")
    #expect(json[0]["file"] as? String == place.file("kept.kennel"))
    #expect(json[0]["changed"] as? String == "1970-01-12T13:46:40Z")
    #expect(json[1]["changes"] as? Int == 2)
    #expect(json[3]["reason"] as? String == "its beginning is not what was written")
    #expect(json[3]["inUse"] as? Bool == false)
    // A list takes nothing and changes nothing.
    #expect(
      try journals.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) } == before
    )
  }

  @Test func `removes what is named, and nothing else`() throws {
    for number in 1...3 { try keep("family.kennel", changes: number) }
    let all = journals
    for arguments in [["--remove"], ["--remove", "abc"], ["everything"]] {
      let outcome = try Kennel.run(
        all: ["drafts"] + arguments,
        environment: ["XDG_STATE_HOME": place.file("state")]
      )
      #expect(outcome.exitCode == 2, "\(arguments)")
    }
    let unknown = try drafts("--remove", name(of: all[0]), "zzzz")
    #expect(unknown.exitCode == 1)
    #expect(unknown.messages == "kennel: There is no draft zzzz; 'kennel drafts' lists them\n")
    #expect(journals == all)
    let outcome = try drafts("--remove", name(of: all[0]), name(of: all[2]), name(of: all[0]))
    #expect(outcome.exitCode == 0 && outcome.output.isEmpty)
    #expect(
      outcome.messages.contains(
        /Removed [0-9a-f]{8}: \d changes? of .*family.kennel\nRemoved [0-9a-f]{8}: \d/
      )
    )
    #expect(journals == [all[1]])
  }

  @Test func `asks which one where a beginning fits several`() throws {
    try keep("family.kennel", changes: 1)
    let one = journals[0]
    for letter in "ab" {
      let id = "7777000000000\(letter)00"
      let path = "\(folder)/\(one.prefix { $0 != "-" })-\(id).journal"
      try FileManager.default.copyItem(atPath: "\(folder)/\(one)", toPath: path)
    }
    let outcome = try drafts("--remove", "7777")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.messages
        == "kennel: Which draft is 7777? There are 7777000000000a00, 7777000000000b00\n"
    )
    #expect(journals.count == 3)
  }

  @Test func `never removes what a browser has, nor anything beside it`() throws {
    let living = try makeDraft("family.kennel", changes: 2)
    defer { living.close() }
    let first = journals[0]
    try keep("other.kennel", changes: 1)
    let other = try #require(journals.first { $0 != first })
    #expect(try drafts().output.contains(/2 +in use +\/.*family.kennel\n/))
    let outcome = try drafts("--remove", name(of: other), name(of: first))
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("kennel: Cannot remove \(name(of: first)): a browser of "))
    #expect(journals.count == 2)
  }

  @Test func `is not stopped by what is no journal`() throws {
    try keep("family.kennel", changes: 1)
    try FileManager.default.createDirectory(
      atPath: folder + "/folder.journal",
      withIntermediateDirectories: false
    )
    unsafe #expect(mkfifo(folder + "/pipe.journal", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link.journal",
      withDestinationPath: "/dev/zero"
    )
    try Data().write(to: URL(fileURLWithPath: folder + "/\u{1b}[31mempty.journal"))
    let outcome = try drafts()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(" kept "))
    #expect(!outcome.output.contains("\u{1b}"))
    #expect(outcome.output.split(separator: "\n").count == 6)
    let json = try drafts("--format", "jsonl").output
    #expect(!json.contains("\u{1b}") && json.contains("\\u001b[31m"))
  }

  @Test func `can be asked about a folder that cannot be listed`() throws {
    try FileManager.default.createDirectory(
      atPath: place.file("state/kennel"),
      withIntermediateDirectories: true
    )
    try Data().write(to: URL(fileURLWithPath: folder))
    let outcome = try drafts()
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.messages == "kennel: Cannot list the drafts: Not a directory, in \(folder)\n"
    )
  }
}
