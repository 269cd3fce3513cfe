import CRealmSupport
import KennelCore

/// The accessor that was handed out last, and a reference to it.
///
/// Where nobody else refers to it, in whatever way, it goes on as that of another object: nobody can
/// tell it from a new one. The runtime's count is read and set where the object keeps it, as a locked
/// instruction costs as much as all the rest. A weak reference moves the count elsewhere, once and
/// for all, and an unowned one changes it, so that neither meets an object that becomes another.
internal struct LastAccessor {
  private var object: UnsafeMutableRawPointer?

  /// The accessor, still ours; `nil` if there is none that is nobody's.
  @inline(__always)
  func sole() -> Unmanaged<ObjectBase>? {
    guard let object, kennel_is_sole(object) else { return nil }
    return Unmanaged<ObjectBase>.fromOpaque(object)
  }

  /// The accessor with a reference for the caller; `nil` if there is none that is nobody's.
  @inline(__always)
  func taken() -> Unmanaged<ObjectBase>? {
    guard let object, kennel_take_sole(object) else { return nil }
    return Unmanaged<ObjectBase>.fromOpaque(object)
  }

  /// The accessor for another object of its class, which is the wanted one; `nil` if there is none
  /// that is nobody's.
  @inline(__always)
  func again(
    _ identity: ObjectIdentity,
    as type: ObjectBase.Type,
    _ context: RealmContext
  ) -> ObjectBase? {
    guard let object,
      kennel_class_of(object) == unsafeBitCast(type, to: UnsafeRawPointer.self)
    else { return nil }
    guard let accessor = taken() else { return nil }
    accessor._withUnsafeGuaranteedRef { $0.aim(identity, context) }
    return accessor.takeRetainedValue()
  }

  /// Keeps another accessor.
  mutating func keep(_ accessor: ObjectBase) {
    forget()
    object = Unmanaged.passRetained(accessor).toOpaque()
  }

  /// Lets the accessor go; to be called before the end.
  mutating func forget() {
    if let object { Unmanaged<ObjectBase>.fromOpaque(object).release() }
    object = nil
  }
}
