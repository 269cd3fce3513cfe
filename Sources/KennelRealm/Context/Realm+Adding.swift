import Foundation
public import KennelCore

extension Realm {
  /// What to do if an object with the same primary key exists.
  public enum UpdatePolicy: Int, Sendable {
    /// Stops the program.
    case error = 1
    /// Sets the properties that differ.
    case modified = 3
    /// Sets all properties.
    case all = 2
  }

  /// Adds an object and the unmanaged objects that it links to.
  ///
  /// The object becomes managed: it reads and writes the file.
  ///
  /// - Parameters:
  ///   - object: An unmanaged object, or one of this realm.
  ///   - update: What to do if an object with the same primary key exists.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    context.requireTransaction()
    if let other = object.context {
      if other === context, !context.isValid(object) || other.configuration.readOnly {
        context.throwInvalidAdded()
      }
      if other === context { return }
      context.throwForeign()
    }
    let binding = context.binding(of: type(of: object))
    if update != .error { context.requirePrimaryKey(binding) }
    _ = context.add(object, binding, update)
  }

  /// Adds objects and the unmanaged objects that they link to.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - update: What to do if an object with the same primary key exists.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
  where S.Iterator.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Creates an object from a dictionary, an array or another object.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - value: A dictionary by property name, an array of all property values in order, or an
  ///     object with the same property names; nested for links. A missing property gets its
  ///     default.
  ///   - update: What to do if an object with the same primary key exists. Properties that the
  ///     value does not contain are unchanged then.
  /// - Returns: The object.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type,
    value: Any = [:],
    update: UpdatePolicy = .error
  ) -> T {
    context.requireTransaction()
    if update != .error { context.requirePrimaryKey(context.binding(of: type)) }
    return known(context.create(type, value, update), as: type)
  }
}

extension RealmContext {
  internal func throwForeign() -> Never {
    throwRealmException(
      "Object is already managed by another Realm. Use create instead to copy it into this Realm."
    )
  }

  internal func throwInvalidAdded() -> Never {
    throwRealmException("Adding a deleted or invalidated object to a Realm is not permitted")
  }

  internal func requirePrimaryKey(_ binding: ClassBinding) {
    if binding.primaryKey == nil {
      throwRealmException(
        "'\(binding.model.name)' does not have a primary key and can not be updated; declare one with "
          + "@Persisted(primaryKey: true), or leave update out"
      )
    }
  }

  /// The identity of a link's target; an unmanaged object is added.
  @usableFromInline
  internal func managedIdentity(of object: Object) -> ObjectIdentity {
    if object.context !== self {
      if object.context != nil { throwForeign() }
      return add(object, binding(of: type(of: object)), policy)
    }
    guard isValid(object) else { throwInvalidAdded() }
    return object.identity
  }

  // MARK: - Adding

  internal func add(
    _ object: Object,
    _ binding: ClassBinding,
    _ policy: Realm.UpdatePolicy
  ) -> ObjectIdentity {
    let outerPolicy = self.policy
    self.policy = policy
    defer { self.policy = outerPolicy }
    noteCreation(of: binding.classKey)
    var made = ObjectIdentity(binding.classKey, ObjectKey(rawValue: 0))
    guard let keyProperty = binding.keyProperty, let primaryKey = binding.model.primaryKey else {
      change { made = try $0.create(binding.classKey) }
      adopt(object, made, binding, isNew: true)
      return made
    }
    if policy == .error, let integerKey = binding.integerKey, let offset = binding.integerKeyOffset
    {
      let number = Int64(object.unmanagedInteger(at: offset))
      create(&made, integerKey, number, binding)
      adopt(object, made, binding, isNew: true)
      return made
    }
    let value = primaryKey.plainValue(of: object)
    if policy != .error, let existing = find(binding, value) {
      adopt(object, existing, binding, isNew: false)
      return existing
    }
    create(&made, keyProperty, value, binding)
    adopt(object, made, binding, isNew: true)
    return made
  }

  private func create<Key: PropertyValue>(
    _ made: inout ObjectIdentity,
    _ property: KennelCore.Property<Key>,
    _ value: Key,
    _ binding: ClassBinding
  ) {
    var isTaken = false
    change { (transaction) throws(DatabaseError) in
      do throws(DatabaseError) {
        made = try transaction.create(property, value)
      } catch {
        isTaken = error.code == .duplicatePrimaryKey
        if !isTaken { throw error }
      }
    }
    if isTaken, let type = view.schema[binding.classKey]?.primaryKey?.type {
      throwDuplicate(binding, value.value(for: type))
    }
  }

  /// Creates an unmanaged object the accessor of a stored one, and stores what it holds.
  ///
  /// `isNew` says whether the stored object has nothing but its defaults.
  private func adopt(
    _ object: ObjectBase,
    _ identity: ObjectIdentity,
    _ binding: ClassBinding,
    isNew: Bool
  ) {
    let outer = (isAdopting, isAdoptingNew)
    (isAdopting, isAdoptingNew) = (true, isNew)
    defer { (isAdopting, isAdoptingNew) = outer }
    binding.plan.bind(object, identity, self)
    guard let transaction else { return }
    let adoption = Adoption(
      object: object,
      identity: identity,
      context: self,
      transaction: transaction,
      isNew: isNew,
      isNullByDefault: isNew && isNullByDefault(binding)
    )
    for step in binding.adoption where !adoption.store(step) {
      if step.way == .primaryKey {
        binding.plan.overwrite(step.position, of: object)
        binding.model.properties[step.position].connect(of: object, step.key)
      } else {
        binding.model.properties[step.position].promote(of: object, step.key)
      }
    }
    stamp &+= 1
  }

  /// Whether new objects of a class are null wherever they can be, found once in a transaction.
  private func isNullByDefault(_ binding: ClassBinding) -> Bool {
    if configuration.isMigrating { return false }
    let number = Int(binding.classKey.rawValue)
    if number < nullByDefault.count, let known = nullByDefault[number] { return known }
    let properties = view.schema[binding.classKey]?.properties ?? []
    let answer = properties.allSatisfy { !$0.type.isOptional || $0.defaultValue.isNull }
    while nullByDefault.count <= number { nullByDefault.append(nil) }
    nullByDefault[number] = answer
    return answer
  }

  internal func throwDuplicate(_ binding: ClassBinding, _ value: KennelCore.Value) -> Never {
    throwRealmException(
      "Attempting to create an object of type '\(binding.model.name)' with an existing primary key "
        + "value '\(ValueText.describe(value))'. Pass update: .modified to change the stored object"
    )
  }

  /// Creates an embedded object in a slot and the given one its accessor.
  ///
  /// Where it is that of a to-one property that holds nothing yet, `owning` says which.
  internal func place(
    _ embedded: EmbeddedObject,
    at slot: Slot,
    _ owning: KennelCore.Property<ObjectIdentity?>? = nil
  ) {
    if embedded.context != nil {
      if slot.position == .value, embedded.context === self, isValid(embedded),
        attempt({ try view.owner(of: embedded.identity) }) == slot
      {
        return
      }
      throwOwned(embedded, slot)
    }
    let binding = binding(of: type(of: embedded))
    if updatesEmbedded, let existing = embeddedObject(at: slot) {
      adopt(embedded, existing, binding, isNew: false)
      return
    }
    var made: ObjectIdentity?
    change { (transaction) throws(DatabaseError) in
      made =
        if let owning {
          try transaction.createEmbedded(in: slot.object, owning)
        } else {
          try transaction.createEmbedded(at: slot)
        }
    }
    guard let made else { return }
    adopt(embedded, made, binding, isNew: true)
  }

  /// Stops the program where an embedded object that has an owner is to get another.
  internal func throwOwned(_ embedded: EmbeddedObject, _ slot: Slot) -> Never {
    let mistake =
      switch slot.position {
      case .value, .member: "Can't set link to existing managed embedded object"
      case .index: "Cannot add an existing managed embedded object to a List."
      case .key: "Cannot add an existing managed embedded object to a Dictionary."
      }
    throwRealmException(
      "\(mistake) It has one owner; make a copy with \(type(of: embedded).className())(value: object)"
    )
  }

  /// Whether embedded objects of the object that is being added change those of the stored one, rather
  /// than take their place.
  internal var updatesEmbedded: Bool { policy == .modified && isAdopting && !isAdoptingNew }

  private func embeddedObject(at slot: Slot) -> ObjectIdentity? {
    let value = attempt { try view.value(of: slot.object, slot.property) }
    switch (slot.position, value) {
    case (.value, .link(let link)): return link
    case (.index(let index), .list(let values)):
      if index < values.count, case .link(let link) = values[index] { return link }
    case (.key(let key), .map(let entries)):
      if case .link(let link)? = entries.first(where: { $0.key == key })?.value { return link }
    default: break
    }
    return nil
  }

  // MARK: - Creating

  internal func create(
    _ type: Object.Type,
    _ value: Any,
    _ policy: Realm.UpdatePolicy
  ) -> Object {
    let binding = binding(of: type)
    if let object = value as? Object {
      if object.isInvalidated { throwInvalidAdded() }
      // What is there already is up to date.
      if policy != .error, object.context === self, Swift.type(of: object) == type { return object }
    }
    let outerPolicy = self.policy
    self.policy = policy
    defer { self.policy = outerPolicy }
    let filler = ObjectFiller(policy, self)
    if let key = primaryKey(of: value, binding, filler), let existing = find(binding, key) {
      if policy == .error { throwDuplicate(binding, key) }
      let object = known(binding.plan.makeAccessor(existing, self), as: Object.self)
      filler.fill(object, with: value, except: binding.model.primaryKey)
      return object
    }
    let object = type.init()
    let again = filler.fillNew(object, with: value)
    _ = add(object, binding, policy)
    for (property, value) in again {
      filler.set(property, of: object, to: value, in: binding.model)
    }
    return object
  }

  /// The primary key that a value gives, if it gives one.
  private func primaryKey(
    of value: Any,
    _ binding: ClassBinding,
    _ filler: ObjectFiller
  ) -> KennelCore.Value? {
    guard let property = binding.model.primaryKey else { return nil }
    let values = filler.named(value, binding.model, binding.model.storedProperties)
    guard let given = values.first(where: { $0.0 == property.name })?.1 else { return nil }
    return property.keyValue(given)
  }
}
