public import Foundation
import KennelCore

/// A change of an object.
///
/// ```swift
/// let token = ship.observe { change in
///   guard case .change(_, let properties) = change else { return }
///   for property in properties { print(property.name, property.newValue ?? "") }
/// }
/// token.invalidate()
/// ```
public enum ObjectChange<T> {
  /// The realm of the queue could not be opened.
  case error(NSError)
  /// Properties were set, also to equal values.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted.
  ///
  /// No further notification follows.
  case deleted
}

/// A changed property of an object.
///
/// ```swift
/// let token = ship.observe { change in
///   guard case .change(_, let properties) = change else { return }
///   for property in properties { print(property.name, property.newValue ?? "") }
/// }
/// token.invalidate()
/// ```
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The old value.
  ///
  /// It is `nil` for a collection, if the same realm made the change, or if only an object further
  /// along an observed key path changed.
  public let oldValue: Any?
  /// The new value.
  ///
  /// It is `nil` for a collection, or if only an object further along an observed key path changed.
  public let newValue: Any?
}

/// The protocol of observable objects: all model classes.
///
/// ```swift
/// func watch(_ object: some ObservableObjectType) -> NotificationToken {
///   object.observe { (change: ObjectChange<ObjectBase>) in print(change) }
/// }
/// watch(ship).invalidate()
/// ```
public protocol ObservableObjectType: ObjectBase {}

extension Object: ObservableObjectType {}
extension EmbeddedObject: ObservableObjectType {}

extension ObservableObjectType {
  /// Calls a block after each change of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe, such as `age` or `dogs.name`; `nil` for all of the
  ///     object's own.
  ///   - queue: A serial queue to call the block on, with the object of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, at: queue.map { RealmHome($0) }, block)
  }

  internal func observe<T: ObjectBase>(
    keyPaths: [String]?,
    at home: RealmHome?,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let (context, identity) = (observedContext, identity)
    let paths = ModifiedObjects.storedPaths(keyPaths, identity.classKey, context)
    return context.observe(
      on: home,
      known: context.snapshot,
      make: { other in
        let object = other === context ? self : other.accessors.make(identity, as: T.self)
        return (object as? T).map { ObjectObserver($0, paths, block) }
      },
      failed: { block(.error($0 as NSError)) }
    )
  }

  /// Calls a block after each change of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe.
  ///   - queue: A serial queue to call the block on, with the object of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>],
    on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension ObjectBase {
  /// The realm of an object to observe; stops the program if it is unmanaged or deleted.
  internal var observedContext: RealmContext {
    guard let context else {
      throwRealmException(
        "Only objects which are managed by a Realm support change notifications: add the object first"
      )
    }
    if isInvalidated { context.throwDeleted() }
    return context
  }
}

/// Notifies of the changes of an object.
private final class ObjectObserver<T: ObjectBase>: ChangeObserver {
  private let object: T
  private let identity: ObjectIdentity
  private let paths: [[String]]?
  private let block: (ObjectChange<T>) -> Void

  init(_ object: T, _ paths: [[String]]?, _ block: @escaping (ObjectChange<T>) -> Void) {
    self.object = object
    identity = object.identity
    self.paths = paths
    self.block = block
  }

  override func deliver(_ context: RealmContext, _ changes: ChangeSet) {
    if changes.deleted.contains(identity) {
      stop()
      block(.deleted)
      return
    }
    let properties = paths == nil ? own(changes, context) : named(changes, context)
    if !properties.isEmpty { block(.change(object, properties)) }
  }

  private func own(_ changes: ChangeSet, _ context: RealmContext) -> [PropertyChange] {
    guard let changed = changes.changed.first(where: { $0.object == identity }) else { return [] }
    return changed.properties.map { change($0, context) }
  }

  /// The first property of each path along which something changed.
  private func named(_ changes: ChangeSet, _ context: RealmContext) -> [PropertyChange] {
    var found: [PropertyChange] = []
    let changed = changes.changed.first { $0.object == identity }
    for path in paths ?? [] {
      guard let first = path.first, !found.contains(where: { $0.name == name(first, context) })
      else { continue }
      let modified = context.modified(identity.classKey, [path], changes)
      guard modified.contains(identity.key) else { continue }
      let key = context.view.schema[identity.classKey]?[first]?.key
      if let property = changed?.properties.first(where: { $0.property == key }) {
        found.append(change(property, context))
      } else {
        found.append(PropertyChange(name: name(first, context), oldValue: nil, newValue: nil))
      }
    }
    return found
  }

  private func change(
    _ property: ChangeSet.ChangedProperty,
    _ context: RealmContext
  ) -> PropertyChange {
    let schema = context.view.schema[identity.classKey]?[property.property]
    let name = name(schema?.name ?? "", context)
    if schema?.type.collection != CollectionKind.none {
      return PropertyChange(name: name, oldValue: nil, newValue: nil)
    }
    return PropertyChange(
      name: name,
      oldValue: isOwnChange ? nil : value(property.old, context),
      newValue: value(property.new, context)
    )
  }

  private func value(_ value: StoredValue, _ context: RealmContext) -> Any? {
    if case .link(let link) = value {
      // An object that was deleted meanwhile has no accessor.
      guard context.attempt({ try context.view.contains(link) }) else { return nil }
      return context.accessors.makeObject(link)
    }
    return AnyRealmValue._decode(value, context).plainValue
  }

  /// The name in Swift.
  private func name(_ stored: String, _ context: RealmContext) -> String {
    let isDynamic = object is DynamicObject
    let model = isDynamic ? context.model(of: identity.classKey) : ModelClass.of(type(of: object))
    return model?.properties.first { $0.storedName == stored }?.name ?? stored
  }
}
