import KennelStorage

/// Where the backlinks of each link property are kept, made once per schema.
internal struct LinkIndex {
  private var slots: [Key: UInt16] = [:]
  /// By class number and property slot: where links of a property with one target class are kept.
  private var fixed: [[(target: ClassKey, slot: UInt16)?]] = []
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
    fixed = Array(repeating: [], count: linking.count)
    for origin in schema.classes {
      var places: [(target: ClassKey, slot: UInt16)?] = Array(
        repeating: nil,
        count: Int(origin.nextSlot)
      )
      for property in origin.properties {
        guard let target = property.target,
          let slot = slots[Key(target: target, origin: origin.key, property: property.key)]
        else { continue }
        places[Int(property.key.rawValue)] = (target, slot)
      }
      fixed[Int(origin.key.rawValue)] = places
    }
  }

  /// The slot in which objects of `target` keep the links from a property of `origin`.
  func slot(_ target: ClassKey, _ origin: ClassKey, _ property: PropertyKey) -> UInt16? {
    let number = Int(origin.rawValue)
    let place = Int(property.rawValue)
    if number < fixed.count, place < fixed[number].count, let known = fixed[number][place],
      known.target == target
    {
      return known.slot
    }
    return slots[Key(target: target, origin: origin, property: property)]
  }

  func properties(of classKey: ClassKey) -> [PropertySchema] {
    let number = Int(classKey.rawValue)
    return number < linking.count ? linking[number] : []
  }
}
