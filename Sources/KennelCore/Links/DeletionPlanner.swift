import KennelStorage

/// Finds out what a deletion takes with it.
///
/// 1. What was asked for dies; what dies takes its embedded objects, the targets of its `cascade`
///    links, and the objects that link to it with the target rule `cascade` along, to any depth.
/// 2. Targets of `cascadeIfLast` links of what dies, or of links that are cut, are *candidates*, and
///    with them everything that strong links reach from them. A candidate is rescued if a strong link
///    from outside holds it, and what a rescued one holds is rescued too. What is left goes, so that a
///    cycle that nothing holds goes as a whole. What then dies may take more along by rule 1: the two
///    alternate until nothing is new.
/// 3. `deny` links of what dies must have targets that die as well, and links to it with the target
///    rule `deny` must be of objects that die as well. Both are looked at when 1 and 2 are done.
///
/// Since each step only adds to what dies, the order of the steps makes no difference.
///
/// All walks are iterative: chains may be as long as the class is large.
internal struct DeletionPlanner {
  private struct Node {
    let object: ObjectIdentity
    let reason: BlastRadius.Reason
    let parent: Int?
  }

  private struct EdgeKey: Hashable {
    let origin: ObjectIdentity
    let property: PropertyKey
    let target: ObjectIdentity
  }

  private let reader: DatabaseReader
  private let limit: Int
  /// Who is told how far it is, and may stop it.
  var progress: QueryProgress?
  /// How many links may still be looked at before it is given up, which an incomplete plan is too;
  /// `nil` if it goes to its end.
  var budget: Int?
  private var nodes: [Node] = []
  private var positionOf: [ObjectIdentity: Int] = [:]
  private var expanded = 0
  private var candidates: [Node] = []
  private var marked: Set<ObjectIdentity> = []
  private var denials: [BlastRadius.Denial] = []
  /// Links that are cut by the operation itself, with how often.
  private var cut: [EdgeKey: Int] = [:]
  private var cutSlots: Set<Slot> = []
  /// Targets of links that are not there any more.
  private var released: [ObjectIdentity] = []
  private var isComplete = true
  /// The collections in which one of the dying was looked for.
  private var met: Set<Slot> = []
  /// Where everything stands in the collections in which several were.
  private var places: [Slot: [ObjectIdentity: [Slot.Position]]] = [:]
  /// The elements of lists that are collections themselves; each list is read once for all of them.
  private var nested: [Slot: Set<Int>] = [:]

  init(_ reader: DatabaseReader, limit: Int) {
    self.reader = reader
    self.limit = limit
  }

  // MARK: - What is asked

  mutating func delete(_ objects: [ObjectIdentity]) throws(DatabaseError) {
    for object in objects {
      guard try reader.contains(object) else { throw reader.missing(object) }
      add(object, .asked, parent: nil)
    }
  }

  /// A link is cut: its embedded target dies, the target of a `cascadeIfLast` link may.
  mutating func cutLink(_ slot: Slot, to target: ObjectIdentity) throws(DatabaseError) {
    let property = try reader.property(slot.property, of: slot.object.classKey)
    cutSlots.insert(slot)
    if property.isEmbedded {
      add(target, .embedded(slot), parent: nil)
      return
    }
    cut[EdgeKey(origin: slot.object, property: slot.property, target: target), default: 0] += 1
    offer(target, slot, property)
  }

  /// A link was cut already: its embedded target dies, the target of a `cascadeIfLast` link may.
  mutating func release(
    _ target: ObjectIdentity,
    _ slot: Slot,
    _ property: PropertySchema
  ) {
    released.append(target)
    if property.isEmbedded {
      add(target, .embedded(slot), parent: nil)
    } else {
      offer(target, slot, property)
    }
  }

  private mutating func offer(
    _ target: ObjectIdentity,
    _ slot: Slot,
    _ property: PropertySchema
  ) {
    guard property.deleteRule == .cascadeIfLast else { return }
    let reason = BlastRadius.Reason.cascadeIfLast(from: slot.object, slot.property)
    candidates.append(Node(object: target, reason: reason, parent: nil))
  }

  // MARK: - The plan

  mutating func finish() throws(DatabaseError) -> BlastRadius {
    try expand()
    while try markCandidates() { try expand() }
    var radius = BlastRadius()
    radius.deletions = deathsInPreorder()
    for node in nodes { radius.counts[node.object.classKey, default: 0] += 1 }
    radius.denied = denials.filter { positionOf[$0.target] == nil }
    try findEdges(&radius)
    try findOrphans(&radius)
    radius.isComplete = isComplete
    return radius
  }

  private func report(
    _ done: Int,
    of total: Int,
    in part: ClosedRange<Double>
  ) throws(DatabaseError) {
    guard let progress, done & 1023 == 0 else { return }
    if progress.isCancelled() { throw .cancelledDeletion }
    progress.part(part).report(Double(done) / Double(max(total, 1)))
  }

  /// Gives up where only a small plan is wanted and this is none.
  private mutating func spend(_ count: Int) throws(DatabaseError) {
    guard let left = budget else { return }
    budget = left - count
    if !isComplete || left < count { throw .cancelledDeletion }
  }

  /// Counts the elements of a collection before they are read.
  private mutating func spend(
    on property: PropertySchema,
    of object: ObjectIdentity
  ) throws(DatabaseError) {
    guard budget != nil else { return }
    try spend(property.isCollection ? reader.elementCount(of: object, property: property.key) : 1)
  }

  private mutating func add(
    _ object: ObjectIdentity,
    _ reason: BlastRadius.Reason,
    parent: Int?
  ) {
    guard positionOf[object] == nil else { return }
    guard nodes.count < limit else {
      isComplete = false
      return
    }
    positionOf[object] = nodes.count
    nodes.append(Node(object: object, reason: reason, parent: parent))
  }

  private mutating func expand() throws(DatabaseError) {
    while expanded < nodes.count {
      try report(expanded, of: nodes.count, in: 0...0.4)
      let index = expanded
      expanded += 1
      let object = nodes[index].object
      for property in reader.links.properties(of: object.classKey) {
        if !property.isEmbedded, property.deleteRule == .nullify { continue }
        try spend(on: property, of: object)
        for (position, target) in try reader.linkedSlots(of: object, property) {
          follow(object, property, position, target, from: index)
        }
        try spend(0)
      }
      for column in reader.links.plan(object.classKey).followers {
        try addFollowers(of: object, column, from: index)
      }
    }
  }

  /// Objects die with the target of their links.
  private mutating func addFollowers(
    of object: ObjectIdentity,
    _ column: BacklinkColumn,
    from index: Int
  ) throws(DatabaseError) {
    let property = try reader.property(column.property, of: column.origin)
    try reader.forEachPage(of: column, to: object, 1024) { (origins) throws(DatabaseError) in
      try spend(origins.count)
      for origin in origins where positionOf[origin] == nil {
        guard try isLinked(origin, property, to: object) else { continue }
        add(origin, .targetDeleted(object, property.key), parent: index)
      }
      return isComplete
    }
  }

  private mutating func follow(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ position: Slot.Position,
    _ target: ObjectIdentity,
    from index: Int
  ) {
    if property.isEmbedded {
      add(target, .embedded(Slot(object, property.key, position)), parent: index)
      return
    }
    switch property.deleteRule {
    case .nullify: break
    case .cascade: add(target, .cascade(from: object, property.key), parent: index)
    case .cascadeIfLast:
      let reason = BlastRadius.Reason.cascadeIfLast(from: object, property.key)
      if marked.contains(target) {
        add(target, reason, parent: index)
      } else {
        candidates.append(Node(object: target, reason: reason, parent: index))
      }
    case .deny:
      denials.append(
        BlastRadius.Denial(
          object: object,
          property: property.key,
          target: target,
          rule: .deleteRule
        )
      )
    }
  }

  // MARK: - cascadeIfLast

  /// Lets the candidates die that nothing outside holds; whether there was one.
  private mutating func markCandidates() throws(DatabaseError) -> Bool {
    let reachable = try stronglyReachable()
    guard !reachable.isEmpty else { return false }
    var rescued: Set<ObjectIdentity> = []
    var fresh: [ObjectIdentity] = []
    for object in reachable where try isHeld(object, outside: reachable) {
      rescued.insert(object)
      fresh.append(object)
    }
    while let object = fresh.popLast() {
      for target in try strongTargets(of: object)
      where reachable.contains(target) && rescued.insert(target).inserted {
        fresh.append(target)
      }
    }
    marked = reachable.subtracting(rescued)
    let before = nodes.count
    for candidate in candidates where marked.contains(candidate.object) {
      add(candidate.object, candidate.reason, parent: candidate.parent)
    }
    return nodes.count > before
  }

  private func stronglyReachable() throws(DatabaseError) -> Set<ObjectIdentity> {
    var reachable: Set<ObjectIdentity> = []
    var stack: [ObjectIdentity] = []
    for candidate in candidates
    where positionOf[candidate.object] == nil && reachable.insert(candidate.object).inserted {
      stack.append(candidate.object)
    }
    while let object = stack.popLast() {
      for target in try strongTargets(of: object)
      where positionOf[target] == nil && reachable.insert(target).inserted {
        stack.append(target)
      }
    }
    return reachable
  }

  private func strongTargets(of object: ObjectIdentity) throws(DatabaseError) -> [ObjectIdentity] {
    var targets: [ObjectIdentity] = []
    for property in reader.links.properties(of: object.classKey)
    where property.isEmbedded || property.deleteRule.isStrong {
      targets += try uncut(reader.targets(of: object, property), object, property.key)
    }
    return targets
  }

  /// The targets of a property without those whose links are cut.
  private func uncut(
    _ targets: [ObjectIdentity],
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> [ObjectIdentity] {
    if cut.isEmpty { return targets }
    var cuts: [ObjectIdentity: Int] = [:]
    return targets.filter { target in
      let key = EdgeKey(origin: object, property: property, target: target)
      cuts[target, default: 0] += 1
      return cuts[target, default: 0] > cut[key] ?? 0
    }
  }

  /// Whether a strong link, or an owner, that is neither dying nor a candidate holds an object.
  private func isHeld(
    _ object: ObjectIdentity,
    outside reachable: Set<ObjectIdentity>
  ) throws(DatabaseError) -> Bool {
    try hasLink(to: object) { origin, property in
      (property.isEmbedded || property.deleteRule.isStrong) && !reachable.contains(origin)
    }
  }

  /// Whether a link of an object that lives on, and that is not cut, points to an object.
  private func hasLink(
    to object: ObjectIdentity,
    where isWanted: (ObjectIdentity, PropertySchema) -> Bool
  ) throws(DatabaseError) -> Bool {
    for column in try reader.classSchema(object.classKey).backlinkColumns {
      let property = try reader.property(column.property, of: column.origin)
      var isFound = false
      try reader.forEachPage(of: column, to: object, 256) { (origins) throws(DatabaseError) in
        for origin in origins where positionOf[origin] == nil && isWanted(origin, property) {
          isFound = try isLinked(origin, property, to: object)
          if isFound { break }
        }
        return !isFound
      }
      if isFound { return true }
    }
    return false
  }

  /// Whether a link that backlinks tell of is not cut.
  private func isLinked(
    _ origin: ObjectIdentity,
    _ property: PropertySchema,
    to object: ObjectIdentity
  ) throws(DatabaseError) -> Bool {
    guard let cuts = cut[EdgeKey(origin: origin, property: property.key, target: object)] else {
      return true
    }
    return try reader.targets(of: origin, property).count { $0 == object } > cuts
  }

  // MARK: - What lives on

  private mutating func findEdges(_ radius: inout BlastRadius) throws(DatabaseError) {
    for (index, node) in nodes.enumerated() {
      try report(index, of: nodes.count, in: 0.4...0.7)
      for column in try reader.classSchema(node.object.classKey).backlinkColumns {
        let property = try reader.property(column.property, of: column.origin)
        var last: ObjectIdentity?
        var isFull = false
        try reader.forEachPage(of: column, to: node.object, 1024) {
          (origins) throws(DatabaseError) in
          try spend(origins.count)
          for origin in origins where origin != last {
            last = origin
            guard positionOf[origin] == nil else { continue }
            if property.targetRule != .deny {
              try noteEdges(from: origin, property, to: node.object, &radius)
            } else if try isLinked(origin, property, to: node.object) {
              radius.denied.append(
                BlastRadius.Denial(
                  object: origin,
                  property: property.key,
                  target: node.object,
                  rule: .targetRule
                )
              )
            }
          }
          isFull = radius.nulled.count + radius.removed.count + radius.denied.count >= limit
          return !isFull
        }
        if isFull {
          isComplete = false
          return
        }
      }
    }
  }

  private mutating func noteEdges(
    from origin: ObjectIdentity,
    _ property: PropertySchema,
    to target: ObjectIdentity,
    _ radius: inout BlastRadius
  ) throws(DatabaseError) {
    for position in try positions(of: target, in: origin, property) {
      let edge = Edge(origin, property.key, position)
      if cutSlots.contains(edge) { continue }
      switch position {
      case .value, .key: radius.nulled.append(edge)
      case .index where try isNested(edge, property): radius.nulled.append(edge)
      case .index, .member: radius.removed.append(edge)
      }
    }
  }

  /// Whether the element of a list is a collection itself, in which the link becomes null.
  private mutating func isNested(
    _ edge: Edge,
    _ property: PropertySchema
  ) throws(DatabaseError) -> Bool {
    guard property.type.kind == .mixed, case .index(let index) = edge.position else { return false }
    let list = Slot(edge.object, edge.property)
    if let known = nested[list] { return known.contains(index) }
    var places: Set<Int> = []
    if case .list(let elements) = try reader.value(of: edge.object, property: edge.property) {
      places = Set(elements.indices.filter { elements[$0].isCollection })
    }
    nested[list] = places
    return places.contains(index)
  }

  /// Where a target stands; a collection in which several of the dying stand is read once for all.
  private mutating func positions(
    of target: ObjectIdentity,
    in origin: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> [Slot.Position] {
    let slot = Slot(origin, property.key)
    if let known = places[slot] { return known[target] ?? [] }
    guard property.isCollection, !met.insert(slot).inserted else {
      return try reader.positions(of: target, in: origin, property)
    }
    try spend(on: property, of: origin)
    var all: [ObjectIdentity: [Slot.Position]] = [:]
    for (position, target) in try reader.linkedSlots(of: origin, property) {
      // A collection inside a mixed value may hold a link several times.
      if all[target]?.last != position { all[target, default: []].append(position) }
    }
    places[slot] = all
    return all[target] ?? []
  }

  private mutating func findOrphans(_ radius: inout BlastRadius) throws(DatabaseError) {
    var seen: Set<ObjectIdentity> = []
    var lost: [ObjectIdentity] = cut.keys.map(\.target).sorted() + released
    for (index, node) in nodes.enumerated() {
      try report(index, of: nodes.count, in: 0.7...1)
      for property in reader.links.properties(of: node.object.classKey)
      where !property.isEmbedded {
        try spend(on: property, of: node.object)
        lost += try reader.targets(of: node.object, property)
        if lost.count > limit {
          isComplete = false
          break
        }
      }
    }
    try spend(0)
    for target in lost where positionOf[target] == nil && seen.insert(target).inserted {
      if try !hasLink(to: target, where: { _, _ in true }) { radius.orphaned.append(target) }
    }
  }

  private func deathsInPreorder() -> [BlastRadius.Deletion] {
    var children: [Int: [Int]] = [:]
    var stack: [(index: Int, depth: Int)] = []
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent { children[parent, default: []].append(index) }
    }
    for (index, node) in nodes.enumerated().reversed() where node.parent == nil {
      stack.append((index, 0))
    }
    var deletions: [BlastRadius.Deletion] = []
    deletions.reserveCapacity(nodes.count)
    while let (index, depth) = stack.popLast() {
      let node = nodes[index]
      deletions.append(
        BlastRadius.Deletion(object: node.object, reason: node.reason, depth: depth)
      )
      for child in (children[index] ?? []).reversed() { stack.append((child, depth + 1)) }
    }
    return deletions
  }
}

extension DatabaseError {
  static var cancelledDeletion: DatabaseError {
    DatabaseError(.cancelled, "The deletion was cancelled")
  }
}

extension DatabaseReader {
  /// The links of a property with the position of each.
  internal final func linkedSlots(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> [(Slot.Position, ObjectIdentity)] {
    if property.columnType.form == .keys {
      let isList = property.type.collection == .list
      return try targets(of: object, property).enumerated().map {
        (isList ? .index($0.offset) : .member(.link($0.element)), $0.element)
      }
    }
    let value = try storing(view.values.value(of: object, property))
    return value.elements(of: property).flatMap { position, element in
      element.links.map { (position, $0) }
    }
  }
  /// Calls a body with the objects that link to another one through a property, as many as it wants at
  /// once, until it returns false; one that links twice comes twice in a row.
  internal final func forEachPage(
    of column: BacklinkColumn,
    to object: ObjectIdentity,
    _ size: Int,
    _ body: (Objects) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    var start = 0
    while true {
      let origins = try origins(
        of: column.origin,
        property: column.property,
        to: object,
        in: start..<start + size
      )
      guard !origins.isEmpty, try body(origins) else { return }
      start += origins.count
    }
  }
}
