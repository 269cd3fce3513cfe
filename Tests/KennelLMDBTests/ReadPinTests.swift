import Foundation
import KennelLMDB
import Synchronization
import Testing

/// Snapshots of a file that is written meanwhile.
struct ReadPinTests {
  let folder = TestFolder()

  private final class Readers: Sendable {
    let isDone = Atomic(false)
    let failures = Atomic(0)
    let running = DispatchGroup()
  }

  @Test func `a snapshot is there at any moment of a commit`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    let readers = Readers()
    for _ in 0..<3 {
      readers.running.enter()
      Thread.detachNewThread {
        var newest: UInt64 = 0
        while !readers.isDone.load(ordering: .acquiring) {
          guard let pin = try? environment.beginRead(), pin.transactionID >= newest else {
            readers.failures.add(1, ordering: .relaxed)
            break
          }
          newest = pin.transactionID
          pin.release()
        }
        readers.running.leave()
      }
    }
    defer {
      readers.isDone.store(true, ordering: .releasing)
      readers.running.wait()
    }
    for number in UInt64(0)..<400 {
      let transaction = try environment.beginWrite()
      try transaction.put(.meta, number, "value")
      try transaction.commit()
    }
    #expect(readers.failures.load(ordering: .relaxed) == 0)
  }
}
