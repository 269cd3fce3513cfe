import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

@Suite struct `Copies of realms` {
  private func withCopy(
    _ body: (Realm, URL) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try withRealm(zoo) { realm in
      try body(realm, URL(fileURLWithPath: folder.file("copy.kennel")))
    }
  }

  @Test func `a copy has what was committed, and none of the free room`() throws {
    try withCopy { realm, url in
      try realm.write {
        for age in 0..<5_000 {
          realm.create(Dog.self, value: ["a dog of some length \(age)", age])
        }
      }
      try realm.write { realm.delete(realm.objects(Dog.self).where { $0.age >= 10 }) }
      try realm.writeCopy(toFile: url)
      var configuration = realm.configuration
      let original = try #require(configuration.fileURL)
      configuration.fileURL = url
      let copy = try Realm(configuration: configuration)
      #expect(copy.objects(Dog.self).map(\.age) == Array(0..<10))
      func size(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
      }
      #expect(try size(url) < size(original))
      try copy.write { copy.deleteAll() }
      #expect(copy.isEmpty && realm.objects(Dog.self).count == 10 && copy != realm)
      expectSound(at: url.path)
    }
  }

  @Test func `a copy takes no file's place`() throws {
    try withCopy { realm, url in
      var configuration = realm.configuration
      configuration.fileURL = url
      try realm.writeCopy(configuration: configuration)
      func code(_ body: () throws -> Void) -> Realm.Error.Code? {
        #expect(throws: Realm.Error.self, performing: body)?.code
      }
      #expect(code { try realm.writeCopy(configuration: configuration) } == .fileExists)
      #expect(code { try realm.writeCopy(toFile: url.appendingPathComponent("x/y")) } != nil)
      realm.beginWrite()
      expectMisuse("in a write transaction") { try? realm.writeCopy(toFile: url) }
      realm.cancelWrite()
      expectMisuse("copy of a frozen Realm") { try? realm.freeze().writeCopy(toFile: url) }
    }
  }

  @Test func `a file that is only read is copied`() throws {
    try withCopy { realm, url in
      try realm.write { _ = realm.create(Dog.self) }
      let path = try #require(realm.configuration.fileURL?.path)
      let database = try Database.open(path, configuration: .init(access: .readOnly))
      try database.writeCopy(to: url.path)
      #expect(try Database.open(url.path).fileID == database.fileID)
      expectSound(at: url.path)
    }
  }
}

@Suite struct `A realm that is opened` {
  /// A file of which most is free: ten of two thousand dogs are left.
  private func withDogs(
    _ body: (Realm.Configuration, _ size: () throws -> Int) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("dogs.kennel")
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: zoo
    )
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for age in 0..<2_000 {
          realm.create(Dog.self, value: [String(repeating: "dog \(age) ", count: 20), age])
        }
      }
      try realm.write { realm.delete(realm.objects(Dog.self).where { $0.age >= 10 }) }
    }
    try body(configuration) {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.size] as? Int)
    }
    expectSound(at: path)
  }

  @Test func `is asked whether to compact its file, and loses nothing by it`() throws {
    try withDogs { configuration, size in
      let before = try size()
      nonisolated(unsafe) var usages: [(total: Int, used: Int)] = []
      var configuration = configuration
      configuration.shouldCompactOnLaunch = { total, used in
        unsafe usages.append((total, used))
        return used < total / 2
      }
      do {
        let realm = try Realm(configuration: configuration)
        #expect(try size() < before / 2)
        #expect(realm.objects(Dog.self).map(\.age) == Array(0..<10))
        try realm.write { realm.create(Dog.self, value: ["Rex", 10]) }
        // The file is open.
        _ = try Realm(configuration: configuration, queue: DispatchQueue(label: "other"))
        unsafe #expect(
          usages.count == 1 && usages[0].total == before && usages[0].used < before / 2
        )
      }
      let realm = try Realm(configuration: configuration)
      unsafe #expect(usages.count == 2 && realm.objects(Dog.self).count == 11)
      unsafe #expect(usages[1].used > usages[1].total / 2)
    }
  }

  @Test func `keeps its file as it is where somebody has it open, or there is none yet`() throws {
    try withDogs { configuration, size in
      let before = try size()
      var configuration = configuration
      configuration.shouldCompactOnLaunch = { _, _ in
        Issue.record("It was asked")
        return true
      }
      let path = try #require(configuration.fileURL?.path)
      let database = try Database.open(path)
      #expect(try Realm(configuration: configuration).objects(Dog.self).count == 10)
      #expect(try size() == before)
      withExtendedLifetime(database) {}
      var other = configuration
      other.inMemoryIdentifier = UUID().uuidString
      #expect(try Realm(configuration: other).isEmpty)
      other.fileURL = URL(fileURLWithPath: path + "-new")
      #expect(try Realm(configuration: other).isEmpty)
      other.readOnly = true
      let readOnly = other
      expectMisuse("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") {
        _ = try? Realm(configuration: readOnly)
      }
    }
  }

  @Test func `begins no write while more versions are kept than it may`() throws {
    try withDogs { configuration, _ in
      var configuration = configuration
      configuration.maximumNumberOfActiveVersions = 3
      let realm = try Realm(configuration: configuration)
      var frozen: Results<Dog>? = realm.objects(Dog.self).freeze()
      for age in 10..<13 { try realm.write { realm.create(Dog.self, value: ["Rex", age]) } }
      let refusal = "Number of active versions (4) in the Realm exceeded the limit of 3"
      expectMisuse(refusal) { realm.beginWrite() }
      expectMisuse(refusal) { try? realm.write {} }
      #expect(!realm.isInWriteTransaction && frozen?.count == 10)
      let queue = DispatchQueue(label: "writer")
      try queue.sync {
        let other = try Realm(configuration: configuration, queue: queue)
        expectMisuse(refusal) { other.writeAsync {} }
      }
      frozen = nil
      try realm.write { realm.create(Dog.self, value: ["Rex", 13]) }
      #expect(realm.objects(Dog.self).count == 14)
    }
  }
}

@Suite struct `Opening elsewhere` {
  private func open(
    _ configuration: Realm.Configuration,
    isCancelled: Bool = false
  ) -> (names: [String], isRefused: Bool) {
    let queue = DispatchQueue(label: "opened")
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: (names: [String], isRefused: Bool) = ([], false)
    // It is cancelled before it can be told.
    queue.suspend()
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { opened in
      switch opened {
      case .success(let realm): unsafe result.names = realm.objects(Dog.self).map(\.name)
      case .failure: unsafe result.isRefused = true
      }
      done.signal()
    }
    if isCancelled { task.cancel() }
    queue.resume()
    done.wait()
    return unsafe result
  }

  @Test func `gives the realm on the queue that was asked for, or why it could not be opened`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.file("test.kennel"))
    var configuration = Realm.Configuration(fileURL: url, objectTypes: zoo)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(open(configuration).names == ["Rex"])
    #expect(open(configuration, isCancelled: true).isRefused)
    configuration.encryptionKey = Data(repeating: 1, count: 64)
    #expect(open(configuration).isRefused)
  }
}
