import CRealmSupport

/// Stops the program with a sentence about a mistake of its caller, as Realm raises an exception.
///
/// It is called before anything is changed, and with no lock held, so that a test that catches it
/// with ``catchRealmException(_:)`` can go on.
///
/// - Parameter message: What was attempted, on what, and what to do instead.
/// - Returns: Never.
@usableFromInline
internal func throwRealmException(_ message: String) -> Never {
  if kennel_can_escape() { message.withCString { kennel_escape($0) } }
  callerMistake(message)
}

private func callerMistake(_ message: String) -> Never {
  fatalError(message)
}

/// Runs a body that misuses the interface, for tests.
///
/// What was on the body's stack is leaked when it is left, so this is for tests only. The runtime's
/// checks of exclusive access are off from the first call on.
///
/// - Parameter body: The code that misuses the interface.
/// - Returns: The message that would have stopped the program; `nil` if nothing did.
public func catchRealmException(_ body: () -> Void) -> String? {
  struct Closure {
    let body: () -> Void
  }
  return withoutActuallyEscaping(body) { body in
    let words = unsafeBitCast(
      Closure(body: body),
      to: (function: UInt, context: UInt).self
    )
    return escapedMessage(words.function, words.context)
  }
}
