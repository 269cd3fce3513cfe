internal import KennelStorage

/// A set of objects, a bit for each.
///
/// ```swift
/// var seen = ObjectSet()
/// if seen.insert(rex) { print(seen.count, seen.objects(of: dog.key).count) }
/// ```
///
/// Neighbouring objects share 32 bytes, so that a million takes a fraction of a megabyte.
public struct ObjectSet: Sendable {
  private var clusters: [ClassKey: [UInt64: PlaceSet]] = [:]
  /// The number of objects.
  public private(set) var count = 0

  /// Creates an empty set.
  public init() {}

  /// Inserts an object.
  ///
  /// - Parameter object: The object.
  /// - Returns: Whether it was not in the set.
  @discardableResult
  public mutating func insert(_ object: ObjectIdentity) -> Bool {
    guard !contains(object) else { return false }
    clusters[object.classKey, default: [:]][object.key.cluster, default: PlaceSet()][
      object.key.place
    ] = true
    count += 1
    return true
  }

  /// Returns whether an object is in the set.
  public func contains(_ object: ObjectIdentity) -> Bool {
    clusters[object.classKey]?[object.key.cluster]?[object.key.place] ?? false
  }

  /// The classes of the objects, in the order of their keys.
  public var classes: [ClassKey] { clusters.keys.sorted() }

  /// Returns the objects of a class.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The objects, in the order of their keys.
  public func objects(of classKey: ClassKey) -> Objects {
    let places = clusters[classKey] ?? [:]
    var keys: [ObjectKey] = []
    for number in places.keys.sorted() {
      var place = places[number]?.next(from: 0)
      while let current = place {
        keys.append(ObjectKey(cluster: number, place: current))
        place = places[number]?.next(from: current + 1)
      }
    }
    return Objects(classKey, keys)
  }

  /// Returns how many objects of a class there are in the set.
  public func count(of classKey: ClassKey) -> Int {
    clusters[classKey]?.values.reduce(0) { $0 + $1.count } ?? 0
  }
}
