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
      #expect(code { try realm.writeCopy(toFile: url, encryptionKey: Data()) } == .fail)
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
      case .success(let realm): result.names = realm.objects(Dog.self).map(\.name)
      case .failure: result.isRefused = true
      }
      done.signal()
    }
    if isCancelled { task.cancel() }
    queue.resume()
    done.wait()
    return result
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
    configuration.encryptionKey = Data()
    #expect(open(configuration).isRefused)
  }
}
