import KennelCore

/// Finds objects that link to each other and that nothing else leads to.
///
/// Everything that can be reached from an object that nothing links to is no island, nor is
/// anything that can be reached from a class whose objects usually stand alone, such as the people
/// of a file of people and dogs. Where most objects of a class are not reached, such as pairs that
/// link to each other by design, they are as they should be, and so is what they lead to.
struct IslandSearch {
  /// So many islands are told one by one.
  private static let mostIslands = 100

  private let snapshot: Snapshot
  private let numbers: ObjectNumbers
  private let links: [LinkProperty]
  private var isReached: [Bool]

  init(_ snapshot: Snapshot, _ numbers: ObjectNumbers, _ links: [LinkProperty]) {
    self.snapshot = snapshot
    self.numbers = numbers
    self.links = links
    isReached = Array(repeating: false, count: numbers.count)
  }

  /// Follows all links from the objects that stand alone, then from those of the classes that are
  /// mostly not reached, until there is no such class any more.
  ///
  /// - Parameters:
  ///   - isLinked: Whether anything links to an object, by its number.
  ///   - step: Called every few thousand objects with the number of objects visited.
  /// - Throws: `DatabaseError` if the file is damaged, and what `step` throws.
  mutating func reach(from isLinked: [Bool], step: QueryProgress.Step) throws(DatabaseError) {
    var pending = try startingObjects(isLinked)
    var visited = 0
    while !pending.isEmpty {
      while let next = pending.popLast() {
        try forEachTarget(of: Int(next)) { number in
          guard !isReached[number] else { return }
          isReached[number] = true
          pending.append(UInt32(number))
        }
        visited += 1
        if visited % 4_096 == 0 { try step(visited) }
      }
      pending = try objectsOfUnreachedClasses()
    }
  }

  /// Marks the objects that stand alone as reached.
  private mutating func startingObjects(_ isLinked: [Bool]) throws(DatabaseError) -> [UInt32] {
    var starting: [UInt32] = []
    for classSchema in snapshot.schema.classes where !classSchema.isEmbedded {
      var linked = 0
      try numbers.forEach(of: classSchema.key) { number, _ in if isLinked[number] { linked += 1 } }
      let count = Double(snapshot.count(of: classSchema.key))
      let isUsuallyLinked = Double(linked) >= Doctor.usualShare * count
      try numbers.forEach(of: classSchema.key) { number, _ in
        if isUsuallyLinked, isLinked[number] { return }
        isReached[number] = true
        starting.append(UInt32(number))
      }
    }
    return starting
  }

  /// Marks the objects that are left of classes that are mostly not reached as reached.
  private mutating func objectsOfUnreachedClasses() throws(DatabaseError) -> [UInt32] {
    var objects: [UInt32] = []
    for classSchema in snapshot.schema.classes where !classSchema.isEmbedded {
      var left: [UInt32] = []
      try numbers.forEach(of: classSchema.key) { number, _ in
        if !isReached[number] { left.append(UInt32(number)) }
      }
      let count = snapshot.count(of: classSchema.key)
      guard Double(count - left.count) < Doctor.usualShare * Double(count) else { continue }
      for number in left { isReached[Int(number)] = true }
      objects += left
    }
    return objects
  }

  private func forEachTarget(
    of number: Int,
    _ body: (Int) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    guard let object = numbers.object(number) else { return }
    for link in links where link.origin.key == object.classKey {
      try link.forEachTarget(of: object, in: snapshot) { target throws(DatabaseError) in
        if let number = numbers.number(of: target) { try body(number) }
      }
    }
  }

  /// The islands, the largest first.
  ///
  /// - Parameter step: Called every few thousand objects with 0.
  /// - Returns: A finding for each of the first hundred, and one for all others.
  /// - Throws: `DatabaseError` if the file is damaged, and what `step` throws.
  func findings(step: QueryProgress.Step) throws(DatabaseError) -> [DoctorFinding] {
    var islands = try islands(step)
    islands.sort { ($1.count, $0[0]) < ($0.count, $1[0]) }
    var findings: [DoctorFinding] = []
    for island in islands.prefix(Self.mostIslands) {
      if let finding = finding(objects(of: island)) { findings.append(finding) }
    }
    let others = islands.dropFirst(Self.mostIslands)
    if let finding = rest(objects(of: others.flatMap { $0 }), others.count) {
      findings.append(finding)
    }
    return findings
  }

  /// The objects that are not reached, in groups that link to each other.
  private func islands(_ step: QueryProgress.Step) throws(DatabaseError) -> [[Int]] {
    var parents: [Int: Int] = [:]
    for classSchema in snapshot.schema.classes {
      try numbers.forEach(of: classSchema.key) { number, _ in
        if !isReached[number] { parents[number] = number }
      }
    }
    for (index, number) in parents.keys.sorted().enumerated() {
      if (index + 1) % 4_096 == 0 { try step(0) }
      try forEachTarget(of: number) { target in
        guard parents[target] != nil else { return }
        let (one, other) = (Self.root(of: number, &parents), Self.root(of: target, &parents))
        if one != other { parents[max(one, other)] = min(one, other) }
      }
    }
    var islands: [Int: [Int]] = [:]
    for number in parents.keys.sorted() {
      islands[Self.root(of: number, &parents), default: []].append(number)
    }
    return islands.values.filter { island in
      island.contains { number in
        numbers.object(number).map { snapshot.schema[$0.classKey]?.isEmbedded == false } ?? false
      }
    }
  }

  private static func root(of number: Int, _ parents: inout [Int: Int]) -> Int {
    var root = number
    while let parent = parents[root], parent != root { root = parent }
    var next = number
    while let parent = parents[next], parent != root {
      parents[next] = root
      next = parent
    }
    return root
  }

  /// The objects of an island without those that are embedded.
  private func objects(of island: [Int]) -> FoundObjects {
    var objects = FoundObjects()
    for number in island {
      guard let object = numbers.object(number),
        snapshot.schema[object.classKey]?.isEmbedded == false
      else { continue }
      objects.add(object)
    }
    return objects
  }

  private func finding(_ objects: FoundObjects) -> DoctorFinding? {
    let names = objects.first.prefix(3).map(snapshot.describe)
    let rest = objects.count - names.count
    let text = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return finding(
      objects,
      objects.count == 1
        ? "Nothing links to \(text) but itself"
        : "\(text) link to each other, and nothing else leads to them"
    )
  }

  /// The islands that are not told one by one.
  private func rest(_ objects: FoundObjects, _ count: Int) -> DoctorFinding? {
    finding(
      objects,
      "\(counted(objects.count, "object")) in \(counted(count, "more group")) link to each other, "
        + "and nothing else leads to them"
    )
  }

  private func finding(_ objects: FoundObjects, _ message: String) -> DoctorFinding? {
    guard let first = objects.first.first, let classSchema = snapshot.schema[first.classKey] else {
      return nil
    }
    return DoctorFinding(.island, objects, of: classSchema, nil, message)
  }
}
