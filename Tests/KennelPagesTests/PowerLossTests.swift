import Glibc
import KennelPages
import Testing

@Suite("A power failure")
struct PowerLossTests {
  /// Commits of random changes, and what was in the file at each.
  struct Recording {
    var events: [RecordingFile.Event]
    var models: [Model]
    /// The commit whose synchronization failed, which a disk may have all the same, until the next.
    var failed: (number: Int, model: Model)?
    let form: FileForm
  }

  static func record(seed: UInt64, failingAt failing: Int? = nil) throws -> Recording {
    let folder = TestFolder()
    var random = SeededNumbers(seed: seed)
    let log = RecordingFile.Log()
    let form = FileForm(seed: Int(seed))
    func open() throws -> PageStore {
      try PageStore.open(path: folder.file, create: true, key: form.key) { RecordingFile($0, log) }
    }
    var store = try open()
    defer { store.close() }
    log.acknowledge(0)
    var models = [Model()]
    var kept: PageSnapshot?
    var failed: (number: Int, model: Model)?
    for number in 1...8 {
      let model = models[number - 1]
      let budget = Int.random(in: 0..<3, using: &random) == 0 ? 30_000 : Int.max
      let count = Int.random(in: 1...25, using: &random)
      if number == failing {
        log.fail([.synchronize], code: EIO)
        let writer = try store.beginWrite()
        var changed = model
        for _ in 0..<count { try changed.change(writer, &random) }
        #expect(throws: PageStoreError.self) { try writer.commit() }
        failed = (number, changed)
        #expect(throws: PageStoreError(.needsReopening, .beginWrite, path: store.path)) {
          try store.beginWrite()
        }
        kept = nil
        #expect(try Model(try store.snapshot()) == model)
        store.close()
        log.recover()
        store = try open()
        #expect(try Model(try store.snapshot()) == model)
      }
      // A commit may count as a large one, which synchronizes twice.
      let most = Bool.random(using: &random) ? 3 : 1000
      models.append(
        try store.commitChanges(
          count,
          model,
          &random,
          memoryBudget: budget,
          mostUnsyncedPages: most
        )
      )
      log.acknowledge(number)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: kept = try store.snapshot()
      case 1: kept = nil
      case 2:
        // The second writer.
        kept = nil
        store.close()
        store = try open()
      default: break
      }
    }
    _ = kept
    return Recording(events: log.events, models: models, failed: failed, form: form)
  }

  @Test(arguments: 0..<3 * repetitions)
  func `acknowledged commits are there and the file can be written`(seed: Int) throws {
    try check(try Self.record(seed: UInt64(seed)), seed)
  }

  @Test(arguments: 0..<3 * repetitions)
  func `acknowledged commits are there after a synchronization has failed`(seed: Int) throws {
    try check(try Self.record(seed: UInt64(seed) + 50, failingAt: 1 + seed % 8), seed)
  }

  private func check(_ recording: Recording, _ seed: Int) throws {
    var random = SeededNumbers(seed: UInt64(seed) + 1000)
    let folder = TestFolder()
    var disk = DiskImages([])
    var acknowledged = -1
    for event in recording.events {
      disk.add(event, &random)
      if case .acknowledge(let number) = event { acknowledged = number }
      // The making of the file has few events.
      for _ in 0..<(acknowledged < 0 ? 12 : 1) {
        try check(disk.image(&random), acknowledged, recording, folder, &random)
      }
    }
  }

  /// The system may have pages in memory that it could not write and takes for written.
  @Test
  func `a commit that nobody acknowledged is on the disk before another builds on it`() throws {
    let folder = TestFolder()
    var random = SeededNumbers(seed: 21)
    let store = try PageStore.open(path: folder.file, create: true)
    let first = try store.commitChanges(100, Model(), &random)
    let disk = folder.read()
    let second = try store.commitChanges(20, first, &random)
    let unclosed = folder.read()
    store.close()
    // Without its lock file: nobody knows whether the commit was synchronized.
    folder.write(unclosed)
    let log = RecordingFile.Log()
    let again = try PageStore.open(path: folder.file) { RecordingFile($0, log) }
    #expect(try Model(try again.snapshot()) == second)
    let third = try again.commitChanges(20, second, &random)
    log.acknowledge(3)
    again.close()
    try checkImages(of: log, from: disk, [first, second], last: third, &random)
  }

  /// Every image has one of some contents, and the last of them once that is acknowledged.
  func checkImages(
    of log: RecordingFile.Log,
    from start: [UInt8],
    _ before: [Model],
    last: Model,
    _ random: inout SeededNumbers
  ) throws {
    let folder = TestFolder()
    var images = DiskImages(start)
    var isAcknowledged = false
    for event in log.events {
      images.add(event, &random)
      if case .acknowledge = event { isAcknowledged = true }
      for _ in 0..<20 {
        folder.write(images.image(&random))
        Tally.count(.images)
        let found = try contents(folder)
        #expect(found == last || !isAcknowledged && before.contains(found))
      }
    }
  }

  /// Opens an image, which must have the last acknowledged commit or the one after it, makes a
  /// commit, and lets the power fail in that too.
  private func check(
    _ image: [UInt8],
    _ acknowledged: Int,
    _ recording: Recording,
    _ folder: TestFolder,
    _ random: inout SeededNumbers
  ) throws {
    folder.write(image)
    Tally.count(recording.failed == nil ? .images : .failedImages)
    let log = RecordingFile.Log()
    let form = recording.form
    let before = try contents(folder, form)
    let models = recording.models
    var possible = models[max(acknowledged, 0)...min(acknowledged + 1, models.count - 1)]
    // A commit without changes writes nothing over the one that failed.
    if let failed = recording.failed, failed.number <= acknowledged + 1,
      models[failed.number - 1...max(acknowledged, 0)].allSatisfy({
        $0 == models[failed.number - 1]
      })
    {
      possible.append(failed.model)
    }
    #expect(Bool(possible.contains(before)), "of the commit after \(acknowledged)")
    #expect(folder.read() == image || acknowledged < 0, "reading writes nothing")
    let store = try PageStore.open(path: folder.file, create: true, key: form.key) {
      RecordingFile($0, log)
    }
    let start = folder.read()
    let after = try store.commitChanges(5, before, &random)
    log.acknowledge(1)
    #expect(try Model(try store.snapshot()) == after)
    _ = try PageStoreCheck.run(try store.snapshot())
    store.close()
    var disk = DiskImages(start)
    var isAcknowledged = false
    for event in log.events {
      disk.add(event, &random)
      if case .acknowledge = event { isAcknowledged = true }
      folder.write(disk.image(&random))
      Tally.count(.nested)
      let found = try contents(folder, form)
      #expect(found == after || !isAcknowledged && found == before, "nested")
    }
  }

  func contents(_ folder: TestFolder, _ form: FileForm = .open) throws -> Model {
    // An image from before the first commit may be no file yet.
    let store = try PageStore.open(path: folder.file, create: true, key: form.key)
    defer { store.close() }
    let snapshot = try store.snapshot()
    _ = try PageStoreCheck.run(snapshot)
    return try Model(snapshot)
  }
}
