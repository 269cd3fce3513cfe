import Foundation
import Testing

/// A PostgreSQL server of the tests' own, on a socket in a temporary folder.
///
/// PostgreSQL does not run as root: there it runs as nobody. A shell stops the server and removes the folder
/// when the pipe that it reads is closed, however this process ends. The user `keeper` reads all databases, and
/// has to say the password `sesame`.
package final class PostgresServer: Sendable {
  /// The server of this process, which the first test that needs it starts.
  private static let shared = Result { try PostgresServer() }

  /// The folder of the socket.
  package let folder: String
  /// Holds the server: it stops when the pipe is closed.
  private let pipe = Pipe()

  private static let script = """
    cd "$1"
    "$2/initdb" -D data -U postgres -A trust --no-locale -E UTF8 --no-sync > log 2>&1 || exit 1
    echo "local all keeper scram-sha-256
    local all all trust" > data/pg_hba.conf
    "$2/postgres" -D data -k "$1" -c listen_addresses= -c fsync=off -c synchronous_commit=off \
      -c full_page_writes=off -c autovacuum=off -c max_connections=200 >> log 2>&1 < /dev/null &
    server=$!
    until "$2/pg_isready" -q -h "$1"; do
      kill -0 $server || exit 1
      sleep 0.02
    done
    echo "CREATE ROLE keeper LOGIN PASSWORD 'sesame' IN ROLE pg_read_all_data" |
      "$2/psql" -q -h "$1" -U postgres -d postgres
    : > ready
    cat > /dev/null
    kill -QUIT $server
    wait $server
    cd /
    rm -r "$1"
    """

  /// The server.
  ///
  /// - Throws: `TestFailure` if it cannot be started.
  package static func running() throws -> PostgresServer { try shared.get() }

  private init() throws {
    let all = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []
    guard let newest = versions.compactMap({ Int($0) }).max() else {
      throw TestFailure("PostgreSQL is missing: sudo apt-get install postgresql")
    }
    var template = Array("/tmp/kennel-postgres-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var words = ["/bin/sh", "-c", Self.script, "sh", folder, "\(all)/\(newest)/bin"]
    if geteuid() == 0 {
      try FileManager.default.setAttributes(
        [.ownerAccountName: "nobody", .groupOwnerAccountName: "nogroup"],
        ofItemAtPath: folder
      )
      let identity = ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
      words = [try Executable.system("setpriv")] + identity + words
    }
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: words[0])
    shell.arguments = Array(words.dropFirst())
    shell.environment = Executable.environment()
    shell.standardInput = pipe
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    while !FileManager.default.fileExists(atPath: folder + "/ready") {
      guard shell.isRunning else {
        let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        throw TestFailure("PostgreSQL does not start: \(log)")
      }
      usleep(20_000)
    }
  }
}

/// A database of a test on the server.
package final class PostgresDatabase {
  package let server: PostgresServer
  package let name: String
  private let folder: TemporaryFolder

  /// Makes a database.
  ///
  /// - Parameters:
  ///   - statements: What is run in it.
  ///   - encoding: The encoding of texts.
  /// - Throws: `TestFailure` if there is no server, or it refuses one.
  package init(_ statements: String = "", encoding: String = "UTF8") throws {
    server = try PostgresServer.running()
    folder = try TemporaryFolder()
    name = "test_" + UUID().uuidString.prefix(8).lowercased()
    try run(
      "CREATE DATABASE \(name) TEMPLATE template0 ENCODING '\(encoding)' LOCALE 'C'",
      in: "postgres"
    )
    try run(statements)
  }

  /// The URL by which a user opens it.
  package func url(_ user: String = "postgres") -> String {
    "postgresql://\(user)@/\(name)?host=\(server.folder)"
  }

  /// Runs statements by the program `psql`.
  ///
  /// - Parameters:
  ///   - statements: The statements.
  ///   - database: The database, if it is another.
  /// - Returns: The output, without headings.
  /// - Throws: `TestFailure` if the server refuses one.
  @discardableResult
  package func run(_ statements: String, in database: String? = nil) throws -> String {
    let (script, messages) = (folder.file("script.sql"), folder.file("messages"))
    try statements.write(toFile: script, atomically: false, encoding: .utf8)
    let psql = [
      "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1",
      "-h",
      server.folder, "-U", "postgres", "-d", database ?? name, "-f", script,
    ]
    let (status, output) = try Executable.run(
      "/bin/sh",
      ["-c", "exec \"$@\" 2> \(messages)", "sh"] + psql,
      environment: Executable.environment()
    )
    if status == 0 { return output }
    throw TestFailure((try? String(contentsOfFile: messages, encoding: .utf8)) ?? "psql: \(status)")
  }
}
