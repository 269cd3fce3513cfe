public import KennelCore
public import KennelStorage

extension DatabaseKey {
  /// Creates a key of bytes.
  ///
  /// ```swift
  /// let key = try Database.Key(bytes: keyBytes)
  /// let database = try Database.open(path, configuration: .init(key: key))
  /// ```
  ///
  /// - Parameter bytes: 32 or 64 random bytes. Those of an encrypted Realm file have 64.
  /// - Throws: `DatabaseError` if there are more or fewer.
  public convenience init(bytes: some Collection<UInt8>) throws(DatabaseError) {
    guard [32, 64].contains(bytes.count) else {
      throw DatabaseError(
        .wrongKey,
        "A key has 32 or 64 bytes, and this one has \(bytes.count); a text is a passphrase"
      )
    }
    self.init(EncryptionKey(.bytes, bytes))
  }

  /// Creates a key of a passphrase.
  ///
  /// The first opening of a file with it takes a third of a second and 128 MiB of memory (scrypt with
  /// N = 2¹⁷, r = 8, p = 1), so that nobody tries many.
  ///
  /// ```swift
  /// let key = try Database.Key(passphrase: "correct horse battery staple")
  /// let database = try Database.open(path, configuration: .init(key: key))
  /// ```
  ///
  /// - Parameter passphrase: The text. Its UTF-8 bytes count, so that a letter with an accent that was typed
  ///   in another form is another.
  /// - Throws: `DatabaseError` if it is empty.
  public convenience init(passphrase: String) throws(DatabaseError) {
    if passphrase.isEmpty {
      throw DatabaseError(.wrongKey, "A passphrase has one character at least; this one is empty")
    }
    self.init(EncryptionKey(.passphrase, Array(passphrase.utf8)))
  }
}
