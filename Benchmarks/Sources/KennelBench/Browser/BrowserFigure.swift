/// Something that was measured several times.
struct BrowserFigure: Encodable {
  enum Unit: String, Encodable {
    case milliseconds = "ms"
    case megabytes = "MB"
    case percent = "%"
  }

  let name: String
  let unit: Unit
  let count: Int
  let median: Double
  /// What 99 of 100 do not exceed; the greatest where there are fewer.
  let high: Double
  /// What should not be reached.
  let target: Double?
  /// Whether the target is that of the median rather than of `high`.
  let isOfMedian: Bool

  init(
    _ name: String,
    _ unit: Unit,
    _ values: [Double],
    target: Double? = nil,
    isOfMedian: Bool = false
  ) {
    let sorted = values.sorted()
    self.name = name
    self.unit = unit
    self.target = target
    self.isOfMedian = isOfMedian
    count = sorted.count
    median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    high = sorted.isEmpty ? 0 : sorted[sorted.count - 1 - sorted.count / 100]
  }

  var isShort: Bool { target.map { (isOfMedian ? median : high) >= $0 } ?? false }
}

/// What was measured of the browser.
struct BrowserReport: Encodable {
  let fileBytes: Int
  let columns: Int
  let rows: Int
  let figures: [BrowserFigure]

  var table: String {
    var table = TextTable(["what", "unit", "times", "median", "p99", "target", ""], leading: 2)
    for figure in figures {
      table.add([
        figure.name, figure.unit.rawValue, "\(figure.count)", Figure.text(figure.median),
        Figure.text(figure.high), figure.target.map { "< \(Figure.text($0))" } ?? "",
        figure.target == nil ? "" : figure.isShort ? "short" : "ok",
      ])
    }
    let heading = "A file of \(Figure.megabytes(fileBytes)) MB, \(columns) × \(rows) cells"
    return heading + "\n\n" + table.text
  }
}
