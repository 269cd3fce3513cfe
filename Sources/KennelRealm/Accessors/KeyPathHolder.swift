/// A property wrapper that holds a key path, in an object that was just made.
internal protocol KeyPathHolder {
  mutating func keep(_ keyPath: AnyKeyPath)
}

extension KeyPathHolder {
  /// Has the wrapper of this type at an offset in an object keep a key path.
  static func keep(_ keyPath: AnyKeyPath, at offset: Int, in object: AnyObject) {
    let place = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    unsafe place.assumingMemoryBound(to: Self.self).pointee.keep(keyPath)
  }
}
