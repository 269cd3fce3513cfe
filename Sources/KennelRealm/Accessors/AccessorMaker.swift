import KennelCore

/// Makes accessors of what is stored in a realm.
internal struct AccessorMaker {
  let context: RealmContext

  /// An accessor of an object, as one of a class.
  func make(_ identity: ObjectIdentity, as type: ObjectBase.Type) -> ObjectBase {
    if let plan = exactPlan(identity.classKey, type) { return plan.makeAccessor(identity, context) }
    if let binding = context.file.bindings.byClass[ObjectIdentifier(type)],
      binding.classKey == identity.classKey
    {
      return binding.plan.makeAccessor(identity, context)
    }
    if let binding = context.file.bindings.binding(identity.classKey) {
      let object = binding.plan.makeAccessor(identity, context)
      if isInstance(object, of: type) { return object }
    }
    return makeDynamic(identity)
  }

  /// How accessors of a class of the file are made, where its class in Swift is exactly the wanted one.
  func exactPlan(_ classKey: ClassKey, _ type: ObjectBase.Type) -> AccessorPlan? {
    guard let binding = context.file.bindings.binding(classKey), binding.model.objectClass == type
    else {
      return nil
    }
    return binding.plan
  }

  func makeDynamic(_ identity: ObjectIdentity) -> DynamicObject {
    let object = DynamicObject()
    var lockedKey = PropertyKey(rawValue: .max)
    if !context.configuration.isMigrating,
      let key = context.view.schema[identity.classKey]?.primaryKey?.key
    {
      lockedKey = key
    }
    object.bind(identity, context, lockedKey: lockedKey)
    return object
  }

  /// An accessor of an object of any class, with the program's class where it has one.
  func makeAny(_ identity: ObjectIdentity) -> ObjectBase {
    context.file.bindings.binding(identity.classKey)?.plan.makeAccessor(identity, context)
      ?? makeDynamic(identity)
  }

  /// An accessor of an object of any class that is not embedded.
  func makeObject(_ identity: ObjectIdentity) -> Object? {
    makeAny(identity) as? Object
  }

  /// The object with a primary key.
  func object<Key: PropertyValue>(
    _ binding: ClassBinding,
    _ property: TypedProperty<Key>,
    _ key: Key
  ) -> ObjectBase? {
    do throws(DatabaseError) {
      guard let found = try context.view.find(property, key) else { return nil }
      return binding.plan.makeAccessor(found, context)
    } catch {
      context.fail(error)
    }
  }

  func find(_ binding: ClassBinding, _ key: StoredValue) -> ObjectIdentity? {
    context.attempt { try context.view.find(binding.classKey, primaryKey: key) }
  }
}

extension RealmContext {
  internal final var accessors: AccessorMaker { AccessorMaker(context: self) }
}
