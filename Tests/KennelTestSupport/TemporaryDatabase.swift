import Foundation
package import KennelCore

/// A folder of its own for a test, which goes when the last reference does.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("kennel-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func file(_ name: String) -> String { path + "/" + name }
}

/// What the check found in a database when its test ended.
package struct UnsoundDatabase: Error, CustomStringConvertible {
  package let findings: [String]

  package var description: String { findings.joined(separator: "\n") }
}

/// Gives a new database to a body and checks the whole file when it ends.
package func withTemporaryDatabase<Result>(
  _ body: (Database) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let database = try Database.open(folder.file("test.kennel"))
  defer { database.close() }
  let result = try body(database)
  let findings = try database.check()
  guard findings.isEmpty else { throw UnsoundDatabase(findings: findings.map(\.message)) }
  return result
}
