import Glibc
import KennelCore

extension Database {
  /// Opens a database of Kennel's that is there; asks for the key of an encrypted one if none was given.
  static func openExisting(
    _ path: String,
    _ access: Configuration.Access = .readWrite
  ) throws -> Database {
    let key = try FileKeys.key(of: path)
    return try open(
      path,
      configuration: Configuration(access: access, createsIfMissing: false, key: key)
    )
  }

  /// Writes a whole database anew, beside its place, and puts it there.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - key: The key that opens it; `nil` if it is not encrypted.
  ///   - encryption: Whether it is encrypted then.
  /// - Returns: How many bytes it had before.
  /// - Throws: `CommandError` if it stays as it is, or `DatabaseError`.
  @discardableResult
  static func rewrite(
    _ path: String,
    key: Key?,
    _ encryption: Encryption = .unchanged
  ) throws -> Int {
    var before = 0
    Interruption.watch(Interruption.leavingAlone(path))
    let isDone = try compact(path, key: key, encryption: encryption) { total, _ in
      before = total
      // Nobody else can be compacting it now, so the copy is this program's.
      let copy = followed(path) + "-compacting"
      Interruption.willLeave(copy, copy + "-lock")
      return true
    }
    guard isDone else {
      throw CommandError(
        "\(path) stays as it is: a program has it open, it has several names, or it may not be "
          + "written"
      )
    }
    return before
  }

  /// Runs a body in a write transaction; who waits for another program at a terminal is told for which one.
  ///
  /// - Parameter body: What to do.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError`; nothing is changed then.
  func writeWhenFree<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    var hasBegun = false
    do {
      return try write(waitingAtMost: isatty(STDERR_FILENO) != 0 ? .seconds(2) : nil) {
        hasBegun = true
        return try body($0)
      }
    } catch let error as DatabaseError where error.code == .busy && !hasBegun {
      let writer = error.processID.map { "process \($0)" } ?? "another program"
      printNote("\(path): \(writer) is writing to it; waiting until it is done (^C gives up)")
      return try write(body)
    }
  }
}
