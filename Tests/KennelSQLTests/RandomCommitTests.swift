import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// Random operations of a draft, committed to random tables.
@Suite("Random operations committed to an SQLite file")
struct RandomCommitTests {
  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["KENNEL_LONG"] == nil ? 60 : 1_000))
  func `leave in the file what the draft showed, or nothing`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let tables = CommittedTables(&random)
    let file = try SQLFile(tables.statements)
    try withTemporaryDatabase { database in
      let copy = try CommittedCopy(file, in: database)
      let draft = try database.makeDraft()
      for _ in 0..<1 + random.below(8) { tables.change(draft, &random) }
      let shown = try draft.reader.copy().rows()
      let before = try database.snapshot()
      do {
        try copy.commit(draft)
        let after = try database.snapshot()
        let committed = try after.rows()
        #expect(committed == shown)
        try copy.update()
        for name in tables.names {
          #expect(try database.snapshot().rows()[name] == committed[name])
        }
        try takeBack(from: before, to: after, in: copy)
      } catch let error as SQLError {
        #expect(error.kind == .refused, "\(error)")
        draft.discard()
      }
      try copy.requireEqual()
    }
  }

  /// Commits what undoes a commit; then all is as it was.
  private func takeBack(from before: Snapshot, to after: Snapshot, in copy: CommittedCopy) throws {
    let draft = try copy.database.makeDraft()
    try draft.restore(copy.database.recordsTakingBack(from: before, to: after))
    #expect(draft.conflicts.isEmpty)
    // With an object go the rows of its sets, which are objects by now.
    if case .deletionsGrew(let radius) = try copy.commit(draft) {
      try copy.commit(draft, confirming: radius)
    }
    try copy.update()
    let (now, old) = try (copy.database.snapshot().rows(), before.rows())
    for (name, rows) in old { #expect(now[name] == rows, "\(name)") }
  }
}

/// Tables with keys of all kinds, whose links lead somewhere.
struct CommittedTables {
  private(set) var statements = ""
  private(set) var names: [String] = []

  init(_ random: inout SeededGenerator, forPostgres: Bool = false) {
    let kinds = ["id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY", "id INT PRIMARY KEY"]
    let (bytes, number) = forPostgres ? ("BYTEA", "DOUBLE PRECISION") : ("BLOB", "REAL")
    let count = 2 + random.below(3)
    let chosen = (0..<count).map { _ in random.below(kinds.count) }
    var rows = ""
    var keys = ""
    for table in 0..<count {
      names.append("t\(table)")
      let links = (0..<random.below(4)).map { number -> (target: Int, text: String) in
        let target = random.below(count)
        let action = ["CASCADE", "SET NULL", "NO ACTION", "RESTRICT"][random.below(4)]
        let type = chosen[target] == 1 ? "TEXT" : "INT"
        let key = "REFERENCES t\(target) ON DELETE \(action)"
        // PostgreSQL wants the target to be there.
        if forPostgres {
          keys += "ALTER TABLE t\(table) ADD FOREIGN KEY (f\(number)) \(key);\n"
        }
        return (target, ", f\(number) \(type)" + (forPostgres ? "" : " \(key)"))
      }
      let ending = chosen[table] != 0 && random.chance(40) && !forPostgres ? " WITHOUT ROWID" : ""
      let unique = random.chance(40) ? " UNIQUE" : ""
      statements +=
        "CREATE TABLE t\(table) (\(kinds[chosen[table]]), a INT, b TEXT\(unique), c \(number), d \(bytes)"
        + links.map(\.text).joined() + ")\(ending);\n"
      for row in 1...5 {
        let targets = links.map { link in
          random.chance(40) ? "NULL" : "\(1 + random.below(5))"
        }
        let values =
          [
            "\(row)", "\(random.below(3))", "'b\(row)'", "\(row).5",
            forPostgres ? "'\\x0\(row)'" : "x'0\(row)'",
          ]
          + targets
        rows += "INSERT INTO t\(table) VALUES (\(values.joined(separator: ", ")));\n"
      }
    }
    let left = forPostgres && chosen[0] == 1 ? "TEXT" : "INT"
    statements += rows + keys + "CREATE TABLE pair (l \(left) REFERENCES t0 ON DELETE CASCADE, "
    statements += "r \(chosen[1] == 1 ? "TEXT" : "INT") REFERENCES t1 ON DELETE CASCADE);\n"
    statements += "INSERT INTO pair VALUES (1, 2), (2, 3), (2, 1);\n"
  }

  /// Changes something; what the draft refuses is left.
  func change(_ draft: Draft, _ random: inout SeededGenerator) {
    guard let schema = draft.reader.schema[names[random.below(names.count)]],
      let objects = try? Array(draft.reader.objects(of: schema.key))
    else { return }
    var values: [PropertyKey: Value] = [:]
    for property in schema.properties where property.name != "id" {
      values[property.key] = value(of: property, draft.reader, &random)
    }
    if random.chance(25) || objects.isEmpty {
      let id = schema.properties[0]
      let number = Int64(6 + random.below(4))
      values[id.key] = id.type.kind == .int ? .int(number) : .string("\(number)")
      _ = try? draft.create(schema.key, values)
      return
    }
    let object = objects[random.below(objects.count)]
    if random.chance(25) {
      _ = try? draft.delete([object])
    } else if let (property, value) = values.randomElement(using: &random) {
      try? draft.set(object, property: property, to: value)
    }
  }

  private func value(
    of property: PropertySchema,
    _ reader: DatabaseReader,
    _ random: inout SeededGenerator
  ) -> Value {
    if let target = property.target {
      let objects = (try? Array(reader.objects(of: target))) ?? []
      let links = objects.filter { _ in random.chance(40) }.map(Value.link)
      if property.isCollection { return .set(links.sorted { $0.isOrdered(before: $1) }) }
      return links.first ?? .null
    }
    if random.chance(20), property.type.isOptional { return .null }
    switch property.type.kind {
    case .int: return .int(Int64(random.below(4)))
    case .double: return .double(Double(random.below(9)) / 4)
    case .data: return .data([UInt8(random.below(9)), 0, 255])
    default: return .string(["b1", "b2", "it's", "日本", "9"][random.below(5)])
    }
  }
}
