import Glibc

/// A thread that counts what it does.
final class Worker: Sendable {
  private let thread: pthread_t
  private let task: Task

  /// Written by the thread before it ends, read by ``wait()`` after that.
  private final class Task: @unchecked Sendable {
    let body: @Sendable () throws -> Int
    var outcome: Result<Int, any Error> = .success(0)

    init(_ body: @escaping @Sendable () throws -> Int) { self.body = body }
  }

  /// Starts a thread.
  init(_ body: @escaping @Sendable () throws -> Int) {
    task = Task(body)
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(task).toOpaque()
    unsafe pthread_create(
      &thread,
      nil,
      { argument in
        if let argument = unsafe argument {
          let task = unsafe Unmanaged<Task>.fromOpaque(argument).takeRetainedValue()
          task.outcome = Result { try task.body() }
        }
        return nil
      },
      unsafe argument
    )
    self.thread = thread
  }

  /// Waits for the end of the thread.
  func wait() throws -> Int {
    pthread_join(thread, nil)
    return try task.outcome.get()
  }
}
