/// What the scenarios measured, on all engines.
struct ExtrasReport: Encodable {
  /// The figures of one engine.
  private struct Result: Encodable {
    var scenario: ScenarioName
    var engine: EngineName
    var figures: [Measurement]
  }

  let dogs: Int
  let people: Int
  private var results: [Result] = []

  init(dogs: Int, people: Int) {
    self.dogs = dogs
    self.people = people
  }

  mutating func add(_ scenario: ScenarioName, _ engine: EngineName, _ figures: [Measurement]) {
    results.append(Result(scenario: scenario, engine: engine, figures: figures))
  }

  /// A table for each scenario.
  func table() -> String {
    let heading = "\(dogs) dogs, \(people) people"
    let scenarios = ScenarioName.allCases.filter { name in
      results.contains { $0.scenario == name }
    }
    let tables = scenarios.map { "\($0.rawValue): \($0.scenario.title)\n" + table(of: $0) }
    return ([heading] + tables).joined(separator: "\n\n")
  }

  private func table(of scenario: ScenarioName) -> String {
    let results = results.filter { $0.scenario == scenario && !$0.figures.isEmpty }
    let engines = results.map(\.engine)
    let ratio = engines.count > 1 ? ["SQLite/Kennel"] : []
    var table = TextTable(["what", "unit"] + engines.map(\.title) + ratio, leading: 2)
    for (index, figure) in (results.first?.figures ?? []).enumerated() {
      let figures = results.map { match(figure, index, in: $0.figures) }
      var line = [figure.name, figure.unit.rawValue]
      line += figures.map { $0.map { Figure.text($0.value) } ?? "–" }
      if let ours = figures.first ?? nil, figures.count > 1, let theirs = figures[1] {
        let ratio = ours.unit.isCost ? theirs.value / ours.value : ours.value / theirs.value
        line.append(Figure.text(ratio))
      }
      table.add(line)
    }
    return table.text
  }

  /// The figure of the same name, and of names that occur twice the one in the same order.
  private func match(
    _ figure: Measurement,
    _ index: Int,
    in figures: [Measurement]
  ) -> Measurement? {
    if figures.indices.contains(index), figures[index].name == figure.name { return figures[index] }
    return figures.first { $0.name == figure.name }
  }
}
