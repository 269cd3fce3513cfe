public import KennelStorage

extension Draft {
  /// One change of objects, as it was requested.
  ///
  /// ```swift
  /// try draft.perform(.change(Slot(rex, name.key), .set(.string("Max"))))
  /// ```
  ///
  /// A draft performs its operations again on a newer commit. Committing the draft performs them
  /// in a write transaction. The methods of ``Editing`` make them.
  public enum Operation: Hashable, Sendable {
    /// Creates an object of a class that is not embedded.
    case create(ClassKey, [PropertyKey: Value])
    /// Deletes objects and applies delete and target rules.
    case delete([ObjectIdentity])
    /// Changes a slot.
    case change(Slot, Change)
    /// Changes the schema.
    ///
    /// A draft gives the class or property that the change makes a number, which it keeps.
    indirect case schema(SchemaChange, number: Int? = nil)

    /// The change of a slot.
    ///
    /// ```swift
    /// try draft.perform(.change(Slot(ada, dogs.key, .index(0)), .move(to: 1)))
    /// ```
    public enum Change: Hashable, Sendable {
      /// Sets the property, list element or map entry.
      case set(Value)
      /// Inserts a value into a list at the slot's index.
      case insert(Value)
      /// Inserts the slot's member into its set.
      case add
      /// Removes the element, member or entry.
      case remove
      /// Moves the element to another index of its list.
      case move(to: Int)
      /// Creates an embedded object in the slot.
      case create
    }

    /// The outcome of an operation.
    ///
    /// ```swift
    /// let outcome = try draft.perform(.delete([ada]))
    /// print("deleted \(outcome.deletedCount) objects")
    /// ```
    public struct Outcome: Hashable, Sendable {
      /// The object that was created, if any.
      public var created: ObjectIdentity?
      /// Whether a member was inserted or removed; `true` for all other changes.
      public var didChange = true
      /// The number of deleted objects.
      public var deletedCount = 0
    }

    /// The slot that the operation changes, if any.
    public var slot: Slot? {
      if case .change(let slot, _) = self { slot } else { nil }
    }
  }
}

extension Draft.Operation {
  /// The same operation on the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Draft.Operation {
    if keys.isEmpty { return self }
    func map(_ object: ObjectIdentity) -> ObjectIdentity { keys[object] ?? object }
    switch self {
    case .create(let classKey, let values):
      return .create(classKey, values.mapValues { $0.mapped(keys) })
    case .delete(let objects): return .delete(objects.map(map))
    case .change(let slot, let change):
      var position = slot.position
      if case .member(let member) = position { position = .member(member.mapped(keys)) }
      return .change(Slot(map(slot.object), slot.property, position), change.mapped(keys))
    case .schema: return self
    }
  }
}

extension Draft.Operation.Change {
  fileprivate func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Self {
    switch self {
    case .set(let value): .set(value.mapped(keys))
    case .insert(let value): .insert(value.mapped(keys))
    case .add, .remove, .move, .create: self
    }
  }
}

extension Value {
  /// The same value with links to the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Value {
    mapSingleValues { value in value.link.map { .link(keys[$0] ?? $0) } ?? value }
  }
}
