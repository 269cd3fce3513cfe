/// Returns the value in an optional of any depth.
internal func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalProtocol else { return value }
  return optional._rlmInferWrappedType().flatMap(unwrapped)
}
