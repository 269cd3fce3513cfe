import FoundationEssentials
import Glibc

/// What a process or a file takes.
enum Footprint {
  /// The most memory that this process has held, mapped files included.
  ///
  /// Not `getrusage`, which starts with what the process held that spawned this one: its
  /// high-water mark survives `exec`.
  static func peakBytes() -> Int {
    1024 * (number("VmHWM: %ld", in: "/proc/self/status") ?? 0)
  }

  /// The memory of a process that no file backs.
  static func anonymousBytes(of process: pid_t) -> Int {
    1024 * (number("RssAnon: %ld", in: "/proc/\(process)/status") ?? 0)
  }

  /// How long the threads of a process have run.
  static func processorSeconds(of process: pid_t) -> Double {
    let tasks =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let nanoseconds = tasks.compactMap {
      number("%ld", in: "/proc/\(process)/task/\($0)/schedstat")
    }
    return Double(nanoseconds.reduce(0, +)) / 1e9
  }

  /// The size of a file; 0 where there is none.
  static func bytes(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// How many bytes this process has handed to the system to write.
  ///
  /// Not `write_bytes`, which counts all of a large folio of the page cache where a page of it
  /// changed.
  static func bytesWritten() -> Int {
    number("wchar: %ld", in: "/proc/self/io") ?? 0
  }

  /// The number in the first line of a file that has a form.
  private static func number(_ form: String, in path: String) -> Int? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, Int32(line.count), file) != nil {
      var number = 0
      let found = unsafe withUnsafeMutablePointer(to: &number) { pointer in
        unsafe withVaList([pointer]) { unsafe vsscanf(line, form, $0) }
      }
      if found == 1 { return number }
    }
    return nil
  }
}
