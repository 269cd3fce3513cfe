import CRealmSupport
import Foundation
@_spi(Faces) import KennelCore

/// Stops the program with a sentence about a mistake of its caller, as Realm raises an exception.
///
/// It is called before anything is changed, and with no lock held, so that a test that catches it
/// with ``catchRealmException(_:)`` can go on.
///
/// - Parameter message: What was attempted, on what, and what to do instead.
/// - Returns: Never.
@usableFromInline
internal func throwRealmException(_ message: String) -> Never {
  MistakeCatcher.current?.stop(message)
  callerMistake(message)
}

/// Runs a body that misuses the interface, for tests.
///
/// The body runs on another thread that stands in for the calling thread and can use its realms. A
/// mistake stops that thread for good: nothing on its stack is ever released.
///
/// - Parameter body: What to run.
/// - Returns: The sentence that would have stopped the program; `nil` if nothing did.
@_spi(Tests)
public func catchRealmException(_ body: @escaping () -> Void) -> String? {
  MistakeCatcher().message(of: body)
}

/// Catches the mistake of a body that runs on another thread while a test waits.
internal final class MistakeCatcher: @unchecked Sendable {
  /// The catcher of the running thread; `nil` where a mistake stops the program.
  @TaskLocal static var current: MistakeCatcher?

  /// Signaled by the thread of the body when it is done or has a question, and by the calling thread
  /// when it has answered that.
  private let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  /// Set by one thread before it signals the other.
  private var message: String?
  private var question: RealmHome?
  private var answer = false

  func message(of body: @escaping () -> Void) -> String? {
    let caller = kennel_this_thread()
    // Safe to use: this thread waits for the body.
    @safe nonisolated(unsafe) let body = body
    Thread.detachNewThread {
      kennel_stand_for_thread(caller)
      Self.$current.withValue(self, operation: body)
      self.asked.signal()
    }
    asked.wait()
    while let home = question {
      answer = home.isHere
      question = nil
      answered.signal()
      asked.wait()
    }
    return message
  }

  /// Whether the calling thread, which waits, is on a queue or actor.
  func isHere(_ home: RealmHome) -> Bool {
    question = home
    asked.signal()
    answered.wait()
    return answer
  }

  /// Hands a message over and stops the running thread.
  func stop(_ message: String) -> Never {
    self.message = message
    asked.signal()
    while true { Thread.sleep(until: .distantFuture) }
  }
}
