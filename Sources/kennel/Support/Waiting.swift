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
