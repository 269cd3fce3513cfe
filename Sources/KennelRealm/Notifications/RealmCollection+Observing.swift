// swift-format-ignore-file: NoLeadingUnderscores

import KennelCore

extension _QueryCollection {
  /// Adds an observer of the collection, or of the same in a realm on another queue or actor.
  internal func observe(
    _ observation: _Observation,
    failed: @escaping (any Error) -> Void,
    make: @escaping (Self, _ paths: [[String]]?) -> ChangeObserver
  ) -> NotificationToken {
    guard let context = realm?.context else {
      throwRealmException(
        "Only objects which are managed by a Realm support change notifications: add the object of "
          + "the collection first"
      )
    }
    let paths = _source.classKey.flatMap {
      ModifiedObjects.storedPaths(observation.keyPaths, $0, context)
    }
    let recipe = (self as? any ReferableConfined)?.recipe()
    return context.observe(
      on: observation.home,
      known: nil,
      make: { other in
        let collection = other === context ? self : recipe?(other) as? Self
        return collection.map { make($0, paths) }
      },
      failed: failed
    )
  }
}

extension RealmCollection {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(
      observation,
      failed: { block(.error($0)) },
      make: { CollectionObserver($0, $1, block) }
    )
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
    _ paths: [[String]]?,
    _ block: @escaping (RealmCollectionChange<C>) -> Void
  ) {
    self.collection = collection
    source = collection._source
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
      let modified = context.modified(classKey, paths, changes)
      let isModified = { (key: ObjectKey) in modified.contains(key) }
      return (new == nil ? nil : logged(since, context, before, after, isModified: isModified))
        ?? CollectionChanges(old == nil ? [] : before, after, isModified: isModified)
    }
    let before: [StoredValue] = if case .values(let values)? = old { values } else { [] }
    let after: [StoredValue] = if case .values(let values)? = new { values } else { [] }
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

extension ResultsSource {
  /// The list, if it is neither filtered nor sorted.
  fileprivate var plainList: ManagedPlace? {
    guard case .collection(let place) = base, place.path == nil, filters.isEmpty,
      descriptors.isEmpty, collectionKind == .list
    else { return nil }
    return place
  }

  fileprivate var isSet: Bool { collectionKind == .set }

  private var collectionKind: CollectionKind? {
    guard case .collection(let place) = base else { return nil }
    return context.view.schema[place.identity.classKey]?[place.key]?.type.collection
  }
}
