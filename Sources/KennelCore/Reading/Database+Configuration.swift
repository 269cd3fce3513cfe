extension Database {
  /// The options for opening a database.
  ///
  /// ```swift
  /// let database = try Database.open(path, configuration: .init(createsIfMissing: false))
  /// print(database.canWrite)
  /// ```
  public struct Configuration: Hashable, Sendable {
    /// How the file is accessed.
    ///
    /// ```swift
    /// let database = try Database.open(path, configuration: .init(access: .readOnly))
    /// print(database.canWrite)
    /// ```
    public enum Access: Hashable, Sendable {
      /// For reading, and for writing if the file permits it.
      case readWrite
      /// For reading only.
      case readOnly
    }

    /// How the file is accessed.
    public var access: Access
    /// Whether a missing file is created.
    public var createsIfMissing: Bool
    /// The key of an encrypted file; a file that is created is encrypted with it.
    public var key: Key?

    /// Creates a configuration.
    public init(access: Access = .readWrite, createsIfMissing: Bool = true, key: Key? = nil) {
      self.access = access
      self.createsIfMissing = createsIfMissing
      self.key = key
    }
  }
}
