package import KennelPages

/// A key or a passphrase of encrypted databases.
///
/// The module `KennelEncryption` makes one; a program without encryption need not link its library. Two are equal
/// if they are the same object.
///
/// ```swift
/// let key = try Database.Key(passphrase: "correct horse battery staple")
/// let database = try Database.open(path, configuration: .init(key: key))
/// ```
public final class DatabaseKey: Hashable, Sendable {
  package let pageKey: any SlotKey

  package init(_ pageKey: any SlotKey) { self.pageKey = pageKey }

  /// Whether two are the same object.
  public static func == (left: DatabaseKey, right: DatabaseKey) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The encryption of a copy.
///
/// ```swift
/// try database.writeCopy(to: backup, encryption: .key(key))
/// ```
public enum DatabaseEncryption: Hashable, Sendable {
  /// That of the file: the keys that open the file open the copy.
  case unchanged
  /// With a key, under which alone it can be opened.
  case key(DatabaseKey)
  /// None.
  case none

  internal var ofCopy: CopyEncryption {
    switch self {
    case .unchanged: .same
    case .key(let key): .key(key.pageKey)
    case .none: .none
    }
  }
}

extension DatabaseFile {
  /// Whether there is an encrypted file at a path.
  package static func isEncrypted(_ path: String) -> Bool { PageStore.isEncrypted(path: path) }

  /// Adds a key slot.
  ///
  /// - Throws: `StorageError` if the old key has none, there is no room, or the file cannot be written.
  package func addKey(_ new: DatabaseKey, beside old: DatabaseKey) throws(StorageError) {
    try changeKeySlots { (slots) throws(CipherFailure) in
      try old.pageKey.adding(new.pageKey, to: slots, for: pages.fileID)
    }
  }

  /// Removes a key slot.
  ///
  /// - Throws: `StorageError` if the key has none, it is the only one, or the file cannot be written.
  package func removeKey(_ key: DatabaseKey) throws(StorageError) {
    try changeKeySlots { (slots) throws(CipherFailure) in
      try key.pageKey.removing(from: slots, for: pages.fileID)
    }
  }

  private func changeKeySlots(
    _ change: ([UInt8]) throws(CipherFailure) -> [UInt8]
  ) throws(StorageError) {
    try inPages { () throws(PageStoreError) in try pages.changeSlots(change) }
  }
}
