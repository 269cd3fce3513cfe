public import Foundation
import KennelCore

extension Realm {
  /// Why a realm cannot be opened, or a transaction not be committed.
  public struct Error: Swift.Error, Equatable, CustomNSError, LocalizedError {
    /// The kinds of error.
    public enum Code: Int, Sendable {
      /// Another kind of error.
      case fail = 1
      /// The file cannot be read or written.
      case fileAccess = 2
      /// The file may not be accessed.
      case filePermissionDenied = 3
      /// The file exists already.
      case fileExists = 4
      /// The file does not exist.
      case fileNotFound = 5
      /// The file has an older format and may not be changed.
      case fileFormatUpgradeRequired = 6
      /// The lock file is of another version.
      case incompatibleLockFile = 8
      /// There is no address space left.
      case addressSpaceExhausted = 9
      /// The classes differ from those of the file, and nothing says how to migrate.
      case schemaMismatch = 10
      /// The realm is open with other settings, or at all where it must not be.
      case alreadyOpen = 12
      /// A value is invalid.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Another process has the file open in another way.
      case incompatibleSession = 15
      /// The format is of a later version.
      case unsupportedFileFormatVersion = 16
      /// The file system refused something else.
      case fileOperationFailed = 19
      /// The file is none of Kennel's, or is damaged.
      case invalidDatabase = 20
      /// The file was made by a program of another kind.
      case incompatibleHistories = 21
      /// A delete rule denies a deletion.
      case deletionDenied = 1001
    }

    /// The kind of error.
    public let code: Code
    /// What was attempted, on what, and what to do next.
    public let message: String
    /// The file concerned.
    public let fileURL: URL?

    internal init(_ code: Code, _ message: String, fileURL: URL? = nil) {
      self.code = code
      self.message = message
      self.fileURL = fileURL
    }

    /// Makes an error.
    ///
    /// - Parameter code: The kind of error.
    public init(_ code: Code) {
      self.init(code, "Realm error: \(code)")
    }

    /// The domain of the errors as Foundation knows them.
    public static var errorDomain: String { "io.realm" }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The message.
    public var errorDescription: String? { message }

    /// The message and the file.
    public var errorUserInfo: [String: Any] {
      var info: [String: Any] = [NSLocalizedDescriptionKey: message]
      if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
      return info
    }

    /// Whether both are of one kind.
    public static func == (left: Error, right: Error) -> Bool { left.code == right.code }

    /// Whether an error is of a kind, for `catch Realm.Error.fileNotFound`.
    public static func ~= (code: Error, error: any Swift.Error) -> Bool {
      (error as? Error)?.code == code.code
    }

    /// Another kind of error.
    public static let fail = Error(.fail, "")
    /// The file cannot be read or written.
    public static let fileAccess = Error(.fileAccess, "")
    /// The file may not be accessed.
    public static let filePermissionDenied = Error(.filePermissionDenied, "")
    /// The file exists already.
    public static let fileExists = Error(.fileExists, "")
    /// The file does not exist.
    public static let fileNotFound = Error(.fileNotFound, "")
    /// The file has an older format and may not be changed.
    public static let fileFormatUpgradeRequired = Error(.fileFormatUpgradeRequired)
    /// A value is invalid.
    public static let invalidInput = Error(.invalidInput)
    /// The disk is full.
    public static let outOfDiskSpace = Error(.outOfDiskSpace)
    /// Another process has the file open in another way.
    public static let incompatibleSession = Error(.incompatibleSession)
    /// The file system refused something else.
    public static let fileOperationFailed = Error(.fileOperationFailed)
    /// The file was made by a program of another kind.
    public static let incompatibleHistories = Error(.incompatibleHistories)
    /// The lock file is of another version.
    public static let incompatibleLockFile = Error(.incompatibleLockFile, "")
    /// There is no address space left.
    public static let addressSpaceExhausted = Error(.addressSpaceExhausted, "")
    /// The classes differ from those of the file.
    public static let schemaMismatch = Error(.schemaMismatch, "")
    /// The format is of a later version.
    public static let unsupportedFileFormatVersion = Error(.unsupportedFileFormatVersion, "")
    /// The file is none of Kennel's, or is damaged.
    public static let invalidDatabase = Error(.invalidDatabase, "")
    /// The realm is open with other settings.
    public static let alreadyOpen = Error(.alreadyOpen, "")
    /// A delete rule denies a deletion.
    public static let deletionDenied = Error(.deletionDenied, "")
  }
}

extension Realm.Error {
  /// The error of the engine, in Realm's terms.
  internal init(_ error: DatabaseError, path: String?) {
    let url = path.map { URL(fileURLWithPath: $0) }
    if error.code == .cannotOpen, let path, let (code, reason) = Self.obstacle(at: path) {
      let advice =
        code == .filePermissionDenied
        ? ". Please use a path where your app has read-write permissions." : ""
      self.init(
        code,
        "Failed to open Realm file at path '\(path)': \(reason)\(advice)",
        fileURL: url
      )
      return
    }
    let code: Code =
      switch error.code {
      case .cannotOpen: .fileAccess
      case .readOnly: .filePermissionDenied
      case .notADatabase, .damaged: .invalidDatabase
      case .newerFormat: .unsupportedFileFormatVersion
      case .diskFull: .outOfDiskSpace
      case .schemaMismatch: .schemaMismatch
      case .deletionDenied: .deletionDenied
      default: .fail
      }
    self.init(code, error.message, fileURL: url)
  }

  /// What stands in the way at a path, as far as it is one of Realm's kinds.
  private static func obstacle(at path: String) -> (Code, String)? {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if files.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
      return (.fileOperationFailed, "parent path is not a directory")
    }
    if !files.fileExists(atPath: path) {
      let canBeMade = isFolder.boolValue && !files.isWritableFile(atPath: folder)
      return canBeMade
        ? (.filePermissionDenied, "Permission denied")
        : (.fileNotFound, "No such file or directory")
    }
    return files.isReadableFile(atPath: path)
      ? nil : (.filePermissionDenied, "Permission denied")
  }
}

/// Runs what talks to the engine and turns its errors into Realm's.
internal func realmErrors<Result>(
  _ path: String?,
  _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as DatabaseError {
    throw Realm.Error(error, path: path)
  }
}
