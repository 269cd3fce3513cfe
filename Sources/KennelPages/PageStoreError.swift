/// An error of a page file or the operating system, as data.
package struct PageStoreError: Error, Equatable, Sendable {
  /// What was attempted.
  package enum Operation: String, Sendable, CaseIterable {
    case open = "open"
    case beginRead = "read"
    case beginWrite = "write to"
    case read = "read from"
    case write = "change"
    case commit = "commit to"
    case copy = "copy"
    case check = "check"
  }

  /// The problem.
  package enum Problem: Equatable, Sendable {
    case noSuchFile
    case noSuchDirectory
    case notAFile
    case permissionDenied
    case diskFull
    case fileTooLarge
    case tooManyOpenFiles
    case outOfMemory
    case networkFileSystem(String)
    case forkedChild
    case empty
    case notAPageFile
    case newerVersion(Int)
    case damaged(in: String, String)
    case lockFileUnavailable(code: Int32)
    case openByAnotherName
    case tooManyProcesses(limit: Int)
    case treeKeys(Int)
    case keySize(Int)
    case noteSize(Int)
    case valueSize(Int)
    case writerBusy
    case readOnly(PageStore.ReadOnlyReason)
    case openReadOnlyHere
    case replacedOnDisk
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
  /// What was attempted, on what, why it failed and what to do.
  package var description: String { "Cannot \(operation.rawValue) \(path): \(problem.sentence)" }
}

extension PageStoreError.Problem {
  fileprivate var sentence: String {
    switch self {
    case .noSuchFile: "there is no such file; check the path"
    case .noSuchDirectory: "its folder does not exist; create it first"
    case .notAFile: "it is not a regular file"
    case .permissionDenied: "its permissions do not allow it; change them or use another account"
    case .diskFull: "the disk is full; free some space and try again"
    case .fileTooLarge: "the file would become larger than the system allows; raise the limit"
    case .tooManyOpenFiles: "too many files are open; close some or raise the limit"
    case .outOfMemory: "there is not enough memory or address space"
    case .networkFileSystem(let name):
      "its network file system (\(name)) has no reliable locks; copy it to a local disk"
    case .forkedChild: "it was opened before a fork; open it in this process"
    case .empty: "the file is empty"
    case .notAPageFile: "it is not a file of pages"
    case .newerVersion(let version):
      "it has format \(version), this program reads \(Format.version); use a newer program"
    case .damaged(let place, let defect): "\(place) is damaged: \(defect); restore a backup"
    case .lockFileUnavailable(let code):
      "its lock file cannot be used (\(System.text(of: code))); check its permissions"
    case .openByAnotherName:
      "another process uses it with another lock file; close it there, or use the same name"
    case .tooManyProcesses(let limit): "more than \(limit) processes have it open; close some"
    case .treeKeys(let number): "tree \(number) has keys of another kind"
    case .keySize(let count):
      "a key has \(count) bytes; the limit is \(Format.maximumKeyByteCount)"
    case .noteSize(let count): "a note has \(count) bytes; the limit is \(Format.noteByteLimit)"
    case .valueSize(let count): "a value has \(count) bytes, which is too many"
    case .writerBusy: "another writer took too long; try again"
    case .readOnly(.requested): "it was opened for reading only; open it for writing"
    case .readOnly(.permissions): "its permissions allow reading only"
    case .readOnly(.readOnlyFileSystem): "its file system is mounted read-only"
    case .openReadOnlyHere: "this process has it open for reading only; close it there first"
    case .replacedOnDisk: "another file is at its path now; open that one"
    case .goneFromDisk: "it was deleted, moved or renamed; open it under its new name"
    case .closed: "it was closed; open it again"
    case .needsReopening:
      "a commit did not reach the disk; check the disk, and close the file in all processes"
    case .writerFinished: "the writer was committed or given up; begin another"
    case .cursorOutdated: "the cursor is from before a change; seek again"
    case .system(let code): System.text(of: code)
    }
  }
}

/// Gives a failure of the system the operation and the path.
func attempt<Result>(
  _ operation: PageStoreError.Operation,
  _ path: String,
  _ body: () throws(SystemError) -> Result
) throws(PageStoreError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw PageStoreError(code: error.code, operation, path: path)
  }
}
