import CRealmSupport

/// The model classes of the process, as Apple's systems list classes by their Objective-C runtime.
internal enum ClassScan {
  /// How many images with Swift code the process has loaded.
  static var imageCount: Int { kennel_each_subclass(nil, nil) }

  /// Every class that derives from ``Object`` or ``EmbeddedObject``, in no order.
  static func modelClasses() -> [ObjectBase.Type] {
    let found = FoundClasses()
    _ = unsafe kennel_each_subclass(
      { metadata, context in
        guard let metadata = unsafe metadata, let context = unsafe context,
          unsafe isModel(metadata),
          let type = unsafe unsafeBitCast(metadata, to: Any.Type.self) as? ObjectBase.Type
        else { return }
        unsafe Unmanaged<FoundClasses>.fromOpaque(context).takeUnretainedValue().classes.append(
          type
        )
      },
      unsafe Unmanaged.passUnretained(found).toOpaque()
    )
    let roots: [ObjectBase.Type] = [Object.self, EmbeddedObject.self, DynamicObject.self]
    return found.classes.filter { type in !roots.contains { $0 == type } && type != ObjectBase.self
    }
  }
}

private final class FoundClasses {
  var classes: [ObjectBase.Type] = []
}

/// Whether a class has ``ObjectBase`` above it; a class's second word is its superclass.
private func isModel(_ metadata: UnsafeRawPointer) -> Bool {
  let root = unsafe unsafeBitCast(ObjectBase.self as AnyObject.Type, to: UnsafeRawPointer.self)
  var current: UnsafeRawPointer? = unsafe metadata
  while let known = unsafe current, unsafe known != root {
    unsafe current = known.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
  }
  return unsafe current != nil
}
