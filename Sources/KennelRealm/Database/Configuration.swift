public import Foundation
import KennelCore

/// What brings a file's objects up to a new version of the classes.
///
/// It gets the migration and the version that the file has.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
  /// Which file a realm opens, and how.
  ///
  /// Where nothing else is said, the file is `default.kennel` in a folder with the program's name in
  /// the user's data folder: `$XDG_DATA_HOME`, or `~/.local/share`.
  public struct Configuration: Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var shared: Configuration?

    /// What `Realm()` opens.
    public static var defaultConfiguration: Configuration {
      get { lock.withLock { shared } ?? Configuration() }
      set { lock.withLock { shared = newValue } }
    }

    /// The file; setting it ends the realm's being in memory.
    public var fileURL: URL? {
      didSet { if fileURL != nil { memoryIdentifier = nil } }
    }

    /// The name of a realm in memory, which every realm of the process with this name shares.
    ///
    /// It lives in a temporary file that goes with the last realm, object or collection that uses
    /// it. Setting it takes the place of the file.
    public var inMemoryIdentifier: String? {
      get { memoryIdentifier }
      set {
        memoryIdentifier = newValue
        if newValue != nil { fileURL = nil }
      }
    }
    private var memoryIdentifier: String?

    /// A key to encrypt the file with; opening a realm with one is refused, since files are not
    /// encrypted yet.
    public var encryptionKey: Data?
    /// Whether the file is only read.
    public var readOnly: Bool
    /// The version of the classes; more than that of the file asks for a migration.
    public var schemaVersion: UInt64
    /// What brings objects up to a new version.
    public var migrationBlock: MigrationBlock?
    /// Whether a file that would need a migration is deleted instead.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Asked, when the realm is opened and nobody has its file open, whether to make the file smaller.
    ///
    /// It gets the size of the file and how much of it is in use, in bytes. A file gives the room of
    /// what was deleted to what is written next; compacting gives it back, which takes time and, for
    /// that time, room for a copy. While another realm of the process, or another process, has the file
    /// open, it is not asked and the file stays as it is; so it does where the copy cannot be made. It
    /// must not open the file. A realm in memory and one that is made now have nothing to give back;
    /// with ``readOnly`` it cannot be set.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the realm; `nil` for all model classes of the program.
    public var objectTypes: [ObjectBase.Type]?
    /// The most commits that may be kept when a write begins; `nil` for any number.
    ///
    /// Those from the oldest that a realm, a frozen object or another process still shows to the newest
    /// are kept, and what was changed since the oldest costs room in the file. Beginning a write while
    /// there are more stops the program with a sentence.
    public var maximumNumberOfActiveVersions: UInt?
    /// A file that is copied to ``fileURL`` where there is none.
    public var seedFilePath: URL?
    /// Whether a migration is running.
    internal var isMigrating = false

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - inMemoryIdentifier: The name of a realm in memory, in place of a file.
    ///   - encryptionKey: A key to encrypt the file with; refused when the realm is opened.
    ///   - readOnly: Whether the file is only read.
    ///   - schemaVersion: The version of the classes.
    ///   - migrationBlock: What brings objects up to a new version.
    ///   - deleteRealmIfMigrationNeeded: Whether a file that needs a migration is deleted instead.
    ///   - shouldCompactOnLaunch: Asked whether to make the file smaller before it is opened.
    ///   - objectTypes: The classes; `nil` for all of the program.
    ///   - seedFilePath: A file to begin with.
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

    /// The file that a realm has where no other is named: `default.kennel` in the program's folder
    /// of the user's data folder.
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
  /// Whether both open the same file in the same way; blocks are not compared.
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
  /// What is set, in braces.
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
