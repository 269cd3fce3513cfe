/// An open data file, and the locks that say so.
///
/// | byte behind 2^62 | locked |
/// |---|---|
/// | 0 | shared while the file is open, exclusively to replace it |
/// | 1 + *n* | shared by who reads commit *n* and cannot say so in the lock file |
///
/// The byte whose number is the inode of the lock file is shared too: so a process finds out that
/// another one uses the file with another lock file, because the file has two names, or because
/// somebody deleted the lock file. Two lock files would let two writers in.
struct FileHold: Sendable {
  static let useByte = 1 << 62
  private static let firstPinByte = useByte + 1

  /// For bytes and maps.
  let descriptor: Int32
  /// For locks.
  ///
  /// A map keeps the open file that it was made with, and would keep its locks.
  private let lockDescriptor: Int32
  let identity: FileIdentity

  /// Opens a file and waits for a process that replaces it.
  static func shared(
    path: String,
    _ access: System.Access
  ) throws(SystemError) -> FileHold {
    while true {
      let hold = try FileHold(opening: path, access)
      do throws(SystemError) {
        _ = try hold.lock(.shared, waits: true)
        if let found = try? System.facts(path: path), found.identity == hold.identity {
          return hold
        }
      } catch {
        hold.close()
        throw error
      }
      hold.close()
    }
  }

  /// Opens a file that no other process has open, and locks others out; `nil` if one has.
  static func alone(path: String) throws(SystemError) -> FileHold? {
    let hold = try FileHold(opening: path, .readWrite)
    if try hold.lock(.exclusive, waits: false) { return hold }
    hold.close()
    return nil
  }

  private init(opening path: String, _ access: System.Access) throws(SystemError) {
    let descriptor = try System.openFile(path, access)
    do throws(SystemError) {
      lockDescriptor = try System.openFile(path, access == .readOnly ? .readOnly : .readWrite)
    } catch {
      System.closeFile(descriptor)
      throw error
    }
    self.descriptor = descriptor
    Forks.add(descriptor)
    Forks.add(lockDescriptor)
    let facts = [try? System.facts(descriptor), try? System.facts(lockDescriptor)]
    identity = facts[0]?.identity ?? FileIdentity(device: 0, inode: 0)
    // The name may lead to another file since; the callers look at it once more.
    if facts[1]?.identity != identity {
      close()
      throw SystemError(code: System.staleFile)
    }
  }

  private func lock(_ mode: FileLock.Mode, waits: Bool) throws(SystemError) -> Bool {
    try FileLock.set(lockDescriptor, .descriptor, mode, at: Self.useByte, waits: waits)
  }

  /// Marks the lock file in use; false if another process uses a different one.
  func marks(_ lockFile: FileIdentity) throws(SystemError) -> Bool {
    let byte = Int(lockFile.inode & 0x3FFF_FFFF_FFFF_FFFF)
    guard try FileLock.set(lockDescriptor, .descriptor, .shared, at: byte) else { return false }
    if byte > 0, try FileLock.isTaken(lockDescriptor, .descriptor, at: 0, count: byte) {
      return false
    }
    let above = Self.useByte - byte - 1
    if above == 0 { return true }
    return try !FileLock.isTaken(lockDescriptor, .descriptor, at: byte + 1, count: above)
  }

  /// Whether a process uses the file with a lock file, whichever.
  func isMarked() throws(SystemError) -> Bool {
    try FileLock.isTaken(lockDescriptor, .descriptor, at: 0, count: Self.useByte)
  }

  // MARK: - Pins without a lock file

  /// Keeps the pages of a commit as long as the file is open.
  ///
  /// It needs no permission but to read the file, and holds whichever name others know the file by.
  func pin(_ commit: UInt64) throws(SystemError) { try setPin(commit, .shared) }

  func unpin(_ commit: UInt64) throws(SystemError) { try setPin(commit, .none) }

  private func setPin(_ commit: UInt64, _ mode: FileLock.Mode) throws(SystemError) {
    let byte = Self.firstPinByte + Int(clamping: commit & (1 << 61 - 1))
    _ = try FileLock.set(lockDescriptor, .descriptor, mode, at: byte)
  }

  /// The oldest commit that others have pinned so; `nil` if there is none.
  var oldestPin: UInt64? {
    var oldest: Int?
    while oldest != 0 {
      let count = oldest ?? Int.max - Self.firstPinByte
      do throws(SystemError) {
        let byte = try FileLock.firstTaken(lockDescriptor, at: Self.firstPinByte, count: count)
        guard let byte else { break }
        // The system names any, so there may be an older one.
        oldest = max(0, byte - Self.firstPinByte)
      } catch {
        return 0
      }
    }
    return oldest.map(UInt64.init)
  }

  /// Gives back the locks and closes the file.
  func close() {
    for descriptor in [descriptor, lockDescriptor] {
      Forks.remove(descriptor)
      System.closeFile(descriptor)
    }
  }
}
