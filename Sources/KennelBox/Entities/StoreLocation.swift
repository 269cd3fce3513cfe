import Foundation
@_spi(Faces) import KennelCore
import Synchronization

/// Where the file of a store is.
final class StoreLocation: Sendable {
  let file: String
  /// The directory that goes with the file.
  private let directory: String?
  /// Keeps the file of a database in memory.
  private let memory: MemoryFile?

  private struct Weak {
    weak var file: MemoryFile?
  }

  /// The files of the databases in memory, by their names.
  private static let inMemory = Mutex<[String: Weak]>([:])

  private static let memoryPrefix = "memory:"

  init(_ path: String, isReadOnly: Bool) throws {
    if path.starts(with: Self.memoryPrefix) {
      let name = String(path.dropFirst(Self.memoryPrefix.count))
      let memory = try Self.memoryFile(name)
      self.memory = memory
      directory = nil
      file = memory.path
      return
    }
    memory = nil
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

  /// The file of a database in memory: one for each name, for as long as a store uses it.
  private static func memoryFile(_ name: String) throws -> MemoryFile {
    try inMemory.withLock { files in
      if let file = files[name]?.file { return file }
      let file = try throwingBoxErrors { try MemoryFile() }
      files[name] = Weak(file: file)
      return file
    }
  }

  /// A text that is the same for all paths to one database.
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
