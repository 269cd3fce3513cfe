/// A reference that counts nothing: somebody else keeps the object for as long as it is used.
///
/// A realm is kept by its objects and keeps its snapshot. To count that again for each property that
/// is read costs more than to read it.
///
/// Safe to use: it lives in the body of a function whose caller keeps the object.
@safe @usableFromInline
internal struct Borrowed<Target: AnyObject> {
  @usableFromInline internal let reference: Unmanaged<Target>

  @inlinable
  @inline(__always)
  internal init(_ target: Target) { unsafe reference = .passUnretained(target) }

  /// Calls a body with the object.
  @inlinable
  @inline(__always)
  internal func use<Answer>(_ body: (Target) -> Answer) -> Answer {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }
}

/// A value as one of the type that it is known to have.
@inlinable
@inline(__always)
internal func known<Value, Known>(_ value: Value, as type: Known.Type) -> Known {
  unsafe unsafeBitCast(value, to: type)
}
