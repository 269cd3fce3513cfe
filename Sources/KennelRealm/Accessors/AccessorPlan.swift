import CRealmSupport
import KennelCore

/// How a new object of a class becomes an accessor of what is stored in one file.
///
/// Where every stored property of the class is ``Persisted``, the object is allocated and its body
/// copied from an image, and no initializer runs; otherwise the initializer runs, for the sake of
/// the properties that are not stored, and each wrapper is overwritten.
internal final class AccessorPlan: @unchecked Sendable {
  private struct Wrapper {
    let position: Int
    let offset: Int
    let byteCount: Int
    let image: UnsafeMutableRawPointer
    /// Destroys what is there; `nil` if nothing need be.
    let destroyer: (any AnyPersisted.Type)?
  }

  /// Where an accessor keeps a collection.
  private struct KeptPlace {
    let offset: Int
    /// As in ``KeptLayout``, but from the beginning of the object.
    let tagOffset: Int
    let tag: UInt8
    let isHost: Bool
    /// The position in ``wrappers``.
    let wrapper: Int
  }

  /// Whether an accessor can go on as that of another object: where it has nothing but what is
  /// stored, and is known to be referred to by nobody.
  let isReusable: Bool
  /// The wrappers of collections, which an accessor keeps once they were asked for.
  private let collections: UnsafeMutableBufferPointer<KeptPlace>

  private let objectClass: ObjectBase.Type
  private let metadata: UnsafeRawPointer
  private let wrappers: [Wrapper]
  /// Properties in the older syntax: what they hold is connected to the object.
  private let plainProperties: [(ModelProperty, PropertyKey)]
  /// The whole object; `nil` if its initializer has to run.
  private let image: UnsafeMutableRawPointer?
  private let byteCount: Int
  private let alignmentMask: Int
  private let lockedKey: PropertyKey
  private let root = RootFields()

  /// - Parameters:
  ///   - model: The class.
  ///   - keys: The key of each of its properties, by position; for an inverse relationship the
  ///     position itself.
  init(_ model: ModelClass, keys: [PropertyKey]) {
    objectClass = model.objectClass
    lockedKey = model.primaryKeyPosition.map { keys[$0] } ?? PropertyKey(rawValue: .max)
    metadata = unsafeBitCast(model.objectClass as AnyObject.Type, to: UnsafeRawPointer.self)
    // Superclass, flags and the address point come before.
    byteCount = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
    alignmentMask = Int(metadata.load(fromByteOffset: 28, as: UInt16.self))
    var wrappers: [Wrapper] = []
    var collections: [KeptPlace] = []
    var isUnderstood = true
    var plain: [(ModelProperty, PropertyKey)] = []
    for (position, (property, key)) in zip(model.properties, keys).enumerated() {
      guard let type = property.wrapper else {
        plain.append((property, key))
        continue
      }
      let (bytes, isTrivial) = type.image(key)
      let image = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
      image.copyMemory(from: bytes, byteCount: bytes.count)
      let wrapper = Wrapper(
        position: position,
        offset: property.offset,
        byteCount: bytes.count,
        image: image,
        destroyer: isTrivial ? nil : type
      )
      wrappers.append(wrapper)
      switch type.keptLayout(key) {
      case .none: break
      case .known(let layout):
        collections.append(
          KeptPlace(
            offset: property.offset,
            tagOffset: property.offset + layout.tagOffset,
            tag: layout.tag,
            isHost: layout.isHost,
            wrapper: wrappers.count - 1
          )
        )
      case .unknown: isUnderstood = false
      }
    }
    self.wrappers = wrappers
    self.collections = .allocate(capacity: collections.count)
    _ = self.collections.initialize(from: collections)
    plainProperties = plain
    isReusable = isUnderstood && model.isWhollyPersisted && ReferenceCounts.areKnown
    guard model.isWhollyPersisted else {
      image = nil
      return
    }
    let whole = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    whole.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    for wrapper in wrappers {
      (whole + wrapper.offset).copyMemory(from: wrapper.image, byteCount: wrapper.byteCount)
    }
    (whole + root.lockedKey).storeBytes(of: lockedKey, as: PropertyKey.self)
    image = whole
  }

  deinit {
    for wrapper in wrappers { wrapper.image.deallocate() }
    image?.deallocate()
    collections.deallocate()
  }

  /// A new object that reads and writes what is stored under an identity.
  func makeAccessor(_ identity: ObjectIdentity, _ context: RealmContext) -> ObjectBase {
    guard let image else {
      let object = objectClass.init()
      bind(object, identity, context)
      overwriteWrappers(of: object)
      attachPlainProperties(of: object)
      return object
    }
    let headerByteCount = 16
    let place = kennel_allocate_object(metadata, byteCount, alignmentMask)
    guard let place else { throwRealmException("There is no memory left for an object") }
    (place + headerByteCount).copyMemory(
      from: image + headerByteCount,
      byteCount: byteCount - headerByteCount
    )
    root.bind(place, identity, context)
    return Unmanaged<ObjectBase>.fromOpaque(place).takeRetainedValue()
  }

  /// Creates the collections that an accessor keeps those of the object that it is of now; one that
  /// somebody else refers to stays what it is, and is forgotten here.
  ///
  /// The key and the age are the object's: it just got them, and to wait for its memory takes longer
  /// than all the rest.
  func renewCollections(of object: ObjectBase, _ key: ObjectKey, _ age: UInt64, _ isLending: Bool) {
    let start = Unmanaged.passUnretained(object).toOpaque()
    for kept in collections where (start + kept.tagOffset).load(as: UInt8.self) == kept.tag {
      let collection = (start + kept.offset).load(as: UnsafeMutableRawPointer.self)
      guard kept.isHost, kennel_is_only_kept(collection) else {
        if kept.isHost { kennel_stop_lending(collection, false) }
        overwrite(wrappers[kept.wrapper], of: object)
        continue
      }
      Unmanaged<AccessorHost>.fromOpaque(collection)._withUnsafeGuaranteedRef {
        $0.renew(key, age)
      }
      if isLending, kennel_lend(collection) { object.isLending = true }
    }
  }

  /// Has the collections that an accessor keeps lent no more, before it goes.
  func stopLending(of object: ObjectBase, _ isElsewhere: Bool) {
    let start = Unmanaged.passUnretained(object).toOpaque()
    for kept in collections
    where kept.isHost && (start + kept.tagOffset).load(as: UInt8.self) == kept.tag {
      kennel_stop_lending(
        (start + kept.offset).load(as: UnsafeMutableRawPointer.self),
        isElsewhere
      )
    }
  }

  func bind(_ object: ObjectBase, _ identity: ObjectIdentity, _ context: RealmContext) {
    object.bind(identity, context, lockedKey: lockedKey)
  }

  private func overwriteWrappers(of object: ObjectBase) {
    for wrapper in wrappers { overwrite(wrapper, of: object) }
  }

  private func overwrite(_ wrapper: Wrapper, of object: ObjectBase) {
    let place = Unmanaged.passUnretained(object).toOpaque() + wrapper.offset
    wrapper.destroyer?.destroy(at: place)
    place.copyMemory(from: wrapper.image, byteCount: wrapper.byteCount)
  }

  /// Creates the wrapper of the property at a position that of a managed object.
  func overwrite(_ position: Int, of object: ObjectBase) {
    if position < wrappers.count, wrappers[position].position == position {
      overwrite(wrappers[position], of: object)
    } else if let wrapper = wrappers.first(where: { $0.position == position }) {
      overwrite(wrapper, of: object)
    }
  }

  private func attachPlainProperties(of object: ObjectBase) {
    for (property, key) in plainProperties {
      property.plainCollection(of: object)?.attach(stored: object, key)
    }
  }
}

/// How the runtime counts references, which is looked at once in a process.
private enum ReferenceCounts {
  private final class Probe {}

  static let areKnown: Bool = {
    let areKnown = kennel_learn_counts(
      unsafeBitCast(Probe.self as AnyObject.Type, to: UnsafeRawPointer.self)
    )
    let host = unsafeBitCast(AccessorHost.self as AnyObject.Type, to: UnsafeRawPointer.self)
    // Behind the two words that every object has.
    if areKnown, kennel_field_offset(host, 0) == 16 { kennel_allow_lending() }
    return areKnown
  }()
}

/// Where the fields of ``ObjectBase`` lie in every object.
private struct RootFields {
  let context: Int
  let quickContext: Int
  let identity: Int
  let age: Int
  let lockedKey: Int

  init() {
    let metadata = unsafeBitCast(ObjectBase.self as AnyObject.Type, to: UnsafeRawPointer.self)
    // In the order of their declaration.
    context = kennel_field_offset(metadata, 0)
    quickContext = kennel_field_offset(metadata, 1)
    identity = kennel_field_offset(metadata, 2)
    age = kennel_field_offset(metadata, 3)
    lockedKey = kennel_field_offset(metadata, 4)
  }

  /// What ``ObjectBase/bind(_:_:lockedKey:)`` does, in an object whose fields are zero.
  @inline(__always)
  func bind(
    _ place: UnsafeMutableRawPointer,
    _ object: ObjectIdentity,
    _ realm: RealmContext
  ) {
    let retained = Unmanaged.passRetained(realm).toOpaque()
    (place + context).storeBytes(of: retained, as: UnsafeMutableRawPointer.self)
    (place + quickContext).storeBytes(of: retained, as: UnsafeMutableRawPointer.self)
    (place + identity).storeBytes(of: object, as: ObjectIdentity.self)
    (place + age).storeBytes(of: realm.age, as: UInt64.self)
  }
}

extension ObjectBase {
  /// Where a property lies in this object.
  internal final func place(of property: ModelProperty) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(self).toOpaque() + property.offset
  }

  /// An object of the class that notes which of its properties are read.
  @usableFromInline
  internal static func recording(_ recorder: PathRecorder) -> Self {
    let object = Self()
    object.recorder = recorder
    for (position, property) in ModelClass.of(self).properties.enumerated() {
      property.wrapper?.record(
        at: object.place(of: property),
        PropertyKey(rawValue: UInt16(position))
      )
    }
    return object
  }
}

extension ModelProperty {
  /// The collection that a property in the older syntax holds.
  internal func plainCollection(of object: ObjectBase) -> (any AttachableCollection)? {
    guard wrapper == nil else { return nil }
    return plainType?.load(object.place(of: self))
  }

  /// The value to store for an unmanaged object's single value without links.
  internal func plainValue(of object: ObjectBase) -> KennelCore.Value {
    if let wrapper { return wrapper.plainValue(at: object.place(of: self)) }
    return (plainCollection(of: object) as? any PropertyHolder)?.plainValue ?? .null
  }

  /// The value as key-value coding gives it.
  internal func read(of object: ObjectBase) -> Any? {
    guard let wrapper else {
      let plain = plainCollection(of: object)
      if let holder = plain as? any PropertyHolder { return propertyValue(holder.anyValue) }
      return plain
    }
    return wrapper.read(at: object.place(of: self), of: object)
  }

  /// Sets a value of any type that can be converted; false where it cannot.
  internal func write(_ value: Any?, of object: ObjectBase, _ filler: ObjectFiller) -> Bool {
    guard let wrapper else {
      let plain = plainCollection(of: object)
      if let holder = plain as? any PropertyHolder { return holder.setAny(value, filler) }
      let collection = plain as? any AssignableCollection
      return collection?.assign(converting: value, filler) ?? false
    }
    return wrapper.write(value, at: object.place(of: self), of: object, filler)
  }

  /// Connects a property in the older syntax to what is stored.
  internal func connect(of object: ObjectBase, _ key: PropertyKey) {
    plainCollection(of: object)?.attach(stored: object, key)
  }

  /// Creates the property that of a managed object and stores what it held.
  internal func promote(of object: ObjectBase, _ key: PropertyKey) {
    if let wrapper {
      wrapper.promote(at: object.place(of: self), of: object, key)
    } else {
      plainCollection(of: object)?.attach(object, key)
    }
  }
}

extension AttachableCollection {
  /// The collection at a place in an object.
  internal static func load(_ place: UnsafeMutableRawPointer) -> any AttachableCollection {
    place.assumingMemoryBound(to: Self.self).pointee
  }
}
