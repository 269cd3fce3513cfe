public import Foundation
import KennelCore

/// Returns the schema version of a file.
///
/// - Parameters:
///   - fileURL: The file.
///   - encryptionKey: The key of an encrypted file.
/// - Returns: The version; 0 if no program set one.
/// - Throws: ``Realm/Error`` if there is no such file, or it cannot be read.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  let path = fileURL.standardizedFileURL.path
  guard FileManager.default.fileExists(atPath: path) else {
    throw Realm.Error(
      .invalidDatabase,
      "Realm at path '\(path)' has not been initialized.",
      fileURL: fileURL
    )
  }
  let configuration = Realm.Configuration(encryptionKey: encryptionKey, readOnly: true)
  return try realmErrors(path) {
    try RealmOpening.openDatabase(path, configuration).snapshot().schema.version
  }
}

extension Realm {
  /// Returns whether the file of a configuration exists.
  ///
  /// - Parameter config: The configuration.
  /// - Returns: Whether it exists; false for a realm in memory.
  public static func fileExists(for config: Configuration) -> Bool {
    config.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Deletes the file of a configuration, its lock file, and leftovers of an interrupted
  /// compaction.
  ///
  /// - Parameter config: The configuration.
  /// - Returns: Whether there was a file.
  /// - Throws: ``Realm/Error`` if the realm is open, or an error of `FileManager` if the file
  ///   cannot be deleted.
  @discardableResult
  public static func deleteFiles(for config: Configuration) throws -> Bool {
    guard let path = config.fileURL?.standardizedFileURL.path else { return false }
    if RealmOpening.isOpen(path) {
      throw Error(
        .alreadyOpen,
        "Cannot delete files of an open Realm: '\(path)' is still open. Let go of its realms first",
        fileURL: config.fileURL
      )
    }
    let isThere = FileManager.default.fileExists(atPath: path)
    for suffix in ["", "-lock", "-compacting", "-compacting-lock"] {
      let path = path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.removeItem(atPath: path)
    }
    return isThere
  }

  /// Writes the newest commit to a new file, without free space.
  ///
  /// - Parameters:
  ///   - fileURL: The path of the copy, which must not exist.
  ///   - encryptionKey: The key of the copy; without one the copy is not encrypted.
  /// - Throws: ``Realm/Error`` if the path exists, its folder is missing, or the disk is full.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    context.requireConfinement()
    if context.isFrozen {
      throwRealmException("Cannot write a copy of a frozen Realm: thaw it first")
    }
    if context.transaction != nil {
      throwRealmException("Cannot write a copy in a write transaction: commit or cancel it first")
    }
    let path = fileURL.standardizedFileURL.path
    if FileManager.default.fileExists(atPath: path) {
      throw Error(.fileExists, "File at path '\(path)' already exists.", fileURL: fileURL)
    }
    let key = try RealmKey.key(encryptionKey)
    try realmErrors(path) {
      try context.file.database.writeCopy(
        to: path,
        encryption: key.map { .key($0) } ?? Database.Encryption.none
      )
    }
  }

  /// Writes the newest commit to the file of a configuration.
  ///
  /// - Parameter configuration: A configuration whose file does not exist.
  /// - Throws: ``Realm/Error`` if the path exists, its folder is missing, or the disk is full.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throwRealmException(
        "Cannot write a copy to a realm in memory: give the configuration a fileURL"
      )
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }

  /// Migrates a file by opening and closing it.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, or the migration fails.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    _ = try Realm(configuration: configuration)
  }
}
