import KennelCore

/// Writes a number, makes the file smaller, and says each once it is done; killed at any moment.
struct CompactingWriter {
  let path: String

  func run() throws {
    var number = try last()
    while true {
      number += 1
      try write(number)
      say("done \(number)")
      say(try Database.compact(path) ? "compacted" : "left")
    }
  }

  /// The newest number, beside a thousand notes that take room.
  private func last() throws -> Int64 {
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Note",
          properties: [PropertyDefinition("number", .int), PropertyDefinition("text", .string)]
        )
      ])
      guard let note = transaction.schema["Note"], transaction.count(of: note.key) == 0 else {
        return
      }
      for number in 0..<1_000 { try make(transaction, note, Int64(-number)) }
    }
    let snapshot = try database.snapshot()
    guard let note = snapshot.schema["Note"], let property = note["number"] else { return 0 }
    let keys = try snapshot.objects(of: note.key).keys
    guard let key = keys.last,
      case .int(let number) = try snapshot.value(
        of: ObjectIdentity(note.key, key),
        property: property.key
      )
    else { return 0 }
    return max(0, number)
  }

  /// Adds a note in place of the last, so that a page or two become free.
  private func write(_ number: Int64) throws {
    let database = try Database.open(path)
    try database.write { transaction in
      guard let note = transaction.schema["Note"] else { return }
      let keys = try transaction.objects(of: note.key).keys
      if let key = keys.last, number > 1 { try transaction.delete([ObjectIdentity(note.key, key)]) }
      try make(transaction, note, number)
    }
  }

  private func make(
    _ transaction: WriteTransaction,
    _ note: ClassSchema,
    _ number: Int64
  ) throws {
    guard let property = note["number"], let text = note["text"] else { return }
    _ = try transaction.create(
      note.key,
      [
        property.key: .int(number),
        text.key: .string(String(repeating: "\(number) ", count: 60)),
      ]
    )
  }
}
