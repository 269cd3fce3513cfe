package import KennelCore

// The doctor
//
// `Database.check` compares the bytes of a file with the format. The doctor reads a sound file as a
// program does and looks for objects that the program probably did not mean:
//
// | finding | rule |
// |---|---|
// | dangling link | the target of a link does not exist |
// | wrong backlinks | an object has another number of backlinks than there are links to it |
// | orphan | nothing links to an object, and at least three quarters of its class are targets of one property of another class |
// | duplicate element | a list of links, texts or identifiers has an element twice |
// | unexpected null | a value is null that may not be |
// | wrong primary key | the primary key of an object finds another object, or none |
// | island | objects that no object outside of them links to, though at least three quarters of their class can be reached from other objects |
//
// Time is linear in the number of objects and links. It takes some 20 bytes of memory for each object.

/// Looks for objects that a program probably did not mean.
package struct Doctor {
  /// A class is normally linked to if at least three of four of its objects are.
  static let usualShare = 0.75

  private let snapshot: Snapshot
  private let progress: QueryProgress
  private let links: [LinkProperty]
  private let numbers: ObjectNumbers
  /// Whether anything links to an object, by its number.
  private var isLinked: [Bool]
  /// For each class the property of another class that most of its objects are targets of.
  private var owners: [ClassKey: (link: LinkProperty, count: Int)] = [:]
  private var doneSteps = 0

  /// Reports everything that it finds.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - progress: Receives progress and can cancel.
  ///   - found: Called with each finding.
  /// - Throws: `DatabaseError` if the file is damaged or the work was cancelled, and what `found`
  ///   throws.
  package static func examine(
    _ snapshot: Snapshot,
    progress: QueryProgress = .none,
    found: (DoctorFinding) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var doctor = try Doctor(snapshot, progress)
    try doctor.examineLinks(found)
    try doctor.examineValues(found)
    try doctor.findOrphans(found)
    try doctor.findIslands(found)
    progress.report(1)
  }

  private init(_ snapshot: Snapshot, _ progress: QueryProgress) throws(DatabaseError) {
    self.snapshot = snapshot
    self.progress = progress
    links = try LinkProperty.all(in: snapshot.schema)
    numbers = try ObjectNumbers(snapshot, progress)
    isLinked = Array(repeating: false, count: numbers.count)
  }

  /// How many objects all passes over classes visit.
  private var stepCount: Int {
    let objects = snapshot.schema.classes.reduce(0) { $0 + snapshot.count(of: $1.key) }
    let linking = links.reduce(0) { $0 + snapshot.count(of: $1.origin.key) }
    return linking + 2 * objects
  }

  // MARK: - Links

  private mutating func examineLinks(
    _ found: (DoctorFinding) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let total = stepCount
    for link in links {
      var check = LinkCheck(link, snapshot, numbers)
      let done = doneSteps
      let progress = progress
      try check.readLinks { (count) throws(DatabaseError) in
        try progress.show(done + count, of: total)
      }
      doneSteps += snapshot.count(of: link.origin.key)
      let read = doneSteps
      try check.compareBacklinks { () throws(DatabaseError) in
        try progress.show(read, of: total)
      } _: {
        isLinked[$0] = true
      }
      for finding in check.findings { try found(finding) }
      note(check.targetCounts, of: link)
    }
  }

  /// Remembers the property that links to most objects of a class.
  private mutating func note(_ counts: [ClassKey: Int], of link: LinkProperty) {
    for (classKey, count) in counts where classKey != link.origin.key && !link.property.isEmbedded {
      if count > owners[classKey]?.count ?? 0 { owners[classKey] = (link, count) }
    }
  }

  // MARK: - Values

  private mutating func examineValues(
    _ found: (DoctorFinding) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let total = stepCount
    for classSchema in snapshot.schema.classes {
      let check = ValueCheck(classSchema, snapshot)
      let done = doneSteps
      let progress = progress
      let findings = try check.run { (count) throws(DatabaseError) in
        try progress.show(done + count, of: total)
      }
      for finding in findings { try found(finding) }
      doneSteps += snapshot.count(of: classSchema.key)
    }
  }

  // MARK: - Orphans and islands

  private func findOrphans(
    _ found: (DoctorFinding) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    for classSchema in snapshot.schema.classes where !classSchema.isEmbedded {
      let count = snapshot.count(of: classSchema.key)
      guard let owner = owners[classSchema.key],
        Double(owner.count) >= Self.usualShare * Double(count)
      else { continue }
      var orphans = FoundObjects()
      try numbers.forEach(of: classSchema.key) { number, object in
        if !isLinked[number] { orphans.add(object) }
      }
      guard orphans.count > 0 else { continue }
      let verb = orphans.count == 1 ? "has" : "have"
      try found(
        DoctorFinding(
          .orphan,
          orphans,
          of: classSchema,
          query: "@links.@count == 0",
          in: snapshot.schema,
          "\(counted(orphans.count, "object")) of \(classSchema.name) \(verb) no link to it; "
            + "\(owner.count) of \(count) have one from \(owner.link.name)"
        )
      )
    }
  }

  private mutating func findIslands(
    _ found: (DoctorFinding) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var search = IslandSearch(snapshot, numbers, links)
    let (done, total) = (doneSteps, stepCount)
    let progress = progress
    try search.reach(from: isLinked) { (count) throws(DatabaseError) in
      try progress.show(done + count, of: total)
    }
    let findings = try search.findings { () throws(DatabaseError) in
      try progress.show(total, of: total)
    }
    for finding in findings { try found(finding) }
  }
}
