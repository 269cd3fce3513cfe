extension Database {
  /// How a database is opened.
  ///
  /// ```swift
  /// let database = try Database.open(path, configuration: .init(createsIfMissing: false))
  /// print(database.canWrite)
  /// ```
  public struct Configuration: Hashable, Sendable {
    /// What may be done with the file.
    public enum Access: Hashable, Sendable {
      /// Read, and write where the file allows it.
      case readWrite
      /// Only read.
      case readOnly
    }

    /// What may be done with the file.
    public var access: Access
    /// Whether a missing file is made.
    public var createsIfMissing: Bool

    /// Makes a configuration.
    public init(access: Access = .readWrite, createsIfMissing: Bool = true) {
      self.access = access
      self.createsIfMissing = createsIfMissing
    }
  }
}
