import KennelCore

/// Finds objects that link to each other and that nothing else leads to.
///
/// Everything that can be reached from an object that nothing links to is no island, nor is
/// anything that can be reached from a class whose objects usually stand alone, such as the people
/// of a file of people and dogs. Where most objects of a class are not reached, such as pairs that
/// link to each other by design, they are as they should be.
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

  /// Follows all links from the objects that stand alone.
  ///
  /// - Parameters:
  ///   - isLinked: Whether anything links to an object, by its number.
  ///   - step: Called every few thousand objects with the number of objects visited.
  /// - Throws: `DatabaseError` if the file is damaged, and what `step` throws.
  mutating func reach(
    from isLinked: [Bool],
    step: (Int) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var pending: [UInt32] = []
    for classSchema in snapshot.schema.classes where !classSchema.isEmbedded {
      var linked = 0
      try numbers.forEach(of: classSchema.key) { number, _ in if isLinked[number] { linked += 1 } }
      let count = Double(snapshot.count(of: classSchema.key))
      let isUsuallyLinked = Double(linked) >= Doctor.usualShare * count
      try numbers.forEach(of: classSchema.key) { number, _ in
        if isUsuallyLinked, isLinked[number] { return }
        isReached[number] = true
        pending.append(UInt32(number))
      }
    }
    var visited = 0
    while let next = pending.popLast() {
      try forEachTarget(of: Int(next)) { number in
        guard !isReached[number] else { return }
        isReached[number] = true
        pending.append(UInt32(number))
      }
      visited += 1
      if visited % 4_096 == 0 { try step(visited) }
    }
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
  func findings() throws(DatabaseError) -> [DoctorFinding] {
    var islands = try islands()
    islands.sort { ($1.count, $0[0]) < ($0.count, $1[0]) }
    var findings: [DoctorFinding] = []
    for island in islands.prefix(Self.mostIslands) {
      if let finding = finding(island) { findings.append(finding) }
    }
    return findings
  }

  /// The objects that are not reached, in groups that link to each other.
  private func islands() throws(DatabaseError) -> [[Int]] {
    var parents: [Int: Int] = [:]
    for classSchema in snapshot.schema.classes {
      var left: [Int] = []
      try numbers.forEach(of: classSchema.key) { number, _ in
        if !isReached[number] { left.append(number) }
      }
      let usual = Doctor.usualShare * Double(snapshot.count(of: classSchema.key))
      if Double(snapshot.count(of: classSchema.key) - left.count) < usual, !classSchema.isEmbedded {
        continue
      }
      for number in left { parents[number] = number }
    }
    for number in parents.keys.sorted() {
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

  private func finding(_ island: [Int]) -> DoctorFinding? {
    var objects = FoundObjects()
    for number in island {
      guard let object = numbers.object(number),
        snapshot.schema[object.classKey]?.isEmbedded == false
      else { continue }
      objects.add(object)
    }
    guard let first = objects.first.first, let classSchema = snapshot.schema[first.classKey] else {
      return nil
    }
    let names = objects.first.prefix(3).map(snapshot.describe)
    let rest = objects.count - names.count
    let text = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return DoctorFinding(
      .island,
      objects,
      of: classSchema,
      in: snapshot.schema,
      objects.count == 1
        ? "Nothing links to \(text) but itself"
        : "\(text) link to each other, and nothing else leads to them"
    )
  }
}
