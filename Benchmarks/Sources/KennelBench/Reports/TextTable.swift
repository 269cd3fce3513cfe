/// A table of text: the first column to the left, the others to the right.
struct TextTable {
  private var lines: [[String]]
  private let leading: Int

  /// Makes a table whose first columns are aligned to the left.
  init(_ heading: [String], leading: Int = 1) {
    lines = [heading]
    self.leading = leading
  }

  mutating func add(_ line: [String]) {
    lines.append(line)
  }

  var text: String {
    let columns = lines.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      lines.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return lines.map { line in
      let cells = line.enumerated().map { column, cell in
        let blank = String(repeating: " ", count: widths[column] - cell.count)
        return column < leading ? cell + blank : blank + cell
      }
      let joined = cells.joined(separator: "  ")
      return String(joined.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

/// Numbers as a table shows them.
enum Figure {
  /// Three digits that count: 1234, 56.7, 8.90, 0.123.
  static func text(_ value: Double) -> String {
    let decimals =
      switch value.magnitude {
      case 100...: 0
      case 10...: 1
      case 1...: 2
      default: 3
      }
    return text(value, decimals: decimals)
  }

  static func text(_ value: Double, decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }

  static func megabytes(_ bytes: Int) -> String {
    text(Double(bytes) / 1e6, decimals: 1)
  }
}
