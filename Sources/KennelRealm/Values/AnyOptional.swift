/// Returns the value in an optional of any depth.
internal func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrappedAny.flatMap(unwrapped)
}

/// An optional whose type is known at run time only.
internal protocol AnyOptional {
  var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
  internal var wrappedAny: Any? { self }
}
