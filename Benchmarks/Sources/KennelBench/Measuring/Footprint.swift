import Glibc

/// What a process or a file takes.
enum Footprint {
  /// The most memory that this process has held, mapped files included.
  ///
  /// Not `getrusage`, which starts with what the process held that spawned this one: its
  /// high-water mark survives `exec`.
  static func peakBytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      var kilobytes = 0
      let found = withUnsafeMutablePointer(to: &kilobytes) { pointer in
        withVaList([pointer]) { vsscanf(line, "VmHWM: %ld kB", $0) }
      }
      if found == 1 { return kilobytes * 1024 }
    }
    return 0
  }

  /// The size of a file; 0 where there is none.
  static func bytes(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// How many bytes this process has handed to the system to write.
  ///
  /// Not `write_bytes`, which counts all of a large folio of the page cache where a page of it
  /// changed.
  static func bytesWritten() -> Int {
    guard let file = fopen("/proc/self/io", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      var bytes = 0
      let found = withUnsafeMutablePointer(to: &bytes) { pointer in
        withVaList([pointer]) { vsscanf(line, "wchar: %ld", $0) }
      }
      if found == 1 { return bytes }
    }
    return 0
  }
}
