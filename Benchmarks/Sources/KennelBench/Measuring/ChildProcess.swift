import Glibc

/// This program once more, or another one, in a process of its own.
enum ChildProcess {
  /// Runs this program, or that at a path, with arguments.
  ///
  /// - Returns: What it printed.
  /// - Throws: `BenchmarkError` if it cannot be started or fails; it has said why.
  static func output(
    of arguments: [String],
    running program: String? = nil
  ) throws -> [UInt8] {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw BenchmarkError("There are no more pipes") }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
    unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    defaultInterrupt(&attributes)

    var child = pid_t()
    let path = program ?? executablePath()
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map {
      unsafe strdup($0)
    }
    unsafe pointers.append(nil)
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    let failure = unsafe posix_spawn(&child, path, &actions, &attributes, pointers, environ)
    close(ends[1])
    defer { close(ends[0]) }
    guard failure == 0 else {
      throw BenchmarkError(unsafe "Cannot run \(path): \(String(cString: strerror(failure)))")
    }
    let output = readAll(ends[0])
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw BenchmarkError("'\(arguments.joined(separator: " "))' failed with status \(status)")
    }
    return output
  }

  /// Runs a command of the shell.
  ///
  /// - Returns: What it printed.
  /// - Throws: `BenchmarkError` if it fails.
  @discardableResult
  static func shell(_ command: String) throws -> [UInt8] {
    try output(of: ["-c", command], running: "/bin/sh")
  }

  /// How long a command of the shell takes.
  static func milliseconds(_ command: String) throws -> Double {
    try Elapsed.of { try shell(command) }.1.milliseconds
  }

  /// The most memory that one of the processes that have ended held.
  static var peakMegabytes: Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1000
  }

  /// The `kennel` beside this program, or another one that can be run.
  static func kennel(_ path: String?, for benchmark: String) throws -> String {
    let kennel = path ?? neighbor("kennel")
    guard unsafe access(kennel, X_OK) == 0 else {
      throw BenchmarkError("There is no \(kennel); make bench BENCH=\(benchmark) builds it")
    }
    return kennel
  }

  /// Lets an interrupt end the child only: its end is an error here, and the files are removed.
  static func outliveInterrupts() {
    signal(SIGINT, SIG_IGN)
  }

  /// The path of a program in the directory of this one.
  static func neighbor(_ name: String) -> String {
    let path = executablePath()
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }

  private static func defaultInterrupt(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
  }

  /// The file of this program, wherever it was started from.
  private static func executablePath() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard length > 0 else { return CommandLine.arguments[0] }
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count > 0 {
        output += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return output
      }
    }
  }
}
