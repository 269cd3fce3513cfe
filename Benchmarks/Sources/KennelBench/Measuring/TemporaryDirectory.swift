import Glibc

/// A directory for the files of a run, removed with all that is in it.
struct TemporaryDirectory: ~Copyable {
  let path: String

  /// Makes a directory below another one.
  init(in parent: String?) throws {
    let base = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/kennel-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchmarkError(
        "Cannot make a directory in \(base): \(String(cString: strerror(errno)))"
      )
    }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  /// Removes every file of a run, so that the next one starts from nothing.
  func clear() {
    guard let directory = opendir(path) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { unlink("\(path)/\(name)") }
    }
  }

  deinit {
    clear()
    rmdir(path)
  }
}
