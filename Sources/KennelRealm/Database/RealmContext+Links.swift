public import KennelCore

/// To-one links of managed objects.
extension RealmContext {
  /// Links to an object, which is added if it is unmanaged, or to none.
  @usableFromInline
  internal func link(_ object: ObjectBase, _ key: PropertyKey, to target: Object?) {
    requireConfinement()
    if !isAdoptingNew { requireWritable(object, key) }
    let link = target.map(managedIdentity)
    change { (transaction) throws(DatabaseError) in
      try ObjectIdentity._setNullable(link, object.identity, key, in: transaction)
    }
  }

  /// Links to objects at the end of a list; those that are unmanaged are added.
  internal func append(
    _ targets: [Object],
    to object: ObjectIdentity,
    _ list: KennelCore.Property<[ObjectIdentity]>
  ) {
    for target in targets {
      let link = managedIdentity(of: target)
      change { (transaction) throws(DatabaseError) in
        try transaction.append(link, to: object, list)
      }
    }
  }
}
