/// The place of a stored property in an object, whose type is known at run time only.
///
/// Safe to use: reflection says where a property lies and of which type it is, and who uses the place
/// keeps the object.
@safe internal struct FieldPlace {
  private let address: UnsafeMutableRawPointer

  @inline(__always)
  init(_ object: AnyObject, offset: Int) {
    unsafe address = Unmanaged.passUnretained(object).toOpaque() + offset
  }

  private init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

  @inline(__always)
  static func + (place: FieldPlace, offset: Int) -> FieldPlace {
    unsafe FieldPlace(place.address + offset)
  }

  /// The property.
  subscript<Field>(as type: Field.Type) -> Field {
    @inline(__always)
    _read { yield unsafe address.assumingMemoryBound(to: type).pointee }
    @inline(__always)
    nonmutating _modify { yield unsafe &address.assumingMemoryBound(to: type).pointee }
  }

  /// The first bytes of the property.
  subscript<Bits>(bits type: Bits.Type) -> Bits {
    @inline(__always)
    get { unsafe address.load(as: type) }
    @inline(__always)
    nonmutating set { unsafe address.storeBytes(of: newValue, as: type) }
  }

  /// Releases what the property refers to; its bytes are to be overwritten.
  @inline(__always)
  func destroy<Field>(_ type: Field.Type) {
    unsafe address.assumingMemoryBound(to: type).deinitialize(count: 1)
  }
}

/// The bytes of a value in memory.
internal func bytes<Value>(of value: Value) -> [UInt8] {
  unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
}
