public import Foundation
import KennelCore

extension Realm {
  /// An error of opening a realm, committing a transaction, or reading a value from text.
  ///
  /// ```swift
  /// do {
  ///   _ = try Realm(configuration: configuration)
  /// } catch Realm.Error.fileNotFound {
  ///   print("There is no file yet")
  /// }
  /// ```
  public struct Error: Swift.Error, Equatable, CustomNSError, LocalizedError {
    /// The kinds of error.
    ///
    /// ```swift
    /// do {
    ///   _ = try Realm(configuration: configuration)
    /// } catch let error as Realm.Error where error.code == .fileNotFound {
    ///   print(error.message)
    /// }
    /// ```
    public enum Code: Int, Sendable {
      /// Another kind of error.
      case fail = 1
      /// The file cannot be read or written.
      case fileAccess = 2
      /// Access to the file is denied.
      case filePermissionDenied = 3
      /// The file already exists.
      case fileExists = 4
      /// The file does not exist.
      case fileNotFound = 5
      /// The file has an older format and is read-only.
      case fileFormatUpgradeRequired = 6
      /// The lock file has another version.
      case incompatibleLockFile = 8
      /// The address space is exhausted.
      case addressSpaceExhausted = 9
      /// `schemaVersion` is lower than the version of the file, or it is not higher and the classes
      /// differ.
      case schemaMismatch = 10
      /// The realm is already open, or open with another configuration.
      case alreadyOpen = 12
      /// A value is invalid.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Another process has the file open in an incompatible way.
      case incompatibleSession = 15
      /// The file has a newer format.
      case unsupportedFileFormatVersion = 16
      /// Another file operation failed.
      case fileOperationFailed = 19
      /// The file is not a Kennel file, is damaged, or is encrypted with another key.
      case invalidDatabase = 20
      /// The file was created by an incompatible program.
      case incompatibleHistories = 21
      /// A `deny` rule prevented a deletion.
      case deletionDenied = 1001
    }

    /// The kind of error.
    public let code: Code
    /// Says what was attempted, on what, and what to do next.
    public let message: String
    /// The file.
    public let fileURL: URL?

    internal init(_ code: Code, _ message: String, fileURL: URL? = nil) {
      self.code = code
      self.message = message
      self.fileURL = fileURL
    }

    /// Creates an error.
    ///
    /// - Parameter code: The kind of error.
    public init(_ code: Code) {
      self.init(code, "Realm error: \(code)")
    }

    /// The error domain in Foundation.
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

    /// Returns whether both have the same code.
    public static func == (left: Error, right: Error) -> Bool { left.code == right.code }

    /// Returns whether an error has a code, for `catch Realm.Error.fileNotFound`.
    public static func ~= (code: Error, error: any Swift.Error) -> Bool {
      (error as? Error)?.code == code.code
    }

    /// Another kind of error.
    public static let fail = Error(.fail, "")
    /// The file cannot be read or written.
    public static let fileAccess = Error(.fileAccess, "")
    /// Access to the file is denied.
    public static let filePermissionDenied = Error(.filePermissionDenied, "")
    /// The file already exists.
    public static let fileExists = Error(.fileExists, "")
    /// The file does not exist.
    public static let fileNotFound = Error(.fileNotFound, "")
    /// The file has an older format and is read-only.
    public static let fileFormatUpgradeRequired = Error(.fileFormatUpgradeRequired)
    /// A value is invalid.
    public static let invalidInput = Error(.invalidInput)
    /// The disk is full.
    public static let outOfDiskSpace = Error(.outOfDiskSpace)
    /// Another process has the file open in an incompatible way.
    public static let incompatibleSession = Error(.incompatibleSession)
    /// Another file operation failed.
    public static let fileOperationFailed = Error(.fileOperationFailed)
    /// The file was created by an incompatible program.
    public static let incompatibleHistories = Error(.incompatibleHistories)
    /// The lock file has another version.
    public static let incompatibleLockFile = Error(.incompatibleLockFile, "")
    /// The address space is exhausted.
    public static let addressSpaceExhausted = Error(.addressSpaceExhausted, "")
    /// The classes differ from the file.
    public static let schemaMismatch = Error(.schemaMismatch, "")
    /// The file has a newer format.
    public static let unsupportedFileFormatVersion = Error(.unsupportedFileFormatVersion, "")
    /// The file is not a Kennel file or is damaged.
    public static let invalidDatabase = Error(.invalidDatabase, "")
    /// The realm is already open, or open with another configuration.
    public static let alreadyOpen = Error(.alreadyOpen, "")
    /// A `deny` rule prevented a deletion.
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
      case .notADatabase, .damaged, .forged, .keyNeeded, .wrongKey: .invalidDatabase
      case .newerFormat: .unsupportedFileFormatVersion
      case .diskFull: .outOfDiskSpace
      case .schemaMismatch: .schemaMismatch
      case .deletionDenied: .deletionDenied
      default: .fail
      }
    self.init(code, error.message, fileURL: url)
  }

  /// The obstacle at a path, if it is one of Realm's kinds.
  private static func obstacle(at path: String) -> (Code, String)? {
    let files = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let isFolder = files.isFolder(atPath: folder)
    if isFolder == false {
      return (.fileOperationFailed, "parent path is not a directory")
    }
    if !files.fileExists(atPath: path) {
      let canBeMade = isFolder == true && !files.isWritableFile(atPath: folder)
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
