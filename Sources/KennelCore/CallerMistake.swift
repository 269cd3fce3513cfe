/// Stops the program with a message about a mistake of the calling code.
///
/// The message of a `precondition` is lost in a release build; that of `fatalError` is not.
///
/// - Parameter message: The mistake, and what to do instead.
/// - Returns: Never.
@_spi(Faces)
public func callerMistake(_ message: String) -> Never {
  fatalError(message)
}
