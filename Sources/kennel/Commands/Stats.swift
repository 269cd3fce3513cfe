import ArgumentParser
import KennelBrowser
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel stats`: what the values and links of a database are like.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write statistics of classes, properties and links.",
    discussion: """
      Of each property: how many values are null, how many are different, the least, the greatest, \
      the mean, the quartiles, a histogram and the most frequent. Of each link: how many links \
      objects have and how many lead to them, which have the most, and how many have none. Of a \
      collection the numbers of elements are counted. Without a class there is a line for each \
      property.

      Examples:
        kennel stats family.kennel
        kennel stats family.kennel Dog age
        kennel stats family.kennel Person dogs --json
      """
  )

  @OptionGroup var source: SourceArguments

  @Argument(help: "The class; all without one.")
  var className: String?

  @Argument(help: "The property; all without one.")
  var propertyName: String?

  @Flag(help: "Write a line of JSON for each property.")
  var json = false

  mutating func run() throws {
    let snapshot = try source.snapshot()
    let classes =
      try className.map { [try findClass($0, in: snapshot.schema, of: source.file)] }
      ?? snapshot.schema.classes
    let output = ReportOutput("Counting")
    defer { try? output.finish() }
    for classSchema in classes {
      let properties =
        try propertyName.map { [try findProperty($0, of: classSchema)] } ?? classSchema.properties
      if !json, propertyName == nil {
        let objects = counted(snapshot.count(of: classSchema.key), "object")
        try output.writeText("\(classSchema.name): \(objects)")
      }
      for property in properties {
        let statistics = try PropertyStatistics(
          of: property,
          in: classSchema,
          snapshot,
          progress: output.progress
        )
        if json {
          try output.write(Document(statistics, in: snapshot).jsonLine)
        } else if className == nil {
          try output.writeText("  \(Self.summary(statistics))")
        } else {
          try write(statistics, snapshot, to: output)
        }
      }
    }
    try output.finish()
  }

  /// A property on one line.
  private static func summary(_ statistics: PropertyStatistics) -> String {
    let values = statistics.values
    var parts = ["\(statistics.property.name)  \(statistics.property.type)"]
    if values.nullCount > 0 { parts.append("\(values.nullCount) null") }
    parts.append("\(values.distinctCount)\(values.isComplete ? "" : "+") different")
    if let least = values.least, let greatest = values.greatest, least != greatest {
      parts.append("\(shortText(least)) to \(shortText(greatest))")
    }
    if let links = statistics.links, links.link.property.target != nil {
      parts.append("\(links.inDegrees.greatest) links to one at most")
    }
    return parts.joined(separator: "  ")
  }

  private static func shortText(_ value: Value) -> String {
    let text = ValueText.describeMixed(value)
    return text.beginning(scalars: 24).map { "\($0)…" } ?? text
  }

  private func write(
    _ statistics: PropertyStatistics,
    _ snapshot: Snapshot,
    to output: ReportOutput
  ) throws {
    let property = statistics.property
    let texts = SnapshotTexts(snapshot, limit: 40)
    try output.writeText("\(statistics.classSchema.name).\(property.name)  \(property.type)")
    let report = StatisticsReport(
      statistics.values,
      statistics.links,
      isCollection: property.isCollection,
      StatisticsReport.Forms(
        pad: { TextWidth.pad(TerminalText.line($0), to: $1) },
        text: { value in
          if case .link(let target) = value { return texts.label(target) }
          return ValueText.describe(value, as: property.type)
        },
        condition: { _ in nil },
        range: { _ in nil },
        label: texts.label
      )
    )
    for line in report.lines { try output.writeText("  \(line.text)") }
  }
}

extension Document {
  fileprivate init(_ statistics: PropertyStatistics, in snapshot: Snapshot) {
    func value(_ value: KennelCore.Value) -> DocumentValue {
      if case .link(let target) = value { return .string(snapshot.describe(target)) }
      return DocumentValue(value)
    }
    func count(_ number: Int) -> DocumentValue { .int64(Int64(number)) }
    let values = statistics.values
    let links = statistics.links
    let incoming = links.flatMap { $0.link.property.target == nil ? nil : $0 }
    self = [
      "class": .string(statistics.classSchema.name),
      "property": .string(statistics.property.name),
      "type": .string("\(statistics.property.type)"),
      "count": count(values.count), "null": count(values.nullCount),
      "distinct": count(values.distinctCount), "isComplete": .bool(values.isComplete),
      "least": values.least.map(value), "greatest": values.greatest.map(value),
      "mean": values.mean.map { .double($0) },
      "quartiles": .array(values.distribution.quartiles.map(value)),
      "histogram": .array(
        values.distribution.bins.map {
          .document(["from": value($0.lower), "to": value($0.upper), "count": count($0.count)])
        }
      ),
      "mostFrequent": .array(
        values.frequencies.map { .document(["value": value($0.value), "count": count($0.count)]) }
      ),
      "linksOut": links.map { .document(Document($0.outDegrees)) },
      "linksIn": incoming.map { .document(Document($0.inDegrees)) },
      "hubs": incoming.map { links in
        .array(
          links.hubs.map {
            .document(["object": .string(snapshot.describe($0.object)), "count": count($0.count)])
          }
        )
      },
    ]
  }

  private init(_ degrees: DegreeStatistics) {
    let bins = degrees.bins.map { bin in
      DocumentValue.document([
        "from": .int64(Int64(bin.degrees.lowerBound)), "to": .int64(Int64(bin.degrees.upperBound)),
        "count": .int64(Int64(bin.count)),
      ])
    }
    self = [
      "objects": .int64(Int64(degrees.objectCount)), "links": .int64(Int64(degrees.linkCount)),
      "unlinked": .int64(Int64(degrees.unlinkedCount)), "least": .int64(Int64(degrees.least)),
      "median": .int64(Int64(degrees.median)), "greatest": .int64(Int64(degrees.greatest)),
      "histogram": .array(bins),
    ]
  }
}
