// swift-format-ignore-file: NoLeadingUnderscores

import Foundation

/// A collection that calls a block after each of its changes.
public protocol _Observable {
  /// The change that the block receives.
  associatedtype _Change
  /// The type whose key paths can be observed.
  associatedtype _Observed = Never

  /// Calls a block with the initial state, and again after each change.
  func _observe(
    _ observation: _Observation,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken
}

/// Which changes are observed, and where.
public struct _Observation {
  /// The names of the properties whose changes count as modifications; `nil` for all.
  internal let keyPaths: [String]?
  /// The queue or actor; `nil` for that of the realm.
  internal let home: RealmHome?
}

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
