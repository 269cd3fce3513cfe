// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import KennelCore
import KennelTestSupport
import Testing

@Suite struct CrashTests {
  /// A writer is killed at any moment of a transaction, 50 times on the same file.
  @Test func `what was acknowledged survives kill -9`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("crash.kennel")
    var random = SystemRandomNumberGenerator()
    var between = 0
    var acknowledged: Int64 = 0
    for round in 0..<50 {
      let child = try TortureChild(["write", path])
      let outcome = try killed(child, &random)
      acknowledged = max(acknowledged, outcome.done)
      between += outcome.begun > outcome.done ? 1 : 0
      let found = try lastNumber(path)
      #expect(found >= acknowledged, "round \(round): \(acknowledged) was acknowledged")
      #expect(found <= max(outcome.begun, acknowledged), "round \(round)")
      acknowledged = max(acknowledged, found)
    }
    print("killed 50 times, \(between) of them between begin and acknowledgement")
    #expect(between >= 40)
  }

  /// Kills a writer some time after it began its third, fourth or fifth transaction.
  private func killed(
    _ child: TortureChild,
    _ random: inout SystemRandomNumberGenerator
  ) throws -> (begun: Int64, done: Int64) {
    var begun: Int64 = 0
    var done: Int64 = 0
    var rest = Int.random(in: 3...5, using: &random)
    var began = ContinuousClock.now
    var longest = Duration.zero
    var isKilled = false
    while let line = child.line() {
      let words = line.split(separator: " ")
      switch words.first {
      case "begin":
        begun = Int64(words[1])!
        began = .now
        rest -= 1
        guard rest == 0 else { continue }
        let microseconds = longest / .microseconds(1)
        usleep(UInt32(Double.random(in: 0..<0.9, using: &random) * microseconds))
        child.kill()
        isKilled = true
      case "done":
        done = Int64(words[1])!
        longest = max(longest, ContinuousClock.now - began)
      default: throw TestFailure("the writer says: \(line)")
      }
    }
    #expect(child.end() == SIGKILL)
    #expect(isKilled)
    return (begun, done)
  }

  /// The number of the newest transaction, after a look at everything it should have left.
  private func lastNumber(_ path: String) throws -> Int64 {
    let database = try Database.open(path)
    expectSound(database)
    let snapshot = try database.snapshot()
    guard let note = snapshot.schema["Note"], let last = snapshot.schema["Last"],
      let key = try snapshot.objects(of: last.key, limit: 1).keys.first
    else { return 0 }
    let object = ObjectIdentity(last.key, key)
    guard case .int(let number) = try snapshot.value(of: object, property: last["number"]!.key)
    else {
      return 0
    }
    let wanted = (max(1, number - 3)...number).flatMap { number in
      Array(repeating: Value.int(number), count: Int(number % 40 + 5))
    }
    let found = try snapshot.objects(of: note.key).keys.map {
      try snapshot.value(of: ObjectIdentity(note.key, $0), property: note["number"]!.key)
    }
    #expect(found == wanted)
    let count = try snapshot.elementCount(of: object, property: last["notes"]!.key)
    #expect(count == Int(number % 40 + 5))
    return number
  }
}
