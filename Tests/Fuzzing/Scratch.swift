import Foundation
import KennelCore

/// Files of this run: two may run beside each other.
enum Scratch {
  private static let folder: String = {
    let folder =
      NSTemporaryDirectory() + "/kennel-fuzzing-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }()

  static func path(_ name: String) -> String { "\(folder)/\(name).kennel" }

  /// A database that is filled, and is empty again.
  static func database(_ name: String) -> Database {
    do {
      return try Database.open(path(name))
    } catch {
      fatalError("The database that is filled cannot be made: \(error)")
    }
  }
}
