import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// A folder of its own for a test; every database in it is checked when the last reference goes.
final class CheckedFolder: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  deinit {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".kennel") && !KennelCore.Database.isEncrypted(folder.file(name)) {
        expectSound(try KennelCore.Database.open(folder.file(name)))
      }
    } catch {
      Issue.record("The databases of the test could not be checked: \(error)")
    }
  }

  func file(_ name: String) -> String { folder.file(name) }
}
