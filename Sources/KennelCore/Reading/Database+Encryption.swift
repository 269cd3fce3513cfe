public import KennelStorage

extension Database {
  /// A key or a passphrase of encrypted databases, which the module `KennelEncryption` makes.
  public typealias Key = DatabaseKey

  /// The encryption of a copy.
  public typealias Encryption = DatabaseEncryption

  /// Whether the file is encrypted.
  public var isEncrypted: Bool { store.isEncrypted }

  /// Whether an encrypted database is at a path.
  ///
  /// - Parameter path: The path.
  /// - Returns: Whether one is there that can be opened with its key only.
  public static func isEncrypted(_ path: String) -> Bool { DatabaseFile.isEncrypted(path) }

  /// Adds a key to an encrypted database, which every other key still opens.
  ///
  /// Its pages stay as they are: the keys encrypt the one that encrypts them. There are at most 8.
  ///
  /// ```swift
  /// try database.addKey(new, beside: old)
  /// ```
  ///
  /// - Parameters:
  ///   - new: The new key.
  ///   - old: A key that the database has.
  /// - Throws: `DatabaseError` if the old key is wrong, there are 8 keys, or the file cannot be written.
  public func addKey(_ new: Key, beside old: Key) throws(DatabaseError) {
    try requireOpen()
    try storing(store.addKey(new, beside: old))
  }

  /// Removes a key from an encrypted database.
  ///
  /// Whoever has the key and an older copy of the file can still read that copy, and with its help the file
  /// too: ``compact(_:key:encryption:if:)`` with a new key encrypts all pages anew.
  ///
  /// ```swift
  /// try database.removeKey(old)
  /// ```
  ///
  /// - Parameter key: The key, which is not the only one.
  /// - Throws: `DatabaseError` if the key is wrong or the only one, or the file cannot be written.
  public func removeKey(_ key: Key) throws(DatabaseError) {
    try requireOpen()
    try storing(store.removeKey(key))
  }
}
