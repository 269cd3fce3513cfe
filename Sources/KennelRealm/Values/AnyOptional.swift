/// What is in an optional of any depth, as a value of no optional type.
internal func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrappedAny.flatMap(unwrapped)
}

/// An optional whose type is known at run time only.
internal protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
  internal static var wrappedType: Any.Type { Wrapped.self }

  internal var wrappedAny: Any? { self }
}
