/// Why a database of another engine could not be read or written.
package struct SQLError: Error, Hashable {
  /// Kinds of errors, by what a caller can do about them.
  package enum Kind: Hashable, Sendable {
    /// Nothing.
    case failed
    /// The file is no database of the engine, or an encrypted one.
    case notADatabase
    /// The file is damaged.
    case damaged
    /// Another program has it, and did not let go of it in time.
    case busy
    /// A program was killed while it wrote: what it left beside the file must be applied first.
    case needsRecovery
    /// It is not what was read.
    case changed
    /// The server wants a password.
    case needsPassword
    /// It has more than is read at once.
    case tooLarge
    /// There is no connection any more.
    case disconnected
    /// It took too long.
    case tookTooLong
    /// A change contradicts what the database demands.
    case refused
    /// Nobody can be asked whether it was stored.
    case outcomeUnknown
  }

  package let kind: Kind
  /// Says what is wrong, as a part of a sentence.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
