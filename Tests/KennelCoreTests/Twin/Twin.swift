import KennelCore

/// The object model once more, made of dictionaries: slow, plain, and written from the description
/// of the data model alone, so that the engine can be compared with it.
///
/// Nothing is kept that can be computed: backlinks, owners and what a deletion takes along are
/// found by looking at all objects each time.
struct Twin {
  struct Property {
    let key: PropertyKey
    let name: String
    let type: PropertyType
    let target: ClassKey?
    let holdsEmbedded: Bool
    let isPrimaryKey: Bool
    let isUnique: Bool
    let isIndexed: Bool
    var rule: DeleteRule
    var targetRule: TargetRule
    /// What objects created from now on get.
    var initial: Value

    var canLink: Bool { type.kind == .link || type.kind == .mixed }
  }

  struct Class {
    let key: ClassKey
    let name: String
    let isEmbedded: Bool
    var properties: [Property] {
      didSet { linkProperties = properties.filter(\.canLink) }
    }
    private(set) var linkProperties: [Property]
    var nextKey: UInt64 = 1

    init(_ key: ClassKey, _ name: String, isEmbedded: Bool, _ properties: [Property]) {
      self.key = key
      self.name = name
      self.isEmbedded = isEmbedded
      self.properties = properties
      linkProperties = properties.filter(\.canLink)
    }

    subscript(key: PropertyKey) -> Property? { properties.first { $0.key == key } }
  }

  /// A link that an object holds, at the position that it has now.
  struct Link: Hashable {
    let slot: Slot
    let property: Property
    let target: ObjectIdentity
    /// Whether the slot holds a collection, with the link somewhere inside.
    var isNested = false

    static func == (one: Link, other: Link) -> Bool {
      one.slot == other.slot && one.target == other.target
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(slot)
      hasher.combine(target)
    }
  }

  /// What a verb refuses with.
  struct Refusal: Error {
    let code: DatabaseError.Code

    init(_ code: DatabaseError.Code) {
      self.code = code
    }
  }

  var classes: [ClassKey: Class] = [:]
  var objects: [ObjectIdentity: [PropertyKey: Value]] = [:]

  // MARK: - Looking

  func existing(_ object: ObjectIdentity, _ key: PropertyKey) throws -> (Class, Property, Value) {
    guard let owner = classes[object.classKey] else { throw Refusal(.noSuchClass) }
    guard let property = owner[key] else { throw Refusal(.noSuchProperty) }
    guard let value = objects[object]?[key] else { throw Refusal(.noSuchObject) }
    return (owner, property, value)
  }

  /// All links of an object, of embedded objects too.
  func links(of object: ObjectIdentity) -> [Link] {
    guard let values = objects[object], let owner = classes[object.classKey] else { return [] }
    return owner.linkProperties.flatMap { property in
      links(in: values[property.key] ?? .null, of: object, property)
    }
  }

  func links(in value: Value, of object: ObjectIdentity, _ property: Property) -> [Link] {
    var found: [Link] = []
    func add(_ value: Value, _ position: Slot.Position) {
      let slot = Slot(object, property.key, position)
      if case .link(let target) = value {
        found.append(Link(slot: slot, property: property, target: target))
        return
      }
      for target in targets(in: value) {
        found.append(Link(slot: slot, property: property, target: target, isNested: true))
      }
    }
    switch value {
    case _ where property.type.collection == .none: add(value, .value)
    case .list(let elements):
      for (index, element) in elements.enumerated() { add(element, .index(index)) }
    case .set(let members):
      for member in members { add(member, .member(member)) }
    case .map(let entries):
      for entry in entries { add(entry.value, .key(entry.key)) }
    default: add(value, .value)
    }
    return found
  }

  var allLinks: [Link] {
    objects.keys.sorted().flatMap { links(of: $0) }
  }

  func owner(of embedded: ObjectIdentity) -> Slot? {
    for object in objects.keys {
      for link in links(of: object) where link.property.holdsEmbedded && link.target == embedded {
        return link.slot
      }
    }
    return nil
  }

  func find(_ classKey: ClassKey, _ property: PropertyKey, _ value: Value) -> [ObjectIdentity] {
    objects.filter { $0.key.classKey == classKey && $0.value[property] == value }.keys.sorted()
  }

  // MARK: - Changing

  /// Runs a verb; one that refuses leaves everything as it was.
  mutating func attempt<Result>(_ body: (inout Twin) throws -> Result) throws -> Result {
    var changed = self
    let result = try body(&changed)
    self = changed
    return result
  }

  mutating func newObject(_ classKey: ClassKey, key: UInt64? = nil) -> ObjectIdentity {
    guard var owner = classes[classKey] else { fatalError("class \(classKey)") }
    let number = key ?? owner.nextKey
    if number < ObjectKey.firstProvisional { owner.nextKey = max(owner.nextKey, number + 1) }
    classes[classKey] = owner
    let object = ObjectIdentity(classKey, ObjectKey(rawValue: number))
    objects[object] = Dictionary(
      uniqueKeysWithValues: owner.properties.map { ($0.key, $0.initial) }
    )
    return object
  }

  mutating func addProperty(_ property: Property, to classKey: ClassKey) {
    classes[classKey]?.properties.append(property)
    for object in objects.keys where object.classKey == classKey {
      objects[object]?[property.key] = property.initial
    }
  }
}
