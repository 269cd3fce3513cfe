// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

extension ProjectionObservable {
  /// Calls a block after each change of a projected property.
  ///
  /// A property counts as changed if any part of its path changes: `\Person.home?.city` if the
  /// person's `home` changes, or the `city` of that home. Changes of properties that are not
  /// projected are not reported. The block receives the name of each changed property in the
  /// projection, and its old value unless the same realm made the change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe, by the path of the object or by the name in the
  ///     projection; `nil` or empty for all projected ones.
  ///   - queue: A serial queue to call the block on, with the projection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths ?? [], at: queue.map { RealmHome($0) }, block)
  }

  /// Calls a block after each change of a projected property.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe; if empty, all projected ones.
  ///   - queue: A serial queue to call the block on, with the projection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor after each change of a projected property.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe; `nil` or empty for all projected ones.
  ///   - actor: The actor. The block receives the projection of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil,
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    observingUnlessCancelled {
      observe(keyPaths ?? [], at: RealmHome(actor), handing(to: actor, block))
    }
  }

  /// Calls a block on an actor after each change of a projected property.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe; if empty, all projected ones.
  ///   - actor: The actor. The block receives the projection of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>],
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: keyPaths.map { _name(for: $0) },
      on: actor,
      _isolation: _isolation,
      block
    )
  }

  private func observe(
    _ keyPaths: [String],
    at home: RealmHome?,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (context, identity) = (rootObject.observedContext, rootObject.identity)
    let properties = observed(keyPaths).map { property in
      let paths = ModifiedObjects.storedPaths([property.observedPath], identity.classKey, context)
      return ObservedProperty(property: property, paths: paths)
    }
    return context.observe(
      on: home,
      known: context.snapshot,
      make: { other in
        if other === context { return ProjectionObserver(self, properties, block) }
        let object = other.accessors.make(identity, as: Root.self) as? Root
        return object.map { ProjectionObserver(Self(projecting: $0), properties, block) }
      },
      failed: { block(.error($0 as NSError)) }
    )
  }

  /// The properties of paths or names; all if there are none.
  private func observed(_ keyPaths: [String]) -> [ProjectedProperty] {
    let all = ProjectionClass.of(self).properties
    if keyPaths.isEmpty { return all }
    let wanted = keyPaths.map { keyPath in
      var found = all.filter { $0.path == keyPath }
      if found.isEmpty { found = all.filter { $0.name == keyPath } }
      if found.isEmpty {
        throwRealmException(
          "Invalid property name: '\(keyPath)' is no projected property of '\(type(of: self))'"
        )
      }
      return found.map(\.name)
    }
    let names = Set(wanted.joined())
    return all.filter { names.contains($0.name) }
  }
}

/// A property of a projection, and the paths of the file whose changes count.
private struct ObservedProperty {
  let property: ProjectedProperty
  let paths: [[String]]?
}

/// Notifies of the changes of a projection.
private final class ProjectionObserver<P: ProjectionObservable>: ChangeObserver {
  private let projection: P
  private let properties: [ObservedProperty]
  private let block: (ObjectChange<P>) -> Void

  init(
    _ projection: P,
    _ properties: [ObservedProperty],
    _ block: @escaping (ObjectChange<P>) -> Void
  ) {
    self.projection = projection
    self.properties = properties
    self.block = block
  }

  override func deliver(_ context: RealmContext, _ changes: ChangeSet, since known: Snapshot) {
    let identity = projection.rootObject.identity
    if changes.deleted.contains(identity) {
      stop()
      block(.deleted)
      return
    }
    let changed = properties.filter { property in
      context.modified(identity.classKey, property.paths, changes).contains(identity.key)
    }
    if changed.isEmpty { return }
    let old = isOwnChange ? nil : root(identity, known, context)
    let propertyChanges = changed.map { property in
      PropertyChange(
        name: property.property.name,
        oldValue: old.flatMap { oldValue(property.property, $0, context) },
        newValue: property.property.value(of: projection.rootObject)
      )
    }
    block(.change(projection, propertyChanges))
  }

  /// The object as it was at a commit.
  private func root(
    _ identity: ObjectIdentity,
    _ known: Snapshot,
    _ context: RealmContext
  ) -> ObjectBase {
    RealmContext(freezing: context, at: known.copy()).accessors.make(identity, as: P.Root.self)
  }

  /// The value before; an object is given as it is now, and collections have no old value.
  private func oldValue(
    _ property: ProjectedProperty,
    _ root: ObjectBase,
    _ context: RealmContext
  ) -> Any? {
    let value = property.value(of: root)
    guard let object = value as? ObjectBase else {
      return value is any ThreadConfined ? nil : value
    }
    guard context.attempt({ try context.view.contains(object.identity) }) else { return nil }
    return context.accessors.make(object.identity, as: type(of: object))
  }
}
