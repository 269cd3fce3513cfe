import CRealmSupport

/// A stored property of a class, as reflection shows it.
internal struct ReflectedField {
  let label: String
  let value: Any
  let offset: Int
}

/// The stored properties of an object's class and its superclasses below ``ObjectBase``.
internal func reflectedFields(of object: ObjectBase) -> [ReflectedField] {
  var mirrors: [Mirror] = []
  var next: Mirror? = Mirror(reflecting: object)
  while let mirror = next, mirror.subjectType != ObjectBase.self {
    mirrors.append(mirror)
    next = mirror.superclassMirror
  }
  let metadata = unsafeBitCast(type(of: object) as AnyObject.Type, to: UnsafeRawPointer.self)
  let root = unsafeBitCast(ObjectBase.self as AnyObject.Type, to: UnsafeRawPointer.self)
  // Fields are counted from the root class on.
  var index = kennel_field_count(root)
  var fields: [ReflectedField] = []
  for mirror in mirrors.reversed() {
    for (label, value) in mirror.children {
      defer { index += 1 }
      guard let label else { continue }
      let offset = kennel_field_offset(metadata, index)
      fields.append(ReflectedField(label: label, value: value, offset: offset))
    }
  }
  return fields
}
