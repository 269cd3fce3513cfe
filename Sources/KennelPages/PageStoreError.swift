/// An error of a page file or the operating system, as data.
package struct PageStoreError: Error, Equatable, Sendable {
  package enum Operation: Sendable, CaseIterable {
    case open
    case beginRead
    case beginWrite
    case read
    case write
    case commit
    case copy
    case check
  }

  /// The problem.
  package enum Problem: Equatable, Sendable {
    case noSuchFile
    case noSuchDirectory(String)
    case notAFile
    case permissionDenied
    case diskFull
    case quotaExceeded
    case inputOutput
    case fileTooLarge
    case tooManyOpenFiles
    case outOfMemory
    case networkFileSystem(String)
    case forkedChild
    case empty
    case notAPageFile
    /// A file from before the first release.
    case olderFormat
    case newerVersion(Int)
    case damaged(in: String, String)
    /// Its checksum is right, and nobody with the key has written it.
    case forged(in: String)
    case keyNeeded
    /// It was opened with a key.
    case notEncrypted
    case cipher(CipherFailure)
    case lockFileUnavailable(code: Int32)
    /// The newest commit that it names cannot be known.
    case lockFileUnreadable
    case openByAnotherName
    case tooManyProcesses(limit: Int)
    case treeKeys(Int)
    case keySize(Int)
    case noteSize(Int)
    case valueSize(Int)
    /// Another writer is at work; in this process, which has it, or it is not known where.
    case writerBusy(processID: Int?)
    case cancelled
    case readOnly(PageStore.ReadOnlyReason)
    case openReadOnlyHere
    case replacedOnDisk
    case overwrittenOnDisk
    case goneFromDisk
    case closed
    case needsReopening
    case writerFinished
    case cursorOutdated
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

  init(code: Int32, _ operation: Operation, path: String) {
    self.init(System.problem(of: code), operation, path: path)
  }
}

extension PageStoreError: CustomStringConvertible {
  /// The error as a sentence: the attempt, the file, the problem, and what to do if that is not
  /// obvious.
  package var description: String { "\(attempt) \(path): \(reason)" }

  private var attempt: String {
    switch operation {
    case .open: "Cannot open"
    case .beginRead, .read: "Cannot read"
    case .beginWrite, .write: "Cannot write to"
    case .commit: "Cannot commit to"
    case .copy: "Cannot copy to"
    case .check: "Cannot check"
    }
  }

  /// The name of the lock file.
  private var lockName: String {
    (path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path)
      + "-lock"
  }

  private var reason: String {
    switch problem {
    case .noSuchFile: "there is no such file"
    case .noSuchDirectory(let directory): "there is no directory \(directory)"
    case .notAFile: "it is not a regular file"
    case .permissionDenied: "permission denied"
    case .diskFull: "the disk is full; nothing was changed"
    case .quotaExceeded: "your disk quota is exceeded; nothing was changed"
    case .fileTooLarge: "the file size limit is reached (see `ulimit -f`); nothing was changed"
    case .tooManyOpenFiles: "too many files are open"
    case .outOfMemory: "there is not enough address space or memory (see `ulimit -v`)"
    case .inputOutput: "the disk reports an input/output error"
    case .networkFileSystem(let name):
      "it is on a network file system (\(name)), where locks do not hold; copy it to a local disk"
    case .forkedChild: "it was opened before this process was forked; open it after the fork"
    case .empty: "it is empty"
    case .notAPageFile: "it is not a Kennel file"
    case .olderFormat:
      "it is from before the first release; export it with the program that wrote it "
        + "(`kennel export`), and import the documents"
    case .newerVersion(let version):
      "its pages have format \(version), this program reads up to \(Format.version)"
    case .damaged(let place, let defect): "it is damaged: \(place): \(defect)"
    case .forged(let place):
      "\(place) was not written with the key of this file: somebody has changed it, or put it there from "
        + "another file or another time; do not trust it, and take a backup"
    case .keyNeeded: "it is encrypted; give its key or passphrase"
    case .notEncrypted: "it is not encrypted; open it without a key"
    case .cipher(.wrongKey): "the key or passphrase is wrong"
    case .cipher(.unknownSlots(let defect)): "its key slots cannot be read: \(defect)"
    case .cipher(.noRandomNumbers(let code)):
      "the system gives no random numbers (\(System.text(of: code))), without which nothing is encrypted"
    case .cipher(.library(let name)): "libcrypto failed (\(name))"
    case .lockFileUnreadable:
      "a program has it open or was killed with it, and its lock file \(lockName) cannot be read; ask "
        + "its owner to open it once: then both may be read by the same people"
    case .lockFileUnavailable(let code) where System.isDiskFull(code):
      "the disk has no room for its lock file \(lockName); make some, or copy the file elsewhere"
    case .lockFileUnavailable(let code) where System.isForeign(code):
      "what is at the name of its lock file \(lockName) is not a lock file; remove it"
    case .lockFileUnavailable(let code):
      "its lock file \(lockName) cannot be made (\(System.text(of: code))); copy the file to a folder "
        + "of yours"
    case .openByAnotherName:
      "a program has it open by another of its names; open it by that name, or end the program"
    case .tooManyProcesses(let limit): "all \(limit) places for readers are taken"
    case .treeKeys(let number): "it is damaged: the keys of tree \(number) are of another kind"
    case .keySize(let count):
      "a key has \(count) bytes; the limit is \(Format.maximumKeyByteCount)"
    case .noteSize(let count): "a note has \(count) bytes; the limit is \(Format.noteByteLimit)"
    case .valueSize(let count): "a value has \(count) bytes, which is too many"
    case .writerBusy(nil): "another program is writing to it; try again"
    case .writerBusy(System.processID?): "another thread of this program writes to it; try again"
    case .writerBusy(let id?): "process \(id) is writing to it; try again when it is done"
    case .cancelled: "it was cancelled while it waited for another writer; nothing was changed"
    case .readOnly(.requested): "it was opened for reading only"
    case .readOnly(.permissions): "you may not write to it"
    case .readOnly(.readOnlyFileSystem): "its file system is read-only"
    case .readOnly(.lockFile(let code)):
      "its lock file \(lockName) cannot be made or written (\(System.text(of: code)))"
    case .openReadOnlyHere: "this process has it open for reading only; close it first"
    case .replacedOnDisk: "another file has taken its place; open it again"
    case .overwrittenOnDisk:
      "another program has overwritten it with other data; open it again"
    case .goneFromDisk: "it was deleted, moved or renamed while it was open"
    case .closed: "it was closed"
    case .needsReopening:
      "a commit did not reach the disk; check the disk, and close the file in all processes"
    case .writerFinished: "the transaction is over"
    case .cursorOutdated: "the cursor is from before a change; seek again"
    case .system(let code): System.text(of: code) + " (\(code))"
    }
  }
}

/// Gives a failure of the system the operation and the path.
func attempt<Result>(
  _ operation: PageStoreError.Operation,
  _ path: String,
  _ body: @autoclosure () throws(SystemError) -> Result
) throws(PageStoreError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw PageStoreError(code: error.code, operation, path: path)
  }
}
