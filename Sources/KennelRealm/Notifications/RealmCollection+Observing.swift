// swift-format-ignore-file: NoLeadingUnderscores

import KennelCore

extension RealmCollection {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let context = realm?.context else {
      throwRealmException(
        "Only objects which are managed by a Realm support change notifications: add the object of "
          + "the collection first"
      )
    }
    let source = _source
    let paths = source.classKey.flatMap {
      ModifiedObjects.storedPaths(observation.keyPaths, $0, context)
    }
    return context.observe(
      on: observation.home,
      known: nil,
      make: { other in
        if other === context { return CollectionObserver(self, source, paths, block) }
        let moved = (self as? any _TransferableCollection)?._transferred(to: other)
        guard let moved = moved as? Self else { return nil }
        return CollectionObserver(moved, moved._source, paths, block)
      },
      failed: { block(.error($0)) }
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

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Results: _TransferableCollection {
  public func _transferred(to context: RealmContext) -> Results? {
    Results(source.transferred(to: context))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: _TransferableCollection {
  public func _transferred(to context: RealmContext) -> LinkingObjects? {
    let copy = LinkingObjects(fromType: Element.self, property: originName)
    copy.connection?.target = target.map {
      InverseTarget(context: context, identity: $0.identity, age: context.age, origin: $0.origin)
    }
    return copy
  }
}
