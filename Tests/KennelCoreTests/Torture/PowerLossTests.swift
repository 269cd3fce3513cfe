import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// The power fails while a transaction is committed: the database is the one before it or after it, and
/// sound either way.
@Suite struct PowerLossTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("power.kennel") }

  init() throws { folder = try TemporaryFolder() }

  private static let schema = [
    ClassDefinition(
      "Note",
      properties: [
        PropertyDefinition("number", .int, isPrimaryKey: true),
        PropertyDefinition("text", .string, isIndexed: true),
        PropertyDefinition("next", .link("Note")),
      ]
    ),
    ClassDefinition("Pile", properties: [PropertyDefinition("notes", .list(.link("Note")))]),
  ]

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `any part of a commit on the disk is a sound database`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define(Self.schema)
      for _ in 0..<Int.random(in: 5...300, using: &random) { try Self.step(transaction, &random) }
    }
    for _ in 0..<3 { try database.write { try Self.step($0, &random) } }
    let before = try (bytes: bytes(path), contents: Self.contents(of: database))
    let steps = [1, 1, 1, 2, 5, 40].randomElement(using: &random) ?? 1
    try database.write { transaction in
      for _ in 0..<steps { try Self.step(transaction, &random) }
    }
    let after = try (bytes: bytes(path), contents: Self.contents(of: database))
    let loss = PowerLoss(
      before: before.bytes,
      after: after.bytes,
      partByteCount: seed % 3 == 0 ? 512 : 4096
    )
    for round in 0..<16 {
      let missing = Set(
        (0...round % 4).map { _ in Int.random(in: 0..<loss.parts.count, using: &random) }
      )
      let image = loss.image(has: { !missing.contains($0) }, isLong: round % 2 == 0)
      let trial = folder.file("trial \(round).kennel")
      try Data(image).write(to: URL(fileURLWithPath: trial))
      let found = try Database.open(trial)
      let contents = try Self.contents(of: found)
      #expect(contents == before.contents || contents == after.contents, "without \(missing)")
      expectSound(found)
      // It goes on.
      try found.write { try Self.step($0, &random) }
      expectSound(found)
    }
  }

  /// Makes, changes or deletes a note, or changes the pile that lists them.
  private static func step(
    _ transaction: WriteTransaction,
    _ random: inout SplitMix64
  ) throws {
    let note = try #require(transaction.schema["Note"])
    let pile = try #require(transaction.schema["Pile"])
    let (number, text, next) = (note["number"]?.key, note["text"]?.key, note["next"]?.key)
    let notes = try transaction.objects(of: note.key).keys.map {
      ObjectIdentity(note.key, $0)
    }
    let some = notes.randomElement(using: &random)
    let words = String(repeating: "word ", count: [1, 3, 900].randomElement(using: &random) ?? 1)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      if let some { try transaction.delete([some]) }
    case 1:
      if let some, let text = text { try transaction.set(some, property: text, to: .string(words)) }
    case 2:
      if let some, let next = next, let other = notes.randomElement(using: &random) {
        try transaction.set(some, property: next, to: .link(other))
      }
    case 3:
      let list = Value.list(notes.shuffled(using: &random).prefix(50).map(Value.link))
      _ = try transaction.create(pile.key, [try #require(pile["notes"]).key: list])
    default:
      guard let number, let text else { return }
      let value = Int64.random(in: 0...Int64.max, using: &random)
      _ = try transaction.create(note.key, [number: .int(value), text: .string(words)])
    }
  }

  /// Every value of every object.
  private static func contents(of database: Database) throws -> [String] {
    let snapshot = try database.snapshot()
    return try snapshot.schema.classes.flatMap { aClass in
      try snapshot.objects(of: aClass.key).keys.map { key in
        let object = ObjectIdentity(aClass.key, key)
        let values = try aClass.properties.map { try snapshot.value(of: object, property: $0.key) }
        return "\(object) \(values)"
      }
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
