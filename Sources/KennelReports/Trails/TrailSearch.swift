package import KennelCore

/// A link on the way from one object to another.
package struct TrailStep: Hashable, Sendable {
  /// The property with the link.
  package let property: PropertyKey
  /// The object with the property.
  package let origin: ObjectIdentity
  package let target: ObjectIdentity
  /// Whether the way goes along the link, from its origin to its target.
  package let isForward: Bool

  /// Where the step leads.
  package var end: ObjectIdentity { isForward ? target : origin }
  /// Where the step begins.
  package var start: ObjectIdentity { isForward ? origin : target }
}

/// Finds the shortest ways along links.
///
/// It visits as many objects as are nearer than what is found, and takes some 100 bytes for each.
package struct TrailSearch {
  /// The support of an object: how links lead to it.
  package enum Support: Sendable {
    /// The way from an object that nothing links to; no steps where nothing links to the object.
    case root(ObjectIdentity, [TrailStep])
    /// Only so many objects lead to it, each of which another one of them links to.
    case cycle(Int)
    /// More objects lead to it than are visited, and something links to each of those.
    case tooMany
  }

  /// Whether links lead from one object to another.
  package enum Way: Sendable {
    case steps([TrailStep])
    case none
    /// None was found among as many objects as are visited.
    case tooMany
  }

  private let snapshot: Snapshot
  private let progress: QueryProgress
  private let mostVisited: Int
  private let links: [ClassKey: [LinkProperty]]

  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - progress: Asked whether to stop.
  ///   - mostVisited: So many objects are visited before it is given up.
  /// - Throws: `DatabaseError` if the schema contradicts itself.
  package init(
    _ snapshot: Snapshot,
    _ progress: QueryProgress,
    mostVisited: Int = 2_000_000
  ) throws(DatabaseError) {
    self.mostVisited = mostVisited
    self.snapshot = snapshot
    self.progress = progress
    links = Dictionary(grouping: try LinkProperty.all(in: snapshot.schema)) { $0.origin.key }
  }

  /// The objects that were reached from one end, with the step that led to each.
  private struct Side {
    /// Without a step for the end itself.
    private var steps: [ObjectIdentity: TrailStep] = [:]
    private let start: ObjectIdentity
    var frontier: [ObjectIdentity]

    init(_ start: ObjectIdentity) {
      self.start = start
      frontier = [start]
    }

    var count: Int { steps.count + 1 }

    func hasReached(_ object: ObjectIdentity) -> Bool {
      object == start || steps[object] != nil
    }

    /// Adds a step; whether it leads to an object that was not reached before.
    mutating func add(_ step: TrailStep) -> Bool {
      guard !hasReached(step.end) else { return false }
      steps[step.end] = step
      return true
    }

    /// The steps that led to an object, from the end.
    func trail(to object: ObjectIdentity) -> [TrailStep] {
      var trail: [TrailStep] = []
      var current = object
      while let step = steps[current] {
        trail.append(step)
        current = step.start
      }
      return trail.reversed()
    }
  }

  // MARK: - Between two objects

  /// Finds a shortest way between two objects, along links in either direction.
  ///
  /// - Parameters:
  ///   - start: Where the way begins.
  ///   - end: Where it ends.
  /// - Returns: A shortest way, or that there is none.
  /// - Throws: `DatabaseError` if the file is damaged, or the work was cancelled.
  package func shortest(
    from start: ObjectIdentity,
    to end: ObjectIdentity
  ) throws(DatabaseError) -> Way {
    if start == end { return .steps([]) }
    var near = Side(start)
    var far = Side(end)
    while !near.frontier.isEmpty, !far.frontier.isEmpty {
      guard near.count + far.count <= mostVisited else { return .tooMany }
      let isNear = near.frontier.count <= far.frontier.count
      let meeting =
        isNear ? try expand(&near, towards: far) : try expand(&far, towards: near)
      if let meeting {
        let back = far.trail(to: meeting).reversed().map(\.reversed)
        return .steps(near.trail(to: meeting) + back)
      }
    }
    return .none
  }

  /// Goes one step further on a side; where it meets the other side.
  private func expand(
    _ side: inout Side,
    towards other: Side
  ) throws(DatabaseError) -> ObjectIdentity? {
    var next: [ObjectIdentity] = []
    for (number, object) in side.frontier.enumerated() {
      if number % 256 == 0 { try progress.show(0, of: 1) }
      var meeting: ObjectIdentity?
      func add(_ step: TrailStep) {
        guard meeting == nil, side.add(step) else { return }
        next.append(step.end)
        if other.hasReached(step.end) { meeting = step.end }
      }
      try forEachTarget(of: object, add)
      try forEachOrigin(of: object, add)
      if let meeting { return meeting }
    }
    side.frontier = next
    return nil
  }

  // MARK: - What leads to an object

  /// Finds the nearest object that nothing links to and from which links lead to an object.
  ///
  /// - Parameter object: The object.
  /// - Returns: The way to it, or that there is none.
  /// - Throws: `DatabaseError` if the file is damaged, or the work was cancelled.
  package func support(of object: ObjectIdentity) throws(DatabaseError) -> Support {
    var side = Side(object)
    while !side.frontier.isEmpty {
      guard side.count <= mostVisited else { return .tooMany }
      var next: [ObjectIdentity] = []
      for (number, current) in side.frontier.enumerated() {
        if number % 256 == 0 { try progress.show(0, of: 1) }
        var isLinked = false
        try forEachOrigin(of: current) { step in
          isLinked = true
          if side.add(step) { next.append(step.end) }
        }
        if !isLinked { return .root(current, side.trail(to: current).reversed().map(\.reversed)) }
      }
      side.frontier = next
    }
    return .cycle(side.count)
  }

  // MARK: - Neighbors

  private func forEachTarget(
    of object: ObjectIdentity,
    _ body: (TrailStep) -> Void
  ) throws(DatabaseError) {
    for link in links[object.classKey] ?? [] {
      let key = link.property.key
      try link.forEachTarget(of: object, in: snapshot) { target in
        body(TrailStep(property: key, origin: object, target: target, isForward: true))
      }
    }
  }

  private func forEachOrigin(
    of object: ObjectIdentity,
    _ body: (TrailStep) -> Void
  ) throws(DatabaseError) {
    func step(_ origin: ObjectIdentity, _ property: PropertyKey) {
      body(TrailStep(property: property, origin: origin, target: object, isForward: false))
    }
    if snapshot.schema[object.classKey]?.isEmbedded == true {
      if let (owner, property) = try snapshot.owningProperty(of: object) { step(owner, property) }
      return
    }
    for group in try snapshot.backlinks(to: object) {
      for origin in try snapshot.origins(of: group, to: object, in: 0..<group.count) {
        step(origin, group.property)
      }
    }
  }
}

extension TrailStep {
  /// The step in the other direction.
  fileprivate var reversed: TrailStep {
    TrailStep(property: property, origin: origin, target: target, isForward: !isForward)
  }
}
