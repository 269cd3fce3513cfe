import Glibc
import KennelPages
import Testing

@Suite("A failure to write")
struct SyncFailureTests {
  @Test
  func `after a failed synchronization nobody reads the commit or writes, until all have closed`()
    throws
  {
    let folder = TestFolder()
    let log = RecordingFile.Log()
    let store = try PageStore.open(path: folder.file, create: true) { RecordingFile($0, log) }
    try store.store(numbers, 1, "one")
    log.fail([.synchronize], code: EIO)
    #expect(throws: PageStoreError(.inputOutput, .commit, path: store.path)) {
      try store.store(numbers, 1, "two")
    }
    log.recover()
    #expect(try store.text(numbers, 1) == "one")
    #expect(store.newestCommit == 1)
    #expect(throws: PageStoreError(.needsReopening, .beginWrite, path: store.path)) {
      try store.store(numbers, 1, "three")
    }
    store.close()
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(try again.text(numbers, 1) == "one")
    try again.store(numbers, 1, "three")
    #expect(try again.text(numbers, 1) == "three")
  }

  @Test(arguments: 0..<3)
  func `a full disk leaves the file as it was`(writes: Int) throws {
    let folder = TestFolder()
    let log = RecordingFile.Log()
    let store = try PageStore.open(path: folder.file, create: true) { RecordingFile($0, log) }
    defer { store.close() }
    var random = SeededNumbers(seed: 5)
    let model = try store.commitChanges(100, Model(), &random)
    log.fail([.write], after: writes, code: ENOSPC)
    #expect(throws: PageStoreError(.diskFull, .commit, path: store.path)) {
      try store.commitChanges(100, model, &random, memoryBudget: 50_000)
    }
    log.recover()
    #expect(try Model(try store.snapshot()) == model)
    let next = try store.commitChanges(10, model, &random)
    #expect(try Model(try store.snapshot()) == next)
    _ = try PageStoreCheck.run(try store.snapshot())
  }

  /// Six commits have about twenty steps; the file of each trial is open here.
  @Test(arguments: [EIO, ENOSPC], [1, Int.max])
  func `whatever step fails, other processes read the last commit, and none is lost`(
    code: Int32,
    times: Int
  ) async throws {
    let folder = TestFolder()
    let stores = try (0..<24).map { step in
      let store = try PageStore.open(path: "\(folder.path)/\(step)", create: true)
      try store.storeSame(1)
      return store
    }
    let (path, count) = (folder.path, stores.count)
    await #expect(processExitsWith: .success) {
      [path = path as String, count = count as Int, code = code as Int32, times = times as Int] in
      for step in 0..<count { try failOnce("\(path)/\(step)", step, code, times) }
    }
    var refusing = 0
    for store in stores {
      Tally.count(.failures)
      let newest = Int(store.newestCommit)
      #expect(try requireSame(try store.snapshot()) == newest)
      do throws(PageStoreError) {
        try store.beginWrite().abort()
      } catch {
        refusing += 1
        #expect(error.problem == .needsReopening)
      }
      store.close()
      let again = try PageStore.open(path: store.path)
      let found = try requireSame(try again.snapshot())
      // A disk that does not recover may have the commit.
      #expect(found == newest || found == newest + 1 && times > 1)
      try again.storeSame(found + 1)
      _ = try PageStoreCheck.run(try again.snapshot())
      again.close()
    }
    // A synchronization that failed, and a failed write, which leaves the file as it was.
    #expect((4..<20).contains(refusing))
  }
}

/// Makes commits until a step fails, and looks at what is left.
private func failOnce(_ path: String, _ step: Int, _ code: Int32, _ times: Int) throws {
  let log = RecordingFile.Log()
  let store = try PageStore.open(path: path) { RecordingFile($0, log) }
  log.fail(Set(RecordingFile.Step.allCases), after: step, times: times, code: code)
  var acknowledged = 1
  let problem: PageStoreError.Problem = code == EIO ? .inputOutput : .diskFull
  #expect(throws: PageStoreError(problem, .commit, path: store.path)) {
    while acknowledged < 40 {
      try store.storeSame(acknowledged + 1)
      acknowledged += 1
    }
  }
  #expect(store.newestCommit == acknowledged)
  #expect(try requireSame(try store.snapshot()) == acknowledged)
}

extension PageStore {
  /// One commit of which all values are the same number.
  func storeSame(_ number: Int) throws {
    let writer = try beginWrite(timeoutInMilliseconds: 10_000)
    // Some synchronize twice.
    if number % 3 == 0 { writer.mostUnsyncedPages = 0 }
    for key in 0..<200 as Range<UInt64> { try writer.put(numbers, key, "\(number)") }
    try writer.commit()
  }
}
