internal import Glibc
internal import KennelBrowser
internal import Synchronization

/// Files that other programs show, which are removed when this one ends: what shows them reads them when it
/// likes, and seldom says when it is done.
enum OpenedFiles {
  private static let paths = Mutex<[String]>([])

  /// Writes bytes to a file that nobody else can read, and has the person's program for such files open it.
  ///
  /// - Returns: Why none does; `nil` where one was found.
  static func open(_ bytes: [UInt8], ending: String) -> String? {
    let folder = Terminal.variable("TMPDIR")
    var name = Array("\(folder.isEmpty ? "/tmp" : folder)/kennel-XXXXXX.\(ending)".utf8CString)
    let file = unsafe mkstemps(&name, Int32(ending.utf8.count + 1))
    guard file >= 0 else { return "No temporary file can be made for another program" }
    let path = unsafe name.withUnsafeBufferPointer {
      unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    paths.withLock { $0.append(path) }
    CrashHandler.willRemove(path)
    let isWritten = Terminal.write(bytes, to: file)
    guard close(file) == 0, isWritten else { return "The temporary file cannot be written" }
    let command = "exec xdg-open \"$1\" </dev/null >/dev/null 2>&1"
    let code = ExternalEditor.run(command, argument: path)
    if code == 0 { return nil }
    let reason =
      code == 127
      ? "There is no xdg-open here, which opens files in other programs"
      : "No program here opens \(ending) files"
    return "\(reason); s saves it in a file"
  }

  /// Removes all files.
  static func remove() {
    for path in paths.withLock({ $0 }) { unsafe unlink(path) }
    paths.withLock { $0 = [] }
  }
}
