import Glibc

/// A directory for the files of a run, removed with all that is in it.
struct TemporaryDirectory: ~Copyable {
  let path: String

  /// Makes a directory below another one.
  init(in parent: String?) throws {
    let base = unsafe parent ?? getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/kennel-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw BenchmarkError(
        unsafe "Cannot make a directory in \(base): \(String(cString: strerror(errno)))"
      )
    }
    path = unsafe template.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// Removes every file of a run, so that the next one starts from nothing.
  func clear() {
    guard let directory = unsafe opendir(path) else { return }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { unsafe unlink("\(path)/\(name)") }
    }
  }

  deinit {
    clear()
    unsafe rmdir(path)
  }
}
