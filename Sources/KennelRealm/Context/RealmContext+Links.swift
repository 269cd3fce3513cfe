public import KennelCore

/// To-one links of managed objects.
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
