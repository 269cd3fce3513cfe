import Foundation
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

@Suite struct `A transaction` {
  private func counter(_ database: Database) throws -> ObjectIdentity {
    try database.write { transaction in
      try transaction.define([define("Counter", ["value": .int])])
      return try transaction.make("Counter")
    }
  }

  @Test func `sees its own changes, and nobody else does before it commits`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      let transaction = try database.beginWrite()
      try transaction.put(counter, "value", .int(1))
      #expect(try transaction.value(counter, "value") == .int(1))
      #expect(try database.snapshot().value(counter, "value") == .int(0))
      try transaction.commit()
      #expect(try database.snapshot().value(counter, "value") == .int(1))
    }
  }

  @Test func `waits no longer than it is allowed to, and says who writes`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.kennel"
    let database = try Database.open(path)
    let counter = try counter(database)
    let transaction = try database.beginWrite()
    let own = Int(ProcessInfo.processInfo.processIdentifier)
    await #expect(processExitsWith: .success) { [path = path as String, own = own as Int] in
      let database = try Database.open(path)
      let error = #expect(throws: DatabaseError.self) {
        try database.write(waitingAtMost: .milliseconds(20)) { _ in }
      }
      #expect(error?.code == .busy && error?.processID == own)
      #expect(error?.message.contains("process \(own) is writing to it") == true)
    }
    let error = #expect(throws: DatabaseError.self) {
      try database.write(waitingAtMost: .zero) { _ in }
    }
    #expect(error?.code == .busy && error?.processID == own)
    #expect(error?.message.contains("another thread of this program") == true)
    transaction.rollback()
    // However long or short: nobody is in the way.
    for limit in [.zero, .seconds(-1), .seconds(Int64.max), .milliseconds(1)] as [Duration] {
      try database.write(waitingAtMost: limit) { try $0.put(counter, "value", .int(7)) }
    }
    #expect(try database.snapshot().value(counter, "value") == .int(7))
  }

  @Test func `that is cancelled while it waits writes nothing`() async throws {
    let temporary = try TemporaryDatabase()
    let database = temporary.database
    let counter = try counter(database)
    let transaction = try database.beginWrite()
    let asked = Atomic(0)
    let waiting = Task.detached {
      let isCancelled: () -> Bool = {
        asked.add(1, ordering: .relaxed)
        return Task.isCancelled
      }
      try database.write(isCancelled: isCancelled) { try $0.put(counter, "value", .int(1)) }
    }
    while asked.load(ordering: .relaxed) < 3 { try await Task.sleep(for: .milliseconds(1)) }
    waiting.cancel()
    let error = await #expect(throws: DatabaseError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
    transaction.rollback()
    #expect(try database.snapshot().value(counter, "value") == .int(0))
    temporary.finish()
  }

  @Test func `that stores its changes early is the same to everybody`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      for commits in [false, true] {
        let transaction = try database.beginWrite()
        var made: [ObjectIdentity] = []
        for number in 1...600 {
          made.append(try transaction.make("Counter"))
          try transaction.put(counter, "value", .int(Int64(number)))
          if number % 100 == 0 { try transaction.storeChanges(beyond: 0) }
          #expect(try transaction.value(counter, "value") == .int(Int64(number)))
        }
        #expect(try made.allSatisfy { try transaction.contains($0) })
        #expect(try database.snapshot().value(counter, "value") == .int(0))
        if commits { try transaction.commit() } else { transaction.rollback() }
        #expect(throws: DatabaseError.self) { try transaction.storeChanges(beyond: 0) }
        let now = try database.snapshot()
        #expect(try now.value(counter, "value") == .int(commits ? 600 : 0))
        #expect(try made.allSatisfy { try now.contains($0) } == commits)
      }
    }
  }

  @Test func `that everybody lets go is rolled back, and gives the lock back`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      weak var left: WriteTransaction?
      do {
        let transaction = try database.beginWrite()
        try transaction.put(counter, "value", .int(1))
        left = transaction
      }
      #expect(left == nil)
      left?.rollback()
      let value = try database.write { try $0.value(counter, "value") }
      #expect(value == .int(0))
    }
  }

  @Test func `leaves snapshots as they were, however many commits follow`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      var snapshots: [Snapshot] = []
      for number in 1...20 {
        snapshots.append(try database.snapshot())
        try database.write { transaction in
          try transaction.put(counter, "value", .int(Int64(number)))
          _ = try transaction.make("Counter")
        }
      }
      for (number, snapshot) in snapshots.enumerated() {
        #expect(try snapshot.value(counter, "value") == .int(Int64(number)))
        #expect(snapshot.count(of: counter.classKey) == number + 1)
      }
    }
  }

  @Test func `that throws is rolled back whole`() throws {
    struct Thrown: Error {}
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      let number = database.commitNumber
      #expect(throws: Thrown.self) {
        try database.write { transaction in
          try transaction.put(counter, "value", .int(9))
          try transaction.define([define("More", [:])])
          throw Thrown()
        }
      }
      let snapshot = try database.snapshot()
      #expect(try snapshot.value(counter, "value") == .int(0))
      #expect(snapshot.schema["More"] == nil)
      #expect(database.commitNumber == number)
    }
  }

  @Test func `that is over refuses what is asked of it`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      let transaction = try database.beginWrite()
      try transaction.commit()
      #expect(!transaction.isActive)
      #expect(code { try transaction.put(counter, "value", .int(1)) } == .closed)
      #expect(code { try transaction.commit() } == .closed)
      transaction.rollback()
    }
  }

  @Test func `goes on after a change that was refused`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      try database.write { transaction in
        #expect(code { try transaction.put(counter, "value", .string("x")) } == .wrongType)
        try transaction.put(counter, "value", .int(5))
      }
      #expect(try database.snapshot().value(counter, "value") == .int(5))
    }
  }

  @Test func `of one handle is seen by another on the same path`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      let other = try Database.open(database.path)
      try other.write { try $0.put(counter, "value", .int(4)) }
      #expect(other.commitNumber == database.commitNumber)
      #expect(try database.snapshot().value(counter, "value") == .int(4))
      let held = try other.snapshot()
      try database.write { try $0.put(counter, "value", .int(5)) }
      #expect(try held.value(counter, "value") == .int(4))
      #expect(try other.snapshot().value(counter, "value") == .int(5))
    }
  }

  @Test func `of many threads waits its turn`() async throws {
    let temporary = try TemporaryDatabase()
    let database = temporary.database
    let counter = try counter(database)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<10 {
            try? database.write { transaction in
              guard case .int(let value) = try transaction.value(counter, "value") else { return }
              try transaction.put(counter, "value", .int(value + 1))
            }
          }
        }
      }
    }
    #expect(try database.snapshot().value(counter, "value") == .int(40))
    temporary.finish()
  }

  @Test func `ends on whatever thread`() throws {
    try withTemporaryDatabase { database in
      let counter = try counter(database)
      try database.write { transaction in
        try transaction.put(counter, "value", .int(1))
        onAnotherThread { #expect(throws: Never.self) { try transaction.commit() } }
      }
      #expect(try database.snapshot().value(counter, "value") == .int(1))
      try database.write { transaction in
        try transaction.put(counter, "value", .int(2))
        onAnotherThread { transaction.rollback() }
      }
      #expect(try database.snapshot().value(counter, "value") == .int(1))
      let transaction = try database.beginWrite()
      try transaction.put(counter, "value", .int(4))
      onAnotherThread { #expect(throws: Never.self) { try transaction.commit() } }
      #expect(try database.snapshot().value(counter, "value") == .int(4))
    }
  }

  private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  @Test func `is refused where a file may only be read, which looking leaves untouched`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("one.kennel")
    let made = try counter(try Database.open(path))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let database = try Database.open(path, configuration: Database.Configuration(access: .readOnly))
    #expect(!database.canWrite)
    #expect(database.readOnlyReason != nil)
    #expect(code { _ = try database.beginWrite() } == .readOnly)
    #expect(try database.snapshot().value(made, "value") == .int(0))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `needs a file that is one of ours`() throws {
    let folder = try TemporaryFolder()
    #expect(
      code {
        let configuration = Database.Configuration(createsIfMissing: false)
        _ = try Database.open(folder.file("none.kennel"), configuration: configuration)
      } == .cannotOpen
    )
    let text = folder.file("text.kennel")
    let content = Data(String(repeating: "This is a letter. ", count: 2000).utf8)
    try content.write(to: URL(fileURLWithPath: text))
    #expect(code { _ = try Database.open(text) } == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: text)) == content)
  }
}
