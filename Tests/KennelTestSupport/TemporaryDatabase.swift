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

/// Gives a new database to a body.
package func withTemporaryDatabase<Result>(
  _ body: (Database) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let database = try Database.open(folder.file("test.kennel"))
  return try body(database)
}
