public import KennelCore

extension ObjectBase {
  /// An accessor of the object that a to-one property leads to.
  @usableFromInline
  internal final func target(_ key: PropertyKey, as type: ObjectBase.Type) -> ObjectBase? {
    guard let context = context.map(Borrowed.init) else { return nil }
    return context.use { context in
      context.requireConfinement()
      guard context.isCurrent(self) else { context.throwDeleted() }
      guard let link = context.link(of: identity, key) else { return nil }
      guard let object = lastTarget.unshared() else { return newTarget(link, as: type, context) }
      if Swift.type(of: object) != type { return newTarget(link, as: type, context) }
      object.aim(link, context.age)
      return object
    }
  }

  @inline(never)
  private func newTarget(
    _ link: ObjectIdentity,
    as type: ObjectBase.Type,
    _ context: RealmContext
  ) -> ObjectBase {
    let object = context.accessors.make(link, as: type)
    object.level = level &+ 1
    if level < KeptCollection.deepest, !context.isFrozen,
      context.accessors.exactPlan(link.classKey, type)?.isReusable == true
    {
      lastTarget.keep(object)
    }
    return object
  }

  /// Makes an embedded object the value of a to-one property.
  @usableFromInline
  internal final func place(_ embedded: EmbeddedObject, _ key: PropertyKey) {
    context?.adder.place(embedded, at: Slot(identity, key))
  }
}

extension RealmContext {
  /// Where a to-one property leads; `nil` where it is null.
  internal func link(of object: ObjectIdentity, _ key: PropertyKey) -> ObjectIdentity? {
    let targets = file.bindings.binding(object.classKey)?.targets ?? []
    return attempt { () throws(DatabaseError) -> ObjectIdentity? in
      if Int(key.rawValue) < targets.count, let target = targets[Int(key.rawValue)] {
        return try ObjectIdentity._readNullable(object, key, target, in: view)
      }
      guard case .link(let link) = try view.value(of: object, property: key) else { return nil }
      return link
    }
  }

  /// Links to an object, which is added if it is unmanaged, or to none.
  @usableFromInline
  internal func link(_ object: ObjectBase, _ key: PropertyKey, to target: Object?) {
    requireConfinement()
    if !adding.isNew { requireWritable(object, key) }
    let link = target.map(adder.managedIdentity)
    change { (transaction) throws(DatabaseError) in
      try ObjectIdentity._setNullable(link, object.identity, key, in: transaction)
    }
    noteAssignment(object.identity, key)
  }

  /// Links to objects at the end of a list; those that are unmanaged are added.
  internal func append(
    _ targets: [Object],
    to object: ObjectIdentity,
    _ list: TypedProperty<[ObjectIdentity]>
  ) {
    let adder = adder
    change { (transaction) throws(DatabaseError) in
      for index in targets.indices {
        let target = Borrowed(targets[index]).use { adder.managedIdentity(of: $0) }
        try transaction.append(target, to: object, property: list)
      }
    }
  }
}
