import KennelCore
import KennelReports
import KennelTestSupport
import Testing

@Suite("Statistics")
struct StatisticsTests {
  private func statistics(of values: some Sequence<Value>) -> ValueStatistics {
    var statistics = ValueStatistics()
    for value in values { statistics.add(value) }
    return statistics
  }

  @Test func `of values tell the nulls, the ends, the mean and the quartiles`() {
    let found = statistics(of: [.null] + (1...100).map { .int($0) })
    #expect(found.count == 101)
    #expect(found.nullCount == 1)
    #expect(found.least == .int(1))
    #expect(found.greatest == .int(100))
    #expect(found.mean == 50.5)
    #expect(Distribution(of: found).quartiles == [.int(25), .int(50), .int(75)])
  }

  @Test func `of numbers have ten bins of the same width`() {
    let bins = Distribution(of: statistics(of: (0..<1_000).map { .int($0) })).bins
    #expect(bins.map(\.count) == Array(repeating: 100, count: 10))
    #expect(bins.first?.upper == .int(99))
    let doubles = Distribution(of: statistics(of: (0...10).map { .double(Double($0)) })).bins
    #expect(doubles.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test func `of the widest numbers and of NaN do not overflow`() {
    let found = statistics(of: [.int(.min), .int(.max), .int(0)])
    #expect(Distribution(of: found).quartiles.count == 3)
    let doubles = statistics(of: [.double(.nan), .double(.infinity), .double(1)])
    #expect(doubles.least == .double(.nan))
    #expect(Distribution(of: doubles).bins.isEmpty)
    let positive = Distribution(of: statistics(of: [.int(1), .int(.max), .int(.max)])).bins
    #expect(positive.map(\.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    #expect(positive.last?.upper == .int(.max))
  }

  @Test func `of whole numbers near the ends of their range have the exact mean`() {
    let numbers: [Int64] = [.max, .min, .max, .min, 3, 7, 1, 36]
    #expect(statistics(of: numbers.map { .int($0) }).mean == 5.625)
  }

  @Test func `of very many different values come from a sample, and say so`() {
    let found = statistics(of: (0..<300_000).map { .int($0) })
    #expect(found.isSampled)
    #expect(found.otherCount == 100_000)
    guard case .int(let median)? = Distribution(of: found).quartiles.dropFirst().first else {
      Issue.record("There is no median")
      return
    }
    #expect((145_000...155_000).contains(median))
    let total = Distribution(of: found).bins.reduce(0) { $0 + $1.count }
    #expect((299_900...300_100).contains(total))
  }

  @Test func `of very many different values say that the most frequent are those of the first`() {
    let few = statistics(of: (0..<1_000).map { .int($0) })
    #expect(Self.headings(few) == ["The most frequent values:"])
    let many = statistics(of: (0..<300_000).map { .string("\($0)") })
    #expect(Self.headings(many) == ["The most frequent of the first 200000 different values:"])
    // Of long texts fewer are kept.
    let long = String(repeating: "x", count: 1_000)
    let texts = statistics(of: (0..<40_000).map { .string("\($0) \(long)") })
    #expect(texts.frequencies.count < 34_000)
    #expect(
      Self.headings(texts)
        == ["The most frequent of the first \(texts.frequencies.count) different values:"]
    )
  }

  /// The headings of a report without a histogram.
  private static func headings(_ statistics: ValueStatistics) -> [String] {
    let forms = StatisticsReport.Forms(
      pad: { text, _ in text },
      text: { "\($0)" },
      condition: { _ in nil },
      range: { _ in nil },
      label: { "\($0)" }
    )
    let summary = ValueSummary(of: statistics, most: 1)
    return StatisticsReport(summary, nil, isCollection: false, forms).lines.map(\.text)
      .filter { $0.hasSuffix(":") && !$0.hasPrefix("Histogram") }
  }

  @Test func `of texts that are too long to be kept count them`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        let dog = try Farm.object("Dog", 1, in: transaction)
        try Farm.set(dog, "name", .string(String(repeating: "x", count: 5_000)), transaction)
      }
      let snapshot = try database.snapshot()
      let dog = try snapshot.schema.require("Dog")
      let found = try PropertyStatistics(of: dog.require("name"), in: dog, snapshot).values
      #expect(found.count == 8)
      #expect(found.distinctCount == 7)
      #expect(!found.isComplete)
    }
  }

  @Test func `of links tell the degrees at both ends, the hubs and who has none`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        let dog = try Farm.object("Dog", 1, in: transaction)
        for key in 2...8 {
          try Farm.set(
            Farm.object("Dog", UInt64(key), in: transaction),
            "friend",
            .link(dog),
            transaction
          )
        }
      }
      let snapshot = try database.snapshot()
      let (dog, person) = (
        try snapshot.schema.require("Dog"), try snapshot.schema.require("Person")
      )
      let friends = try #require(
        PropertyStatistics(of: dog.require("friend"), in: dog, snapshot).links
      )
      #expect(friends.inDegrees.greatest == 7)
      #expect(friends.inDegrees.unlinkedCount == 7)
      #expect(friends.hubs.map(\.object.key.rawValue) == [1])
      #expect(friends.outDegrees.unlinkedCount == 1)
      let dogs = try #require(
        PropertyStatistics(of: person.require("dogs"), in: person, snapshot).links
      )
      #expect(dogs.outDegrees.median == 2)
      #expect(dogs.outDegrees.bins.map(\.degrees) == [2...2].map { $0.lowerBound...$0.upperBound })
      #expect(dogs.inDegrees.counts == [1: 8])
    }
  }
}
