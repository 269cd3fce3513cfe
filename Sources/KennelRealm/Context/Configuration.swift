public import Foundation
import KennelCore

/// A block that migrates a file to a new schema version.
///
/// It receives the migration and the version of the file.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
  /// The file of a realm and the options for opening it.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: url, schemaVersion: 2)
  /// configuration.objectTypes = [Ship.self, Captain.self, Voyage.self]
  /// let realm = try Realm(configuration: configuration)
  /// ```
  ///
  /// The default file is `default.kennel` in a folder with the program's name in `$XDG_DATA_HOME`,
  /// or `~/.local/share`.
  public struct Configuration: Sendable {
    private static let lock = NSLock()
    /// The configuration that was set.
    ///
    /// Safe to use: under the lock.
    @safe nonisolated(unsafe) private static var shared: Configuration?

    /// The configuration of `Realm()`.
    public static var defaultConfiguration: Configuration {
      get { lock.withLock { shared } ?? Configuration() }
      set { lock.withLock { shared = newValue } }
    }

    /// The file.
    ///
    /// Setting it clears ``inMemoryIdentifier``.
    public var fileURL: URL? {
      didSet { if fileURL != nil { memoryIdentifier = nil } }
    }

    /// The name of a realm in memory.
    ///
    /// Realms of the process with the same name share their objects.
    ///
    /// The data is in a temporary file, which is deleted with the last realm, object or collection
    /// that uses it. Setting the name clears ``fileURL``.
    public var inMemoryIdentifier: String? {
      get { memoryIdentifier }
      set {
        memoryIdentifier = newValue
        if newValue != nil { fileURL = nil }
      }
    }
    private var memoryIdentifier: String?

    /// The key of an encrypted file: 64 bytes.
    ///
    /// A file that is created is encrypted with it.
    public var encryptionKey: Data?
    /// Whether the file is opened for reading only.
    public var readOnly: Bool
    /// The schema version.
    ///
    /// If it is higher than the version of the file, opening migrates the file.
    public var schemaVersion: UInt64
    /// The block that migrates the file.
    public var migrationBlock: MigrationBlock?
    /// Whether a file with other classes or another version is deleted.
    ///
    /// If this is false, such a file is migrated when its version is lower than ``schemaVersion``;
    /// in every other case opening it throws.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Returns whether to compact the file when it is opened.
    ///
    /// It receives the size of the file and the bytes in use. Free space is reused by later writes;
    /// compacting returns it to the file system, and needs time and space for a copy. The block is
    /// called only if no realm and no process has the file open, and must not open it. If the copy
    /// cannot be written, the file stays as it is. The block is not called for a new file or a
    /// realm in memory, and cannot be combined with ``readOnly``.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The model classes of the realm; `nil` for all classes of the program.
    public var objectTypes: [ObjectBase.Type]?
    /// The largest number of commits that may be kept when a write begins; `nil` for no limit.
    ///
    /// The file keeps the oldest commit that a realm, a frozen object or another process still
    /// reads, and every later one. These commits take space. If there are more than this, beginning
    /// a write stops the program.
    public var maximumNumberOfActiveVersions: UInt?
    /// A file that is copied to ``fileURL`` if there is none.
    public var seedFilePath: URL?
    /// Whether a migration is running.
    internal var isMigrating = false

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - inMemoryIdentifier: The name of a realm in memory, instead of a file.
    ///   - encryptionKey: The key of an encrypted file: 64 bytes.
    ///   - readOnly: Whether the file is opened for reading only.
    ///   - schemaVersion: The schema version.
    ///   - migrationBlock: The block that migrates the file.
    ///   - deleteRealmIfMigrationNeeded: Whether a file with other classes or another version is
    ///     deleted.
    ///   - shouldCompactOnLaunch: Returns whether to compact the file.
    ///   - objectTypes: The model classes; `nil` for all classes of the program.
    ///   - seedFilePath: A file that is copied if there is none.
    public init(
      fileURL: URL? = Configuration.defaultFileURL,
      inMemoryIdentifier: String? = nil,
      encryptionKey: Data? = nil,
      readOnly: Bool = false,
      schemaVersion: UInt64 = 0,
      migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      memoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
    }

    /// The default file: `default.kennel` in the program's folder of the user's data folder.
    public static var defaultFileURL: URL {
      let environment = ProcessInfo.processInfo.environment
      let base: URL
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        base = URL(fileURLWithPath: data, isDirectory: true)
      } else {
        base = FileManager.default.homeDirectoryForCurrentUser
          .appendingPathComponent(".local/share", isDirectory: true)
      }
      return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
        .appendingPathComponent("default.kennel")
    }
  }
}

extension Realm.Configuration: Equatable {
  /// Returns whether both open the same file with equal options.
  ///
  /// Blocks are not compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
      && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
      && left.schemaVersion == right.schemaVersion
      && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
      && left.objectTypes?.map(ObjectIdentifier.init)
        == right.objectTypes?.map(ObjectIdentifier.init)
      && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
      && left.seedFilePath == right.seedFilePath
  }
}

extension Realm.Configuration: CustomStringConvertible {
  /// The options, one per line, in braces.
  public var description: String {
    """
    Realm.Configuration {
    \tfileURL = \(fileURL.map(\.absoluteString) ?? "(null)");
    \tinMemoryIdentifier = \(inMemoryIdentifier ?? "(null)");
    \tencryptionKey = \(encryptionKey == nil ? "(null)" : "(set)");
    \treadOnly = \(readOnly ? 1 : 0);
    \tschemaVersion = \(schemaVersion);
    \tmigrationBlock = \(migrationBlock == nil ? "(null)" : "(set)");
    \tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded ? 1 : 0);
    \tshouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "(null)" : "(set)");
    \tobjectTypes = \(objectTypes.map { "\($0)" } ?? "(null)");
    \tseedFilePath = \(seedFilePath?.path ?? "(null)");
    }
    """
  }
}
