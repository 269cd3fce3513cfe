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
      /// The file was written by a later version of the format.
      case fileFormatUpgradeRequired = 6
      /// The lock file is of another version.
      case incompatibleLockFile = 8
      /// There is no address space left.
      case addressSpaceExhausted = 9
      /// The classes differ from those of the file, and nothing says how to migrate.
      case schemaMismatch = 10
      /// Another operation is incompatible.
      case incompatibleSession = 11
      /// The disk is full.
      case outOfDiskSpace = 12
      /// A format of a later version.
      case unsupportedFileFormatVersion = 13
      /// More than one class has the same primary key, or a delete rule denies a deletion.
      case deletionDenied = 14
      /// The file is none of Kennel's, or is damaged.
      case invalidDatabase = 20
      /// The realm is open with other settings.
      case alreadyOpen = 21
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
    let code: Code =
      switch error.code {
      case .cannotOpen:
        if let path, !FileManager.default.fileExists(atPath: path) {
          .fileNotFound
        } else if let path, !FileManager.default.isReadableFile(atPath: path) {
          .filePermissionDenied
        } else {
          .fileAccess
        }
      case .readOnly: .filePermissionDenied
      case .notADatabase, .damaged: .invalidDatabase
      case .newerFormat: .unsupportedFileFormatVersion
      case .diskFull: .outOfDiskSpace
      case .schemaMismatch: .schemaMismatch
      case .deletionDenied: .deletionDenied
      default: .fail
      }
    self.init(code, error.message, fileURL: path.map { URL(fileURLWithPath: $0) })
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
