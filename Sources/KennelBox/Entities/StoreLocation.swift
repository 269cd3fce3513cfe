import Foundation
import Synchronization

/// Where the file of a store is.
final class StoreLocation: Sendable {
  let file: String
  /// The directory that goes with the file.
  private let directory: String?
  /// The name of a database in memory.
  private let memoryName: String?

  /// The directories of the databases in memory, and how many stores use each.
  private static let inMemory = Mutex<[String: (directory: String, users: Int)]>([:])

  private static let memoryPrefix = "memory:"

  init(_ path: String, isReadOnly: Bool) throws {
    if path.starts(with: Self.memoryPrefix) {
      let name = String(path.dropFirst(Self.memoryPrefix.count))
      let directory = try Self.memoryDirectory(name)
      memoryName = name
      self.directory = directory
      file = directory + "/data.kennel"
      return
    }
    memoryName = nil
    guard !path.isEmpty else {
      throw ObjectBoxError.illegalArgument(message: "The path of the store's directory is empty")
    }
    if URL(fileURLWithPath: path).pathExtension == "kennel" {
      directory = nil
      file = path
      return
    }
    directory = path
    file = path + "/data.kennel"
    if isReadOnly { return }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
      throw ObjectBoxError.storageGeneral(
        message: "Cannot create the directory \(path): \(reason.localizedDescription)"
      )
    }
  }

  deinit {
    guard let memoryName else { return }
    let last: String? = Self.inMemory.withLock { directories in
      guard let entry = directories[memoryName] else { return nil }
      directories[memoryName] = entry.users > 1 ? (entry.directory, entry.users - 1) : nil
      return entry.users > 1 ? nil : entry.directory
    }
    if let last { try? FileManager.default.removeItem(atPath: last) }
  }

  /// The directory of a database in memory: one for each name, in memory where the system has a
  /// file system there.
  private static func memoryDirectory(_ name: String) throws -> String {
    try inMemory.withLock { directories in
      if let entry = directories[name] {
        directories[name] = (entry.directory, entry.users + 1)
        return entry.directory
      }
      let shared = "/dev/shm"
      let parent =
        FileManager.default.isWritableFile(atPath: shared)
        ? shared : FileManager.default.temporaryDirectory.path
      let directory = "\(parent)/kennel-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      directories[name] = (directory, 1)
      return directory
    }
  }

  /// What is the same for all paths that lead to one database.
  static func key(_ path: String) -> String {
    if path.starts(with: memoryPrefix) { return path }
    let url = URL(fileURLWithPath: path)
    let file = url.pathExtension == "kennel" ? url : url.appendingPathComponent("data.kennel")
    return file.resolvingSymlinksInPath().path
  }

  /// Deletes the file and what belongs to it, and the directory if nothing else is in it.
  func delete() throws {
    let files = FileManager.default
    for path in [file, file + "-lock"] where files.fileExists(atPath: path) {
      try files.removeItem(atPath: path)
    }
    if let directory, files.fileExists(atPath: directory),
      try files.contentsOfDirectory(atPath: directory).isEmpty
    {
      try files.removeItem(atPath: directory)
    }
  }
}
