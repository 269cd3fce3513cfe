@_spi(Faces) import KennelCore

/// Reads the links of one property, and compares them with the backlinks of their targets.
struct LinkCheck {
  private let link: LinkProperty
  private let snapshot: Snapshot
  private let numbers: ObjectNumbers
  /// The numbers of the objects that can be targets.
  private let targets: Range<Int>
  /// How many links lead to each target, from the first number of ``targets`` on.
  private var counts: [UInt32]
  private var dangling = FoundObjects()
  private var danglingCount = 0
  private var doubled = FoundObjects()
  private var disagreeing: [ClassKey: FoundObjects] = [:]
  /// How many objects of each class are targets.
  private(set) var targetCounts: [ClassKey: Int] = [:]

  init(_ link: LinkProperty, _ snapshot: Snapshot, _ numbers: ObjectNumbers) {
    self.link = link
    self.snapshot = snapshot
    self.numbers = numbers
    targets = link.property.target.map(numbers.range) ?? 0..<numbers.count
    counts = Array(repeating: 0, count: targets.count)
  }

  /// Counts the links to each object.
  mutating func readLinks(step: QueryProgress.Step) throws(DatabaseError) {
    let isList = link.property.type.collection == .list
    var own: [Int] = []
    try snapshot.visitObjects(of: link.origin.key, step: step) { object throws(DatabaseError) in
      own.removeAll(keepingCapacity: true)
      var isDangling = false
      try link.forEachTarget(of: object, in: snapshot) { target in
        guard let number = numbers.number(of: target), targets.contains(number) else {
          danglingCount += 1
          isDangling = true
          return
        }
        counts[number - targets.lowerBound] &+= 1
        if isList { own.append(number) }
      }
      if isDangling { dangling.add(object) }
      if own.count > 1, Self.hasDuplicates(&own) { doubled.add(object) }
    }
  }

  private static func hasDuplicates(_ numbers: inout [Int]) -> Bool {
    numbers.sort()
    return zip(numbers, numbers.dropFirst()).contains { $0 == $1 }
  }

  /// Compares the number of links to each object with its backlinks.
  ///
  /// - Parameters:
  ///   - step: Called every few thousand objects with 0.
  ///   - body: Called with the number of each object that is a target.
  /// - Throws: `DatabaseError` if the file is damaged, and what `step` throws.
  mutating func compareBacklinks(
    step: QueryProgress.Step,
    _ body: (Int) -> Void
  ) throws(DatabaseError) {
    var visited = 0
    let classes = link.property.target.map { [$0] } ?? snapshot.schema.classes.map(\.key)
    for classKey in classes {
      var targetCount = 0
      var wrong = FoundObjects()
      try numbers.forEach(of: classKey) { number, object throws(DatabaseError) in
        visited += 1
        if visited % 4_096 == 0 { try step(0) }
        let count = Int(counts[number - targets.lowerBound])
        let known = try snapshot.backlinkCount(
          of: link.origin.key,
          property: link.property.key,
          to: object
        )
        if known != count { wrong.add(object) }
        if count > 0 {
          targetCount += 1
          body(number)
        }
      }
      if targetCount > 0 { targetCounts[classKey] = targetCount }
      if wrong.count > 0 { disagreeing[classKey] = wrong }
    }
  }

  /// The findings about the property.
  var findings: [DoctorFinding] {
    let (schema, name) = (snapshot.schema, link.property.name)
    var findings: [DoctorFinding] = []
    if danglingCount > 0 {
      let text =
        "\(counted(danglingCount, "link")) of \(link.name) "
        + (danglingCount == 1 ? "leads to an object" : "lead to objects")
      let message = "\(text) that \(danglingCount == 1 ? "does" : "do") not exist"
      findings.append(DoctorFinding(.danglingLink, dangling, of: link.origin, name, message))
    }
    for (classKey, objects) in disagreeing.sorted(by: { $0.key < $1.key }) {
      guard let target = schema[classKey] else { continue }
      let text =
        "\(counted(objects.count, "object")) of \(target.name) "
        + (objects.count == 1 ? "has" : "have")
      let message = "\(text) other backlinks than \(link.name) has links"
      findings.append(DoctorFinding(.wrongBacklinks, objects, of: target, name, message))
    }
    if doubled.count > 0 {
      let text = "\(link.name) has the same object twice in \(counted(doubled.count, "object"))"
      findings.append(DoctorFinding(.duplicateElement, doubled, of: link.origin, name, text))
    }
    return findings
  }
}
