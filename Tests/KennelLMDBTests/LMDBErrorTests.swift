import Glibc
import KennelLMDB
import Testing

/// Codes become facts, and facts become sentences.
struct LMDBErrorTests {
  @Test(arguments: [
    (ENOSPC, LMDBError.Problem.diskFull), (EDQUOT, .quotaExceeded), (EACCES, .permissionDenied),
    (EPERM, .permissionDenied), (EROFS, .readOnlyFileSystem), (EMFILE, .tooManyOpenFiles),
    (ENFILE, .tooManyOpenFiles), (ENOMEM, .outOfMemory), (EIO, .inputOutput), (ENOENT, .noSuchFile),
    (EFBIG, .fileTooLarge), (-30_799, .keyOutOfOrder), (-30_797, .damagedTree),
    (-30_796, .damagedTree), (-30_795, .needsReopening), (-30_790, .tooManyReaders(limit: 1024)),
    (-30_788, .transactionTooLarge), (-30_782, .transactionFailed), (-30_781, .keySize),
    (-30_784, .lmdb(code: -30_784)), (EDOM, .system(code: EDOM)),
  ])
  func `codes become facts`(code: Int32, problem: LMDBError.Problem) {
    #expect(LMDBError.Problem(code: code) == problem)
  }

  @Test(arguments: [
    (
      LMDBError.Problem.noSuchFile, LMDBError.Operation.open,
      "Cannot open /a/b.kennel: there is no such file"
    ),
    (.noSuchDirectory("/a"), .open, "Cannot open /a/b.kennel: there is no directory /a"),
    (.notAFile, .open, "Cannot open /a/b.kennel: it is not a regular file"),
    (.permissionDenied, .open, "Cannot open /a/b.kennel: permission denied"),
    (.readOnlyFileSystem, .open, "Cannot open /a/b.kennel: its file system is read-only"),
    (
      .lockFileUnavailable(code: EACCES), .open,
      "Cannot open /a/b.kennel: its lock file b.kennel-lock cannot be made (Permission denied (13)); copy the file to a folder of yours"
    ),
    (
      .foreignLockFile, .open,
      "Cannot open /a/b.kennel: its lock file b.kennel-lock is in use by another version of LMDB; close the other programs"
    ),
    (.diskFull, .commit, "Cannot commit to /a/b.kennel: the disk is full; nothing was changed"),
    (
      .quotaExceeded, .commit,
      "Cannot commit to /a/b.kennel: your disk quota is exceeded; nothing was changed"
    ),
    (
      .fileTooLarge, .write,
      "Cannot write to /a/b.kennel: the file size limit is reached (see `ulimit -f`); nothing was changed"
    ),
    (.tooManyOpenFiles, .open, "Cannot open /a/b.kennel: too many files are open"),
    (
      .outOfMemory, .grow,
      "Cannot enlarge /a/b.kennel: there is not enough address space or memory (see `ulimit -v`)"
    ),
    (.inputOutput, .read, "Cannot read /a/b.kennel: the disk reports an input/output error"),
    (
      .networkFileSystem("NFS"), .open,
      "Cannot open /a/b.kennel: it is on a network file system (NFS), where locks do not hold; copy it to a local disk"
    ),
    (
      .forkedChild, .beginRead,
      "Cannot read /a/b.kennel: it was opened before this process was forked; open it after the fork"
    ),
    (.empty, .open, "Cannot open /a/b.kennel: it is empty"),
    (
      .notADatabase("it is too short"), .open,
      "Cannot open /a/b.kennel: it is not a Kennel file (it is too short)"
    ),
    (
      .foreignVersion(2), .open,
      "Cannot open /a/b.kennel: it was written by version 2 of LMDB's format"
    ),
    (
      .damagedHeader("its last page is 0"), .open,
      "Cannot open /a/b.kennel: it is damaged: its last page is 0"
    ),
    (
      .damagedTree, .write,
      "Cannot write to /a/b.kennel: it is damaged: LMDB cannot follow its pages"
    ),
    (
      .interruptedCommit, .open,
      "Cannot open /a/b.kennel: its last commit was cut off and has to be undone; "
        + "open it for writing once (`kennel FILE`)"
    ),
    (
      .tooManyReaders(limit: 1024), .beginRead,
      "Cannot read /a/b.kennel: all 1024 places for readers are taken"
    ),
    (
      .mapFull(sizeInBytes: 9), .write,
      "Cannot write to /a/b.kennel: it has reached its limit of 9 bytes; try again"
    ),
    (
      .transactionTooLarge, .write,
      "Cannot write to /a/b.kennel: the transaction has changed too many pages; split it"
    ),
    (.keyOutOfOrder, .write, "Cannot write to /a/b.kennel: a key is not greater than the last one"),
    (.keySize, .write, "Cannot write to /a/b.kennel: a key is empty or longer than 511 bytes"),
    (.writerBusy, .beginWrite, "Cannot write to /a/b.kennel: another writer is at work; try again"),
    (
      .readOnly(.requested), .beginWrite,
      "Cannot write to /a/b.kennel: it was opened for reading only"
    ),
    (.readOnly(.permissions), .beginWrite, "Cannot write to /a/b.kennel: you may not write to it"),
    (
      .readOnly(.readOnlyFileSystem), .beginWrite,
      "Cannot write to /a/b.kennel: its file system is read-only"
    ),
    (
      .openReadOnlyHere, .open,
      "Cannot open /a/b.kennel: this process has it open for reading only; close it first"
    ),
    (
      .openByAnotherName, .open,
      "Cannot open /a/b.kennel: a program has it open by another of its names; open it by that name, "
        + "or end the program"
    ),
    (
      .goneFromDisk, .beginWrite,
      "Cannot write to /a/b.kennel: it was deleted, moved or renamed while it was open"
    ),
    (
      .replacedOnDisk, .commit,
      "Cannot commit to /a/b.kennel: another file has taken its place; open it again"
    ),
    (.unchecked, .beginWrite, "Cannot write to /a/b.kennel: it was not checked yet"),
    (.closed, .beginRead, "Cannot read /a/b.kennel: it was closed"),
    (
      .transactionFailed, .commit,
      "Cannot commit to /a/b.kennel: an earlier step of the transaction failed"
    ),
    (.transactionFinished, .commit, "Cannot commit to /a/b.kennel: the transaction is over"),
    (
      .needsReopening, .beginWrite,
      "Cannot write to /a/b.kennel: an earlier commit failed half way; close it and open it again"
    ),
    (.system(code: EDOM), .open, "Cannot open /a/b.kennel: Numerical argument out of domain (33)"),
  ])
  func `facts become sentences`(
    problem: LMDBError.Problem,
    operation: LMDBError.Operation,
    sentence: String
  ) {
    #expect(LMDBError(problem, operation, path: "/a/b.kennel").message == sentence)
  }

  @Test(arguments: [
    (UInt32(0x6969), "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"), (0x0102_1997, "9P"),
  ])
  func `network file systems have names`(number: UInt32, name: String) {
    #expect(FileSystemKind.networkName(number: number) == name)
  }

  @Test(arguments: [UInt32(0xEF53), 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630])
  func `local file systems have none`(number: UInt32) {
    #expect(FileSystemKind.networkName(number: number) == nil)
  }
}
