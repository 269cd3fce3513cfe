import Glibc

/// Measures the browser on a file: what a person waits for, and what memory it takes.
struct BrowserMeasurement {
  let kennel: String
  let file: String
  let columns: Int
  let rows: Int

  private static let firstScreen = 100.0
  private static let key = 16.0
  private static let memory = 150.0

  func figures() throws -> [BrowserFigure] {
    var figures = [
      BrowserFigure(
        "first screen, file not in memory",
        .milliseconds,
        try (0..<5).map { _ in
          try forgetFile()
          return try open().0
        },
        target: Self.firstScreen
      ),
      BrowserFigure(
        "first screen, file in memory",
        .milliseconds,
        try (0..<20).map { _ in try open().0 },
        target: Self.firstScreen
      ),
    ]
    let session = try open().1
    figures += try keys(session)
    figures += try queries(session)
    return figures
  }

  private func open() throws -> (Double, BrowserSession) {
    let session = try BrowserSession(kennel: kennel, file: file, columns: columns, rows: rows)
    return (try session.firstScreen(), session)
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

  private func keys(_ session: BrowserSession) throws -> [BrowserFigure] {
    try session.press("\r")
    try session.rest()
    func press(_ keys: String, times: Int) throws -> [Double] {
      try (0..<times).map { _ in try session.press(keys) }
    }
    func figure(_ name: String, _ times: [Double]) -> BrowserFigure {
      BrowserFigure(name, .milliseconds, times, target: Self.key)
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
    return figures + [memoryFigure("memory after scrolling", session.memory())]
  }

  // MARK: - Jobs

  private func queries(_ session: BrowserSession) throws -> [BrowserFigure] {
    var filters: [Double] = []
    var sorts: [Double] = []
    var peak = session.memory()
    var kept = peak
    try session.press("l")
    for _ in 0..<5 {
      try session.press("f")
      try session.press(#"age > 10 AND breed == "Boxer""#)
      filters.append(
        try session.press("\r", until: "Dog where") { peak = max(peak, session.memory()) }
      )
      kept = max(kept, session.memory())
      try session.press("F")
      try session.rest()
    }
    var figures = [
      BrowserFigure("filter age > 10 AND breed == \"Boxer\"", .milliseconds, filters),
      memoryFigure("memory with the result", kept),
    ]
    for _ in 0..<3 {
      sorts.append(
        try session.press("s", until: "name↑") { peak = max(peak, session.memory()) }
      )
      kept = session.memory()
      try session.press("hs")
      try session.rest()
      try session.press("l")
    }
    figures += [
      BrowserFigure("sort by name", .milliseconds, sorts),
      memoryFigure("memory with the result", kept),
      memoryFigure("most memory meanwhile", peak),
    ]
    return figures
  }

  private func memoryFigure(_ name: String, _ bytes: Int) -> BrowserFigure {
    BrowserFigure(name, .megabytes, [Double(bytes) / 1e6], target: Self.memory)
  }
}
