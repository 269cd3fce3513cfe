import KennelCore

/// A wrapper whose type is known at run time only, at its place in an object.
internal protocol AnyPersisted {
  static var shape: PropertyShape { get }
  var declaredTraits: PropertyTraits { get }
  /// The default value that was declared; `nil` for none.
  var declaredDefault: Any? { get }

  /// The value to store for an unmanaged object's single value without links.
  static func plainValue(at place: UnsafeMutableRawPointer) -> KennelCore.Value
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
  /// The bytes of the wrapper of a managed object, and whether nothing need be destroyed before.
  static func image(_ key: PropertyKey) -> (bytes: [UInt8], isTrivial: Bool)
  /// How a collection lies in the wrapper of an accessor that keeps it.
  static func keptLayout(_ key: PropertyKey) -> KeptLayoutAnswer
  /// How what an unmanaged object holds gets where it is stored.
  static func adoptionWay(_ key: PropertyKey) -> AdoptionWay
  static func destroy(at place: UnsafeMutableRawPointer)
  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey)
}

/// How a collection lies in the wrapper of an accessor that keeps it.
internal struct KeptLayout {
  /// Where the byte is that says whether there is one, and what it is then.
  let tagOffset: Int
  let tag: UInt8
  /// Whether the first word refers to an ``AccessorHost``, which is all that the collection is.
  let isHost: Bool
}

internal enum KeptLayoutAnswer {
  /// The property holds no collection.
  case none
  case known(KeptLayout)
  /// The property holds a collection, but how it lies is not known.
  case unknown
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
    propertyValue(wrapper(place).pointee.value(of: object))
  }

  static func write(
    _ value: Any?,
    at place: UnsafeMutableRawPointer,
    of object: ObjectBase,
    _ filler: ObjectFiller
  ) -> Bool {
    let wrapper = wrapper(place)
    if Value._isCached {
      guard let collection = wrapper.pointee.value(of: object) as? any AssignableCollection else {
        return false
      }
      return collection.assign(converting: value, filler)
    }
    if case .managed(let key) = wrapper.pointee.storage,
      let raw = ObjectFiller.raw(value, Value._shape)
    {
      // What cannot be converted is told when it is read.
      object.requireWritable(key)
      object.store(key, raw)
      return true
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

  static func keptLayout(_ key: PropertyKey) -> KeptLayoutAnswer {
    guard Value._isCached else { return .none }
    guard let sample = (Value.self as? any KeptCollection.Type)?.sample,
      let value = sample as? Value
    else { return .unknown }
    var kept = Self(.cached(value, key), PropertyTraits())
    var managed = Self(.managed(key), PropertyTraits())
    // What tells the cases apart lies behind the largest of them.
    let tagOffset = MemoryLayout<Storage>.size - 1
    let (tag, word) = withUnsafeBytes(of: &kept) { bytes in
      (bytes[tagOffset], bytes.load(as: UInt.self))
    }
    let other = withUnsafeBytes(of: &managed) { $0[tagOffset] }
    guard tag != other else { return .unknown }
    guard let host = sample.keptHost else {
      return .known(KeptLayout(tagOffset: tagOffset, tag: tag, isHost: false))
    }
    let isHost = word == UInt(bitPattern: Unmanaged.passUnretained(host).toOpaque())
    let isAll = MemoryLayout<Value>.size == MemoryLayout<UInt>.size
    guard isHost, isAll else { return .unknown }
    return .known(KeptLayout(tagOffset: tagOffset, tag: tag, isHost: true))
  }

  static func adoptionWay(_ key: PropertyKey) -> AdoptionWay {
    AdoptionWay(Value.self, keptLayout(key))
  }

  static func destroy(at place: UnsafeMutableRawPointer) {
    wrapper(place).deinitialize(count: 1)
  }

  static func record(at place: UnsafeMutableRawPointer, _ position: PropertyKey) {
    let wrapper = wrapper(place)
    if Value._shape.isPlain, case .value(let value) = wrapper.pointee.storage {
      wrapper.pointee.storage = .recordingDefault(value, position)
    } else {
      wrapper.pointee.storage = .recording(position)
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
