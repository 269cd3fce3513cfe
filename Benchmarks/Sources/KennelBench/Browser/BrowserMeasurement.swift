import Glibc

/// Measures the browser on a file: what a person waits for, what memory and processor it takes.
struct BrowserMeasurement {
  let kennel: String
  let file: String
  let dogs: Int
  let columns: Int
  let rows: Int
  /// A folder for what the browser keeps, emptied before each run.
  let home: String

  /// What a person should not notice, by the size of the file.
  private struct Targets {
    var firstScreen: Double
    /// Of a key, above the floor.
    var key: Double?
    /// Of a key, of 99 in 100.
    var slowestKey: Double?
    var filter: Double?
    var sort: Double?
    var search: Double?
    var memory: Double
    var memoryInSort: Double

    static let million = Targets(
      firstScreen: 50,
      key: 2,
      filter: 50,
      sort: 300,
      search: 100,
      memory: 60,
      memoryInSort: 100
    )
    static let tenMillion = Targets(
      firstScreen: 100,
      slowestKey: 16,
      memory: 150,
      memoryInSort: 400
    )
  }

  private var targets: Targets { dogs > 1_000_000 ? .tenMillion : .million }
  private static let idle = 0.2

  func figures() throws -> [BrowserFigure] {
    var figures = try firstScreens()
    let floor = try floor()
    figures.append(floor)
    let session = try open().1
    figures += try keys(session, above: floor.median)
    figures += try queries(session)
    figures.append(
      BrowserFigure("idle", .percent, [try session.idleShare(seconds: 10)], target: Self.idle)
    )
    return figures
  }

  // MARK: - Opening

  private func firstScreens() throws -> [BrowserFigure] {
    func figure(_ name: String, _ times: [Double]) -> BrowserFigure {
      BrowserFigure(
        "first screen, \(name)",
        .milliseconds,
        times,
        target: targets.firstScreen,
        isOfMedian: true
      )
    }
    let cold = try (0..<5).map { _ in
      try forgetFile()
      return try open().0
    }
    let warm = try (0..<20).map { _ in try open().0 }
    return [figure("file not in memory", cold), figure("file in memory", warm)]
  }

  private func session(_ arguments: [String]) throws -> BrowserSession {
    try BrowserSession(arguments, columns: columns, rows: rows, home: home)
  }

  private func open() throws -> (Double, BrowserSession) {
    let session = try session([kennel, file])
    return (try session.firstScreen(with: "Person"), session)
  }

  /// Makes the system read the file from the disk again.
  private func forgetFile() throws {
    let descriptor = unsafe Glibc.open(file, O_RDONLY)
    guard descriptor >= 0 else {
      throw BenchmarkError(unsafe "Cannot open \(file): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    fsync(descriptor)
    guard posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
      throw BenchmarkError("The system does not forget \(file)")
    }
  }

  // MARK: - Keys

  /// A key in a program that does nothing but answer.
  private func floor() throws -> BrowserFigure {
    let session = try session([
      ChildProcess.neighbor("kennel-bench"), "echo", "--columns", "\(columns)",
    ])
    _ = try session.firstScreen(with: "ready")
    let times = try (0..<300).map { _ in try session.press("j") }
    return BrowserFigure("a key that a program only answers", .milliseconds, times)
  }

  private func keys(_ session: BrowserSession, above floor: Double) throws -> [BrowserFigure] {
    try session.press("\r")
    try session.rest()
    func press(_ keys: String, times: Int) throws -> [Double] {
      try (0..<times).map { _ in try session.press(keys) }
    }
    func figure(_ name: String, _ times: [Double]) -> BrowserFigure {
      let target = targets.key.map { floor + $0 } ?? targets.slowestKey
      return BrowserFigure(
        name,
        .milliseconds,
        times,
        target: target,
        isOfMedian: targets.key != nil
      )
    }
    var figures = [
      figure("j, an object down", try press("j", times: 300)),
      figure("Ctrl-D, half a screen down", try press("\u{04}", times: 200)),
      figure("PgDn, a screen down", try press("\u{1B}[6~", times: 200)),
    ]
    var ends: [Double] = []
    var begins: [Double] = []
    for _ in 0..<50 {
      ends.append(try session.press("G"))
      begins.append(try session.press("gg"))
    }
    figures.append(figure("G, to the end", ends))
    figures.append(figure("gg, to the beginning", begins))
    try session.press("G")
    figures.append(figure("k, an object up", try press("k", times: 300)))
    try session.press("gg")
    return figures + [
      memoryFigure("memory after scrolling", session.memory(), targets.memory)
    ]
  }

  // MARK: - Jobs

  private func queries(_ session: BrowserSession) throws -> [BrowserFigure] {
    try session.press("l")
    return try filters(session) + searches(session) + sorts(session)
  }

  private func filters(_ session: BrowserSession) throws -> [BrowserFigure] {
    var times: [Double] = []
    var peak = session.memory()
    for _ in 0..<5 {
      try session.press("f")
      try session.press(#"age > 10 AND breed == "Boxer""#)
      times.append(
        try session.press("\r", until: "Dog where") { peak = max(peak, session.memory()) }
      )
      peak = max(peak, session.memory())
      try session.press("F")
      try session.rest()
    }
    return [
      figure("filter age > 10 AND breed == \"Boxer\"", times, targets.filter),
      memoryFigure("most memory in a filter", peak, targets.memory),
    ]
  }

  /// Finds the last row by a text, and by digits, which other columns could show, too.
  private func searches(_ session: BrowserSession) throws -> [BrowserFigure] {
    let last = "\(dogs) of \(dogs)"
    func search(_ text: String) throws -> [Double] {
      try (0..<5).map { _ in
        try session.press("gg")
        try session.press("/")
        try session.press(text)
        let time = try session.press("\r", until: last)
        try session.rest()
        return time
      }
    }
    let name = "Dog \(dogs - 1)"
    let texts = try search(name)
    let digits = try search("\(dogs - 1)")
    try session.press("gg")
    return [
      figure("/\(name)", texts, targets.search),
      figure("/\(dogs - 1)", digits, targets.search),
    ]
  }

  private func sorts(_ session: BrowserSession) throws -> [BrowserFigure] {
    var times: [Double] = []
    var peak = session.memory()
    var kept = peak
    for _ in 0..<3 {
      times.append(
        try session.press("s", until: "name↑") { peak = max(peak, session.memory()) }
      )
      kept = session.memory()
      try session.press("hs")
      try session.rest()
      try session.press("l")
    }
    return [
      figure("sort by name", times, targets.sort),
      memoryFigure("memory with the result", kept, targets.memoryInSort),
      memoryFigure("most memory in a sort", peak, targets.memoryInSort),
    ]
  }

  private func figure(_ name: String, _ times: [Double], _ target: Double?) -> BrowserFigure {
    BrowserFigure(name, .milliseconds, times, target: target, isOfMedian: true)
  }

  private func memoryFigure(_ name: String, _ bytes: Int, _ target: Double) -> BrowserFigure {
    BrowserFigure(name, .megabytes, [Double(bytes) / 1e6], target: target)
  }
}
