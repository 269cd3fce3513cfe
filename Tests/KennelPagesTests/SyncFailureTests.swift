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
    log.failSynchronizing(after: 0)
    #expect(throws: PageStoreError(.inputOutput, .commit, path: store.path)) {
      try store.store(numbers, 1, "two")
    }
    log.failSynchronizing(after: .max)
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
    log.failWriting(after: writes)
    #expect(throws: PageStoreError(.diskFull, .commit, path: store.path)) {
      try store.commitChanges(100, model, &random, memoryBudget: 50_000)
    }
    log.failWriting(after: .max)
    #expect(try Model(try store.snapshot()) == model)
    let next = try store.commitChanges(10, model, &random)
    #expect(try Model(try store.snapshot()) == next)
    _ = try PageStoreCheck.run(try store.snapshot())
  }
}
