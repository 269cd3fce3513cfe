import KennelCore

/// 100 MB in one property.
enum DataScenario: Scenario {
  static let title = "100 MB of data in one property"

  private static let count = 100_000_000
  private static let slice = 4_096

  private static func bytes() -> [UInt8] {
    var random = RandomNumbers(seed: 5)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in stride(from: 0, to: count, by: 8) {
        unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
          of: random.next(),
          toByteOffset: index,
          as: UInt64.self
        )
      }
      initialized = count
    }
  }

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let database = try Database.open(setting.path)
    try database.write { transaction in
      let properties = [PropertyDefinition("title", .string), PropertyDefinition("content", .data)]
      try transaction.define([ClassDefinition("Document", properties: properties)])
    }
    let schema = try database.snapshot().schema
    let title = try schema.property("title", of: "Document", as: String.self)
    let content = try schema.property("content", of: "Document", as: [UInt8].self)
    let documents = try database.write { transaction in
      try (0..<3).map { _ in try transaction.create(title.classKey) }
    }
    let bytes = bytes()
    try figures.time("write") {
      try database.write { try $0.set(documents[1], property: content, to: bytes) }
    }
    let snapshot = try database.snapshot()
    try figures.timeEach("read the first 4 KB", times: 101) {
      let preview = try snapshot.preview(of: documents[1], property: content.key, limit: slice)
      guard case .data(let read) = preview.value, read == Array(bytes[..<slice]) else {
        throw BenchmarkError("Wrong answer: the first bytes are others")
      }
    }
    let read = try figures.time("read all") { try snapshot[documents[1], content] }
    guard read == bytes else { throw BenchmarkError("Wrong answer: the bytes are others") }
    let updates: [(String, () throws -> Void)] = [
      (
        "update the title beside it",
        { try database.write { try $0.set(documents[1], property: title, to: "Beside") } }
      ),
      (
        "update the content of the next object",
        { try database.write { try $0.set(documents[2], property: content, to: [1, 2, 3]) } }
      ),
    ]
    for (name, update) in updates {
      let written = Footprint.bytesWritten()
      try figures.time(name, update)
      figures.add("bytes written for it", Double(Footprint.bytesWritten() - written), .bytes)
    }
    return figures.list
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let database = try SQLiteDatabase(setting.path)
    try database.execute(
      "CREATE TABLE document (id INTEGER PRIMARY KEY, title TEXT, content BLOB)"
    )
    try database.execute("INSERT INTO document (title) VALUES (''), (''), ('')")
    let bytes = bytes()
    let write = try database.prepare("UPDATE document SET content = ? WHERE id = 2")
    try figures.time("write") {
      try unsafe bytes.withUnsafeBytes { buffer in
        unsafe write.bind(1, bytes: buffer)
        try write.run()
      }
    }
    try figures.timeEach("read the first 4 KB", times: 101) {
      let read = try database.data("document", "content", of: 2, in: 0..<slice)
      guard read == Array(bytes[..<slice]) else {
        throw BenchmarkError("Wrong answer: the first bytes are others")
      }
    }
    let read = try figures.time("read all") {
      try database.data("document", "content", of: 2, in: 0..<count)
    }
    guard read == bytes else { throw BenchmarkError("Wrong answer: the bytes are others") }
    let updates = [
      ("update the title beside it", "UPDATE document SET title = 'Beside' WHERE id = 2"),
      (
        "update the content of the next object",
        "UPDATE document SET content = x'010203' WHERE id = 3"
      ),
    ]
    for (name, sql) in updates {
      let written = Footprint.bytesWritten()
      try figures.time(name) { try database.execute(sql) }
      figures.add("bytes written for it", Double(Footprint.bytesWritten() - written), .bytes)
    }
    return figures.list
  }
}
