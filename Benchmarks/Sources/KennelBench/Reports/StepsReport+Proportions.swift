import Glibc

extension StepsReport {
  /// How far SQLite's times are from the proportions that they had when the workload was defined.
  ///
  /// Another machine makes all of them longer or shorter by a factor, the geometric mean here; what
  /// is left is how this machine, library or schema differ.
  func proportions() -> String? {
    guard let sqlite else { return nil }
    let times = Step.allCases.compactMap { step in
      sqlite.median(step).map { (step: step, ratio: $0 / step.publishedSQLite) }
    }
    // The disk decides over these two.
    let steady = times.filter { $0.step != .smallTransactions && $0.step != .reopen }
    guard !steady.isEmpty else { return nil }
    let factor = exp(steady.map { log($0.ratio) }.reduce(0, +) / Double(steady.count))
    var table = TextTable(
      ["step", "what", "published", "here", "here/published", "of the mean"],
      leading: 2
    )
    for time in times {
      let here = time.ratio * time.step.publishedSQLite
      table.add([
        time.step.rawValue, time.step.title, Figure.text(time.step.publishedSQLite),
        Figure.text(here), Figure.text(time.ratio), Figure.text(time.ratio / factor),
      ])
    }
    return table.text
  }
}
