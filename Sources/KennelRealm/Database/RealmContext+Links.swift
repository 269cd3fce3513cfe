public import KennelCore

/// To-one links of managed objects.
extension RealmContext {
  /// An accessor of the object that a to-one property leads to.
  @usableFromInline
  internal func target(
    of object: ObjectBase,
    _ key: PropertyKey,
    as type: ObjectBase.Type
  ) -> ObjectBase? {
    requireConfinement()
    guard isCurrent(object) else { throwDeleted() }
    guard let target = table.target(object.identity.classKey, key) else {
      guard case .link(let link) = value(of: object, key) else { return nil }
      return accessor(link, as: type)
    }
    do throws(DatabaseError) {
      let link = try ObjectIdentity.readNullable(object.identity, key, target, in: view)
      return link.map { accessor($0, as: type) }
    } catch {
      fail(error)
    }
  }

  /// Links to an object, which is added if it is unmanaged, or to none.
  @usableFromInline
  internal func link(_ object: ObjectBase, _ key: PropertyKey, to target: Object?) {
    requireConfinement()
    if !isAdoptingNew { requireWritable(object, key) }
    let link = target.map(managedIdentity)
    change { (transaction) throws(DatabaseError) in
      try ObjectIdentity.setNullable(link, object.identity, key, in: transaction)
    }
  }
}
