import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// `KENNEL_LONG=1` takes a file of 100,000 objects, of which up to 100 pages are zeroed.
@Suite("A recovery")
struct RecoveryTests {
  private static let isLong = ProcessInfo.processInfo.environment["KENNEL_LONG"] != nil
  private static let objectCount = isLong ? 100_000 : 1_200
  private static let pageCounts = isLong ? [1, 10, 100] : [1, 4, 12]
  private static let rounds = isLong ? 1 : 2

  /// Zeroes pages, recovers the file, and expects everything that lies outside of them.
  private func check(
    _ world: RecoveryWorld,
    _ zeroed: Set<Int>,
    isComplete: Bool = false
  ) throws {
    try check(world, world.bytes(withoutPages: zeroed), zeroed, isComplete: isComplete)
  }

  /// Recovers a file in which some pages are not what they were.
  private func check(
    _ world: RecoveryWorld,
    _ bytes: [UInt8],
    _ zeroed: Set<Int>,
    isComplete: Bool = false
  ) throws {
    let isWithoutSchema = !world.schemaPages.isDisjoint(with: zeroed)
    do {
      try world.recover(bytes) { database, report in
        var comparison = RecoveryComparison(
          world,
          report,
          try Contents(database.snapshot()),
          zeroed: zeroed
        )
        comparison.run()
        #expect(Array(comparison.faults.prefix(5)) == [], "zeroed \(zeroed.sorted())")
        if isComplete {
          #expect(report.losses.filter { $0.kind != .uncertainCommit }.map(\.message) == [])
        }
        #expect(comparison.savedValueCount > 0)
      }
    } catch let error as DatabaseError {
      // A file that was written at once has no older schema.
      #expect(isWithoutSchema && error.message.contains("schema"), "\(error)")
    }
  }

  @Test(arguments: [false, true])
  func `of a sound file has everything, and nothing is lost`(isCompacted: Bool) throws {
    let world = try RecoveryWorld(objectCount: 1_000, isCompacted: isCompacted)
    try check(world, [], isComplete: true)
  }

  @Test(arguments: [false, true])
  func `saves what lies outside of zeroed pages, and lists the rest`(isCompacted: Bool) throws {
    let world = try RecoveryWorld(objectCount: Self.objectCount, isCompacted: isCompacted)
    var random = SeededGenerator(seed: 1)
    for count in Self.pageCounts {
      for _ in 0..<Self.rounds {
        let zeroed = Set((0..<count).map { _ in 2 + random.below(world.pageCount - 2) })
        try check(world, zeroed)
      }
    }
  }

  @Test(arguments: [false, true])
  func `has everything without roots and meta pages`(isCompacted: Bool) throws {
    let world = try RecoveryWorld(objectCount: Self.objectCount, isCompacted: isCompacted)
    try check(world, [0, 1], isComplete: true)
    try check(world, [0])
    try check(world, [1])
    try check(world, Set(world.rootPages))
    try check(world, Set(world.rootPages + [0, 1]))
  }

  @Test func `saves what lies outside of zeroed pages without meta pages, too`() throws {
    let world = try RecoveryWorld(objectCount: Self.objectCount, isCompacted: true)
    var random = SeededGenerator(seed: 2)
    for count in Self.pageCounts {
      for _ in 0..<Self.rounds {
        let zeroed = (0..<count).map { _ in random.below(world.pageCount) }
        try check(world, Set(zeroed + [0, 1]))
      }
    }
  }

  @Test(arguments: ["bit", "sector", "exchanged", "older", "cut"])
  func `of a file that was damaged at random has nothing wrong`(kind: String) throws {
    let world = try RecoveryWorld(objectCount: 800)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<(Self.isLong ? 200 : 8) {
      var bytes = world.bytes
      let (page, other) = (random.below(world.pageCount), random.below(world.pageCount))
      let range = page * 4096..<(page + 1) * 4096
      var damaged: Set = [page]
      switch kind {
      case "bit": bytes[page * 4096 + random.below(4096)] ^= 1 << UInt8(random.below(8))
      case "sector":
        let start = page * 4096 + 512 * random.below(8)
        for index in start..<start + 512 { bytes[index] = UInt8(random.below(256)) }
      case "exchanged":
        bytes.replaceSubrange(range, with: world.bytes[other * 4096..<(other + 1) * 4096])
        bytes.replaceSubrange(other * 4096..<(other + 1) * 4096, with: world.bytes[range])
        damaged.insert(other)
      case "older":
        guard range.upperBound <= world.olderBytes.count else { continue }
        bytes.replaceSubrange(range, with: world.olderBytes[range])
      case _:
        let count = max(bytes.count - 1 - random.below(200_000), 20_000)
        bytes.removeLast(bytes.count - count)
        damaged = Set(count / 4096..<world.pageCount)
      }
      try check(world, bytes, damaged)
    }
  }

  @Test func `takes the classes from a backup if they are lost`() throws {
    let world = try RecoveryWorld(objectCount: 200, isCompacted: true)
    let pages = world.schemaPages
    let bytes = world.bytes(withoutPages: pages)
    #expect(throws: DatabaseError.self) { try world.recover(bytes) { _, _ in } }
    try withTemporaryDatabase { backup in
      try backup.write { transaction in try transaction.define(RecoveryWorld.classes) }
      try world.recover(bytes, backup: backup) { database, report in
        #expect(report.losses.contains { $0.kind == .olderClasses })
        var comparison = RecoveryComparison(
          world,
          report,
          try Contents(database.snapshot()),
          zeroed: pages
        )
        comparison.run()
        #expect(Array(comparison.faults.prefix(5)) == [])
      }
    }
  }

  @Test func `is refused into a database with classes, and of a file that is none`() throws {
    let world = try RecoveryWorld(objectCount: 40)
    try withTemporaryDatabase { database in
      try database.write { transaction in try transaction.define(RecoveryWorld.classes) }
      #expect(throws: DatabaseError.self) {
        try Database.recover(world.folder.file("whole.kennel"), into: database)
      }
    }
    try withTemporaryDatabase { database in
      let error = #expect(throws: DatabaseError.self) {
        try Database.recover(world.folder.file("whole.kennel"), into: database) { _ in false }
      }
      #expect(error?.code == .cancelled)
      let snapshot = try database.snapshot()
      #expect(snapshot.schema.classes.isEmpty)
    }
    for bytes in [[], [UInt8](repeating: 7, count: 50_000), Array(world.bytes.prefix(8192))] {
      #expect(throws: DatabaseError.self) { try world.recover(bytes) { _, _ in } }
    }
  }
}
