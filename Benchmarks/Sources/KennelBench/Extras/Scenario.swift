/// Something that is measured beside the steps of the workload.
///
/// Every scenario of every engine is a process of its own with a directory of its own.
protocol Scenario {
  /// What is measured, in a few words.
  static var title: String { get }

  static func kennel(_ setting: Setting) throws -> [Measurement]

  /// The same on SQLite, as far as it has an equal; measurements are matched by their names.
  static func sqlite(_ setting: Setting) throws -> [Measurement]
}

extension Scenario {
  static func sqlite(_ setting: Setting) throws -> [Measurement] { [] }
}

/// Where and on what a scenario runs.
struct Setting {
  /// The path of a file to make.
  var path: String
  var workload: Workload
  /// How many objects a scenario makes that has its own classes.
  var objects: Int { workload.dogs }

  /// The workload's graph in a new file of Kennel.
  func kennelWorkload() throws -> KennelEngine {
    let engine = try KennelEngine(path: path, workload: workload)
    try engine.insertDogs()
    try engine.insertPeople()
    return engine
  }

  /// The workload's graph in a new file of SQLite.
  func sqliteWorkload() throws -> SQLiteEngine {
    let engine = try SQLiteEngine(path: path, workload: workload)
    try engine.insertDogs()
    try engine.insertPeople()
    return engine
  }
}

/// A figure with its unit.
struct Measurement: Codable {
  var name: String
  var value: Double
  var unit: Unit

  enum Unit: String, Codable {
    case milliseconds = "ms"
    case microseconds = "µs"
    case bytes = "B"
    case megabytes = "MB"
    case perSecond = "1/s"
    case times

    /// Whether a smaller figure is the better one.
    var isCost: Bool { self != .perSecond }
  }
}

/// Collects the figures of a scenario.
struct Measurements {
  private(set) var list: [Measurement] = []

  mutating func add(_ name: String, _ value: Double, _ unit: Measurement.Unit) {
    list.append(Measurement(name: name, value: value, unit: unit))
  }

  /// Times a body, in milliseconds.
  @discardableResult
  mutating func time<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let (result, elapsed) = try Elapsed.of(body)
    add(name, elapsed.milliseconds, .milliseconds)
    return result
  }

  /// Times a short body so often that one run can be told, in microseconds; the median counts.
  @discardableResult
  mutating func timeEach<Result>(
    _ name: String,
    times: Int,
    _ body: () throws -> Result
  ) rethrows -> Result {
    var (result, elapsed) = try Elapsed.of(body)
    var all = [elapsed.milliseconds]
    for _ in 1..<times {
      (result, elapsed) = try Elapsed.of(body)
      all.append(elapsed.milliseconds)
    }
    add(name, all.sorted()[times / 2] * 1000, .microseconds)
    return result
  }
}

/// Requires that an engine answers right: a wrong answer is no measurement.
func require(_ answer: some BinaryInteger, is expected: some BinaryInteger, _ what: String) throws {
  guard Int64(answer) == Int64(expected) else {
    throw BenchmarkError("Wrong answer: \(what) is \(answer), not \(expected)")
  }
}

/// Numbers that look random and are the same in every run.
struct RandomNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
