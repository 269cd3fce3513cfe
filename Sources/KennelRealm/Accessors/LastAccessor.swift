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

  /// The accessor for another object of its class, still ours; `nil` where there is none that is
  /// nobody's.
  @inline(__always)
  func aimed(_ identity: ObjectIdentity, _ context: RealmContext) -> Unmanaged<ObjectBase>? {
    guard let object, kennel_is_sole(object) else { return nil }
    let accessor = Unmanaged<ObjectBase>.fromOpaque(object)
    accessor._withUnsafeGuaranteedRef { $0.aim(identity, context) }
    return accessor
  }

  /// The accessor for another object of its class; `nil` where there is none that is nobody's.
  @inline(__always)
  func again(_ identity: ObjectIdentity, _ context: RealmContext) -> ObjectBase? {
    guard let object, kennel_take_sole(object) else { return nil }
    let accessor = Unmanaged<ObjectBase>.fromOpaque(object)
    accessor._withUnsafeGuaranteedRef { $0.aim(identity, context) }
    return accessor.takeRetainedValue()
  }

  /// The same, if the accessor's class is the wanted one.
  @inline(__always)
  func again(
    _ identity: ObjectIdentity,
    as type: ObjectBase.Type,
    _ context: RealmContext
  ) -> ObjectBase? {
    guard let object,
      kennel_class_of(object) == unsafeBitCast(type, to: UnsafeRawPointer.self)
    else { return nil }
    return again(identity, context)
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
