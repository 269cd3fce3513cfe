import KennelLMDB

/// What a program can do about a storage error.
package enum StorageErrorKind: Sendable {
  case cannotOpen
  case notADatabase
  case newerFormat
  case damaged
  case readOnly
  case full
  case replaced
  case busy
  case closed
}

extension StorageError {
  /// The kind of the error, whatever layer it comes from.
  package var kind: StorageErrorKind {
    switch self {
    case .damaged: .damaged
    case .notKennel: .notADatabase
    case .newerFormat: .newerFormat
    case .lmdb(let error): error.problem.kind
    }
  }

  /// Whether the file could not even be opened.
  package var concernsOpening: Bool {
    if case .lmdb(let error) = self { error.operation == .open } else { false }
  }

  /// The file that the error concerns, where it knows.
  package var path: String? {
    switch self {
    case .damaged: nil
    case .notKennel(let path), .newerFormat(let path, _, _): path
    case .lmdb(let error): error.path
    }
  }
}

extension LMDBError.Problem {
  fileprivate var kind: StorageErrorKind {
    switch self {
    case .noSuchFile, .noSuchDirectory, .notAFile, .permissionDenied, .lockFileUnavailable,
      .foreignLockFile, .networkFileSystem, .tooManyOpenFiles, .outOfMemory, .inputOutput,
      .lmdb, .system, .keyOutOfOrder, .keySize, .needsReopening, .openReadOnlyHere,
      .interruptedCommit:
      .cannotOpen
    case .notADatabase, .foreignVersion, .empty: .notADatabase
    case .damagedHeader, .damagedTree, .unchecked: .damaged
    case .readOnlyFileSystem, .readOnly: .readOnly
    case .diskFull, .quotaExceeded, .fileTooLarge, .mapFull, .transactionTooLarge: .full
    case .replacedOnDisk, .goneFromDisk: .replaced
    case .tooManyReaders, .writerBusy, .openByAnotherName: .busy
    case .closed, .forkedChild, .transactionFailed, .transactionFinished, .wrongThread: .closed
    }
  }
}
