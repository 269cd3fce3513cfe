import KennelCore

/// A wrapper whose type is known at run time only, at its place in an object.
internal protocol AnyPersisted {
  static var shape: PropertyShape { get }
  var declaredTraits: PropertyTraits { get }
  /// The default value that was declared; `nil` for none.
  var declaredDefault: Any? { get }

  /// The value to store for an unmanaged object's single value without links.
  static func plainValue(at place: UnsafeMutableRawPointer) -> KennelCore.Value
  /// Makes the wrapper that of a managed object and stores what it held.
  static func promote(
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ key: PropertyKey
  )
  /// The value as key-value coding gives it.
  static func read(at place: UnsafeMutableRawPointer, of object: ObjectBase) -> Any?
  /// Sets a value of any type that can be converted; false where it cannot.
  static func write(
    _ value: Any?,
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ filler: ObjectFiller
  ) -> Bool
  /// The bytes of the wrapper of a managed object, and whether nothing need be destroyed before.
  static func image(_ key: PropertyKey) -> (bytes: [UInt8], isTrivial: Bool)
  static func destroy(at place: UnsafeMutableRawPointer)
  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey)
}

extension Persisted: AnyPersisted {
  static var shape: PropertyShape { Value._shape }

  var declaredTraits: PropertyTraits { traits }

  var declaredDefault: Any? {
    if case .value(let value) = storage { value } else { nil }
  }

  private static func wrapper(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    place.assumingMemoryBound(to: Self.self)
  }

  static func plainValue(at place: UnsafeMutableRawPointer) -> KennelCore.Value {
    let value = unmanagedValue(wrapper(place))
    guard let single = value as? any RealmCollectionValue else { return .null }
    return single._encode(nil)
  }

  /// The value, made and kept if it was not read before.
  private static func unmanagedValue(_ wrapper: UnsafeMutablePointer<Self>) -> Value {
    if case .value(let value) = wrapper.pointee.storage { return value }
    let value = Value._makeDefault()
    wrapper.pointee.storage = .value(value)
    return value
  }

  static func promote(
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ key: PropertyKey
  ) {
    let wrapper = wrapper(place)
    if Value._isCached {
      if case .value(let value) = wrapper.pointee.storage,
        let collection = value as? any AttachableCollection
      {
        wrapper.pointee.storage = .cached(value, key)
        collection.attach(object, key)
      } else {
        // A collection that was never looked at is empty: it empties that of a stored object.
        if object.context?.isAdoptingNew == false, Value._shape.type != .linkingObjects {
          (Value._makeDefault() as? any AttachableCollection)?.attach(object, key)
        }
        wrapper.pointee.storage = .managed(key)
      }
      return
    }
    let value = unmanagedValue(wrapper)
    wrapper.pointee.storage = .managed(key)
    // A new object has no links yet.
    if value._isNil, object.context?.isAdoptingNew ?? false, Value._shape.isLink { return }
    Value._set(object, key, value)
  }

  static func read(at place: UnsafeMutableRawPointer, of object: ObjectBase) -> Any? {
    unwrapped(wrapper(place).pointee.read(object))
  }

  static func write(
    _ value: Any?,
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ filler: ObjectFiller
  ) -> Bool {
    let wrapper = wrapper(place)
    if Value._isCached {
      guard let collection = wrapper.pointee.read(object) as? any AssignableCollection else {
        return false
      }
      return collection.assign(converting: value, filler)
    }
    guard let converted: Value = filler.convert(value) else { return false }
    switch wrapper.pointee.storage {
    case .managed(let key): Value._set(object, key, converted)
    default: wrapper.pointee.storage = .value(converted)
    }
    return true
  }

  static func image(_ key: PropertyKey) -> (bytes: [UInt8], isTrivial: Bool) {
    var managed = Self(.managed(key), PropertyTraits())
    return (withUnsafeBytes(of: &managed) { Array($0) }, _isPOD(Self.self))
  }

  static func destroy(at place: UnsafeMutableRawPointer) {
    wrapper(place).deinitialize(count: 1)
  }

  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey) {
    wrapper(place).pointee.storage = .recording(position)
  }
}

/// What is in an optional of any depth, as a value of no optional type.
internal func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrappedAny.flatMap(unwrapped)
}

private protocol AnyOptional {
  var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrappedAny: Any? { self }
}
