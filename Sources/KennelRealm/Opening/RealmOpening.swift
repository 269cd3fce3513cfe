import CRealmSupport
import Foundation
import KennelCore

/// Opening realms: one per file and thread, however often it is asked for.
internal enum RealmOpening {
  private struct Key: Hashable {
    let path: String
    let thread: UInt64
    /// The queue or the actor.
    let home: ObjectIdentifier?
  }

  private static let lock = NSRecursiveLock()
  /// A context takes itself out when it goes.
  ///
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var contexts: [Key: ContextAnchor] = [:]
  /// By path.
  ///
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var files: [String: [WeakFile]] = [:]

  private struct WeakFile {
    weak var file: OpenFile?
    let classes: [ObjectIdentifier]
    let configuration: Realm.Configuration
  }

  static func open(
    _ configuration: Realm.Configuration,
    on wanted: RealmHome?
  ) throws -> RealmContext {
    try requirePossible(configuration)
    let home = wanted ?? (RealmHome.main.isHere ? .main : nil)
    let (path, memory) = try place(of: configuration)
    let key = Key(
      path: path,
      thread: home == nil ? kennel_this_thread() : 0,
      home: home?.identifier
    )
    if let context = try lock.withLock({ try known(key, configuration) }) { return context }
    // Without the lock, since a class may be declared wrongly, which stops the program.
    let models = try models(configuration)
    return try locked {
      if let context = try known(key, configuration) { return context }
      let file = try file(path, configuration, models, memory)
      let context = try realmErrors(path) { try RealmContext(configuration, file, on: home) }
      contexts[key] = context.anchor
      context.anchor.whenGone { forget(key) }
      return context
    }
  }

  /// Opens a file for realms that are about to be opened, and keeps it open for as long as it is held.
  static func openFile(_ configuration: Realm.Configuration) throws -> OpenFile {
    try requirePossible(configuration)
    let (path, memory) = try place(of: configuration)
    let models = try models(configuration)
    return try locked { try file(path, configuration, models, memory) }
  }

  /// Runs a body that may migrate, and tells of a mistake in it once the lock is let go of.
  private static func locked<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try lock.withLock(body)
    } catch let misuse as MigrationMisuse {
      throwRealmException(misuse.sentence)
    }
  }

  private static func requirePossible(_ configuration: Realm.Configuration) throws {
    if configuration.readOnly {
      if configuration.deleteRealmIfMigrationNeeded {
        throwRealmException(
          "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set."
        )
      }
      if configuration.shouldCompactOnLaunch != nil {
        throwRealmException("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
      }
    }
    if configuration.encryptionKey != nil, configuration.inMemoryIdentifier != nil {
      throwRealmException("Cannot encrypt a realm in memory: leave `encryptionKey` out.")
    }
    // Before any lock is taken.
    _ = try RealmKey.key(configuration.encryptionKey)
  }

  private static func place(
    of configuration: Realm.Configuration
  ) throws -> (path: String, memory: SharedMemoryFile?) {
    let memory = try realmErrors(nil) {
      try configuration.inMemoryIdentifier.map(SharedMemoryFile.file)
    }
    guard let path = memory?.path ?? configuration.fileURL?.standardizedFileURL.path else {
      throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
    }
    return (path, memory)
  }

  /// The realm that is open already.
  private static func known(
    _ key: Key,
    _ configuration: Realm.Configuration
  ) throws -> RealmContext? {
    guard let context = contexts[key]?.context else { return nil }
    try requireSame(configuration, context.configuration, key.path)
    let classes = context.configuration.objectTypes?.map(ObjectIdentifier.init)
    return classes == configuration.objectTypes?.map(ObjectIdentifier.init) ? context : nil
  }

  /// Called when a context goes; there may be another by now.
  private static func forget(_ key: Key) {
    lock.withLock {
      if contexts[key]?.isAlive == false { contexts[key] = nil }
    }
  }

  private static func requireSame(
    _ configuration: Realm.Configuration,
    _ other: Realm.Configuration,
    _ path: String
  ) throws {
    let difference: String
    if configuration.readOnly != other.readOnly {
      difference = "read permissions"
    } else if configuration.schemaVersion != other.schemaVersion {
      difference = "schema version"
    } else if configuration.encryptionKey != other.encryptionKey {
      difference = "encryption key"
    } else {
      return
    }
    throw Realm.Error(
      .alreadyOpen,
      "Realm at path '\(path)' already opened with different \(difference). Let go of it first, or "
        + "open it as it is",
      fileURL: URL(fileURLWithPath: path)
    )
  }

  /// The open file, with the classes that the configuration asks for.
  private static func file(
    _ path: String,
    _ configuration: Realm.Configuration,
    _ models: ModelSet,
    _ memory: SharedMemoryFile?
  ) throws -> OpenFile {
    let classes = models.classes
    let known = (files[path] ?? []).filter { $0.file != nil }
    for other in known { try requireSame(configuration, other.configuration, path) }
    if let same = known.first(where: { $0.classes == classes })?.file { return same }
    let file = try realmErrors(path) {
      try prepare(path, configuration)
      if known.isEmpty { compact(path, configuration) }
      do {
        return try bound(path, configuration, models, memory)
      } catch is SchemaUpdate.NeedsRecreation {
        if !known.isEmpty {
          throw Realm.Error(
            .alreadyOpen,
            "Cannot delete '\(path)', which needs a migration: it is open. Let go of its realms first",
            fileURL: URL(fileURLWithPath: path)
          )
        }
        for path in [path, path + "-lock"] { try? FileManager.default.removeItem(atPath: path) }
        return try bound(path, configuration, models, memory)
      }
    }
    Logger.note(.detail) { "DB: Opened \(path)" }
    Logger.note(.trace) { "DB: \(path) has \(classes.count) classes of the program" }
    files[path] = known + [WeakFile(file: file, classes: classes, configuration: configuration)]
    return file
  }

  private static func bound(
    _ path: String,
    _ configuration: Realm.Configuration,
    _ models: ModelSet,
    _ memory: SharedMemoryFile?
  ) throws -> BoundFile {
    let database = try openDatabase(path, configuration)
    if !configuration.readOnly, let reason = database.readOnlyReason {
      throw Realm.Error(
        .filePermissionDenied,
        "Failed to open Realm file at path '\(path)': \(reason). Please use a path where your app "
          + "has read-write permissions, or set `readOnly`.",
        fileURL: URL(fileURLWithPath: path)
      )
    }
    let update = SchemaUpdate(database: database, models: models, configuration: configuration)
    return BoundFile(database, try update.run(), memory: memory)
  }

  private static func models(_ configuration: Realm.Configuration) throws -> ModelSet {
    if let types = configuration.objectTypes { return ModelSet(types) }
    return try ModelSet.ofProcess()
  }

  private static func prepare(_ path: String, _ configuration: Realm.Configuration) throws {
    guard configuration.inMemoryIdentifier == nil, !configuration.readOnly else { return }
    let url = URL(fileURLWithPath: path)
    if url == Realm.Configuration.defaultFileURL.standardizedFileURL {
      try? FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
    }
    if let seed = configuration.seedFilePath, !FileManager.default.fileExists(atPath: path) {
      do {
        try FileManager.default.copyItem(at: seed, to: url)
      } catch {
        throw Realm.Error(
          .fileAccess,
          "Cannot copy the seed file \(seed.path) to \(path): \(error.localizedDescription)",
          fileURL: url
        )
      }
    }
  }

  /// Creates the file smaller where the configuration wants it and nobody has the file open.
  ///
  /// Errors are ignored: the file stays as it is, and opening it reports what is wrong with it.
  private static func compact(_ path: String, _ configuration: Realm.Configuration) {
    guard let shouldCompact = configuration.shouldCompactOnLaunch,
      configuration.inMemoryIdentifier == nil, FileManager.default.fileExists(atPath: path)
    else { return }
    if case .some(true) = try? Database.compact(
      path,
      key: RealmKey.key(configuration.encryptionKey),
      if: shouldCompact
    ) {
      Logger.note(.info) { "Compacted \(path)" }
    }
  }

  static func openDatabase(
    _ path: String,
    _ configuration: Realm.Configuration
  ) throws -> Database {
    try Database.open(
      path,
      configuration: Database.Configuration(
        access: configuration.readOnly ? .readOnly : .readWrite,
        createsIfMissing: !configuration.readOnly,
        key: try RealmKey.key(configuration.encryptionKey)
      )
    )
  }

  /// Whether a realm of this process has a file open.
  static func isOpen(_ path: String) -> Bool {
    lock.withLock { files[path]?.contains { $0.file != nil } ?? false }
  }
}
