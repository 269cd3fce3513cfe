import Foundation
import Testing

/// A PostgreSQL server of the tests' own, on a socket in a temporary folder.
///
/// `Scripts/postgres` runs it until the pipe that it reads is closed, however this process ends. The user `keeper`
/// reads all databases, and has to say the password `sesame`.
package final class PostgresServer: Sendable {
  /// The server of this process, which the first test that needs it starts.
  private static let shared = Result { try PostgresServer() }

  /// The folder of the socket.
  package let folder: String
  /// Holds the server: it stops when the pipe is closed.
  private let pipe = Pipe()

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scripts/postgres").path

  /// The server.
  ///
  /// - Throws: `TestFailure` if it cannot be started.
  package static func running() throws -> PostgresServer { try shared.get() }

  private init() throws {
    let (shell, output, messages) = (Process(), Pipe(), Pipe())
    shell.executableURL = URL(fileURLWithPath: Self.script)
    shell.environment = Executable.environment()
    shell.standardInput = pipe
    shell.standardOutput = output
    shell.standardError = messages
    try shell.run()
    let line = output.fileHandleForReading.availableData
    folder = String(decoding: line.dropLast(), as: UTF8.self)
    if folder.isEmpty {
      let message = messages.fileHandleForReading.readDataToEndOfFile()
      throw TestFailure(String(decoding: message, as: UTF8.self))
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
