import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// A realm on a queue of its own, and what happened there.
private final class Desk: @unchecked Sendable {
  let queue = DispatchQueue(label: "desk")
  let configuration: Realm.Configuration
  private let folder: TemporaryFolder
  /// Touched on the queue only, as the lines are.
  private(set) var realm: Realm?
  private var lines: [String] = []

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: zoo)
    try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
  }

  func note(_ line: String) { lines.append(line) }

  func onQueue(_ body: (Realm) throws -> Void) throws {
    try queue.sync { if let realm { try body(realm) } }
  }

  /// Waits until the realm has nothing to do any more.
  func finished() throws -> (lines: [String], dogs: [String]) {
    for _ in 0..<5_000 {
      let isBusy = queue.sync { realm?.isPerformingAsynchronousWriteOperations ?? false }
      if !isBusy { break }
      usleep(1_000)
    }
    return queue.sync { (lines, realm?.objects(Dog.self).map(\.name) ?? []) }
  }

  deinit { queue.sync { realm = nil } }
}

private func dog(_ name: String) -> Dog { Dog(value: ["name": name]) }

@Suite struct `Asynchronous writes` {
  @Test func `are done in order and told afterwards`() throws {
    let desk = try Desk()
    try desk.onQueue { realm in
      #expect(!realm.isPerformingAsynchronousWriteOperations)
      realm.writeAsync {
        realm.add(dog("first"))
      } onComplete: { error in
        desk.note("\(error == nil) \(realm.objects(Dog.self).count > 0)")
      }
      realm.beginAsyncWrite {
        realm.add(dog("second"))
        realm.beginAsyncWrite {
          realm.add(dog("fourth"))
          realm.commitAsyncWrite { _ in desk.note("fourth") }
        }
        realm.commitAsyncWrite(allowGrouping: true) { _ in desk.note("second") }
      }
      realm.writeAsync { realm.add(dog("third")) }
      #expect(realm.isPerformingAsynchronousWriteOperations && realm.isEmpty)
    }
    let result = try desk.finished()
    #expect(result.dogs == ["first", "second", "third", "fourth"])
    #expect(result.lines == ["true true", "second", "fourth"])
  }

  @Test func `begin with what observers begin with`() throws {
    let desk = try Desk()
    var token: NotificationToken?
    try desk.onQueue { realm in
      token = realm.objects(Dog.self).observe { change in
        switch change {
        case .initial(let dogs): desk.note("initial \(dogs.count)")
        case .update(_, _, let insertions, _): desk.note("+\(insertions)")
        case .error(let error): desk.note("\(error)")
        }
      }
      realm.writeAsync { realm.add(dog("first")) }
      realm.writeAsync { realm.add(dog("second")) }
    }
    #expect(try desk.finished().lines == ["initial 0", "+[0]", "+[1]"])
    try desk.onQueue { _ in token = nil }
    _ = token
  }

  @Test func `what is not committed is given up`() throws {
    let desk = try Desk()
    try desk.onQueue { realm in
      realm.beginAsyncWrite { realm.add(dog("lost")) }
      realm.writeAsync {
        realm.add(dog("cancelled"))
        realm.cancelWrite()
      } onComplete: { _ in
        desk.note("never")
      }
      realm.writeAsync { realm.add(dog("kept")) }
    }
    let result = try desk.finished()
    #expect(result.dogs == ["kept"] && result.lines.isEmpty)
  }

  @Test func `are cancelled before they begin`() throws {
    let desk = try Desk()
    try desk.onQueue { realm in
      let first = realm.writeAsync({ desk.note("ran") }, onComplete: { _ in desk.note("told") })
      try realm.cancelAsyncWrite(first)
      #expect(!realm.isPerformingAsynchronousWriteOperations)
      let second = realm.beginAsyncWrite { desk.note("ran") }
      realm.writeAsync { realm.add(dog("kept")) }
      try realm.cancelAsyncWrite(second)
    }
    let result = try desk.finished()
    #expect(result.dogs == ["kept"] && result.lines.isEmpty)
  }

  @Test func `one that does not wait goes first`() throws {
    let desk = try Desk()
    try desk.onQueue { realm in
      realm.writeAsync { realm.add(dog("late")) }
      try realm.write { realm.add(dog("at once")) }
      realm.writeAsync { realm.add(dog("later")) }
      realm.beginWrite()
      realm.add(dog("given up"))
      realm.cancelWrite()
      realm.beginWrite()
      realm.add(dog("also at once"))
      realm.commitAsyncWrite { _ in desk.note("told") }
    }
    let result = try desk.finished()
    #expect(result.dogs == ["at once", "also at once", "late", "later"])
    #expect(result.lines == ["told"])
  }

  @Test func `the queue goes on while another writes`() throws {
    let desk = try Desk()
    let other = try Realm(configuration: desk.configuration)
    other.beginWrite()
    other.add(dog("other"))
    try desk.onQueue { realm in realm.writeAsync { realm.add(dog("waiting")) } }
    try desk.onQueue { realm in #expect(realm.isEmpty) }
    try other.commitWrite()
    #expect(try desk.finished().dogs == ["other", "waiting"])
  }

  @Test func `committing without a transaction is a mistake`() throws {
    let desk = try Desk()
    try desk.onQueue { realm in
      expectMisuse("non-existing write transaction") { realm.commitAsyncWrite() }
    }
  }

  @Test func `a thread that nothing can call a block on cannot write so`() throws {
    let desk = try Desk()
    let configuration = desk.configuration
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if let realm = try? Realm(configuration: configuration) {
        expectMisuse("nothing can call a block") { realm.writeAsync {} }
      }
      done.signal()
    }
    done.wait()
  }
}

/// Writes on an actor.
private actor Writer {
  private var realm: Realm?
  private(set) var lines: [String] = []

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String) async throws -> Bool? {
    try await realm?.asyncWrite {
      realm?.add(dog(name))
      return realm?.isPerformingAsynchronousWriteOperations
    }
  }

  func note(_ line: String) { lines.append(line) }

  func addAtOnce(_ name: String) throws { try realm?.write { realm?.add(dog(name)) } }

  func begin() { realm?.beginWrite() }

  func commit() throws { try realm?.commitWrite() }

  var names: [String] {
    realm?.refresh()
    return realm?.objects(Dog.self).map(\.name) ?? []
  }

  var isBusy: Bool { realm?.isPerformingAsynchronousWriteOperations ?? false }

  func close() { realm = nil }
}

@Suite struct `Writes of tasks` {
  private func withWriters(
    _ body: (Writer, Writer) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: zoo
    )
    let (one, other) = (Writer(), Writer())
    try await one.open(configuration)
    try await other.open(configuration)
    try await body(one, other)
    await one.close()
    await other.close()
  }

  @Test func `an actor goes on while its task waits for another writer`() async throws {
    try await withWriters { one, other in
      await other.begin()
      let task = Task { try await one.add("patient") }
      while await !one.isBusy { await Task.yield() }
      #expect(await one.names.isEmpty)
      try await other.commit()
      #expect(try await task.value == true)
      #expect(await one.names == ["patient"])
      #expect(await !one.isBusy)
    }
  }

  @Test func `a task that is cancelled while it waits writes nothing`() async throws {
    try await withWriters { one, other in
      await other.begin()
      let task = Task { try await one.add("cancelled") }
      while await !one.isBusy { await Task.yield() }
      let patient = Task { try await one.add("patient") }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await other.commit()
      _ = try await patient.value
      #expect(await one.names == ["patient"])
    }
  }

  @Test func `tasks and a writer that does not wait take turns`() async throws {
    try await withWriters { one, other in
      await other.begin()
      let first = Task { try await one.add("first") }
      while await !one.isBusy { await Task.yield() }
      try await other.commit()
      try await one.addAtOnce("at once")
      _ = try await first.value
      #expect(await Set(one.names) == ["first", "at once"])
    }
  }
}
