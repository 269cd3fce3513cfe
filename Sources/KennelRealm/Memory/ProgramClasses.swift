import CRealmSupport

/// The classes of the process, as Apple's systems list them by their Objective-C runtime.
internal enum ProgramClasses {
  /// How many images with Swift code the process has loaded.
  static var imageCount: Int { kennel_each_subclass(nil, nil) }

  /// Returns every class that derives from another, in no order.
  static func subclasses(of root: AnyClass) -> [AnyClass] {
    let found = FoundClasses(below: root)
    _ = unsafe kennel_each_subclass(
      { metadata, context in
        guard let metadata = unsafe metadata, let context = unsafe context else { return }
        let found = unsafe Unmanaged<FoundClasses>.fromOpaque(context).takeUnretainedValue()
        unsafe found.add(metadata)
      },
      unsafe Unmanaged.passUnretained(found).toOpaque()
    )
    return found.classes
  }
}

@safe private final class FoundClasses {
  private(set) var classes: [AnyClass] = []
  private let root: UnsafeRawPointer

  init(below root: AnyClass) {
    unsafe self.root = unsafeBitCast(root as AnyObject.Type, to: UnsafeRawPointer.self)
  }

  /// Adds a class that has the root above it; a class's second word is its superclass.
  func add(_ metadata: UnsafeRawPointer) {
    var current: UnsafeRawPointer? = unsafe metadata.superclass
    while let known = unsafe current, unsafe known != root { unsafe current = known.superclass }
    if unsafe current != nil { unsafe classes.append(unsafeBitCast(metadata, to: AnyClass.self)) }
  }
}

extension UnsafeRawPointer {
  fileprivate var superclass: UnsafeRawPointer? {
    unsafe load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
  }
}
