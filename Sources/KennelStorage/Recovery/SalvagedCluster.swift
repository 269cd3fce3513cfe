import KennelPages

/// A cluster of a damaged file, of which at least one chunk is whole.
package struct SalvagedCluster: Sendable {
  package let classKey: ClassKey
  package let number: UInt64
  /// The places of the objects that live, as far as that is known.
  package internal(set) var live: PlaceSet
  /// Places in use, live or dead.
  internal var count: Int
  /// The age of the cluster's header; `nil` if that is gone.
  internal let headerAge: PageSalvage.Age?
  /// The cluster before this one, as the header says.
  internal let previous: UInt64?
  /// Whether each of the places is known to be that of an object that was not deleted.
  package internal(set) var isLiveKnown: Bool
  /// The ages of the chunks that are whole.
  internal let ages: [PropertyKey: PageSalvage.Age]
  /// The properties whose chunks are gone.
  package let lost: Set<PropertyKey>

  /// Whether it is of an older commit which objects live, or may be.
  package let hasOlderHeader: Bool
  /// The properties whose values are of an older commit, or may be.
  package let olderProperties: Set<PropertyKey>

  /// Whether the values of all its objects are gone.
  internal var isEmpty: Bool { ages.isEmpty && !lost.isEmpty }

  internal var key: ChunkKey { ChunkKey(classKey, cluster: number, column: 0) }

  /// The key of the object in a place.
  package func key(of place: Int) -> ObjectKey {
    ObjectKey(rawValue: number << 8 | UInt64(place))
  }
}

/// Objects of which nothing is left.
package struct LostObjects: Sendable {
  package let classKey: ClassKey
  package let keys: ClosedRange<UInt64>
  /// Whether it is known that there were such objects.
  package let isCertain: Bool
}
