// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation

/// The values of one property of the objects in a collection; live.
///
/// ```swift
/// let card = ShipCard(projecting: ship)
/// print(card.ports.count, card.ports.first ?? "")
/// try realm.write { card.ports[0] = "Bergen" }
/// print(ship.voyages[0].port)
/// ```
///
/// Declare one with ``Projected`` and `projectTo`. Setting a value sets the property of the object;
/// to add or remove objects, change the collection itself.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection,
  CustomStringConvertible, ThreadConfined
{
  /// A position in the collection.
  public typealias Index = Int

  fileprivate let values: any ProjectedValues<Element>

  fileprivate init(_ values: any ProjectedValues<Element>) {
    self.values = values
  }

  // MARK: - Elements

  /// The first position.
  public var startIndex: Int { 0 }

  /// The position after the last.
  public var endIndex: Int { values.objects.count }

  /// Accesses the value at a position.
  ///
  /// Setting it stops the program if the property cannot be written.
  public subscript(position: Int) -> Element {
    get { values.value(at: position) }
    nonmutating set { values.set(newValue, at: position) }
  }

  /// Returns the position of a value; `nil` if no object has it.
  ///
  /// - Parameter object: The value.
  /// - Returns: The first position.
  public func index(of object: Element) -> Int? { firstIndex(of: object) }

  /// Returns the position of the first object that matches a predicate.
  ///
  /// - Parameter predicate: A predicate of the objects, as for `filter`.
  /// - Returns: The position; `nil` if there is none.
  public func index(matching predicate: NSPredicate) -> Int? {
    values.objects.index(matching: predicate)
  }

  /// The values, one per line.
  public var description: String {
    let lines = enumerated().map { "\t[\($0)] \($1)\n" }
    return "ProjectedCollection<\(Element.self)> {\n\(lines.joined())}"
  }

  // MARK: - State

  /// The realm of the objects; `nil` if they are unmanaged.
  public var realm: Realm? { values.objects.realm }

  /// Whether the object that has the collection was deleted, or the realm was invalidated.
  public var isInvalidated: Bool { values.objects.isInvalidated }

  /// Returns a frozen copy, for any thread.
  ///
  /// - Returns: The frozen collection, or this collection if it is already frozen.
  public func freeze() -> ProjectedCollection { ProjectedCollection(values.frozen()) }

  /// Returns the live collection of a frozen one, on this thread.
  ///
  /// - Returns: The collection; `nil` if the object that has it was deleted.
  public func thaw() -> ProjectedCollection? { values.thawed().map { ProjectedCollection($0) } }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ProjectedCollection: _Observable {
  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken { values.observe(observation, block) }
}

extension ProjectedCollection: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? { values.recipe() }
}

/// A collection whose objects are mapped to a property.
internal protocol MappedCollection {
  /// The names of the key path of the property.
  var elementPath: String { get }
}

extension ProjectedCollection: MappedCollection, IdentifiedCollection {
  var elementPath: String { values.elementPath }

  /// The identity of the collection of objects.
  var identity: ObjectIdentifier? { KennelRealm.identity(of: values.objects) }
}

/// Maps the objects of a collection to the values of one of their properties.
///
/// ```swift
/// let ports: ProjectedCollection<String> = ship.voyages.projectTo.port
/// print(ports.joined(separator: ", "))
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Objects: RealmCollection>
where Objects.Element: ObjectBase {
  fileprivate let objects: Objects

  /// The values of a property of the objects.
  public subscript<V>(dynamicMember member: KeyPath<Objects.Element, V>) -> ProjectedCollection<V> {
    ProjectedCollection(PropertyValues(objects: objects, keyPath: member))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The collection, to be mapped to a property of its objects.
  public var projectTo: CollectionElementMapper<Self> { CollectionElementMapper(objects: self) }
}

// MARK: - Values of objects

/// The values of a property of objects, whose class is known at run time only.
private protocol ProjectedValues<Value> {
  associatedtype Value: RealmCollectionValue
  associatedtype Objects: RealmCollection where Objects.Element: ObjectBase

  var objects: Objects { get }
  var keyPath: KeyPath<Objects.Element, Value> { get }

  init(objects: Objects, keyPath: KeyPath<Objects.Element, Value>)
}

private struct PropertyValues<Objects: RealmCollection, Value: RealmCollectionValue>:
  ProjectedValues
where Objects.Element: ObjectBase {
  let objects: Objects
  let keyPath: KeyPath<Objects.Element, Value>
}

extension ProjectedValues {
  fileprivate var elementPath: String { _name(for: keyPath) }

  fileprivate func value(at position: Int) -> Value { objects[position][keyPath: keyPath] }

  fileprivate func set(_ value: Value, at position: Int) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<Objects.Element, Value> else {
      throwRealmException(
        "Cannot set an element of a projected collection whose key path '\(keyPath)' is not writable"
      )
    }
    objects[position][keyPath: writable] = value
  }

  private func with(_ objects: Objects) -> Self { Self(objects: objects, keyPath: keyPath) }

  fileprivate func frozen() -> any ProjectedValues<Value> { with(objects.freeze()) }

  fileprivate func thawed() -> (any ProjectedValues<Value>)? { objects.thaw().map(with) }

  fileprivate func recipe() -> (RealmContext) -> Any? {
    let recipe = (objects as? any ReferableConfined)?.recipe()
    let keyPath = keyPath
    return { context in
      (recipe?(context) as? Objects).map {
        ProjectedCollection(Self(objects: $0, keyPath: keyPath))
      }
    }
  }

  fileprivate func observe(
    _ observation: _Observation,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Value>>) -> Void
  ) -> NotificationToken {
    objects._observe(observation) { change in
      switch change {
      case .initial(let objects): block(.initial(ProjectedCollection(with(objects))))
      case .update(let objects, let deletions, let insertions, let modifications):
        block(
          .update(
            ProjectedCollection(with(objects)),
            deletions: deletions,
            insertions: insertions,
            modifications: modifications
          )
        )
      case .error(let error): block(.error(error))
      }
    }
  }
}
