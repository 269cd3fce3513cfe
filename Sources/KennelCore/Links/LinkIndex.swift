import KennelStorage

/// Where the backlinks of each link property are kept, made once per schema.
internal struct LinkIndex {
  private var slots: [Key: UInt16] = [:]
  /// By class number: the properties whose values can be links.
  private(set) var linking: [[PropertySchema]] = []

  private struct Key: Hashable {
    let target: ClassKey
    let origin: ClassKey
    let property: PropertyKey
  }

  init(_ schema: Schema) {
    for target in schema.classes {
      for slot in target.backlinkSlots {
        slots[Key(target: target.key, origin: slot.origin, property: slot.property)] = slot.slot
      }
      let number = Int(target.key.rawValue)
      while linking.count <= number { linking.append([]) }
      linking[number] = target.properties.filter(\.canLink)
    }
  }

  /// The slot in which objects of `target` keep the links from a property of `origin`.
  func slot(_ target: ClassKey, _ origin: ClassKey, _ property: PropertyKey) -> UInt16? {
    slots[Key(target: target, origin: origin, property: property)]
  }

  func properties(of classKey: ClassKey) -> [PropertySchema] {
    let number = Int(classKey.rawValue)
    return number < linking.count ? linking[number] : []
  }
}
