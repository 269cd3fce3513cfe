import KennelCore

/// Operations by the names of the methods that make them.
extension Draft.Operation {
  static func set(_ object: ObjectIdentity, _ property: PropertyKey, _ value: Value) -> Self {
    .change(Slot(object, property), .set(value))
  }

  static func createEmbedded(_ slot: Slot) -> Self { .change(slot, .create) }

  static func insert(
    _ value: Value,
    at index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .index(index)), .insert(value))
  }

  static func replace(
    at index: Int,
    with value: Value,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .index(index)), .set(value))
  }

  static func remove(at index: Int, _ object: ObjectIdentity, _ property: PropertyKey) -> Self {
    .change(Slot(object, property, .index(index)), .remove)
  }

  static func move(
    from source: Int,
    to destination: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .index(source)), .move(to: destination))
  }

  static func insertMember(
    _ member: Value,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .member(member)), .add)
  }

  static func removeMember(
    _ member: Value,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .member(member)), .remove)
  }

  static func setEntry(
    _ key: String,
    _ value: Value?,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Self {
    .change(Slot(object, property, .key(key)), value.map { .set($0) } ?? .remove)
  }
}
