import Foundation
import KennelCore

/// An open file with the model classes bound to it, shared by the realms of all threads.
internal final class RealmFile: Sendable {
  let database: Database
  let path: String
  let identifier: String?
  /// The bindings by class, as the list of classes of the realm asked for them.
  let bindings: [ObjectIdentifier: ClassBinding]
  let byKey: [ClassKey: ClassBinding]
  let byName: [String: ClassBinding]
  private let byNumber: [ClassBinding?]
  let table: BindingTable
  /// Wakes the realms that advance by themselves.
  let broadcast = CommitBroadcast()
  /// What was done to lists that are observed.
  let listLog = ListLog()
  /// What holds an in-memory realm's file; it goes with the last realm of its identifier.
  private let memory: MemoryFile?

  init(
    _ database: Database,
    _ models: [ModelClass],
    memory: MemoryFile?
  ) throws {
    self.database = database
    path = database.path
    self.memory = memory
    identifier = memory?.identifier
    let schema = try database.snapshot().schema
    var bindings: [ObjectIdentifier: ClassBinding] = [:]
    var byKey: [ClassKey: ClassBinding] = [:]
    var byName: [String: ClassBinding] = [:]
    for model in models {
      // A file that was opened for reading only need not have every class.
      guard let binding = ClassBinding(model, in: schema) else { continue }
      bindings[ObjectIdentifier(model.objectClass)] = binding
      // Of classes that share their objects, the first stands for them.
      if byKey[binding.classKey] == nil { byKey[binding.classKey] = binding }
      if byName[model.storedName] == nil { byName[model.storedName] = binding }
    }
    self.bindings = bindings
    self.byKey = byKey
    self.byName = byName
    let highest = byKey.keys.map(\.rawValue).max().map(Int.init) ?? -1
    byNumber = (0..<highest + 1).map { byKey[ClassKey(rawValue: UInt16($0))] }
    table = BindingTable(byNumber)
  }

  /// What the objects of a class of the file are in the program; `nil` where it has no such class.
  func binding(_ classKey: ClassKey) -> ClassBinding? {
    let number = Int(classKey.rawValue)
    return number < byNumber.count ? byNumber[number] : nil
  }
}

/// The temporary file of an in-memory realm, which is removed with the last realm that uses it.
internal final class MemoryFile: Sendable {
  let identifier: String
  let path: String

  private init(_ identifier: String) {
    self.identifier = identifier
    let name = "kennel-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString).kennel"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  }

  deinit {
    for path in [path, path + "-lock"] { try? FileManager.default.removeItem(atPath: path) }
  }

  private struct Weak {
    weak var file: MemoryFile?
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var open: [String: Weak] = [:]

  /// The file of an identifier, the same for as long as a realm uses it.
  static func file(_ identifier: String) -> MemoryFile {
    lock.withLock {
      if let file = open[identifier]?.file { return file }
      let file = MemoryFile(identifier)
      open[identifier] = Weak(file: file)
      return file
    }
  }

  static func isOpen(_ identifier: String) -> Bool {
    lock.withLock { open[identifier]?.file != nil }
  }
}
