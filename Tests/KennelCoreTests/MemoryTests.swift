import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// Whether a sanitizer is there, which keeps memory that was freed.
private var isSanitized: Bool {
  unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// The memory that the process has, in bytes.
private func residentByteCount() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}

@Suite struct `Memory` {
  /// In a process of its own, where no other test takes memory.
  @Test(.enabled(if: !isSanitized)) func `of a snapshot is given back when it goes`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.kennel")
    try Database.open(path).write { transaction in
      try transaction.define([define("Counter", ["value": .int])])
      try transaction.put(try transaction.make("Counter"), "value", .int(1))
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try Database.open(path)
      let schema = try #require(try database.snapshot().schema["Counter"])
      let counter = ObjectIdentity(schema.key, ObjectKey(rawValue: 1))
      func read(_ times: Int) throws {
        for _ in 0..<times { _ = try database.snapshot().value(counter, "value") }
      }
      try read(1000)
      let before = try residentByteCount()
      try read(20_000)
      #expect(try residentByteCount() - before < 2 << 20)
    }
  }
}
