import KennelCore

/// How a new object of a class becomes an accessor of what is stored in one file: each wrapper is
/// overwritten with that of a managed property.
@usableFromInline
internal final class AccessorPlan: @unchecked Sendable {
  private struct Wrapper {
    let position: Int
    let offset: Int
    let key: PropertyKey
    let type: any AnyPersisted.Type
    let layout: StorageLayout?
  }

  /// Whether an accessor can go on as that of another object: where it has nothing but what is
  /// stored, and is known to be referred to by nobody.
  let isReusable: Bool

  private let objectClass: ObjectBase.Type
  private let wrappers: [Wrapper]
  /// Properties in the older syntax: what they hold is connected to the object.
  private let plainProperties: [(ModelProperty, PropertyKey)]
  private let lockedKey: PropertyKey

  /// - Parameters:
  ///   - model: The class.
  ///   - keys: The key of each of its properties, by position; for an inverse relationship the
  ///     position itself.
  init(_ model: ModelClass, keys: [PropertyKey]) {
    objectClass = model.objectClass
    lockedKey = model.primaryKeyPosition.map { keys[$0] } ?? PropertyKey(rawValue: .max)
    var wrappers: [Wrapper] = []
    var plain: [(ModelProperty, PropertyKey)] = []
    for (position, (property, key)) in zip(model.properties, keys).enumerated() {
      guard let type = property.wrapper else {
        plain.append((property, key))
        continue
      }
      wrappers.append(
        Wrapper(
          position: position,
          offset: property.offset,
          key: key,
          type: type,
          layout: type.layout
        )
      )
    }
    self.wrappers = wrappers
    plainProperties = plain
    isReusable = model.isWhollyPersisted && areAccessorsReused
  }

  /// A new object that reads and writes what is stored under an identity.
  func makeAccessor(_ identity: ObjectIdentity, _ context: RealmContext) -> ObjectBase {
    let object = objectClass.init()
    bind(object, identity, context)
    for wrapper in wrappers { overwrite(wrapper, of: object) }
    for (property, key) in plainProperties {
      property.plainCollection(of: object)?.attach(stored: object, key)
    }
    return object
  }

  func bind(_ object: ObjectBase, _ identity: ObjectIdentity, _ context: RealmContext) {
    object.bind(identity, context, lockedKey: lockedKey)
  }

  private func overwrite(_ wrapper: Wrapper, of object: ObjectBase) {
    let place = FieldPlace(object, offset: wrapper.offset)
    guard let layout = wrapper.layout else {
      wrapper.type.manage(at: place, wrapper.key)
      return
    }
    // As `manage`, without asking the type, which costs more than to make the object.
    let tag = place + layout.tagOffset
    if tag[bits: UInt8.self] != layout.unset { wrapper.type.destroy(at: place) }
    place[bits: PropertyKey.self] = wrapper.key
    tag[bits: UInt8.self] = layout.managed
  }

  /// Makes the wrapper of the property at a position that of a managed object.
  func overwrite(_ position: Int, of object: ObjectBase) {
    if position < wrappers.count, wrappers[position].position == position {
      overwrite(wrappers[position], of: object)
    } else if let wrapper = wrappers.first(where: { $0.position == position }) {
      overwrite(wrapper, of: object)
    }
  }
}

extension ModelProperty {
  internal func place(in object: ObjectBase) -> FieldPlace { FieldPlace(object, offset: offset) }

  /// The collection that a property in the older syntax holds.
  internal func plainCollection(of object: ObjectBase) -> (any AttachableCollection)? {
    wrapper == nil ? plainType?.load(place(in: object)) : nil
  }

  /// The value to store for an unmanaged object's single value without links.
  internal func plainValue(of object: ObjectBase) -> StoredValue {
    if let wrapper { return wrapper.plainValue(at: place(in: object)) }
    return (plainCollection(of: object) as? any PropertyHolder)?.plainValue ?? .null
  }

  /// Connects a property in the older syntax to what is stored.
  internal func connect(of object: ObjectBase, _ key: PropertyKey) {
    plainCollection(of: object)?.attach(stored: object, key)
  }

  /// Makes the property that of a managed object and stores what it held.
  internal func promote(of object: ObjectBase, _ key: PropertyKey) {
    if let wrapper {
      wrapper.promote(at: place(in: object), of: object, key)
    } else {
      plainCollection(of: object)?.attach(object, key)
    }
  }
}
