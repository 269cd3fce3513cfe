import KennelCore

extension Persisted: AnyPersisted {
  static var shape: PropertyShape { Value._shape }

  var declaredTraits: PropertyTraits { traits }

  var declaredDefault: Any? {
    switch storage {
    case .value(let value), .declared(let value): value
    case .unset, .managed, .recording, .recordingDefault: nil
    }
  }

  static func plainValue(at place: FieldPlace) -> StoredValue {
    let value = unmanagedValue(place)
    guard let single = value as? any RealmCollectionValue else { return .null }
    return single._encode(nil)
  }

  /// The value, made and kept if it was not read before.
  private static func unmanagedValue(_ place: FieldPlace) -> Value {
    if case .value(let value) = place[as: Self.self].storage { return value }
    let value = Value._makeDefault()
    place[as: Self.self].storage = .value(value)
    return value
  }

  static func promote(at place: FieldPlace, of object: ObjectBase, _ key: PropertyKey) {
    if Value._isCached {
      if case .value(let value) = place[as: Self.self].storage,
        let collection = value as? any AttachableCollection
      {
        manage(at: place, key)
        collection.keep(by: object, key)
        collection.attach(object, key)
      } else {
        // A collection that was never looked at is empty: it empties that of a stored object.
        if object.context?.adding.isNew == false, Value._shape.type != .linkingObjects {
          (Value._makeDefault() as? any AttachableCollection)?.attach(object, key)
        }
        manage(at: place, key)
      }
      return
    }
    let value = unmanagedValue(place)
    manage(at: place, key)
    // A new object has no links yet.
    if value._isNil, object.context?.adding.isNew ?? false, Value._shape.isLink { return }
    Value._set(object, key, value)
  }

  static func read(at place: FieldPlace, of object: ObjectBase) -> Value {
    place[as: Self.self].value(of: object)
  }

  static func key(at place: FieldPlace) -> PropertyKey? {
    if case .managed(let key) = place[as: Self.self].storage { key } else { nil }
  }

  static func set(_ value: Value, at place: FieldPlace, of object: ObjectBase) {
    if let key = key(at: place) {
      Value._set(object, key, value)
    } else {
      place[as: Self.self].storage = .value(value)
    }
  }

  static func manage(at place: FieldPlace, _ key: PropertyKey) {
    place[as: Self.self].storage = .managed(key)
  }

  static var layout: StorageLayout? {
    let key = PropertyKey(rawValue: 0x1234)
    let tagOffset = MemoryLayout<Storage>.size - 1
    let unset = bytes(of: Self(.unset, PropertyTraits()))
    let managed = bytes(of: Self(.managed(key), PropertyTraits()))
    guard managed.starts(with: bytes(of: key)), tagOffset >= MemoryLayout<PropertyKey>.size,
      unset[tagOffset] != managed[tagOffset]
    else { return nil }
    return StorageLayout(tagOffset: tagOffset, unset: unset[tagOffset], managed: managed[tagOffset])
  }

  static var adoptionWay: AdoptionWay { AdoptionWay(Value.self) }

  static func record(at place: FieldPlace, _ position: PropertyKey) {
    if Value._shape.isPlain, case .value(let value) = place[as: Self.self].storage {
      place[as: Self.self].storage = .recordingDefault(value, position)
    } else {
      place[as: Self.self].storage = .recording(position)
    }
  }
}
