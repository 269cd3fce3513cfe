/// What a run of the workload measured, on all engines.
struct StepsReport: Encodable {
  /// An engine with its rounds.
  struct Engine: Encodable {
    var name: EngineName
    var rounds: [Round]

    /// The median of a step over the rounds.
    func median(
      _ step: Step,
      of time: KeyPath<Elapsed, Double> = \.milliseconds
    ) -> Double? {
      let times = rounds.compactMap { round in
        round.steps.first { $0.step == step }?.elapsed[keyPath: time]
      }
      return times.isEmpty ? nil : times.sorted()[times.count / 2]
    }

    /// The most memory until the end of a step, in any round.
    func peak(_ step: Step) -> Int {
      rounds.compactMap { round in round.steps.first { $0.step == step }?.peakBytes }.max() ?? 0
    }

    func greatest(_ size: KeyPath<Round, Int>) -> Int {
      rounds.map { $0[keyPath: size] }.max() ?? 0
    }
  }

  /// What a table shows of each engine besides the time on the wall.
  struct Details: OptionSet {
    let rawValue: Int
    static let processorTime = Details(rawValue: 1)
    static let memory = Details(rawValue: 2)

    var columns: [Details] { [.processorTime, .memory].filter { contains($0) } }
  }

  private let dogs: Int
  private let people: Int
  private let engines: [Engine]

  init(workload: Workload, engines: [Engine]) {
    dogs = workload.dogs
    people = workload.people
    self.engines = engines
  }

  /// Requires that every engine answered right in every round.
  ///
  /// - Throws: `BenchmarkError` that names the wrong answers.
  func requireRightAnswers(_ expected: [Fact: Int64]) throws {
    var wrong: [String] = []
    for engine in engines {
      for (index, round) in engine.rounds.enumerated() {
        let isWhole = round.steps.count == Step.allCases.count
        for fact in Fact.allCases {
          let answer = round.facts[fact.rawValue]
          if answer == expected[fact] || answer == nil && !isWhole { continue }
          let texts = [answer, expected[fact]].map { $0.map(String.init) ?? "nothing" }
          wrong.append(
            "\(engine.name.title), round \(index + 1): \(fact.rawValue) is \(texts[0]), "
              + "not \(texts[1])"
          )
        }
      }
    }
    guard wrong.isEmpty else {
      throw BenchmarkError("Wrong answers:\n  " + wrong.joined(separator: "\n  "))
    }
  }

  // MARK: - As a table

  private var kennel: Engine? { engines.first { $0.name == .kennel } }
  private var models: Engine? { engines.first { $0.name == .models } }
  private var classes: Engine? { engines.first { $0.name == .realm } }
  private var boxes: Engine? { engines.first { $0.name == .box } }
  var sqlite: Engine? { engines.first { $0.name == .sqlite } }

  /// The medians, the ratios and what is to be reached.
  func table(_ details: Details = []) -> String {
    var table = TextTable(heading(details), leading: 2)
    for step in Step.allCases {
      guard engines.contains(where: { $0.median(step) != nil }) else { continue }
      var line = [step.rawValue, step.title]
      for engine in engines {
        line.append(engine.median(step).map(Figure.text) ?? "–")
        if details.contains(.processorTime) {
          let time = engine.median(step, of: \.processorMilliseconds)
          line.append(time.map(Figure.text) ?? "–")
        }
        if details.contains(.memory) { line.append(Figure.megabytes(engine.peak(step))) }
      }
      if engines.count > 1 {
        line += verdict(on: step)
        line += verdict(on: step, models, step.targetOfModels)
        line += verdict(on: step, classes, step.targetOfClasses)
        line += verdict(on: step, boxes, step.targetOfBoxes)
      }
      table.add(line)
    }
    addSizes(to: &table, details)
    let rounds = engines.first?.rounds.count ?? 0
    return """
      \(dogs) dogs, \(people) people, median of \(rounds) round\(rounds == 1 ? "" : "s"), milliseconds

      \(table.text)
      """
  }

  private func heading(_ details: Details) -> [String] {
    var heading = ["step", "what"]
    for engine in engines {
      heading.append(engine.name.title)
      if details.contains(.processorTime) { heading.append("CPU") }
      if details.contains(.memory) { heading.append("MB") }
    }
    if engines.count == 1 { return heading }
    return heading
      + ["Kennel", "models", "classes", "boxes"].flatMap { ["SQLite/\($0)", "target", ""] }
  }

  private func verdict(on step: Step) -> [String] {
    guard let kennel = kennel?.median(step), let sqlite = sqlite?.median(step) else { return [] }
    let ratio = sqlite / kennel
    if let target = step.target {
      return [Figure.text(ratio), "≥ \(Figure.text(target))", ratio >= target ? "ok" : "short"]
    }
    return [Figure.text(ratio), "< 1 ms", kennel < 1 ? "ok" : "short"]
  }

  private func verdict(on step: Step, _ engine: Engine?, _ target: Double?) -> [String] {
    guard let time = engine?.median(step), let sqlite = sqlite?.median(step) else { return [] }
    let ratio = sqlite / time
    guard let target else { return [Figure.text(ratio), "", ""] }
    return [Figure.text(ratio), "≥ \(Figure.text(target))", ratio >= target ? "ok" : "short"]
  }

  private func addSizes(to table: inout TextTable, _ details: Details) {
    func line(_ title: String, _ size: KeyPath<Round, Int>) -> [String] {
      var line = ["MB", title]
      for engine in engines {
        line.append(Figure.megabytes(engine.greatest(size)))
        line += details.columns.map { _ in "" }
      }
      return line
    }
    var inserted = line("file after W2", \.bytesAfterInsertion)
    var peak = line("peak memory", \.peakBytes)
    if let kennel, let sqlite, engines.count > 1 {
      let ours = kennel.greatest(\.bytesAfterInsertion)
      let theirs = sqlite.greatest(\.bytesAfterInsertion)
      let isSmall = ours * 2 <= theirs
      inserted += [
        Figure.text(Double(theirs) / Double(max(ours, 1))), "≥ 2.00", isSmall ? "ok" : "short",
      ]
      let isModest = kennel.greatest(\.peakBytes) <= 250_000_000
      peak += ["", "≤ 250 MB", isModest ? "ok" : "short"]
    }
    table.add(inserted)
    table.add(line("file at the end", \.bytesAtEnd))
    table.add(peak)
  }
}
