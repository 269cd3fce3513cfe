@_spi(Faces) package import KennelCore

/// Statistics of the links of a property, from both ends.
package struct LinkStatistics: Sendable {
  /// An object that many link to.
  package struct Hub: Sendable {
    package let object: ObjectIdentity
    package let count: Int
  }

  /// So many objects with the most links are kept.
  private static let mostHubs = 10

  package let link: LinkProperty
  /// The links that an object of the class has.
  package private(set) var outDegrees = DegreeStatistics()
  /// The links that lead to an object of the target class; empty for mixed values, which have no
  /// target class.
  package private(set) var inDegrees = DegreeStatistics()
  /// The objects that most links lead to, the most first.
  package private(set) var hubs: [Hub] = []

  /// Counts the links of all objects; linear in the number of objects of both classes.
  ///
  /// - Throws: `DatabaseError` if the file is damaged, or the work was cancelled.
  package init(
    of link: LinkProperty,
    in snapshot: Snapshot,
    progress: QueryProgress = .none
  ) throws(DatabaseError) {
    self.link = link
    let origins = snapshot.count(of: link.origin.key)
    let total = origins + (link.property.target.map { snapshot.count(of: $0) } ?? 0)
    let step = progress.step(of: total)
    try snapshot.visitObjects(of: link.origin.key, step: step) { object throws(DatabaseError) in
      outDegrees.add(try link.count(of: object, in: snapshot))
    }
    guard let target = link.property.target else { return }
    let nextStep = progress.step(after: origins, of: total)
    try snapshot.visitObjects(of: target, step: nextStep) { object throws(DatabaseError) in
      let degree = try snapshot.backlinkCount(
        of: link.origin.key,
        property: link.property.key,
        to: object
      )
      inDegrees.add(degree)
      note(object, degree)
    }
  }

  private mutating func note(_ object: ObjectIdentity, _ degree: Int) {
    guard degree > 1, hubs.count < Self.mostHubs || degree > hubs.last?.count ?? 0 else { return }
    let place = hubs.firstIndex { $0.count < degree } ?? hubs.count
    hubs.insert(Hub(object: object, count: degree), at: place)
    if hubs.count > Self.mostHubs { hubs.removeLast() }
  }
}
