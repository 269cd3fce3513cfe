import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// What a server does that is no row.
@Suite struct `A server of PostgreSQL` {
  private func refusal(_ url: String, password: String? = nil) -> SQLError? {
    #expect(throws: SQLError.self) {
      _ = try PostgresConnection(PostgresURL(url), password: password)
    }
  }

  @Test func `that cannot be reached is told in a sentence, without a password`() throws {
    let folder = try TemporaryFolder().path
    let nobody = refusal("postgres://ada:secret@/shop?host=\(folder)")
    #expect(nobody?.message.hasPrefix("connection to server on socket \"\(folder)/.s") == true)
    #expect(nobody?.message.contains("\n") == false)
    let database = try PostgresDatabase()
    let wrong = refusal("postgres://postgres@/nix?host=\(database.server.folder)")
    #expect(wrong?.message.hasSuffix("failed: database \"nix\" does not exist") == true)
    let stranger = refusal("postgres://stranger@/nix?host=\(database.server.folder)")
    #expect(stranger?.message.hasSuffix("failed: role \"stranger\" does not exist") == true)
    #expect(
      refusal("postgres://ada:sec%zzret@host/shop")?.message == "invalid percent-encoded token"
    )
  }

  @Test func `that takes a connection and says nothing is given up`() throws {
    let folder = try TemporaryFolder()
    let socket = try ListeningSocket(folder.file(".s.PGSQL.5432"))
    let error = refusal("postgres:///shop?connect_timeout=1&host=\(folder.path)")
    #expect(error?.message == "it did not answer for 1 s")
    socket.close()
  }

  @Test func `wants the password of a user`() throws {
    let database = try PostgresDatabase()
    let none = refusal(database.url("keeper"))
    #expect(none?.kind == .needsPassword)
    let wrong = refusal(database.url("keeper"), password: "simsim")
    #expect(wrong?.message.hasSuffix("password authentication failed for user \"keeper\"") == true)
    #expect(refusal(database.url("keeper:simsim"))?.kind == .failed)
    let right = try PostgresConnection(PostgresURL(database.url("keeper")), password: "sesame")
    #expect(right.name == "\(database.name) on \(database.server.folder)")
    _ = try PostgresConnection(PostgresURL(database.url("keeper:sesame")))
  }

  @Test(arguments: [
    ("postgres://host/shop", "postgres://host/shop"),
    ("postgres://ada:secret@host:5433/shop", "postgres://ada@host:5433/shop"),
    ("postgresql://ada:s:e?c@host", "postgresql://ada:s:e?c@host"),
    ("postgresql://:secret@/a@b", "postgresql://@/a@b"),
    ("postgresql:///shop?password=secret&host=/tmp", "postgresql:///shop?host=/tmp"),
    ("postgresql:///shop?password=secret", "postgresql:///shop"),
    ("shop.sqlite", "shop.sqlite"),
  ])
  func `has a URL that is shown without its password`(url: String, shown: String) {
    #expect(PostgresURL.withoutPassword(url) == shown)
  }

  @Test func `that says nothing is given up`() throws {
    let database = try PostgresDatabase("CREATE VIEW slow AS SELECT pg_sleep(3)::text")
    let connection = try database.connect(silence: .seconds(1))
    let start = ContinuousClock.now
    try withTemporaryDatabase { target in
      let error = #expect(throws: SQLError.self) {
        try target.write { _ = try SQLImporter(connection).run(in: $0) }
      }
      #expect(error?.message == "the server has not answered for 1 s")
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `whose process is stopped is given up`() throws {
    let database = try PostgresDatabase("CREATE TABLE t (id int)")
    let connection = try database.connect(silence: .seconds(1))
    let process = try process(of: database)
    #expect(kill(process, SIGSTOP) == 0)
    defer { kill(process, SIGCONT) }
    try withTemporaryDatabase { target in
      let error = #expect(throws: SQLError.self) {
        try target.write { _ = try SQLImporter(connection).run(in: $0) }
      }
      #expect(error?.message == "the server has not answered for 1 s")
    }
  }

  @Test func `that ends a connection while it is read is told`() throws {
    let database = try PostgresDatabase(
      "CREATE TABLE t AS SELECT i, repeat('x', 200) AS text FROM generate_series(1, 100000) AS i"
    )
    let connection = try database.connect()
    let process = try process(of: database)
    try withTemporaryDatabase { target in
      let error = #expect(throws: SQLError.self) {
        try target.write { transaction in
          var isFirst = true
          _ = try SQLImporter(connection).run(in: transaction) { _ in
            guard isFirst else { return }
            isFirst = false
            kill(process, SIGTERM)
            usleep(300_000)
          }
        }
      }
      let message = error?.message ?? ""
      #expect(
        message.contains("terminating connection due to administrator command")
          || message.contains("server closed the connection unexpectedly"),
        "\(message)"
      )
      #expect(message.hasSuffix(" (table t)"))
    }
  }

  @Test func `that limits the time of statements is told`() throws {
    let database = try PostgresDatabase(
      "CREATE TABLE t AS SELECT i FROM generate_series(1, 150000) AS i"
    )
    let url = database.url() + "&options=-c%20statement_timeout%3D1"
    let error = #expect(throws: SQLError.self) {
      let connection = try PostgresConnection(PostgresURL(url))
      try withTemporaryDatabase { target in
        try target.write { _ = try SQLImporter(connection).run(in: $0) }
      }
    }
    #expect(error?.message == "canceling statement due to statement timeout")
  }

  @Test func `has tables that are too large, which is said`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE many AS SELECT i FROM generate_series(1, 11) AS i;
      CREATE TABLE more AS SELECT i FROM generate_series(1, 12) AS i;
      CREATE TABLE few AS SELECT i FROM generate_series(1, 10) AS i;
      """
    )
    #expect(database.refusal(PostgresPart(mostRows: 10)) == "many, more have more than 10 rows")
    let conditions = ["many": "i % 2 = 0", "more": "i > 9"]
    try database.read(PostgresPart(conditions: conditions, mostRows: 10)) {
      (snapshot, summary) throws in
      #expect(summary.objectCount == 10 + 5 + 3)
      #expect(try snapshot.values("more", "i") == [.int(10), .int(11), .int(12)])
    }
    try database.run(
      """
      ALTER TABLE few ALTER i TYPE text; UPDATE few SET i = repeat('x', 8 << 20);
      """
    )
    #expect(database.refusal(PostgresPart()) == "it has more than 64 MB (table few)")
  }

  @Test func `is left without a trace, in one transaction that writes nothing`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);
      CREATE FUNCTION counted() RETURNS int LANGUAGE plpgsql AS
        'BEGIN INSERT INTO t VALUES (2); RETURN 1; END';
      CREATE VIEW v AS SELECT counted();
      CREATE TABLE u AS SELECT i AS id FROM generate_series(1, 5000) AS i;
      """
    )
    let connection = try database.connect()
    try withTemporaryDatabase { target in
      let summary = try target.write { transaction in
        var isFirst = true
        return try SQLImporter(connection).run(in: transaction) { _ in
          guard isFirst else { return }
          isFirst = false
          // What is committed meanwhile is not of the moment that is read.
          try database.run("DELETE FROM u; INSERT INTO t VALUES (3)")
        }
      }
      #expect(summary.objectCount == 5_001)
      #expect(
        summary.remarks == [
          "not shown: v (cannot execute INSERT in a read-only transaction)"
        ]
      )
    }
    #expect(try database.run("SELECT count(*) FROM t") == "2\n")
  }

  @Test func `does not call what somebody else put in the way`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE t (id int PRIMARY KEY, a varchar);
      CREATE TABLE u (a varchar, b int REFERENCES t); INSERT INTO t VALUES (1, 'x');
      CREATE FUNCTION trap(varchar, varchar) RETURNS bool LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''trapped''; END';
      CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = trap);
      CREATE FUNCTION count(varchar) RETURNS int LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''trapped''; END';
      INSERT INTO u VALUES ('x', 1);
      """
    )
    try database.read(addedKeys: ["u.a=t.a"]) { (snapshot, summary) throws in
      #expect(try snapshot.targets("u", "a") == [1])
      #expect(summary.remarks == [])
    }
  }

  /// The process of the server that serves the only connection of Kennel's to a database.
  private func process(of database: PostgresDatabase) throws -> pid_t {
    let text = try database.run(
      """
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'kennel'
      """
    )
    return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}

/// A socket that takes connections and never answers.
private struct ListeningSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8)
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, length) == 0
      }
    }
    try #require(isBound && listen(descriptor, 1) == 0)
  }

  func close() { _ = Foundation.close(descriptor) }
}
