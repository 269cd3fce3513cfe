public import Foundation
import KennelCore

/// The version of the classes that a file has.
///
/// - Parameters:
///   - fileURL: The file.
///   - encryptionKey: Its key; files are not encrypted.
/// - Returns: The version; 0 where no program gave it one.
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
  return try realmErrors(path) {
    let database = try Database.open(
      path,
      configuration: Database.Configuration(access: .readOnly, createsIfMissing: false)
    )
    return try database.snapshot().schema.version
  }
}

extension Realm {
  /// Whether there is a file where a configuration opens one.
  ///
  /// - Parameter config: The configuration.
  /// - Returns: Whether there is; false for a realm in memory.
  public static func fileExists(for config: Configuration) -> Bool {
    config.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Deletes the file of a configuration, the lock file beside it, and what an interrupted compaction
  /// left.
  ///
  /// - Parameter config: The configuration.
  /// - Returns: Whether there was a file.
  /// - Throws: ``Realm/Error`` if the realm is open, or the file cannot be deleted.
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

  /// Writes what is committed to a new file, without the room that is free in this one.
  ///
  /// - Parameters:
  ///   - fileURL: Where there is no file yet.
  ///   - encryptionKey: A key for the copy; refused, since files are not encrypted.
  /// - Throws: ``Realm/Error`` if there is a file already, its folder is missing, or the disk is full.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    context.requireConfinement()
    if context.isFrozen {
      throwRealmException("Cannot write a copy of a frozen Realm: thaw it first")
    }
    if context.transaction != nil {
      throwRealmException("Cannot write a copy in a write transaction: commit or cancel it first")
    }
    if encryptionKey != nil {
      throw Error(
        .fail,
        "Cannot write an encrypted copy: files are not encrypted",
        fileURL: fileURL
      )
    }
    let path = fileURL.standardizedFileURL.path
    if FileManager.default.fileExists(atPath: path) {
      throw Error(.fileExists, "File at path '\(path)' already exists.", fileURL: fileURL)
    }
    try realmErrors(path) { try context.file.database.writeCopy(to: path) }
  }

  /// Writes what is committed to a new file, where a configuration says.
  ///
  /// - Parameter configuration: A configuration with a file that is not there yet.
  /// - Throws: ``Realm/Error`` if there is a file already, its folder is missing, or the disk is full.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throwRealmException(
        "Cannot write a copy to a realm in memory: give the configuration a fileURL"
      )
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }

  /// Opens a realm and closes it, so that its file has the version of the configuration.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, or the migration fails.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    _ = try Realm(configuration: configuration)
  }
}
