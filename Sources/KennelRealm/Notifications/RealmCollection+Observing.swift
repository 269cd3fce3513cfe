public import Foundation
import KennelCore

/// A change of a collection.
///
/// ```swift
/// let token = realm.objects(Ship.self).observe { change in
///   if case .update(let ships, _, let insertions, _) = change { print(ships.count, insertions) }
/// }
/// token.invalidate()
/// ```
public enum RealmCollectionChange<CollectionType> {
  /// The initial state of the collection.
  case initial(CollectionType)
  /// The collection changed.
  ///
  /// `deletions` are positions in the old collection, `insertions` and `modifications` in the new
  /// one. An object counts as modified if a property was set, also to an equal value, in it or in an
  /// object that it reaches through at most three links.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The realm of the queue could not be opened.
  case error(any Error)
}

extension RealmCollection {
  /// Calls a block with the collection, and again after each change.
  ///
  /// The block is called asynchronously on the realm's queue, or on the main queue for a realm of
  /// the main thread. `refresh` and `beginWrite` call it, too, before they return.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications, such as `age` or `dogs.name`;
  ///     `nil` for all. If empty, only insertions and deletions are reported.
  ///   - queue: A serial queue to call the block on, with the collection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, at: queue.map { RealmHome($0) }, block)
  }

  internal func observe(
    keyPaths: [String]?,
    at home: RealmHome?,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let context = realm?.context else {
      throwRealmException(
        "Only objects which are managed by a Realm support change notifications: add the object of "
          + "the collection first"
      )
    }
    let source = _source
    let paths = source.classKey.flatMap { ModifiedObjects.storedPaths(keyPaths, $0, context) }
    return context.observe(
      on: home,
      known: nil,
      make: { other in
        if other === context { return CollectionObserver(self, source, paths, block) }
        guard let moved = (self as? any TransferableCollection)?.transferred(to: other) as? Self
        else { return nil }
        return CollectionObserver(moved, moved._source, paths, block)
      },
      failed: { block(.error($0)) }
    )
  }
}

extension RealmCollection where Element: KeypathSortable {
  /// Calls a block with the collection, and again after each change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications.
  ///   - queue: A serial queue to call the block on, with the collection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

/// Notifies of the changes of a collection.
private final class CollectionObserver<C: RealmCollection>: ChangeObserver {
  private let collection: C
  private let source: ResultsSource
  private let paths: [[String]]?
  private let block: (RealmCollectionChange<C>) -> Void
  private var elements: ResultsSource.Found?
  /// The commit of `elements`.
  private var commit = 0
  /// The observed list, if it is neither filtered nor sorted.
  private let list: ManagedPlace?

  init(
    _ collection: C,
    _ source: ResultsSource,
    _ paths: [[String]]?,
    _ block: @escaping (RealmCollectionChange<C>) -> Void
  ) {
    self.collection = collection
    self.source = source
    self.paths = paths
    self.block = block
    list = source.plainList
  }

  override func deliverInitial(_ context: RealmContext) {
    if source.isInvalidated { return }
    recordState(context)
    block(.initial(collection))
  }

  override func recordState(_ context: RealmContext) {
    // A collection is empty once its object was deleted.
    elements = source.isInvalidated ? nil : source.elements()
    commit = context.view.commitNumber
  }

  override func deliver(_ context: RealmContext, _ changes: ChangeSet) {
    let (old, since) = (elements, commit)
    recordState(context)
    let found = difference(old, elements, since, context, changes)
    guard !found.isEmpty else { return }
    block(
      .update(
        collection,
        deletions: found.deletions,
        insertions: found.insertions,
        modifications: found.modifications
      )
    )
  }

  private func difference(
    _ old: ResultsSource.Found?,
    _ new: ResultsSource.Found?,
    _ since: Int,
    _ context: RealmContext,
    _ changes: ChangeSet
  ) -> CollectionChanges {
    if case .objects(let classKey, let before)? = old ?? new {
      let after: [ObjectKey] = if case .objects(_, let keys)? = new { keys } else { [] }
      let modified = context.attempt {
        try ModifiedObjects(context: context, classKey: classKey, paths: paths).keys(changes)
      }
      let isModified = { (key: ObjectKey) in modified.contains(key) }
      return (new == nil ? nil : logged(since, context, before, after, isModified: isModified))
        ?? CollectionChanges(old == nil ? [] : before, after, isModified: isModified)
    }
    let before: [KennelCore.Value] = if case .values(let values)? = old { values } else { [] }
    let after: [KennelCore.Value] = if case .values(let values)? = new { values } else { [] }
    if source.isSet { return CollectionChanges(exact: before, after) }
    return (new == nil ? nil : logged(since, context, before, after) { _ in false })
      ?? CollectionChanges(before, after)
  }

  /// The changes of a list as they were made; `nil` if the log does not have them.
  private func logged<Element: Equatable>(
    _ since: Int,
    _ context: RealmContext,
    _ old: [Element],
    _ new: [Element],
    isModified: (Element) -> Bool
  ) -> CollectionChanges? {
    guard let list else { return nil }
    let place = LoggedPlace(object: list.identity, property: list.key)
    let log = context.file.writeLog
    return log.writes(to: place, from: since, to: context.view.commitNumber).flatMap {
      CollectionChanges($0, old, new, isModified: isModified)
    }
  }
}

// MARK: - The same collection in another realm

extension ResultsSource {
  /// The list, if it is neither filtered nor sorted.
  fileprivate var plainList: ManagedPlace? {
    guard case .elements(let place) = base, place.path == nil, filters.isEmpty,
      descriptors.isEmpty, !isSet
    else { return nil }
    return place
  }

  fileprivate var isSet: Bool {
    guard case .elements(let place) = base else { return false }
    return context.view.schema[place.identity.classKey]?[place.key]?.type.collection == .set
  }

  internal func transferred(to other: RealmContext) -> ResultsSource {
    let moved: Base =
      switch base {
      case .all: base
      case .elements(let place): .elements(place.transferred(to: other))
      case .mapValues(let place): .mapValues(place.transferred(to: other))
      case .mapKeys(let place): .mapKeys(place.transferred(to: other))
      case .origins(let origin, let target, _): .origins(origin, to: target, age: other.age)
      }
    let copy = ResultsSource(other, moved)
    copy.filters = filters
    copy.descriptors = descriptors
    return copy
  }
}

extension Results: TransferableCollection {
  func transferred(to context: RealmContext) -> Results? {
    Results(source.transferred(to: context))
  }
}

extension List: TransferableCollection {
  func transferred(to context: RealmContext) -> Self? {
    place.flatMap { List($0.transferred(to: context)) as? Self }
  }
}

extension MutableSet: TransferableCollection {
  func transferred(to context: RealmContext) -> Self? {
    guard let place else { return nil }
    let set = MutableSet()
    set.place = place.transferred(to: context)
    return set as? Self
  }
}

extension LinkingObjects: TransferableCollection {
  func transferred(to context: RealmContext) -> LinkingObjects? {
    let copy = LinkingObjects(fromType: Element.self, property: originName)
    copy.connection?.target = target.map {
      InverseTarget(context: context, identity: $0.identity, age: context.age, origin: $0.origin)
    }
    return copy
  }
}
