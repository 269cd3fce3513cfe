import CLMDB
import Glibc

/// An error of LMDB or the operating system, as data.
///
/// The sentences are in `LMDBError+Sentences.swift`.
package struct LMDBError: Error, Equatable, Sendable {
  /// What was attempted.
  package enum Operation: Sendable, CaseIterable {
    case open
    case beginRead
    case beginWrite
    case read
    case write
    case commit
    case grow
    case copy
  }

  /// The problem.
  package enum Problem: Equatable, Sendable {
    case noSuchFile
    case noSuchDirectory(String)
    case notAFile
    case permissionDenied
    case readOnlyFileSystem
    case lockFileUnavailable(code: Int32)
    case foreignLockFile
    case diskFull
    case quotaExceeded
    case fileTooLarge
    case tooManyOpenFiles
    case outOfMemory
    case inputOutput
    case networkFileSystem(String)
    case forkedChild
    case empty
    case notADatabase(String)
    case foreignVersion(Int)
    case damagedHeader(String)
    case damagedTree
    case interruptedCommit
    case tooManyReaders(limit: Int)
    case mapFull(sizeInBytes: Int)
    case transactionTooLarge
    case keyOutOfOrder
    case keySize
    case writerBusy
    case readOnly(Environment.ReadOnlyReason)
    case openReadOnlyHere
    case openByAnotherName
    case replacedOnDisk
    case goneFromDisk
    case unchecked
    case closed
    case transactionFailed
    case transactionFinished
    case wrongThread
    case needsReopening
    case lmdb(code: Int32)
    case system(code: Int32)
  }

  package let problem: Problem
  package let operation: Operation
  package let path: String

  package init(_ problem: Problem, _ operation: Operation, path: String) {
    self.problem = problem
    self.operation = operation
    self.path = path
  }

  /// Makes an error of LMDB's code or of an `errno`.
  package init(code: Int32, _ operation: Operation, path: String) {
    self.init(Problem(code: code), operation, path: path)
  }
}

extension LMDBError.Problem {
  /// The problem of a code; codes that never reach a caller keep their number.
  package init(code: Int32) {
    self =
      switch code {
      case ENOENT: .noSuchFile
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnlyFileSystem
      case ENOSPC: .diskFull
      case EDQUOT: .quotaExceeded
      case EFBIG: .fileTooLarge
      case EMFILE, ENFILE: .tooManyOpenFiles
      case ENOMEM: .outOfMemory
      case EIO: .inputOutput
      case EISDIR: .notAFile
      case MDB_INVALID: .notADatabase("its magic number is wrong")
      case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_CURSOR_FULL, MDB_PAGE_FULL: .damagedTree
      case MDB_PANIC: .needsReopening
      case MDB_READERS_FULL: .tooManyReaders(limit: Environment.readerLimit)
      case MDB_TXN_FULL: .transactionTooLarge
      case MDB_KEYEXIST: .keyOutOfOrder
      case MDB_BAD_VALSIZE: .keySize
      case MDB_BAD_TXN: .transactionFailed
      case MDB_KEYEXIST...MDB_LAST_ERRCODE: .lmdb(code: code)
      default: .system(code: code)
      }
  }
}
