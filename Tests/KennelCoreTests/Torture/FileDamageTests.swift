// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// Random damage to a file of Kennel's: reading and writing is an error or gives the same data,
/// whatever the bytes, and a check that finds nothing is right.
@Suite struct FileDamageTests {
  @Test func `damage is an error or the same data, never a signal`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("base.kennel")
    try makeFile(path)
    let count: UInt64 = TortureChild.isLong ? 2000 : 120
    let outcomes = try outcomes(of: "damage", 0..<count, path, folder)
    #expect(outcomes["error", default: 0] > Int(count) / 4)
    #expect(outcomes["same", default: 0] > 0)
  }

  /// The long form flips five thousand bytes or more, `KENNEL_LONG=100` each byte of the file.
  @Test func `a flipped byte is an error or the same data, never a signal`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("base.kennel")
    try makeFile(path, isSmall: true)
    let byteCount = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let long = ProcessInfo.processInfo.environment["KENNEL_LONG"].map { 5_000 * (Int($0) ?? 1) }
    let count = UInt64(min(byteCount, long ?? 60))
    let outcomes = try outcomes(of: "flip", 0..<count, path, folder)
    #expect(outcomes["error", default: 0] > 0)
  }

  /// How often what came out.
  private func outcomes(
    of damage: String,
    _ numbers: Range<UInt64>,
    _ path: String,
    _ folder: TemporaryFolder
  ) throws -> [String: Int] {
    var outcomes: [String: Int] = [:]
    var next = numbers.lowerBound
    while next < numbers.upperBound {
      // A program has a time limit.
      let end = min(next + 500, numbers.upperBound)
      let child = try TortureChild([damage, path, folder.path, "\(next)", "\(end - next)"])
      var trial = "the first"
      while let line = child.line() {
        if line.hasPrefix("trial ") {
          trial = line
          next += 1
          continue
        }
        let outcome = String(line.prefix { $0 != " " })
        outcomes[outcome, default: 0] += 1
        if outcome != "same" && outcome != "error" { Issue.record("\(trial): \(line)") }
      }
      if let signal = child.end() {
        outcomes["signal", default: 0] += 1
        Issue.record("\(trial): signal \(signal)")
      } else if next < end {
        throw TestFailure("\(trial): the program ended early")
      }
    }
    let counts = ["error", "same", "different", "unfound", "signal"].map {
      "\(outcomes[$0, default: 0]) \($0)"
    }
    let count = String(numbers.count)
    let name = damage == "flip" ? "flipped bytes of one database" : "damaged databases"
    print(
      String(repeating: " ", count: max(0, 9 - count.count)) + count,
      "\(name): \(counts.joined(separator: ", "))"
    )
    return outcomes
  }

  /// Several commits, so that there are free pages and a free list.
  private func makeFile(_ path: String, isSmall: Bool = false) throws {
    let database = try Database.open(path)
    try database.write { try $0.define(Self.classes) }
    try database.write { try populate($0, dogs: isSmall ? 30 : 300, people: isSmall ? 8 : 80) }
    for round in 0..<5 {
      try database.write { transaction in
        let dog = transaction.schema["Dog"]!
        for object in try transaction.objects(of: dog.key, from: nil, limit: 30 + round) {
          try transaction.set(object, property: dog["age"]!.key, to: .int(Int64(round)))
        }
      }
    }
    expectSound(database)
  }

  private static let classes = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int(bitWidth: 8)),
        PropertyDefinition("story", .string.optional), PropertyDefinition("tags", .set(.string)),
        PropertyDefinition("born", .date.optional), PropertyDefinition("weight", .double),
      ]
    ),
    ClassDefinition(
      "Home",
      isEmbedded: true,
      properties: [PropertyDefinition("street", .string)]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("code", .string, isIndexed: true),
        PropertyDefinition("favourite", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("home", .link("Home")),
        PropertyDefinition("notes", .map(.mixed)), PropertyDefinition("photo", .data.optional),
      ]
    ),
  ]

  private func populate(
    _ transaction: WriteTransaction,
    dogs dogCount: Int,
    people personCount: Int
  ) throws {
    let dog = transaction.schema["Dog"]!
    let person = transaction.schema["Person"]!
    let home = transaction.schema["Home"]!
    let dogs = try (0..<dogCount).map { number in
      let story = String(repeating: "story \(number) ", count: number % 50 == 0 ? 1000 : 20)
      return try transaction.create(
        dog.key,
        [
          dog["name"]!.key: .string("Dog \(number)"), dog["age"]!.key: .int(Int64(number % 20)),
          dog["story"]!.key: number % 5 == 0 ? .string(story) : .null,
          dog["tags"]!.key: .set(number % 3 == 0 ? [.string("a"), .string("b")] : []),
          dog["born"]!.key: .date(Timestamp(seconds: Int64(number) * 86400)),
          dog["weight"]!.key: .double(Double(number) / 3),
        ]
      )
    }
    for number in 0..<personCount {
      // One list is too long for its chunk.
      let mine = number == 0 ? (dogs + dogs)[...] : dogs[number..<number + 5]
      let made = try transaction.create(
        person.key,
        [
          person["id"]!.key: .int(Int64(number)), person["code"]!.key: .string("c\(number % 9)"),
          person["favourite"]!.key: .link(dogs[0]),
          person["dogs"]!.key: .list(mine.map(Value.link)),
          person["notes"]!.key: .map([MapEntry("dog", .link(dogs[number]))]),
          person["photo"]!.key: .data(Array(repeating: UInt8(number), count: number * 400)),
        ]
      )
      let place = try transaction.createEmbedded(at: Slot(made, person["home"]!.key))
      try transaction.set(place, property: home["street"]!.key, to: .string("Street \(number)"))
    }
  }
}
