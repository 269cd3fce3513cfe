import FoundationEssentials
import Glibc

/// A PostgreSQL server of the benchmark's own, on a socket in a folder of its own.
///
/// Safe to use: it owns the stream.
@safe struct PostgresServer: ~Copyable {
  /// The folder of the socket.
  let folder: String
  /// The server runs until it is closed.
  private let input: UnsafeMutablePointer<FILE>

  /// Starts a server.
  ///
  /// - Parameter directory: Where a file is made that it says its folder in.
  /// - Throws: `BenchmarkError` if it does not start; it has said why.
  init(in directory: String) throws {
    let said = "\(directory)/postgres"
    // Its end is an error here.
    signal(SIGPIPE, SIG_IGN)
    guard let input = unsafe popen("exec Scripts/postgres > '\(said)'", "w") else {
      throw BenchmarkError("There are no more pipes")
    }
    var folder = ""
    while !folder.hasSuffix("\n") {
      usleep(20_000)
      folder = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
      // Whoever has ended reads no more.
      if unsafe fputc(10, input) == EOF || fflush(input) == EOF {
        throw BenchmarkError("PostgreSQL does not start")
      }
    }
    self.folder = String(folder.dropLast())
    unsafe self.input = input
  }

  deinit { unsafe pclose(input) }
}
