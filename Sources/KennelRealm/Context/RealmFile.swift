import Foundation
@_spi(Faces) import KennelCore

/// An open file with the model classes bound to it, shared by the realms of all threads.
internal final class RealmFile: Sendable {
  let database: Database
  let path: String
  let identifier: String?
  /// What the classes of the program are in the file.
  let bindings: FileBindings
  /// Wakes the realms that advance by themselves.
  let broadcast = CommitBroadcast()
  /// What was done that somebody may observe.
  let writeLog = WriteLog()
  /// What holds an in-memory realm's file; it goes with the last realm of its identifier.
  private let memory: MemoryFile?

  init(_ database: Database, _ bindings: FileBindings, memory: MemoryFile?) {
    self.database = database
    self.bindings = bindings
    path = database.path
    self.memory = memory
    identifier = memory?.identifier
  }
}

/// The temporary file of an in-memory realm, which is removed with the last realm that uses it.
internal final class MemoryFile: Sendable {
  let identifier: String
  private let file: KennelCore.MemoryFile
  var path: String { file.path }

  private init(_ identifier: String) throws(DatabaseError) {
    self.identifier = identifier
    file = try KennelCore.MemoryFile()
  }

  private struct Weak {
    weak var file: MemoryFile?
  }

  private static let lock = NSLock()
  /// By identifier.
  ///
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var open: [String: Weak] = [:]

  /// The file of an identifier, the same for as long as a realm uses it.
  static func file(_ identifier: String) throws -> MemoryFile {
    try lock.withLock {
      if let file = open[identifier]?.file { return file }
      let file = try MemoryFile(identifier)
      open[identifier] = Weak(file: file)
      return file
    }
  }

  static func isOpen(_ identifier: String) -> Bool {
    lock.withLock { open[identifier]?.file != nil }
  }
}
