/// What one round of one engine measured.
struct Round: Codable {
  /// A step and its time.
  struct Measured: Codable {
    var step: Step
    var elapsed: Elapsed
    /// The most memory until the end of the step.
    var peakBytes: Int
  }

  var steps: [Measured] = []
  /// What the engine answered, by the names of the facts.
  var facts: [String: Int64] = [:]
  /// The size of the file after the insertions.
  var bytesAfterInsertion = 0
  /// The size of the file at the end.
  var bytesAtEnd = 0
  /// The most memory that the process has held, mapped files included.
  var peakBytes = 0
}

/// Takes one engine through the steps.
struct RoundRunner<Database: Engine> {
  private let path: String
  private let workload: Workload
  /// The steps to measure; of the others those are run that leave something.
  private let wanted: Set<Step>
  /// How often a reading step is run; the shortest time counts.
  private let repetitions: Int
  private var round = Round()

  init(path: String, workload: Workload, steps: Set<Step>, repetitions: Int) {
    self.path = path
    self.workload = workload
    wanted = steps
    self.repetitions = repetitions
  }

  /// Runs the steps on a new database.
  consuming func run() throws -> Round {
    let engine = try Database(path: path, workload: workload)
    let last = Step.allCases.lastIndex { wanted.contains($0) } ?? 0
    for step in Step.allCases[...last] where step.isWriting || wanted.contains(step) {
      try run(step, on: engine)
      if step == .insertPeople { round.bytesAfterInsertion = try engine.fileBytes() }
    }
    engine.close()
    round.bytesAtEnd = Footprint.bytes(of: path)
    round.peakBytes = Footprint.peakBytes()
    return round
  }

  private mutating func run(_ step: Step, on engine: Database) throws {
    switch step {
    case .insertDogs: try measure(step) { try engine.insertDogs() }
    case .insertPeople: try measure(step) { try engine.insertPeople() }
    case .toOne: set(.toOneSum, try measure(step) { try engine.sumFavouriteAges() })
    case .toMany: set(.toManySum, try measure(step) { try engine.sumListedAges() })
    case .backlinks: set(.backlinkSum, try measure(step) { try engine.sumOriginIDs() })
    case .scanInteger: set(.olderThanTen, try measure(step) { try engine.countOlderThanTen() })
    case .scanTwo: set(.olderBoxers, try measure(step) { try engine.countOlderBoxers() })
    case .scanContains: set(.namesWith999, try measure(step) { try engine.countNamesWith999() })
    case .sort: try sort(on: engine)
    case .primaryKey: set(.lookupSum, try measure(step) { try engine.lookPeopleUp() })
    case .smallTransactions:
      try measure(step) { try engine.changeAgesOneByOne() }
      set(.agesAfterSmallTransactions, try engine.sumAges())
    case .bulkUpdate:
      try measure(step) { try engine.growAllDogs() }
      set(.agesAfterBulkUpdate, try engine.sumAges())
    case .cascade:
      try measure(step) { try engine.deleteOddPeople() }
      set(.peopleAfterCascade, try engine.countPeople())
      set(.addressesAfterCascade, try engine.countAddresses())
      set(.listLinksAfterCascade, try engine.countListLinks())
      set(.backlinkSumAfterCascade, try engine.sumOriginIDs())
    case .deleteLinked:
      try measure(step) { try engine.deleteEveryTenthDog() }
      set(.dogsAfterDeletion, try engine.countDogs())
      set(.listLinksAfterDeletion, try engine.countListLinks())
      set(.nullFavouritesAfterDeletion, try engine.countNullFavourites())
      set(.listedAgesAfterDeletion, try engine.sumListedAges())
    case .reopen:
      engine.close()
      let id = Int64(workload.personToReopen)
      set(.reopenedBirthdate, try measure(step, times: 1) { try engine.reopen(reading: id) })
    }
  }

  private mutating func sort(on engine: Database) throws {
    let sorted = try measure(.sort) { try engine.sortDogs() }
    var order = OrderHash()
    for dog in sorted.order { order.add(engine.number(of: dog)) }
    set(.sortOrder, order.fact)
    var names = OrderHash()
    for name in sorted.names { names.add(name) }
    set(.sortedNames, names.fact)
  }

  private mutating func set(_ fact: Fact, _ value: some BinaryInteger) {
    round.facts[fact.rawValue] = Int64(value)
  }

  private mutating func measure<Answer>(
    _ step: Step,
    times: Int? = nil,
    _ body: () throws -> Answer
  ) throws -> Answer {
    var (answer, best) = try Elapsed.of(body)
    for _ in 1..<max(step.isWriting ? 1 : times ?? repetitions, 1) {
      let again = try Elapsed.of(body)
      answer = again.0
      if again.1.milliseconds < best.milliseconds { best = again.1 }
    }
    if wanted.contains(step) {
      let peak = Footprint.peakBytes()
      round.steps.append(.init(step: step, elapsed: best, peakBytes: peak))
    }
    return answer
  }
}
