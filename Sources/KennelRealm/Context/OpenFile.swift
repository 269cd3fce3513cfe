import Foundation
@_spi(Faces) import KennelCore

/// An open file, shared by the realms of all threads; a ``BoundFile`` knows the classes of the program.
internal class OpenFile: @unchecked Sendable {
  final let database: Database
  /// Wakes the realms that advance by themselves.
  final let broadcast = CommitBroadcast()
  /// The changes that somebody may observe.
  final let writeLog = WriteLog()
  /// Holds an in-memory realm's file, which goes with the last realm of its identifier.
  private final let memory: SharedMemoryFile?

  init(_ database: Database, memory: SharedMemoryFile?) {
    self.database = database
    self.memory = memory
  }

  final var path: String { database.path }
}

/// The temporary file of an in-memory realm, which is removed with the last realm that uses it.
internal final class SharedMemoryFile: Sendable {
  private let file: MemoryFile
  var path: String { file.path }

  private init() throws(DatabaseError) {
    file = try MemoryFile()
  }

  private struct Weak {
    weak var file: SharedMemoryFile?
  }

  private static let lock = NSLock()
  /// By identifier.
  ///
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var open: [String: Weak] = [:]

  /// The file of an identifier, the same for as long as a realm uses it.
  static func file(_ identifier: String) throws -> SharedMemoryFile {
    try lock.withLock {
      if let file = open[identifier]?.file { return file }
      let file = try SharedMemoryFile()
      open[identifier] = Weak(file: file)
      return file
    }
  }
}
