import CLMDB
import Glibc

extension LMDBError {
  /// The error as a sentence: the attempt, the file, the problem, and what to do if that is not
  /// obvious.
  package var message: String { "\(attempt): \(reason)" }

  /// The last component of `path`.
  private var name: String {
    path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
  }

  private var attempt: String {
    switch operation {
    case .open: "Cannot open \(path)"
    case .beginRead, .read: "Cannot read \(path)"
    case .beginWrite, .write: "Cannot write to \(path)"
    case .commit: "Cannot commit to \(path)"
    case .grow: "Cannot enlarge \(path)"
    case .copy: "Cannot copy to \(path)"
    }
  }

  private var reason: String {
    switch problem {
    case .noSuchFile: "there is no such file"
    case .noSuchDirectory(let directory): "there is no directory \(directory)"
    case .notAFile: "it is not a regular file"
    case .permissionDenied: "permission denied"
    case .readOnlyFileSystem: "its file system is read-only"
    case .lockFileUnavailable(code: ENOSPC), .lockFileUnavailable(code: EDQUOT):
      "the disk has no room for its lock file \(name)-lock; make some, or copy the file elsewhere"
    case .lockFileUnavailable(let code):
      "its lock file \(name)-lock cannot be made (\(text(code))); copy the file to a folder of yours"
    case .foreignLockFile:
      "its lock file \(name)-lock is in use by another version of LMDB; close the other programs"
    case .diskFull: "the disk is full; nothing was changed"
    case .quotaExceeded: "your disk quota is exceeded; nothing was changed"
    case .fileTooLarge: "the file size limit is reached (see `ulimit -f`); nothing was changed"
    case .tooManyOpenFiles: "too many files are open"
    case .outOfMemory: "there is not enough address space or memory (see `ulimit -v`)"
    case .inputOutput: "the disk reports an input/output error"
    case .networkFileSystem(let kind):
      "it is on a network file system (\(kind)), where locks do not hold; copy it to a local disk"
    case .forkedChild: "it was opened before this process was forked; open it after the fork"
    case .empty: "it is empty"
    case .notADatabase(let what): "it is not a Kennel file (\(what))"
    case .foreignVersion(let version): "it was written by version \(version) of LMDB's format"
    case .damagedHeader(let what): "it is damaged: \(what)"
    case .interruptedCommit:
      "its last commit was cut off and has to be undone; open it for writing once (`kennel FILE`)"
    case .damagedTree: "it is damaged: LMDB cannot follow its pages"
    case .tooManyReaders(let limit): "all \(limit) places for readers are taken"
    case .mapFull(let size): "it has reached its limit of \(size) bytes; try again"
    case .transactionTooLarge: "the transaction has changed too many pages; split it"
    case .keyOutOfOrder: "a key is not greater than the last one"
    case .keySize: "a key is empty or longer than 511 bytes"
    case .writerBusy: "another writer is at work; try again"
    case .readOnly(.requested): "it was opened for reading only"
    case .readOnly(.permissions): "you may not write to it"
    case .readOnly(.readOnlyFileSystem): "its file system is read-only"
    case .openReadOnlyHere: "this process has it open for reading only; close it first"
    case .openByAnotherName:
      "a program has it open by another of its names; open it by that name, or end the program"
    case .replacedOnDisk: "another file has taken its place; open it again"
    case .goneFromDisk: "it was deleted, moved or renamed while it was open"
    case .unchecked: "it was not checked yet"
    case .closed: "it was closed"
    case .transactionFailed: "an earlier step of the transaction failed"
    case .transactionFinished: "the transaction is over"
    case .wrongThread: "the transaction was begun on another thread, where it has to end"
    case .needsReopening: "an earlier commit failed half way; close it and open it again"
    case .lmdb(let code), .system(let code): text(code)
    }
  }

  private func text(_ code: Int32) -> String {
    unsafe String(cString: mdb_strerror(code)) + " (\(code))"
  }
}
