import Foundation
import KennelTestSupport

/// The program that is killed, and the lines it writes.
final class TortureChild {
  private let process = Process()
  private let pipe = Pipe()
  private var rest: [UInt8] = []

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: try Executable.path("TortureProgram"))
    process.arguments = arguments
    process.environment = Executable.environment()
    process.standardOutput = pipe
    try process.start()
  }

  /// The next line; `nil` once the program has ended.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
  }

  /// The signal that ended it; `nil` if none did.
  func end() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }

  /// Whether the long form of the tests is asked for.
  static var isLong: Bool { ProcessInfo.processInfo.environment["KENNEL_LONG"] != nil }
}
