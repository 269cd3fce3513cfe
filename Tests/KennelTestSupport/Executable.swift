import CPseudoTerminal
package import Foundation
import Testing

/// Programs that the tests start.
package enum Executable {
  /// The path of a program of this package, which stands beside the tests themselves.
  package static func path(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let tests = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
    let folder = tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)]
    let path = "\(folder)/\(name)"
    guard unsafe access(path, X_OK) == 0 else { throw TestFailure("There is no program \(path)") }
    return path
  }

  /// The path of a program of the system.
  package static func system(_ name: String) throws -> String {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    for folder in path.split(separator: ":") where unsafe access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw TestFailure("\(name) is missing: sudo apt-get install \(name)")
  }

  /// What every program of a test starts with, so that no result depends on the machine.
  package static func environment(
    adding others: [String: String] = [:],
    home: String = "/nonexistent"
  ) -> [String: String] {
    unsafe [
      "PATH": getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin",
      "HOME": home,
      "LANG": "C.UTF-8",
      "TZ": "UTC",
      "SHELL": "/bin/sh",
      "SWIFT_BACKTRACE": "enable=no",
    ].merging(others) { $1 }
  }

  /// After how many seconds a program is killed: it may wait for input that never comes.
  fileprivate static let timeLimit = 300

  /// Runs a program to its end; returns its status and what it wrote to standard output.
  @discardableResult
  package static func run(
    _ path: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws -> (status: Int32, output: String) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw TestFailure("pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let child = unsafe withCStrings([path] + arguments) { words in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        unsafe piped_spawn(ends[1], path, words, variables)
      }
    }
    close(ends[1])
    guard child > 0 else { throw TestFailure("Cannot run \(path): \(errno)") }
    let end = ContinuousClock.now + .seconds(timeLimit)
    var isLate = false
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while !isLate {
      var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&descriptor, 1, 1_000) > 0 else {
        isLate = ContinuousClock.now > end
        continue
      }
      let count = unsafe read(ends[0], &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    if isLate { kill(child, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    if isLate { throw TestFailure("\(path) ran for \(timeLimit) seconds and was killed") }
    return (status, String(decoding: bytes, as: UTF8.self))
  }
}

extension Process {
  /// Starts the program; if it still runs at the time limit, it is killed and the tests fail.
  package func start() throws {
    try run()
    let limit = DispatchTime.now() + .seconds(Executable.timeLimit)
    DispatchQueue.global().asyncAfter(deadline: limit) { [weak self] in
      // One that nobody waits for any more keeps no files open until then.
      guard let self, isRunning else { return }
      kill(processIdentifier, SIGKILL)
      let program = executableURL?.path ?? "A program"
      Issue.record("\(program) ran for \(Executable.timeLimit) seconds and was killed")
    }
  }
}

/// Why a test cannot go on, as a sentence.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Calls a closure with the strings as C takes them, ending in a null pointer.
func withCStrings<Result>(
  _ strings: [String],
  _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { (text: String) in
    unsafe strdup(text)
  }
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe body(copies + [nil])
}
