package import KennelCore

/// Statistics as lines, each with the query of the objects that it is about.
package struct StatisticsReport {
  /// How values are shown, and which query selects the objects that have them.
  package struct Forms {
    /// Cuts a text to a width, or fills it with blanks.
    package var pad: (String, Int) -> String
    package var text: (Value) -> String
    /// Selects the objects with a value; `nil` where the query language has no form for it.
    package var condition: (Value) -> ReportLine.Target?
    /// Selects the objects with a value in a range.
    package var range: (Distribution.Bin) -> ReportLine.Target?
    /// The label of an object.
    package var label: (ObjectIdentity) -> String

    package init(
      pad: @escaping (String, Int) -> String,
      text: @escaping (Value) -> String,
      condition: @escaping (Value) -> ReportLine.Target?,
      range: @escaping (Distribution.Bin) -> ReportLine.Target?,
      label: @escaping (ObjectIdentity) -> String
    ) {
      self.pad = pad
      self.text = text
      self.condition = condition
      self.range = range
      self.label = label
    }
  }

  private static let labelWidth = 10
  private static let valueWidth = 32
  private static let barWidth = 24

  private let forms: Forms
  package private(set) var lines: [ReportLine] = []

  /// - Parameters:
  ///   - statistics: The values.
  ///   - links: The links, where the values are links.
  ///   - isCollection: Whether the values are numbers of elements.
  ///   - forms: How values are shown.
  package init(
    _ statistics: ValueSummary,
    _ links: LinkStatistics?,
    isCollection: Bool,
    _ forms: Forms
  ) {
    self.forms = forms
    addValues(statistics)
    // Of links, the numbers of elements are those of the links out of an object.
    addHistogram(statistics, hasBins: !(isCollection && links != nil))
    if let links { addLinks(links) }
    addFrequencies(statistics, isCollection: isCollection)
  }

  private mutating func add(_ label: String, _ text: String, _ target: ReportLine.Target? = nil) {
    lines.append(ReportLine("\(forms.pad(label, Self.labelWidth)) \(text)", opening: target))
  }

  private mutating func addValues(_ statistics: ValueSummary) {
    let nulls = Self.share(statistics.nullCount, of: statistics.count)
    add("null", nulls, forms.condition(.null))
    let more = statistics.isComplete ? "" : "more than "
    add("distinct", "\(more)\(statistics.distinctCount)")
    if let least = statistics.least { add("least", forms.text(least), forms.condition(least)) }
    if let greatest = statistics.greatest {
      add("greatest", forms.text(greatest), forms.condition(greatest))
    }
    if let mean = statistics.mean { add("mean", "\(mean)") }
  }

  private mutating func addHistogram(_ statistics: ValueSummary, hasBins: Bool) {
    let distribution = statistics.distribution
    let about = statistics.isComplete ? "" : "about "
    if !distribution.quartiles.isEmpty {
      let values = distribution.quartiles.map(forms.text)
      add("quartiles", about + values.joined(separator: ", "))
    }
    let bins = distribution.bins
    guard hasBins, bins.count > 1, let most = bins.map(\.count).max() else { return }
    lines.append(ReportLine("Histogram\(about.isEmpty ? "" : ", from a sample"):", .heading))
    for bin in bins {
      let isSingle = bin.lower == bin.upper
      let upper = bin.includesUpper ? forms.text(bin.upper) : "below \(forms.text(bin.upper))"
      let range = isSingle ? forms.text(bin.lower) : "\(forms.text(bin.lower)) to \(upper)"
      addBar(range, bin.count, of: most, forms.range(bin))
    }
  }

  private mutating func addBar(
    _ label: String,
    _ count: Int,
    of most: Int,
    _ target: ReportLine.Target?
  ) {
    let filled = most == 0 ? 0 : (count * Self.barWidth + most - 1) / most
    let bar = forms.pad(String(repeating: "#", count: filled), Self.barWidth)
    lines.append(
      ReportLine("  \(forms.pad(label, Self.valueWidth))  \(bar)  \(count)", opening: target)
    )
  }

  // MARK: - Links

  private mutating func addLinks(_ statistics: LinkStatistics) {
    let link = statistics.link
    if link.property.isCollection {
      let path = QueryText.elementCount(of: link.property)
      addDegrees("Links out of \(link.origin.name)", statistics.outDegrees, link.origin.key, path)
    }
    guard let target = link.property.target, !link.property.isEmbedded,
      let name = link.property.type.target
    else { return }
    let path = QueryText.linkCount(from: link)
    addDegrees(
      "Links into \(name) from all \(link.origin.name)",
      statistics.inDegrees,
      target,
      path
    )
    guard !statistics.hubs.isEmpty else { return }
    lines.append(ReportLine("\(name) with the most links:", .heading))
    for hub in statistics.hubs {
      let label = forms.pad(forms.label(hub.object), Self.valueWidth)
      lines.append(ReportLine("  \(label)  \(hub.count)", opening: .object(hub.object)))
    }
  }

  private mutating func addDegrees(
    _ title: String,
    _ degrees: DegreeStatistics,
    _ classKey: ClassKey,
    _ path: Predicate.Path
  ) {
    let range = "\(degrees.least) to \(degrees.greatest), median \(degrees.median)"
    let none = Self.share(degrees.unlinkedCount, of: degrees.objectCount)
    lines.append(ReportLine("\(title): \(range), none in \(none)", .heading))
    let most = degrees.bins.map(\.count).max() ?? 0
    for bin in degrees.bins {
      let (low, high) = (bin.degrees.lowerBound, bin.degrees.upperBound)
      let label = low == high ? counted(low, "link") : "\(low) to \(high) links"
      let lower = QueryText.compare(path, low == high ? .equal : .greaterOrEqual, .int(Int64(low)))
      let upper = QueryText.compare(path, .lessOrEqual, .int(Int64(high)))
      let query = low == high ? lower : "\(lower) AND \(upper)"
      addBar(label, bin.count, of: most, .query(classKey, query))
    }
  }

  // MARK: - Frequencies

  private mutating func addFrequencies(_ statistics: ValueSummary, isCollection: Bool) {
    let frequent = statistics.frequencies
    guard !frequent.isEmpty else { return }
    let what = isCollection ? "numbers of elements" : "values"
    let first =
      statistics.isOfFirstValues ? "of the first \(statistics.distinctCount) different " : ""
    lines.append(ReportLine("The most frequent \(first)\(what):", .heading))
    for entry in frequent {
      let label = forms.pad(forms.text(entry.value), Self.valueWidth)
      let share = Self.share(entry.count, of: statistics.count)
      lines.append(ReportLine("  \(label)  \(share)", opening: forms.condition(entry.value)))
    }
  }

  /// A number, and what part of all it is.
  private static func share(_ count: Int, of total: Int) -> String {
    let tenths = total == 0 ? 0 : (1_000 * count + total / 2) / total
    return "\(count)  \(tenths / 10).\(tenths % 10) %"
  }
}
