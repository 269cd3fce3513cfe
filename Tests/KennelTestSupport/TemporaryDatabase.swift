import Foundation
package import KennelCore
import Testing

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

/// A database in a folder of its own, which is checked when its test has ended.
package final class TemporaryDatabase {
  package let folder: TemporaryFolder
  package let path: String
  package let database: Database

  package init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.kennel")
    database = try Database.open(path)
  }

  /// Checks the whole file; to be called at the end of the test.
  ///
  /// The folder goes with the last reference.
  package func finish(
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) {
    expectSound(database, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Gives a new database to a body and checks the whole file afterwards.
package func withTemporaryDatabase<Result>(
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: (Database) throws -> Result
) throws -> Result {
  let temporary = try TemporaryDatabase()
  let result = try body(temporary.database)
  temporary.finish(fileID: fileID, filePath: filePath, line: line, column: column)
  return result
}

/// Checks a whole file and records an issue for each finding.
package func expectSound(
  _ database: Database,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column
) {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    for finding in try database.check() {
      Issue.record("\(finding.kind): \(finding)", sourceLocation: location)
    }
  } catch {
    Issue.record("The check could not be run: \(error)", sourceLocation: location)
  }
}
