import Foundation
import Glibc
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// How files are opened, whoever has them.
@Suite struct `A file of SQLite` {
  private static let table = "CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"

  /// The bytes and times of all files of a folder.
  private func state(of folder: TemporaryFolder) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let path = folder.file(name)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        return (name, "\(bytes.hashValue) \(bytes.count) \(date ?? "")")
      }
    )
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
  func `and what lies beside it stay as they are`(mode: String) throws {
    let file = try SQLFile("PRAGMA journal_mode = \(mode); \(Self.table)")
    let before = try state(of: file.folder)
    #expect(before.keys.contains("test.sqlite-wal") == (mode == "WAL"))
    try file.read { (snapshot, _) throws in
      let values = try snapshot.values("t", "a")
      #expect(values == [.int(1)])
    }
    let after = try state(of: file.folder)
    #expect(after == before)
  }

  @Test func `in a folder that cannot be written is read`() throws {
    for mode in ["DELETE", "WAL"] {
      let folder = try TemporaryFolder()
      let path = folder.file("copy.sqlite")
      do {
        let file = try SQLFile("PRAGMA journal_mode = \(mode); \(Self.table)")
        try file.run("PRAGMA wal_checkpoint (TRUNCATE)")
        try FileManager.default.copyItem(atPath: file.path, toPath: path)
      }
      #expect(SQLiteFile(path).access == (mode == "WAL" ? .unlocked : .locked))
      unsafe chmod(folder.path, 0o555)
      defer { unsafe chmod(folder.path, 0o755) }
      let connection = try SQLiteConnection(path, try #require(SQLiteFile(path).access))
      let rows = try connection.prepare("SELECT a FROM t")
      let hasRow = try rows.step()
      #expect(hasRow && rows.text(0) == "1")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["copy.sqlite"])
    }
  }

  @Test func `is read at one moment, while another program writes its log`() throws {
    let file = try SQLFile("PRAGMA journal_mode = WAL; \(Self.table)")
    #expect(SQLiteFile(file.path).access == .withLog)
    let reader = try SQLiteConnection(file.path, .withLog)
    let first = try reader.prepare("SELECT count(*) FROM t, t AS u ORDER BY 1")
    #expect(try first.step())
    try file.run("INSERT INTO t VALUES (2)")
    #expect(first.text(0) == "1")
    let earlier = SQLiteFile(file.path)
    try file.run("INSERT INTO t VALUES (3)")
    #expect(SQLiteFile(file.path) != earlier)
    try file.read { (snapshot, _) throws in
      let values = try snapshot.values("t", "a")
      #expect(values == [.int(1), .int(2), .int(3)])
    }
  }

  @Test func `that a program left with its log needs a copy if the index of the log is gone`()
    throws
  {
    let file = try SQLFile("PRAGMA journal_mode = WAL; \(Self.table)")
    let folder = try TemporaryFolder()
    let path = folder.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
    }
    #expect(SQLiteFile(path).access == nil)
    // With an index that nobody keeps up to date, it is made again in memory.
    try Data(count: 32_768).write(to: URL(fileURLWithPath: path + "-shm"))
    #expect(SQLiteFile(path).access == .withLog)
    let before = try state(of: folder)
    let rows = try SQLiteConnection(path, .withLog).prepare("SELECT a FROM t")
    let hasRow = try rows.step()
    #expect(hasRow && rows.text(0) == "1")
    let after = try state(of: folder)
    #expect(after == before)
  }

  @Test func `with the journal of an interrupted program asks for a copy`() throws {
    let file = try SQLFile(Self.table)
    try file.run("BEGIN; PRAGMA cache_size = 1; INSERT INTO t SELECT 2 FROM t; ")
    try file.run(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
      INSERT INTO t SELECT i FROM n
      """
    )
    let folder = try TemporaryFolder()
    let path = folder.file("copy.sqlite")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
    }
    let error = #expect(throws: SQLError.self) { _ = try SQLiteConnection(path, .locked) }
    #expect(error?.kind == .needsRecovery)
    let rows = try SQLiteConnection(path, .own).prepare("SELECT count(*) FROM t")
    let hasRow = try rows.step()
    #expect(hasRow && rows.text(0) == "1")
  }

  @Test func `that another program does not let go of is told after some seconds`() throws {
    let file = try SQLFile("\(Self.table) BEGIN EXCLUSIVE;")
    let error = #expect(throws: SQLError.self) { try file.read { _, _ in } }
    #expect(error?.kind == .busy)
    #expect(error?.message == "another program has been writing it for 5 s")
  }

  @Test func `that is encrypted, or none at all, is told`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a b?c#d%20é.db")
    var random = SeededGenerator(seed: 1)
    let noise = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Data(noise).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLError.self) {
      _ = try SQLiteConnection(path, .locked).prepare("SELECT * FROM sqlite_master")
    }
    #expect(error?.kind == .notADatabase)
    #expect(error?.message == "it is not an SQLite database, or it is encrypted")
  }

  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["KENNEL_LONG"] == nil ? 60 : 2_000))
  func `that is damaged is told, or read`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let source = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE c (id TEXT PRIMARY KEY, p INT REFERENCES p, q TEXT REFERENCES p (name)) WITHOUT ROWID;
      CREATE VIEW v AS SELECT * FROM p JOIN c ON c.p = p.id;
      CREATE VIRTUAL TABLE f USING fts5 (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
        INSERT INTO p SELECT i, hex (i * 7) FROM n;
      INSERT INTO c SELECT hex (id), id, name FROM p;
      INSERT INTO f SELECT name FROM p;
      """
    )
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source.path))
    for _ in 0..<1 + random.below(20) {
      // The header that makes it SQLite's stays.
      bytes[16 + random.below(bytes.count - 16)] = UInt8.random(in: 0...255, using: &random)
    }
    if random.chance(20) { bytes = bytes.prefix(random.below(bytes.count)) }
    let folder = try TemporaryFolder()
    let path = folder.file("damaged.sqlite")
    try bytes.write(to: URL(fileURLWithPath: path))
    do {
      let connection = try SQLiteConnection(path, .locked)
      try withTemporaryDatabase { database in
        try database.write { _ = try SQLImporter(connection).run(in: $0) }
      }
    } catch is SQLError {}
    _ = try? SQLiteConnection(path, .locked).check()
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(after == bytes)
  }

  @Test func `is checked by SQLite, with its foreign keys`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INT REFERENCES p, n INT NOT NULL);
      INSERT INTO c VALUES (1, 1), (2, 1), (NULL, 1);
      """
    )
    let findings = try SQLiteConnection(file.path, .locked).check()
    #expect(findings == ["2 rows of c refer to rows of p that do not exist"])
  }
}
