import KennelPages

/// Kinds of storage errors, by what a program can do about them.
package enum StorageErrorKind: Sendable {
  case cannotOpen
  case notADatabase
  case newerFormat
  case damaged
  case forged
  case keyNeeded
  case wrongKey
  case readOnly
  case full
  case replaced
  case busy
  case cancelled
  case closed
  case tooManySteps
}

extension StorageError {
  /// The kind of the error, whatever layer it comes from.
  package var kind: StorageErrorKind {
    switch self {
    case .damaged: .damaged
    case .notKennel: .notADatabase
    case .newerFormat: .newerFormat
    case .tooManySteps: .tooManySteps
    case .file(let error): error.problem.kind
    }
  }

  /// Whether the file could not even be opened.
  package var concernsOpening: Bool {
    if case .file(let error) = self { error.operation == .open } else { false }
  }

  /// The process that keeps the file busy, where it is known.
  package var processID: Int? {
    if case .file(let error) = self, case .writerBusy(let id) = error.problem { id } else { nil }
  }

  /// The file that the error concerns, where it knows.
  package var path: String? {
    switch self {
    case .damaged, .tooManySteps: nil
    case .notKennel(let path), .newerFormat(let path, _, _): path
    case .file(let error): error.path
    }
  }
}

extension PageStoreError.Problem {
  fileprivate var kind: StorageErrorKind {
    switch self {
    case .cipher(.wrongKey): .wrongKey
    case .noSuchFile, .noSuchDirectory, .notAFile, .permissionDenied, .lockFileUnavailable,
      .lockFileUnreadable, .networkFileSystem, .tooManyOpenFiles, .outOfMemory, .inputOutput,
      .system, .keySize, .noteSize, .valueSize, .needsReopening, .openReadOnlyHere, .cipher,
      .notEncrypted:
      .cannotOpen
    case .keyNeeded: .keyNeeded
    case .forged: .forged
    case .notAPageFile, .olderFormat, .empty: .notADatabase
    case .newerVersion: .newerFormat
    case .damaged, .treeKeys: .damaged
    case .readOnly: .readOnly
    case .diskFull, .quotaExceeded, .fileTooLarge: .full
    case .replacedOnDisk, .overwrittenOnDisk, .goneFromDisk: .replaced
    case .tooManyProcesses, .writerBusy, .openByAnotherName: .busy
    case .cancelled: .cancelled
    case .closed, .forkedChild, .writerFinished, .cursorOutdated: .closed
    }
  }
}
