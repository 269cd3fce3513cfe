package import KennelCore

// The doctor
//
// `Database.check` compares the bytes of a file with the format. The doctor reads a sound file as a
// program does and looks for objects that the program probably did not mean:
//
// | finding | rule |
// |---|---|
// | dangling link | the target of a link does not exist, or a foreign key of an SQL database led nowhere |
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

  /// Called with each finding.
  private typealias Report = (DoctorFinding) throws(DatabaseError) -> Void

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

  /// Tells how far it is, with a number of objects that were visited since.
  private func step() -> QueryProgress.Step { progress.step(after: doneSteps, of: stepCount) }

  // MARK: - Links

  private mutating func examineLinks(_ found: Report) throws(DatabaseError) {
    for link in links {
      var check = LinkCheck(link, snapshot, numbers)
      try check.readLinks(step: step())
      doneSteps += snapshot.count(of: link.origin.key)
      try check.compareBacklinks(step: step()) {
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

  private mutating func examineValues(_ found: Report) throws(DatabaseError) {
    for classSchema in snapshot.schema.classes {
      let check = ValueDoctor(classSchema: classSchema, snapshot: snapshot)
      for finding in try check.run(step: step()) { try found(finding) }
      doneSteps += snapshot.count(of: classSchema.key)
    }
  }

  // MARK: - Orphans and islands

  private func findOrphans(_ found: Report) throws(DatabaseError) {
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
      let message =
        "\(counted(orphans.count, "object")) of \(classSchema.name) \(verb) no link to it; "
        + "\(owner.count) of \(count) have one from \(owner.link.name)"
      let query = "@links.@count == 0"
      try found(DoctorFinding(.orphan, orphans, of: classSchema, query: query, message))
    }
  }

  private mutating func findIslands(_ found: Report) throws(DatabaseError) {
    var search = IslandSearch(snapshot, numbers, links)
    try search.reach(from: isLinked, step: step())
    doneSteps = stepCount
    for finding in try search.findings(step: step()) { try found(finding) }
  }
}
