@_spi(Reflection) import Swift

/// A stored property of a class, as reflection shows it.
internal struct ReflectedField {
  let label: String
  let value: Any
  let offset: Int
}

/// Returns the stored properties of an object's class and its superclasses, up to a root.
internal func reflectedFields(of object: AnyObject, below root: AnyClass? = nil) -> [ReflectedField]
{
  var mirrors: [Mirror] = []
  var next: Mirror? = Mirror(reflecting: object)
  while let mirror = next, ObjectIdentifier(mirror.subjectType) != root.map(ObjectIdentifier.init) {
    mirrors.append(mirror)
    next = mirror.superclassMirror
  }
  let children = mirrors.reversed().flatMap(\.children)
  var offsets: [Int] = []
  // As `classType`, which is declared as a variable.
  let options = _EachFieldOptions(rawValue: 1)
  _ = unsafe _forEachField(of: type(of: object), options: options) { _, offset, _, _ in
    offsets.append(offset)
    return true
  }
  // Fields are counted from the root class on.
  return zip(children, offsets.suffix(children.count)).compactMap { child, offset in
    child.label.map { ReflectedField(label: $0, value: child.value, offset: offset) }
  }
}
