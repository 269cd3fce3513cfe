import KennelCore

/// A wrapper whose type is known at run time only, at its place in an object.
internal protocol AnyPersisted {
  static var shape: PropertyShape { get }
  var declaredTraits: PropertyTraits { get }
  /// The default value that was declared; `nil` for none.
  var declaredDefault: Any? { get }

  /// The value to store for an unmanaged object's single value without links.
  static func plainValue(at place: UnsafeMutableRawPointer) -> StoredValue
  /// Creates the wrapper that of a managed object and stores what it held.
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
  /// Makes the wrapper that of a managed object.
  static func manage(at place: UnsafeMutableRawPointer, _ key: PropertyKey)
  /// How the wrapper lies in memory; `nil` where that is not known.
  static var layout: StorageLayout? { get }
  /// How what an unmanaged object holds gets where it is stored.
  static var adoptionWay: AdoptionWay { get }
  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey)
}

/// Where the byte of a wrapper is that tells the cases of its storage apart, and what it is in two of
/// them; the first bytes of a managed one are the property's key.
internal struct StorageLayout {
  let tagOffset: Int
  let unset: UInt8
  let managed: UInt8
}

extension AnyPersisted {
  /// Destroys the wrapper at its place.
  ///
  /// Not a requirement: `Self` is known here, while a witness of a generic type looks it up each time.
  static func destroy(at place: UnsafeMutableRawPointer) {
    unsafe place.assumingMemoryBound(to: Self.self).deinitialize(count: 1)
  }
}

extension Persisted: AnyPersisted {
  static var shape: PropertyShape { Value._shape }

  var declaredTraits: PropertyTraits { traits }

  var declaredDefault: Any? {
    switch storage {
    case .value(let value), .declared(let value): value
    case .unset, .managed, .recording, .recordingDefault: nil
    }
  }

  private static func wrapper(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    unsafe place.assumingMemoryBound(to: Self.self)
  }

  static func plainValue(at place: UnsafeMutableRawPointer) -> StoredValue {
    let value = unsafe unmanagedValue(wrapper(place))
    guard let single = value as? any RealmCollectionValue else { return .null }
    return single._encode(nil)
  }

  /// The value, made and kept if it was not read before.
  private static func unmanagedValue(_ wrapper: UnsafeMutablePointer<Self>) -> Value {
    if case .value(let value) = unsafe wrapper.pointee.storage { return value }
    let value = Value._makeDefault()
    unsafe wrapper.pointee.storage = .value(value)
    return value
  }

  static func promote(
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ key: PropertyKey
  ) {
    let wrapper = unsafe wrapper(place)
    if Value._isCached {
      if case .value(let value) = unsafe wrapper.pointee.storage,
        let collection = value as? any AttachableCollection
      {
        unsafe wrapper.pointee.storage = .managed(key)
        collection.keep(by: object, key)
        collection.attach(object, key)
      } else {
        // A collection that was never looked at is empty: it empties that of a stored object.
        if object.context?.adding.isNew == false, Value._shape.type != .linkingObjects {
          (Value._makeDefault() as? any AttachableCollection)?.attach(object, key)
        }
        unsafe wrapper.pointee.storage = .managed(key)
      }
      return
    }
    let value = unsafe unmanagedValue(wrapper)
    unsafe wrapper.pointee.storage = .managed(key)
    // A new object has no links yet.
    if value._isNil, object.context?.adding.isNew ?? false, Value._shape.isLink { return }
    Value._set(object, key, value)
  }

  static func read(at place: UnsafeMutableRawPointer, of object: ObjectBase) -> Any? {
    unsafe propertyValue(wrapper(place).pointee.value(of: object))
  }

  static func write(
    _ value: Any?,
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ filler: ObjectFiller
  ) -> Bool {
    let wrapper = unsafe wrapper(place)
    if Value._isCached {
      guard let collection = unsafe wrapper.pointee.value(of: object) as? any AssignableCollection
      else {
        return false
      }
      return collection.assign(converting: value, filler)
    }
    if case .managed(let key) = unsafe wrapper.pointee.storage,
      let raw = ObjectFiller.raw(value, Value._shape)
    {
      // What cannot be converted is told when it is read.
      object.requireWritable(key)
      object.store(key, raw)
      return true
    }
    guard let converted: Value = filler.convert(value) else { return false }
    if case .managed(let key) = unsafe wrapper.pointee.storage {
      Value._set(object, key, converted)
    } else {
      unsafe wrapper.pointee.storage = .value(converted)
    }
    return true
  }

  static func manage(at place: UnsafeMutableRawPointer, _ key: PropertyKey) {
    unsafe wrapper(place).pointee.storage = .managed(key)
  }

  static var layout: StorageLayout? {
    let key = PropertyKey(rawValue: 0x1234)
    let tagOffset = MemoryLayout<Storage>.size - 1
    func bytes(_ storage: Storage) -> [UInt8] {
      unsafe withUnsafeBytes(of: Self(storage, PropertyTraits())) { unsafe Array($0) }
    }
    let (unset, managed) = (bytes(.unset), bytes(.managed(key)))
    let hasKey = unsafe managed.withUnsafeBytes { unsafe $0.load(as: PropertyKey.self) == key }
    guard hasKey, tagOffset >= MemoryLayout<PropertyKey>.size,
      unset[tagOffset] != managed[tagOffset]
    else { return nil }
    return StorageLayout(tagOffset: tagOffset, unset: unset[tagOffset], managed: managed[tagOffset])
  }

  static var adoptionWay: AdoptionWay { AdoptionWay(Value.self) }

  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey) {
    let wrapper = unsafe wrapper(place)
    if Value._shape.isPlain, case .value(let value) = unsafe wrapper.pointee.storage {
      unsafe wrapper.pointee.storage = .recordingDefault(value, position)
    } else {
      unsafe wrapper.pointee.storage = .recording(position)
    }
  }
}

/// What is in an optional of any depth, as a value of no optional type.
internal func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrappedAny.flatMap(unwrapped)
}

/// An optional whose type is known at run time only.
internal protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
  internal static var wrappedType: Any.Type { Wrapped.self }

  internal var wrappedAny: Any? { self }
}
