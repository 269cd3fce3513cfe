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

  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var foreign: ForeignOptions

  @Argument(help: "The class; all without one.")
  var className: String?

  @Argument(help: "The property; all without one.")
  var propertyName: String?

  @Flag(help: "Write a line of JSON for each property.")
  var json = false

  mutating func run() throws {
    let snapshot = try openForReading(file, keyFile: foreign.keyFile).snapshot()
    let classes =
      try className.map { [try findClass($0, in: snapshot.schema, of: file)] }
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
    try output.writeText("\(statistics.classSchema.name).\(property.name)  \(property.type)")
    let report = StatisticsReport(
      statistics.values,
      statistics.links,
      isCollection: property.isCollection,
      StatisticsReport.Forms(
        pad: { TextWidth.pad(TerminalText.line($0), to: $1) },
        text: { value in
          if case .link(let target) = value { return Self.label(target, snapshot) }
          return ValueText.describe(value, as: property.type)
        },
        condition: { _ in nil },
        range: { _ in nil },
        label: { Self.label($0, snapshot) }
      )
    )
    for line in report.lines { try output.writeText("  \(line.text)") }
  }

  private static func label(_ object: ObjectIdentity, _ snapshot: Snapshot) -> String {
    let text = snapshot.describe(object)
    guard let name = try? snapshot.displayName(of: object, limit: 40), name != text else {
      return text
    }
    return "\(text) \(name)"
  }
}

extension Document {
  fileprivate init(_ statistics: PropertyStatistics, in snapshot: Snapshot) {
    func value(_ value: KennelCore.Value) -> DocumentValue {
      if case .link(let target) = value { return .string(snapshot.describe(target)) }
      return DocumentValue(value)
    }
    let values = statistics.values
    self = [
      "class": .string(statistics.classSchema.name),
      "property": .string(statistics.property.name),
      "type": .string("\(statistics.property.type)"),
      "count": .int64(Int64(values.count)), "null": .int64(Int64(values.nullCount)),
      "distinct": .int64(Int64(values.distinctCount)), "isComplete": .bool(values.isComplete),
    ]
    if let least = values.least { members.append(.init("least", value(least))) }
    if let greatest = values.greatest { members.append(.init("greatest", value(greatest))) }
    if let mean = values.mean { members.append(.init("mean", .double(mean))) }
    members.append(.init("quartiles", .array(values.distribution.quartiles.map(value))))
    let bins = values.distribution.bins.map { bin in
      DocumentValue.document([
        "from": value(bin.lower), "to": value(bin.upper), "count": .int64(Int64(bin.count)),
      ])
    }
    members.append(.init("histogram", .array(bins)))
    let frequent = values.frequencies.map { entry in
      DocumentValue.document(["value": value(entry.value), "count": .int64(Int64(entry.count))])
    }
    members.append(.init("mostFrequent", .array(frequent)))
    guard let links = statistics.links else { return }
    members.append(.init("linksOut", .document(Document(links.outDegrees))))
    guard links.link.property.target != nil else { return }
    members.append(.init("linksIn", .document(Document(links.inDegrees))))
    let hubs = links.hubs.map { hub in
      DocumentValue.document([
        "object": .string(snapshot.describe(hub.object)), "count": .int64(Int64(hub.count)),
      ])
    }
    members.append(.init("hubs", .array(hubs)))
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
