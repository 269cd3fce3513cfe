internal import Glibc

/// A pipe that wakes a thread which waits for other descriptors too.
final class WakePipe: Sendable {
  /// Where bytes are written.
  let input: Int32

  /// Readable while there are bytes.
  let output: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    output = ends[0]
    input = ends[1]
  }

  deinit {
    close(input)
    close(output)
  }

  /// Makes the pipe readable.
  func wake() {
    var byte: UInt8 = 0
    unsafe write(input, &byte, 1)
  }

  /// Takes the bytes that are there.
  func take() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(output, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
