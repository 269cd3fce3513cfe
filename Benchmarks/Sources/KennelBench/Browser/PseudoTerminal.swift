import CPseudoTerminal
import Glibc

/// A terminal without a window, seen from the side of its screen and keyboard.
final class PseudoTerminal {
  let columns: Int
  let rows: Int
  /// The side of the program that runs in it.
  let path: String
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(columns: Int, rows: Int) throws {
    self.columns = columns
    self.rows = rows
    var name = [CChar](repeating: 0, count: 256)
    descriptor = unsafe pseudo_terminal_open(UInt16(columns), UInt16(rows), &name, name.count)
    path = unsafe name.withUnsafeBufferPointer {
      unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    guard descriptor >= 0 else {
      throw BenchmarkError(unsafe "Cannot make a terminal: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Presses keys.
  func write(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw BenchmarkError(
        unsafe "Cannot write to the terminal: \(String(cString: strerror(errno)))"
      )
    }
  }

  /// What the program has written, as soon as there is something.
  ///
  /// - Returns: Nothing where nothing came in time; `nil` where the program is gone.
  func read(within milliseconds: Double) -> ArraySlice<UInt8>? {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&wanted, 1, Int32(max(0, milliseconds.rounded(.up))))
    if count == 0 || count < 0 && errno == EINTR { return [] }
    let read = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if read > 0 { return buffer[..<read] }
    return read < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }
}
