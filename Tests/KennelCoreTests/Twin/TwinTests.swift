import Foundation
import KennelCore
import Synchronization
import Testing

/// The engine and its twin do the same, whatever is done to them: transactions, drafts and their journals, snapshots
/// that are held, files that are opened again, and commits that a crash takes.
///
/// `KENNEL_SEED=n` runs one seed, `KENNEL_LONG=1` 2,000 instead of 50.
@Suite struct `The engine and its twin` {
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["KENNEL_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...(environment["KENNEL_LONG"] == nil ? 50 : 2000))
  }()

  /// How many differences are shrunk; the others are told at once.
  ///
  /// `KENNEL_SHRINK=0` shrinks none.
  static let shrinksLeft = Mutex(
    ProcessInfo.processInfo.environment["KENNEL_SHRINK"].flatMap(Int.init) ?? 2
  )

  /// How many seeds are left, since when.
  private static let progress = Mutex((left: seeds.count, start: ContinuousClock.now))

  /// Tells how many seeds there were, after the last one of the long form.
  private static func countSeed() {
    progress.withLock { progress in
      progress.left -= 1
      guard progress.left == 0, seeds.count > 50 else { return }
      let rate = Double(seeds.count) / ((.now - progress.start) / .seconds(3600))
      let crashes = TwinRun.crashCount.withLock(\.self)
      print("     \(seeds.count) seeds of the simulation, \(Int(rate)) an hour")
      print("     \(crashes) commits of them with a crash")
    }
  }

  @Test(arguments: seeds)
  func `agree on random operations`(seed: UInt64) {
    defer { Self.countSeed() }
    let operations = TwinRun.operations(seed: seed, count: 200)
    guard var failure = TwinRun.run(seed: seed, operations) else { return }
    var fewer = operations
    let shrinks = Self.shrinksLeft.withLock { left in
      left -= 1
      return left >= 0
    }
    if shrinks {
      fewer = TwinRun.shrink(seed: seed, operations)
      failure = TwinRun.run(seed: seed, fewer) ?? failure
    }
    Issue.record(
      """
      KENNEL_SEED=\(seed), \(fewer.count) operations:
      \(failure.log.joined(separator: "\n"))
      \(failure.difference)
      """
    )
  }

  @Test func `have met every shape of property and every rule`() {
    var shapes: Set<String> = []
    for seed in 1...UInt64(50) {
      for definition in TwinSchema(seed: seed).definitions {
        for property in definition.properties {
          let type = property.type
          let name = type.kind == .link ? "link" : type.element.description
          shapes.insert("\(type.collection) \(name) \(property.deleteRule ?? .nullify)")
          shapes.insert("\(type.collection) \(name), target \(property.targetRule ?? .nullify)")
        }
      }
    }
    for collection in CollectionKind.allCases {
      for rule in DeleteRule.allCases {
        #expect(shapes.contains("\(collection) link \(rule)"))
        #expect(shapes.contains("\(collection) mixed \(rule)"))
      }
      for rule in TargetRule.allCases {
        #expect(shapes.contains("\(collection) link, target \(rule)"))
        #expect(shapes.contains("\(collection) mixed, target \(rule)"))
      }
      for kind in ValueKind.allCases where kind != .link && kind != .mixed {
        #expect(shapes.contains("\(collection) \(kind) nullify"))
        #expect(shapes.contains("\(collection) \(kind)? nullify"))
      }
    }
  }
}
