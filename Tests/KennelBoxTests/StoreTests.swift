import KennelBox
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A transaction` {
  private struct Failure: Error {}

  @Test func `commits everything together, or nothing`() throws {
    try withStore { store in
      try store.runInTransaction {
        try store.books.put(Book("Emma"))
        try store.authors.put(Author("Jane"))
        try #expect(store.books.count() == 1)
      }
      #expect(throws: Failure.self) {
        try store.runInTransaction {
          try store.books.removeAll()
          throw Failure()
        }
      }
      try #expect(store.books.count() == 1)
    }
  }

  @Test func `in another is a part of it, and takes it along when it fails`() throws {
    try withStore { store in
      let error = boxError {
        try store.runInTransaction {
          try store.books.put(Book("Emma"))
          #expect(throws: Failure.self) {
            try store.runInTransaction {
              try store.books.put(Book("Persuasion"))
              throw Failure()
            }
          }
        }
      }
      #expect(error == "illegalState")
      try #expect(store.books.isEmpty())
    }
  }

  @Test func `to read sees one state and cannot write`() throws {
    try withStore { store in
      try store.books.put(Book("Emma"))
      try store.runInReadOnlyTransaction {
        try #expect(store.books.count() == 1)
        let thread = Thread { _ = try? store.books.put(Book("meanwhile")) }
        thread.start()
        while !thread.isFinished { usleep(1000) }
        try #expect(store.books.count() == 1)
        #expect(boxError { try store.books.put(Book("no")) } == "cannotWriteWhileReading")
      }
      try #expect(store.books.count() == 2)
    }
  }

  @Test func `of many threads at once loses nothing`() async throws {
    let folder = try TemporaryFolder()
    let store = try KennelBox.Store(directoryPath: folder.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            try store.books.put(Book("\(number)"))
            _ = try store.books.all()
          }
        }
      }
      try await group.waitForAll()
    }
    try #expect(store.books.count() == 100)
    try expectSound(Database.open(store.filePath))
  }
}

@Suite struct `A store` {
  @Test func `keeps its objects, and reads them without writing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    do {
      let store = try KennelBox.Store(directoryPath: path)
      try store.books.put(Book("Emma"))
      #expect(store.directoryPath == path && store.filePath == path + "/data.kennel")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path + "/data.kennel"))
    let store = try KennelBox.Store(directoryPath: path, readOnly: true)
    try #expect(store.books.all().map(\.title) == ["Emma"])
    #expect(boxError { try store.books.put(Book("no")) } == "illegalState")
    try #expect(Data(contentsOf: URL(fileURLWithPath: store.filePath)) == before)
  }

  @Test func `in memory is shared by name, and gone with its last user`() throws {
    do {
      let one = try KennelBox.Store(directoryPath: "memory:shared")
      try one.books.put(Book("Emma"))
      let two = try KennelBox.Store(directoryPath: "memory:shared")
      try #expect(two.books.count() == 1)
      try #expect(KennelBox.Store(directoryPath: "memory:other").books.isEmpty())
    }
    try #expect(KennelBox.Store(directoryPath: "memory:shared").books.isEmpty())
  }

  @Test func `that is closed says so`() throws {
    let folder = try TemporaryFolder()
    let store = try KennelBox.Store(directoryPath: folder.file("library"))
    let books = store.books
    store.close()
    #expect(boxError { _ = try books.count() } == "illegalState")
    #expect(boxError { try books.put(Book("no")) } == "illegalState")
  }

  @Test func `deletes its files and leaves those of others`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    try KennelBox.Store(directoryPath: path).closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: path))
    let store = try KennelBox.Store(directoryPath: path)
    try Data([1]).write(to: URL(fileURLWithPath: path + "/mine"))
    try store.closeAndDeleteAllFiles()
    try #expect(FileManager.default.contentsOfDirectory(atPath: path) == ["mine"])
  }

  @Test func `gives a new file the permissions that are asked for`() throws {
    let folder = try TemporaryFolder()
    let store = try KennelBox.Store(directoryPath: folder.file("library"), fileMode: 0o600)
    let attributes = try FileManager.default.attributesOfItem(atPath: store.filePath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `refuses puts past its largest size, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let store = try KennelBox.Store(directoryPath: folder.file("library"), maxDbSizeInKByte: 512)
    let long = String(repeating: "x", count: 10_000)
    var failed: String?
    for number in 0..<1000 where failed == nil {
      failed = boxError { try store.books.put(Book("\(number) \(long)")) }
    }
    #expect(failed == "dbFull")
    try store.books.removeAll()
    try #expect(store.books.isEmpty())
  }

  @Test(arguments: ["", "/dev/null/nowhere"])
  func `refuses a place where nothing can be`(path: String) throws {
    let error = boxError { _ = try KennelBox.Store(directoryPath: path) }
    #expect(error == (path.isEmpty ? "illegalArgument" : "storageGeneral"))
  }

  @Test func `refuses a file that is none of Kennel's, and leaves it`() throws {
    let folder = try TemporaryFolder()
    let bytes = Data(repeating: 7, count: 10_000)
    try bytes.write(to: URL(fileURLWithPath: folder.file("data.kennel")))
    #expect(boxError { _ = try KennelBox.Store(directoryPath: folder.path) } == "storageGeneral")
    try #expect(Data(contentsOf: URL(fileURLWithPath: folder.file("data.kennel"))) == bytes)
  }

  @Test func `tells why its directory cannot be created`() {
    let path = "/dev/null/below/a/file"
    let error = #expect(throws: ObjectBoxError.self) {
      _ = try KennelBox.Store(directoryPath: path)
    }
    #expect(error?.message.contains(path) == true && error?.message.contains("512") == false)
  }
}
