import Glibc
import KennelPages
import Testing

@Suite("A page store")
struct PageStoreTests {
  private let folder = TestFolder()

  @Test
  func `a committed value is there in a new snapshot and after reopening`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    let writer = try store.beginWrite()
    for number in 0..<5000 as Range<UInt64> {
      try writer.put(numbers, number &* 7919 % 5000, "value \(number)")
    }
    try writer.put(numbers, 9999, String(repeating: "long", count: 5000))
    try writer.commit()
    #expect(try store.text(numbers, 2919) == "value 1")
    store.close()
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(again.newestCommit == 1)
    #expect(again.undoneCommit == nil)
    #expect(try again.text(numbers, 9999)?.count == 20000)
    #expect(try again.snapshot().entryCount(numbers) == 5001)
  }

  @Test
  func `a process has one store for a file, and one snapshot for a commit`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    let other = try PageStore.open(path: folder.path + "/./test.pages")
    #expect(store === other)
    let first = try store.snapshot()
    #expect(try store.snapshot() === first)
    try store.store(numbers, 1, "one")
    let second = try store.snapshot()
    #expect(first !== second && first.commit + 1 == second.commit)
    #expect(try first.text(numbers, 1) == nil)
    store.close()
    #expect(try other.text(numbers, 1) == "one")
    other.close()
    // The file is open as long as a snapshot is there.
    #expect(try second.text(numbers, 1) == "one")
  }

  @Test
  func `opening and reading write nothing to the file, and reading only is all that is allowed`()
    throws
  {
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    store.close()
    let bytes = folder.read()
    let reader = try PageStore.open(path: folder.file, access: .readOnly)
    #expect(try reader.text(numbers, 1) == "one")
    #expect(throws: PageStoreError(.readOnly(.requested), .beginWrite, path: reader.path)) {
      try reader.beginWrite()
    }
    #expect(throws: PageStoreError(.openReadOnlyHere, .open, path: reader.path)) {
      try PageStore.open(path: folder.file)
    }
    reader.close()
    #expect(folder.read() == bytes)
    #expect(throws: PageStoreError(.noSuchFile, .open, path: folder.path + "/none")) {
      try PageStore.open(path: folder.path + "/none")
    }
    #expect(throws: PageStoreError(.notAFile, .open, path: folder.path)) {
      try PageStore.open(path: folder.path)
    }
    let (missing, nowhere) = (folder.path + "/no", folder.path + "/no/file")
    #expect(throws: PageStoreError(.noSuchDirectory(missing), .open, path: nowhere)) {
      try PageStore.open(path: nowhere, create: true)
    }
  }

  @Test
  func `looking at a file leaves its bytes and its times`() throws {
    let folder = TestFolder()
    let made = try PageStore.open(path: folder.file, create: true)
    try made.store(numbers, 1, "one")
    made.close()
    func times() throws -> [Int] {
      var facts = stat()
      try #require(unsafe stat(folder.file, &facts) == 0)
      return [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_nsec]
    }
    let (bytes, before) = (folder.read(), try times())
    for access in [PageStore.Access.readOnly, .readWrite] {
      let store = try PageStore.open(path: folder.file, access: access)
      #expect(try store.text(numbers, 1) == "one")
      store.close()
    }
    #expect(folder.read() == bytes)
    #expect(try times() == before)
  }

  @Test
  func `a writer that has ended, or a cursor that a change has overtaken, is refused`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    try writer.put(numbers, 1, "one")
    var cursor = try writer.cursor(numbers)
    #expect(try cursor.first())
    try writer.put(numbers, 2, "two")
    var problem: PageStoreError.Problem?
    do throws(PageStoreError) { try cursor.next() } catch { problem = error.problem }
    #expect(problem == .cursorOutdated)
    writer.abort()
    #expect(throws: PageStoreError(.writerFinished, .write, path: store.path)) {
      try writer.delete(numbers, 1)
    }
    #expect(throws: PageStoreError(.writerFinished, .commit, path: store.path)) {
      try writer.commit()
    }
    #expect(try store.text(numbers, 1) == nil)
    #expect(store.newestCommit == 0)
  }

  @Test
  func `what does not fit is refused before anything changes`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    let longest = [UInt8](repeating: 1, count: Format.maximumKeyByteCount)
    try writer.put(words, key: longest, longest)
    #expect(throws: PageStoreError(.keySize(512), .write, path: store.path)) {
      try writer.put(words, key: longest + [1], longest)
    }
    #expect(throws: PageStoreError(.treeKeys(1), .write, path: store.path)) {
      try writer.put(Tree(1, keys: .numbers), 1, "number")
    }
    #expect(throws: PageStoreError(.noteSize(65), .write, path: store.path)) {
      try writer.setNote([UInt8](repeating: 1, count: 65))
    }
    try writer.commit()
    #expect(try store.snapshot().bytes(words, key: longest) == longest)
    #expect(throws: PageStoreError(.treeKeys(1), .read, path: store.path)) {
      try store.snapshot().bytes(Tree(1, keys: .numbers), 1)
    }
  }

  @Test
  func `a file that was replaced or deleted is not written`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    try store.store(numbers, 1, "one")
    let writer = try store.beginWrite()
    try writer.put(numbers, 1, "two")
    unsafe rename(folder.file, folder.path + "/moved")
    #expect(throws: PageStoreError(.goneFromDisk, .commit, path: store.path)) {
      try writer.commit()
    }
    TestFolder.write(folder.file, [1])
    #expect(throws: PageStoreError(.replacedOnDisk, .beginWrite, path: store.path)) {
      try store.beginWrite()
    }
    #expect(try store.text(numbers, 1) == "one")
  }

  @Test(arguments: ["newer", "older", "other", "another branch"])
  func `a file that another program overwrote in its place is not written`(copy: String) throws {
    let other = folder.path + "/other"
    func change(_ path: String, _ text: String) throws {
      let store = try PageStore.open(path: path, create: true)
      try store.store(numbers, 1, text)
      store.close()
    }
    if copy == "other" {
      for number in 0..<3 { try change(other, "other \(number)") }
    }
    for number in 0..<3 {
      try change(folder.file, "\(number)")
      let copied = ["newer": 2, "older": 0, "another branch": 1][copy]
      if number == copied { TestFolder.write(other, TestFolder.read(folder.file)) }
    }
    if copy == "newer" || copy == "another branch" { try change(other, copy) }
    let store = try PageStore.open(path: folder.file, create: false)
    defer { store.close() }
    let writer = try store.beginWrite()
    try writer.put(numbers, 2, "mine")
    try #require(store.displacement == nil)
    let bytes = TestFolder.read(other)
    TestFolder.overwrite(folder.file, bytes)
    #expect(throws: PageStoreError(.overwrittenOnDisk, .commit, path: store.path)) {
      try writer.commit()
    }
    #expect(throws: PageStoreError(.overwrittenOnDisk, .beginWrite, path: store.path)) {
      try store.beginWrite()
    }
    #expect(TestFolder.read(folder.file) == bytes)
  }

  @Test
  func `many threads read whole commits while one writes`() async throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    func write(_ number: Int) throws {
      let writer = try store.beginWrite()
      for key in 0..<200 as Range<UInt64> { try writer.put(numbers, key, "\(number)") }
      try writer.commit()
    }
    try write(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var last = 0
          while last < 60 {
            let found = try requireSame(try store.snapshot())
            guard found >= last else { throw Model.Mistake() }
            last = found
          }
        }
      }
      for number in 1...60 { try write(number) }
      try await group.waitForAll()
    }
    #expect(store.readers.isEmpty)
    _ = try PageStoreCheck.run(try store.snapshot())
  }

  @Test
  func `a message says what was attempted, on what, and what to do`() {
    let error = PageStoreError(.diskFull, .commit, path: "/a")
    #expect("\(error)" == "Cannot commit to /a: the disk is full; nothing was changed")
    let damage = PageStoreError(.damaged(in: "page 3", "it is torn"), .read, path: "/a")
    #expect("\(damage)" == "Cannot read /a: it is damaged: page 3: it is torn")
  }
}
