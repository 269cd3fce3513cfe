// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// A change of a map.
///
/// ```swift
/// let token = fleet.crew.observe { change in
///   if case .update(_, _, let insertions, _) = change { print(insertions) }
/// }
/// token.invalidate()
/// ```
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The initial state of the map.
  case initial(Collection)
  /// The map changed: deleted keys, inserted keys, and keys whose values were set.
  case update(
    Collection,
    deletions: [Collection.Key],
    insertions: [Collection.Key],
    modifications: [Collection.Key]
  )
  /// The realm of the queue could not be opened.
  case error(any Error)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: _Observable {
  public typealias _Observed = Value._NonNull

  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observe(
      observation,
      failed: { block(.error($0)) },
      make: { MapObserver($0, $1, block) }
    )
  }
}

/// Notifies of the changes of a map.
private final class MapObserver<Key: _MapKey, Value: RealmCollectionValue>: ChangeObserver {
  private let map: Map<Key, Value>
  private let target: ClassKey?
  private let paths: [[String]]?
  private let block: (RealmMapChange<Map<Key, Value>>) -> Void
  private var entries: [String: StoredValue] = [:]

  init(
    _ map: Map<Key, Value>,
    _ paths: [[String]]?,
    _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) {
    self.map = map
    target = map._source.classKey
    self.paths = paths
    self.block = block
  }

  private var current: [String: StoredValue] {
    guard let place = map.place, place.isValid, case .map(let entries) = place.value else {
      return [:]
    }
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The keys whose values were assigned, as far as it is known.
  private func assignedKeys(_ context: RealmContext, _ changes: ChangeSet) -> Set<String> {
    guard let place = map.place else { return [] }
    let logged = LoggedPlace(object: place.identity, property: place.key)
    let log = context.file.writeLog
    let writes = log.writes(to: logged, from: changes.fromCommit, to: changes.toCommit) ?? []
    return Set(writes.compactMap { if case .entry(let key) = $0 { key } else { nil } })
  }

  override func deliverInitial(_ context: RealmContext) {
    entries = current
    block(.initial(map))
  }

  override func recordState(_ context: RealmContext) { entries = current }

  override func deliver(_ context: RealmContext, _ changes: ChangeSet) {
    let new = current
    let assigned = assignedKeys(context, changes)
    let modified = context.modified(target, paths, changes)
    let deletions = entries.keys.filter { new[$0] == nil }.sorted()
    let insertions = new.keys.filter { entries[$0] == nil }.sorted()
    let modifications = new.filter { key, value in
      guard let old = entries[key] else { return false }
      if case .link(let object) = value, modified.contains(object.key) { return true }
      return old != value || assigned.contains(key)
    }.keys.sorted()
    entries = new
    if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { return }
    block(
      .update(
        map,
        deletions: deletions.map { Key(_mapKey: $0) },
        insertions: insertions.map { Key(_mapKey: $0) },
        modifications: modifications.map { Key(_mapKey: $0) }
      )
    )
  }
}
