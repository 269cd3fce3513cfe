// swift-format-ignore-file: NeverForceUnwrap

import KennelCore

/// Writes one transaction after the other until it is killed, and says what it does: `begin N`
/// before it takes the lock, `done N` once the commit has returned.
///
/// Transaction N makes N % 40 + 5 notes of number N, some with long texts, in a list of an
/// object, and deletes those of number N - 4. So what the file holds follows from the newest N.
struct CrashingWriter {
  private let database: Database

  init(path: String) throws {
    database = try Database.open(path)
  }

  func run() throws {
    try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Note",
          properties: [
            PropertyDefinition("number", .int, isIndexed: true),
            PropertyDefinition("text", .string),
          ]
        ),
        ClassDefinition(
          "Last",
          properties: [
            PropertyDefinition("number", .int, isPrimaryKey: true),
            PropertyDefinition("notes", .list(.link("Note"))),
          ]
        ),
      ])
    }
    var number = try database.snapshot().lastNumber
    while true {
      number += 1
      say("begin \(number)")
      try database.write { try Self.step(number, $0) }
      say("done \(number)")
    }
  }

  private static func step(_ number: Int64, _ transaction: WriteTransaction) throws {
    let note = transaction.schema["Note"]!
    let last = transaction.schema["Last"]!
    let numberKey = note["number"]!.key
    let old = try transaction.objects(of: note.key)
      .filter { try transaction.value(of: $0, property: numberKey) == .int(number - 4) }
    _ = try transaction.delete(old)
    let made = try (0..<number % 40 + 5).map { index in
      let text = String(repeating: "note \(number) ", count: index % 4 == 0 ? 900 : 1)
      return try transaction.create(
        note.key,
        [numberKey: .int(number), note["text"]!.key: .string(text)]
      )
    }
    let object =
      try transaction.objects(of: last.key, limit: 1).first
      ?? transaction.create(last.key, [:])
    try transaction.set(object, property: last["number"]!.key, to: .int(number))
    try transaction.set(object, property: last["notes"]!.key, to: .list(made.map(Value.link)))
  }
}

extension DatabaseReader {
  /// The number of the newest transaction; 0 before the first.
  fileprivate var lastNumber: Int64 {
    get throws {
      guard let last = schema["Last"], let object = try objects(of: last.key, limit: 1).first,
        case .int(let number) = try value(of: object, property: last["number"]!.key)
      else { return 0 }
      return number
    }
  }
}
