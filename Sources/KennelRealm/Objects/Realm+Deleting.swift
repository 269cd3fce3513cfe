import KennelCore

extension Realm {
  /// Deletes an object, its embedded objects, and the targets that its delete rules delete.
  ///
  /// If a `deny` rule prevents it, nothing is deleted, and the surrounding
  /// ``write(withoutNotifying:_:)`` rolls back and throws.
  ///
  /// - Parameter object: An object of this realm.
  public func delete(_ object: ObjectBase) {
    context.requireTransaction()
    context.delete([context.deletable(object)])
  }

  /// Deletes objects as one operation.
  ///
  /// - Parameter objects: Objects of this realm.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
    context.requireTransaction()
    context.delete(objects.map(context.deletable))
  }

  /// Deletes the objects of a map as one operation.
  ///
  /// - Parameter map: A map of this realm. Its entries stay, with null values.
  public func delete<Key: _MapKey, Element: ObjectBase>(_ map: Map<Key, Element?>) {
    context.requireTransaction()
    context.delete(map.values.compactMap { $0 }.map(context.deletable))
  }

  /// Deletes all objects of the realm's classes.
  public func deleteAll() {
    context.requireTransaction()
    for binding in context.file.bindings.byKey.values where !binding.model.isEmbedded {
      context.deleteAll(of: binding.classKey)
    }
  }
}

extension RealmContext {
  internal func deletable(_ object: ObjectBase) -> ObjectIdentity {
    guard object.context === self else {
      throwRealmException(
        object.context == nil
          ? "Can only delete an object from the Realm it belongs to: this one is unmanaged"
          : "Can only delete an object from the Realm it belongs to."
      )
    }
    guard isValid(object) else { throwDeleted() }
    return object.identity
  }

  internal func delete(_ objects: [ObjectIdentity]) {
    if objects.isEmpty { return }
    membership.changeAll()
    change { try $0.delete(objects) }
  }

  internal func deleteAll(of classKey: ClassKey) {
    var keys: [ObjectKey] = []
    repeat {
      keys = attempt { try view.objects(of: classKey, limit: 4096).keys }
      delete(keys.map { ObjectIdentity(classKey, $0) })
    } while !keys.isEmpty && failure == nil
  }
}
