/// An open data file, and the locks that say so.
///
/// | byte behind 2^62 | locked |
/// |---|---|
/// | 0 | shared while the file is open, exclusively to replace it |
///
/// The byte whose number is the inode of the lock file is shared too: so a process finds out that
/// another one uses the file with another lock file, because the file has two names, or because
/// somebody deleted the lock file. Two lock files would let two writers in.
struct FileHold: Sendable {
  static let useByte = 1 << 62

  let descriptor: Int32
  let identity: FileIdentity
  let isWritable: Bool

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
    descriptor = try System.open(path, access)
    isWritable = access != .readOnly
    do throws(SystemError) {
      identity = try System.facts(descriptor).identity
    } catch {
      System.close(descriptor)
      throw error
    }
    Forks.add(descriptor)
  }

  private func lock(_ mode: FileLock.Mode, waits: Bool) throws(SystemError) -> Bool {
    try FileLock.set(descriptor, .descriptor, mode, at: Self.useByte, waits: waits)
  }

  /// Marks the lock file in use; false if another process uses a different one.
  func marks(_ lockFile: FileIdentity) throws(SystemError) -> Bool {
    let byte = Int(lockFile.inode & 0x3FFF_FFFF_FFFF_FFFF)
    guard try FileLock.set(descriptor, .descriptor, .shared, at: byte) else { return false }
    if byte > 0, try FileLock.isTaken(descriptor, .descriptor, at: 0, count: byte) { return false }
    let above = Self.useByte - byte - 1
    if above == 0 { return true }
    return try !FileLock.isTaken(descriptor, .descriptor, at: byte + 1, count: above)
  }

  /// Gives back the locks and closes the file.
  func close() {
    Forks.remove(descriptor)
    System.close(descriptor)
  }
}
