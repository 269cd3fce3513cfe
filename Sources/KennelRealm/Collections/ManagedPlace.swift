@_spi(Faces) import KennelCore

/// A collection property of a managed object, or a list or map inside a mixed value of it.
internal struct ManagedPlace {
  let context: RealmContext
  private(set) var identity: ObjectIdentity
  let key: PropertyKey
  /// As ``ObjectBase/age``.
  private(set) var age: UInt64
  /// The property, where it is a list or set of links to objects that are not embedded.
  let links: TypedProperty<[ObjectIdentity]>?
  /// The way to the collection, where it is inside the value of the property.
  private(set) var path: NestedPath?

  init(_ object: ObjectBase, _ context: RealmContext, _ key: PropertyKey) {
    self.init(object.identity, age: object.age, context, key)
  }

  private init(_ object: ObjectIdentity, age: UInt64, _ context: RealmContext, _ key: PropertyKey) {
    self.context = context
    identity = object
    self.age = age
    self.key = key
    let lists = context.file.bindings.binding(object.classKey)?.lists ?? []
    links = Int(key.rawValue) < lists.count ? lists[Int(key.rawValue)] : nil
  }

  /// Returns how the place is found in another realm of the file.
  func recipe() -> (RealmContext) -> ManagedPlace? {
    let (identity, key, path) = (identity, key, path?.detached())
    return { context in
      guard context.attempt({ try context.view.contains(identity) }) else { return nil }
      let place = ManagedPlace(identity, age: context.age, context, key)
      guard let path else { return place }
      // Found here, since several threads may read what is frozen at once.
      let nested = place.following(path.detached())
      return nested.isValid ? nested : nil
    }
  }

  /// The collection at the end of a way that another realm of the file knows.
  func following(_ path: NestedPath) -> ManagedPlace {
    var place = self
    place.path = path
    return place
  }

  /// A list or map that an element of the collection is.
  func nested(_ step: NestedStep, _ element: StoredValue) -> ManagedPlace {
    let inner =
      path?.nested(step, element, in: self)
      ?? NestedPath([step], element, in: wholeValue, context.stamp)
    return following(inner)
  }

  /// Goes on as the collection of another object of the same class.
  mutating func renew(_ key: ObjectKey, _ age: UInt64) {
    identity = ObjectIdentity(identity.classKey, key)
    self.age = age
  }

  /// Whether the object that has the collection is there.
  var isValid: Bool {
    context.requireConfinement()
    guard context.isCurrent(identity, age),
      context.attempt({ try context.view.contains(identity) })
    else { return false }
    return path.map { $0.value(in: self) != nil } ?? true
  }

  var count: Int {
    requireValid()
    if let path { return nestedCount(path) }
    if let links {
      return context.attempt { try context.view.count(in: identity, property: links) }
    }
    return context.attempt { try context.view.elementCount(of: identity, property: key) }
  }

  func element(_ position: Int) -> StoredValue? {
    requireValid()
    if let links {
      return context.attempt {
        let count = try context.view.count(in: identity, property: links)
        return position < count
          ? .link(try context.view.target(at: position, in: identity, property: links)) : nil
      }
    }
    if path != nil { return element(.index(position)) }
    return context.attempt {
      try context.view.elements(of: identity, property: key, in: position..<position + 1).first
    }
  }

  /// An element of a list or map; `nil` if there is none.
  func element(_ step: NestedStep) -> StoredValue? { value.element(step) }

  private func nestedCount(_ path: NestedPath) -> Int {
    if let bytes = path.unchanged(context) { return context.attempt { try bytes.count() } }
    return switch path.value(in: self)?.shape {
    case .list(let elements)?: elements.count
    case .map(let entries)?: entries.count
    case .null?, .scalar?, .link?, .set?, nil: throwInvalidated()
    }
  }

  /// The elements of a list or set, or the values of a map.
  var found: ResultsSource.Found {
    requireValid()
    if let links {
      var targets: [ObjectKey] = []
      return context.attempt {
        targets.reserveCapacity(try context.view.count(in: identity, property: links))
        try context.view.forEachTarget(of: identity, property: links) { targets.append($0.key) }
        guard let target = context.view.schema[identity.classKey]?[key]?.target else {
          return .values([])
        }
        return .objects(target, targets)
      }
    }
    let values: [StoredValue] =
      switch value {
      case .list(let values), .set(let values): values
      case .map(let entries): entries.map(\.value)
      case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid,
        .decimal128, .link:
        []
      }
    guard let property = context.view.schema[identity.classKey]?[key],
      property.type.kind == .link, let target = property.target
    else { return .values(values) }
    return .objects(target, values.flatMap { $0.links.map(\.key) })
  }

  /// The value of the collection.
  var value: StoredValue {
    requireValid()
    guard let path else { return wholeValue }
    guard let value = path.value(in: self) else { throwInvalidated() }
    return value
  }

  /// The value of the property.
  var wholeValue: StoredValue {
    context.attempt { try context.view.value(of: identity, property: key) }
  }

  func requireValid() {
    context.requireConfinement()
    guard context.isCurrent(identity, age) else { throwInvalidated() }
  }

  func throwInvalidated() -> Never {
    throwRealmException(
      "Access to invalidated Collection object: its object was deleted"
        + (path == nil ? "" : ", or the value that it was in has changed")
    )
  }

  func requireWritable(_ name: @autoclosure () -> String) {
    if context.isFrozen {
      throwRealmException(
        "Cannot modify managed \(name()) outside of a write transaction: it is frozen. Attempting to "
          + "modify a frozen object - call thaw on the \(name()) instance first"
      )
    }
    guard isValid else { throwInvalidated() }
    guard context.transaction != nil else {
      throwRealmException(
        "Cannot modify managed \(name()) outside of a write transaction: call beginWrite first, or do "
          + "it in the body of realm.write { }."
      )
    }
  }

  /// Whether the property is the primary key of its class.
  var isPrimaryKey: Bool {
    context.view.schema[identity.classKey]?[key]?.isPrimaryKey ?? false
  }

  func slot(_ position: Slot.Position) -> Slot { Slot(identity, key, position) }

  func isSame(as other: ManagedPlace) -> Bool {
    identity == other.identity && key == other.key && context.sharesFile(with: other.context)
      && stepsNow == other.stepsNow
  }

  private var stepsNow: [NestedStep]? {
    _ = path?.value(in: self)
    return path?.steps
  }

  /// Whether two collections are the same property of one object; `nil` if both are unmanaged.
  static func areSame(_ left: ManagedPlace?, _ right: ManagedPlace?) -> Bool? {
    guard let left, let right else { return left == nil && right == nil ? nil : false }
    return left.isSame(as: right)
  }
}

extension RealmContext {
  internal func isCurrent(_ identity: ObjectIdentity, _ age: UInt64) -> Bool {
    age == self.age || survived(identity, since: age)
  }
}

/// The elements of an unmanaged collection.
///
/// Values that a custom type may not be made of are not converted before they are read, as in Realm.
@propertyWrapper
@usableFromInline
internal struct MadeLater<Elements> {
  private var elements: Elements
  /// Makes the elements of values that were assigned.
  var make: (() -> Elements)?

  // Inlined into the collection's accessors, which ask for the metadata of this type otherwise.
  @usableFromInline
  @inline(__always)
  init(wrappedValue: Elements) { elements = wrappedValue }

  @usableFromInline var wrappedValue: Elements {
    @inline(__always) get { make?() ?? elements }
    @inline(__always) _modify {
      if let make { elements = make() }
      make = nil
      yield &elements
    }
  }
}
