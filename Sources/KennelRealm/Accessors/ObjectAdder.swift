public import KennelCore

/// Adds unmanaged objects to a realm, with those that they link to.
@usableFromInline
internal struct ObjectAdder {
  let context: RealmContext

  func throwForeign() -> Never {
    throwRealmException(
      "Object is already managed by another Realm. Use create instead to copy it into this Realm."
    )
  }

  func throwInvalidAdded() -> Never {
    throwRealmException("Adding a deleted or invalidated object to a Realm is not permitted")
  }

  func requirePrimaryKey(_ binding: ClassBinding) {
    if binding.primaryKey == nil {
      throwRealmException(
        "'\(binding.model.name)' does not have a primary key and can not be updated; declare one with "
          + "@Persisted(primaryKey: true), or leave update out"
      )
    }
  }

  /// The identity of a link's target; an unmanaged object is added.
  @usableFromInline
  func managedIdentity(of object: Object) -> ObjectIdentity {
    if object.context !== context {
      if object.context != nil { throwForeign() }
      return add(object, context.binding(of: type(of: object)), context.adding.policy)
    }
    guard context.isValid(object) else { throwInvalidAdded() }
    return object.identity
  }

  // MARK: - Adding

  func add(
    _ object: Object,
    _ binding: ClassBinding,
    _ policy: Realm.UpdatePolicy
  ) -> ObjectIdentity {
    let outerPolicy = context.adding.policy
    context.adding.policy = policy
    defer { context.adding.policy = outerPolicy }
    context.membership.noteCreation(of: binding.classKey)
    var made = ObjectIdentity(binding.classKey, ObjectKey(rawValue: 0))
    guard let keyProperty = binding.keyProperty, let primaryKey = binding.model.primaryKey else {
      context.change { made = try $0.create(binding.classKey) }
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
    if policy != .error, let existing = context.accessors.find(binding, value) {
      adopt(object, existing, binding, isNew: false)
      return existing
    }
    create(&made, keyProperty, value, binding)
    adopt(object, made, binding, isNew: true)
    return made
  }

  private func create<Key: PropertyValue>(
    _ made: inout ObjectIdentity,
    _ property: TypedProperty<Key>,
    _ value: Key,
    _ binding: ClassBinding
  ) {
    var isTaken = false
    context.change { (transaction) throws(DatabaseError) in
      do throws(DatabaseError) {
        made = try transaction.create(property, value)
      } catch {
        isTaken = error.code == .duplicatePrimaryKey
        if !isTaken { throw error }
      }
    }
    if isTaken, let type = context.view.schema[binding.classKey]?.primaryKey?.type {
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
    let outer = (context.adding.isActive, context.adding.isNew)
    (context.adding.isActive, context.adding.isNew) = (true, isNew)
    defer { (context.adding.isActive, context.adding.isNew) = outer }
    binding.plan.bind(object, identity, context)
    guard let transaction = context.transaction else { return }
    let adoption = Adoption(
      object: object,
      identity: identity,
      context: context,
      transaction: transaction,
      isNew: isNew,
      isNullByDefault: isNew && isNullByDefault(binding)
    )
    for step in binding.adoption where !adoption.store(step) {
      if case .primaryKey = step.way {
        binding.plan.overwrite(step.position, of: object)
        binding.model.properties[step.position].connect(of: object, step.key)
      } else {
        binding.model.properties[step.position].promote(of: object, step.key)
      }
    }
    context.stamp &+= 1
    if isNew { return }
    // What is a list says itself how it changes.
    for step in binding.adoption {
      let property = binding.model.properties[step.position]
      if property.isPrimaryKey || property.isInverse || property.shape.collection == .list {
        continue
      }
      context.noteAssignment(identity, step.key)
    }
  }

  /// Whether new objects of a class are null wherever they can be, found once in a transaction.
  private func isNullByDefault(_ binding: ClassBinding) -> Bool {
    if context.configuration.isMigrating { return false }
    let number = Int(binding.classKey.rawValue)
    if number < context.adding.nullByDefault.count,
      let known = context.adding.nullByDefault[number]
    {
      return known
    }
    let properties = context.view.schema[binding.classKey]?.properties ?? []
    let answer = properties.allSatisfy { !$0.type.isOptional || $0.defaultValue.isNull }
    let missing = max(0, number + 1 - context.adding.nullByDefault.count)
    context.adding.nullByDefault += Array(repeating: nil, count: missing)
    context.adding.nullByDefault[number] = answer
    return answer
  }

  func throwDuplicate(_ binding: ClassBinding, _ value: StoredValue) -> Never {
    throwRealmException(
      "Attempting to create an object of type '\(binding.model.name)' with an existing primary key "
        + "value '\(ValueText.describe(value))'. Pass update: .modified to change the stored object"
    )
  }

  /// Creates an embedded object in a slot and the given one its accessor.
  ///
  /// Where it is that of a to-one property that holds nothing yet, `owning` says which.
  func place(
    _ embedded: EmbeddedObject,
    at slot: Slot,
    _ owning: TypedProperty<ObjectIdentity?>? = nil
  ) {
    if embedded.context != nil {
      if slot.position == .value, embedded.context === context, context.isValid(embedded),
        context.attempt({ try context.view.owner(of: embedded.identity) }) == slot
      {
        return
      }
      throwOwned(embedded, slot)
    }
    let binding = context.binding(of: type(of: embedded))
    if updatesEmbedded, let existing = embeddedObject(at: slot) {
      adopt(embedded, existing, binding, isNew: false)
      return
    }
    var made: ObjectIdentity?
    context.change { (transaction) throws(DatabaseError) in
      made =
        if let owning {
          try transaction.createEmbedded(in: slot.object, property: owning)
        } else {
          try transaction.createEmbedded(at: slot)
        }
    }
    guard let made else { return }
    adopt(embedded, made, binding, isNew: true)
  }

  /// Stops the program where an embedded object that has an owner is to get another.
  func throwOwned(_ embedded: EmbeddedObject, _ slot: Slot) -> Never {
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
  var updatesEmbedded: Bool {
    context.adding.policy == .modified && context.adding.isActive && !context.adding.isNew
  }

  private func embeddedObject(at slot: Slot) -> ObjectIdentity? {
    let value = context.attempt { try context.view.value(of: slot.object, property: slot.property) }
    switch (slot.position, value) {
    case (.value, .link(let link)): return link
    case (.index(let index), .list(let values)):
      if index < values.count, case .link(let link) = values[index] { return link }
    case (.key(let key), .map(let entries)):
      if case .link(let link)? = entries.first(where: { $0.key == key })?.value { return link }
    case (.value, _), (.index, _), (.key, _), (.member, _): break
    }
    return nil
  }
}

extension RealmContext {
  @usableFromInline internal final var adder: ObjectAdder { ObjectAdder(context: self) }
}
