import Foundation
import KennelCore

extension ModelProperty {
  /// The value as key-value coding gives it.
  internal func read(of object: ObjectBase) -> Any? {
    func value<Wrapper: AnyPersisted>(_ wrapper: Wrapper.Type) -> Any? {
      propertyValue(wrapper.read(at: place(in: object), of: object))
    }
    if let wrapper { return value(wrapper) }
    let plain = plainCollection(of: object)
    if let holder = plain as? any PropertyHolder { return propertyValue(holder.value) }
    return plain
  }

  /// Sets a value of any type that can be converted; false where it cannot.
  internal func write(_ value: Any?, of object: ObjectBase, _ filler: ObjectFiller) -> Bool {
    if let wrapper { return write(value, wrapper, of: object, filler) }
    let plain = plainCollection(of: object)
    if let holder = plain as? any PropertyHolder { return write(value, holder, filler) }
    return (plain as? any FilledCollection)?.assign(converting: value, filler) ?? false
  }

  private func write<Holder: PropertyHolder>(
    _ value: Any?,
    _ holder: Holder,
    _ filler: ObjectFiller
  ) -> Bool {
    guard let converted: Holder.Value = filler.convert(value) else { return false }
    holder.value = converted
    return true
  }

  private func write<Wrapper: AnyPersisted>(
    _ value: Any?,
    _ wrapper: Wrapper.Type,
    of object: ObjectBase,
    _ filler: ObjectFiller
  ) -> Bool {
    let place = place(in: object)
    if Wrapper.Value._isCached {
      let collection = wrapper.read(at: place, of: object) as? any FilledCollection
      return collection?.assign(converting: value, filler) ?? false
    }
    if let key = wrapper.key(at: place), let raw = ObjectFiller.raw(value, shape) {
      // Reading reports what cannot be converted.
      object.requireWritable(key)
      object.store(key, raw)
      return true
    }
    guard let converted: Wrapper.Value = filler.convert(value) else { return false }
    wrapper.set(converted, at: place, of: object)
    return true
  }

  /// A value of any type as that of a primary key.
  internal func keyValue(_ key: Any) -> StoredValue? {
    guard let value = unwrapped(key), !(value is NSNull) else {
      return shape.isOptional ? .null : nil
    }
    return ObjectFiller.coreValue(value, shape)
  }
}
