import CRealmSupport

/// Runs the two words of a closure; the message with which it was left, if it was.
internal func escapedMessage(_ function: UInt, _ context: UInt) -> String? {
  kennel_catch(UnsafeRawPointer(bitPattern: function), UnsafeRawPointer(bitPattern: context))
    .map { String(cString: $0) }
}
