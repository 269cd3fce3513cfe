import CRealmSupport

/// The model classes of the process, as Apple's systems list classes by their Objective-C runtime.
internal enum ClassScan {
  /// How many images with Swift code the process has loaded.
  static var imageCount: Int { kennel_each_subclass(nil, nil) }

  /// Every class that derives from ``Object`` or ``EmbeddedObject``, in no order.
  static func modelClasses() -> [ObjectBase.Type] {
    let found = FoundClasses()
    _ = kennel_each_subclass(
      { metadata, context in
        guard let metadata, let context, isModel(metadata),
          let type = unsafeBitCast(metadata, to: Any.Type.self) as? ObjectBase.Type
        else { return }
        Unmanaged<FoundClasses>.fromOpaque(context).takeUnretainedValue().classes.append(type)
      },
      Unmanaged.passUnretained(found).toOpaque()
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
  let root = unsafeBitCast(ObjectBase.self as AnyObject.Type, to: UnsafeRawPointer.self)
  var current: UnsafeRawPointer? = metadata
  while let known = current, known != root {
    current = known.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
  }
  return current != nil
}
