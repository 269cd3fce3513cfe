import KennelCore

extension ObjectAdder {
  /// Creates an object of a value, or changes the one with its primary key.
  func create(
    _ type: Object.Type,
    _ value: Any,
    _ policy: Realm.UpdatePolicy
  ) -> Object {
    let binding = context.binding(of: type)
    if let object = value as? Object {
      if object.isInvalidated { throwInvalidAdded() }
      // What is there already is up to date.
      if policy != .error, object.context === context, Swift.type(of: object) == type {
        return object
      }
    }
    let outerPolicy = context.adding.policy
    context.adding.policy = policy
    defer { context.adding.policy = outerPolicy }
    let filler = ObjectFiller(policy: policy, context: context)
    if let key = primaryKey(of: value, binding),
      let existing = context.accessors.find(binding, key)
    {
      if policy == .error { throwDuplicate(binding, key) }
      let object = known(binding.plan.makeAccessor(existing, context), as: Object.self)
      filler.fill(object, with: value, except: binding.model.primaryKey)
      return object
    }
    let object = type.init()
    let deferred = filler.fillNew(object, with: value)
    _ = add(object, binding, policy)
    for (property, value) in deferred {
      filler.set(property, of: object, to: value, in: binding.model)
    }
    return object
  }

  /// The primary key that a value gives, if it gives one.
  private func primaryKey(of value: Any, _ binding: ClassBinding) -> StoredValue? {
    guard let property = binding.model.primaryKey,
      let given = ObjectFiller.named(value, binding.model).first(where: { $0.0.isPrimaryKey })?.1
    else { return nil }
    return property.keyValue(given)
  }
}
